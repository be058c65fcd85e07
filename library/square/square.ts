import type { AnyOperation, DueContext, OperationContext, RecordTest, RefusalText } from '../../src/handlers.ts'
import { isJsonObject, valueText } from '../../src/protocol/json.ts'
import { Provider } from '../shared/provider.ts'
import { after } from '../shared/times.ts'
import { type Fields, fieldsOf, type Json, type Kept } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf, only, without } from '../shared/values.ts'

export type Collection =
  | ('attribute_definitions' | 'attributes' | 'bookings' | 'cards' | 'catalog_objects' | 'catalog_versions')
  | ('customer_groups' | 'customers' | 'device_codes' | 'dispute_evidence' | 'disputes' | 'events')
  | ('gift_card_activities' | 'gift_cards' | 'happenings' | 'inventory_changes' | 'inventory_counts' | 'invoices')
  | ('locations' | 'loyalty_accounts' | 'loyalty_events' | 'loyalty_programs' | 'loyalty_rewards' | 'merchants')
  | ('orders' | 'payment_links' | 'payments' | 'payouts' | 'plain' | 'refunds' | 'subscriptions' | 'team_members')
  | ('terminal_actions' | 'terminal_checkouts' | 'terminal_refunds' | 'timecards' | 'tokens' | 'vendors')
  | 'webhook_subscriptions'
type Records = Record<Collection, Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (square: SquareRequest) => unknown>>

/** Which fields a request may set, each with a value of its type. */
export type Form = Readonly<Record<string, Json>>

/** Fields that may be absent. */
type Partial = Readonly<Record<string, Json | undefined>>

export const MINUTE_S = 60
export const DAY_S = 86_400

/** The location of requests that name none. */
export const MAIN_LOCATION = 'LBACKLOTMAIN1'

export const textOf = (value: Json | undefined): string => valueText(value ?? '')

export const idsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.map((one) => textOf(one)) : []

/** Square shows no field that is null. */
export const filled = (record: Partial): Fields =>
  Object.fromEntries(Object.entries(record).filter((field): field is [string, Json] => field[1] != null))

/** The amount of money, in its smallest unit. */
export const amountOf = (money: Json | undefined): number => Number(fieldsOf(money).amount) || 0

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** A part of an amount, rounded to its smallest unit. */
export const percentOf = (amount: number, percent: Json | undefined): number =>
  Math.round((amount * (Number(percent) || 0)) / 100)

/** `2026-11-30T06:45:28.000Z` of a time in another form; undefined where there is none. */
export function isoOf(time: Json | undefined): string | undefined {
  const at = Date.parse(textOf(time))
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** ISO 8601-1:2019, 5.5.2: `P1Y2M3W4DT5H6M7S`. */
const DURATION =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

/** A time after a duration; undefined for another text. A month later is the same day, or the last of a shorter month. */
export function movedBy(time: Date, duration: string): Date | undefined {
  const parts = DURATION.exec(duration)?.slice(1)
  if (parts === undefined) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  const moved = new Date(time)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + 12 * years + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(time.getUTCDate(), last))
  const rest = (weeks * 7 + days) * DAY_S + hours * 3_600 + minutes * MINUTE_S + seconds
  const end = new Date(moved.getTime() + rest * 1_000)
  return Number.isNaN(end.getTime()) ? undefined : end
}

/** Whether a time is in a range, of whose ends each may be absent. */
export function isWithin(time: Json | undefined, from: Json | undefined, to: Json | undefined): boolean {
  const [at, first = '', last = '~'] = [textOf(time), isoOf(from), isoOf(to)]
  return at >= first && at <= last
}

/** Whether a filter lets a value pass: one value, a list, or nothing. */
export const isAmong = (value: Json | undefined, filter: Json | undefined): boolean =>
  filter == null || [filter].flat().includes(value ?? null)

/** Records by a field or a value of them, those without it last. */
export function sortedBy<T extends Fields>(
  records: readonly T[],
  key: string | ((record: T) => Json | undefined),
  isDescending = false,
): T[] {
  const keyOf = typeof key === 'string' ? (record: T) => record[key] : key
  const order = (a: T, b: T): number => {
    const [left, right] = [keyOf(a) ?? null, keyOf(b) ?? null]
    if (left === right) return 0
    if (left === null || right === null) return left === null ? 1 : -1
    return (textOf(left) < textOf(right) ? -1 : 1) * (isDescending ? -1 : 1)
  }
  return records.toSorted(order)
}

const typeOf = (value: Json): string =>
  Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : Number.isInteger(value) ? 'integer' : typeof value

/** How many items a page has. */
interface Sizes {
  readonly most?: number
  /** Unless a request says otherwise. @default as many as it may have */
  readonly usual?: number
}

/** `next:<place>:<id>`: the first item of a page, and its place at that time. */
const CURSOR = /^next:(\d{1,15}):(.*)$/s

/** The records, the clock and the events. */
export class Square extends Provider<Records> {
  get time(): string {
    return this.now.toISOString()
  }

  /** `2026-11-30`. */
  get day(): string {
    return this.time.slice(0, 10)
  }

  /** The times of a new record. */
  get times(): Fields {
    return { created_at: this.time, updated_at: this.time }
  }

  later(seconds: number): string {
    return after(this.now, seconds)
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`
  }

  /** Sets fields of a record, whose version grows. */
  change(collection: Collection, record: Kept, fields: Fields): Kept {
    return this.records[collection].update(record, {
      ...fields,
      version: (Number(record.version) || 0) + 1,
      updated_at: this.time,
    })
  }

  /** Sends an event of this type, which is no change of a record. */
  announce(event_name: string, data: Fields): void {
    this.records.happenings.create({ event_name, data })
  }

  /** The records of a collection, the oldest first. */
  oldest(collection: Collection, test: RecordTest<Kept> = {}): Kept[] {
    return this.records[collection].where(test).reverse()
  }
}

/** The same, with a request. */
export class SquareRequest extends Square {
  readonly of: Context
  readonly body: Fields
  readonly query: Fields
  readonly path: Readonly<Record<string, string>>

  constructor(of: Context) {
    super(of)
    this.of = of
    this.body = of.body
    this.query = of.query
    this.path = of.path
  }

  /** Refuses a request. @param reason Square's code */
  refuse(reason: string, detail: string, field?: string, status = 400): never {
    return this.refuseAs('INVALID_REQUEST_ERROR', reason, { detail, field, status })
  }

  /** Refuses with an error of another category. */
  refuseAs(category: string, reason: string, { status = 400, ...text }: RefusalText & { status?: number }): never {
    const facts = { code: 'fault', category, reason, ...text }
    return this.of.refuse(status, facts)
  }

  gone(detail: string, field?: string): never {
    return this.refuse('NOT_FOUND', detail, field, 404)
  }

  /** Refuses a request without a field. */
  unset(field: string): never {
    return this.refuse('MISSING_REQUIRED_PARAMETER', 'Field must be set', field)
  }

  /** The record that the path names last. @param missing what is answered without one, with `{id}` */
  find(collection: Collection, missing: string, id: Json | undefined = Object.values(this.path).at(-1)): Kept {
    return this.records[collection].get(textOf(id)) ?? this.gone(missing.replace('{id}', textOf(id)))
  }

  /** What an operation on one record answers: the record, or errors. */
  ask(method: string, path: string, id: string, body: Fields = {}, end = ''): Fields {
    return this.of.call(method, `${path}/${/^[\w:-]+$/.test(id) ? id : '-'}${end}`, body).body
  }

  /** Refuses a version that is not the newest. @param field of the version */
  checkVersion(version: Json | undefined, record: Kept, what: string, field = 'version', status = 409): void {
    if (version != null && version !== record.version)
      this.refuse('VERSION_MISMATCH', `The ${what} is at version ${record.version}.`, field, status)
  }

  /** The same, where Square calls it a conflict. */
  checkConflict(version: Json | undefined, record: Kept, field = 'version'): void {
    if (version != null && version !== record.version)
      this.refuse('CONFLICT', `The version is ${record.version}, not ${textOf(version)}.`, field, 409)
  }

  /** The fields of a form that a part of the body has. Refuses one of another type. @param within the part's name */
  sent(form: Form, within?: string): Fields {
    return this.fitting(form, within === undefined ? this.body : fieldsOf(this.body[within]), within)
  }

  /** The fields of a form that an object has. Refuses one of another type. @param within where it is in the body */
  fitting(form: Form, given: Fields, within?: string): Fields {
    const fields = Object.keys(form).flatMap((name): [string, Json][] => {
      const value = given[name]
      if (value === undefined) return []
      const type = typeOf(form[name] ?? null)
      if (value === null ? type === 'boolean' : typeOf(value) !== type)
        this.refuse(
          `EXPECTED_${type.toUpperCase()}`,
          /^[aeio]/.test(type)
            ? `Expected an ${type}${type === 'integer' ? ' value' : ''}.`
            : `Expected a ${type} value.`,
          within === undefined ? name : `${within}.${name}`,
        )
      return [[name, value]]
    })
    return Object.fromEntries(fields)
  }

  /** A page of a list that `cursor` and `limit` name, as `{ [name]: items, cursor }`. Square shows no empty list. */
  page<T extends Fields>(
    name: string,
    items: readonly T[],
    show: (item: T) => Fields = filled,
    sizes: Sizes = {},
  ): Fields {
    const { shown, next } = this.cut(items, sizes)
    return { ...(shown.length > 0 && { [name]: shown.map((item) => show(item)) }), ...next }
  }

  /** The items of a page, and the cursor of the next one. */
  cut<T extends Fields>(items: readonly T[], { most = 100, usual = most }: Sizes = {}): { shown: T[]; next: Fields } {
    const cursor = this.query.cursor ?? this.body.cursor
    const wanted = Math.trunc(Number(this.query.limit ?? this.body.limit ?? usual))
    const from = cursor ? this.#placeOf(textOf(cursor), items) : 0
    const to = from + Math.min(wanted > 0 ? wanted : usual, most)
    const next = items[to]
    const text = next && Buffer.from(`next:${to}:${textOf(next.id)}`).toString('base64')
    return { shown: items.slice(from, to), next: text === undefined ? {} : { cursor: text } }
  }

  #placeOf(cursor: string, items: readonly Fields[]): number {
    const [, place, id] = CURSOR.exec(Buffer.from(cursor, 'base64').toString()) ?? []
    if (place === undefined) this.refuse('INVALID_CURSOR', 'The pagination cursor is invalid.', 'cursor')
    const found = items.findIndex((item) => item.id === id)
    return found === -1 ? Number(place) : found
  }
}
