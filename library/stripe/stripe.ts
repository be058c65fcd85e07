import { isJsonObject, type Json, type JsonObject, readPath, valueText } from '../../src/protocol/json.ts'
import { type Collection, type Context, type Due, fieldsOf, type Kept, listOf, textOf, toPage } from './context.ts'

export type { Json } from '../../src/protocol/json.ts'
export { type Collection, type Due, fieldsOf, type Kept, listOf, money, textOf } from './context.ts'

export type Fields = JsonObject

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (stripe: Stripe) => unknown>>
/** What happens to records in time, by the names that the plan calls. */
export type Steps = Readonly<Record<string, (stripe: Stripe, record: Kept) => unknown>>

export const HOUR_S = 3_600
export const DAY_S = 86_400

export const isGiven = (value: Json | undefined): value is Exclude<Json, null> =>
  value !== undefined && value !== null && value !== ''

/** What a value has at a path: `parent.subscription_details.subscription`. */
export const inside = (value: Json | undefined, path: string): Json | undefined => readPath(value, path.split('.'))

export const textIn = (value: Json | undefined, path: string): string => valueText(inside(value, path) ?? '')

export const isOneOf = (value: Json | undefined, ...words: string[]): boolean => words.includes(valueText(value ?? ''))

/** An object with further fields. */
export const merged = (...parts: (Json | undefined)[]): Fields => Object.assign({}, ...parts.map(fieldsOf))

/** The fields that have a value. */
export const filled = (fields: Readonly<Record<string, Json | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, Json] => field[1] != null))

/** An object without these fields. @param names with spaces between */
export const without = (value: Json | undefined, names: string): Fields => {
  const copy = { ...fieldsOf(value) }
  for (const name of names.split(' ')) delete copy[name]
  return copy
}

/** A copy of what is kept as it was sent, to its depth. */
export function wholeOf(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(wholeOf)
  if (!isJsonObject(value)) return value ?? null
  return Object.fromEntries(Object.entries({ ...value }).map(([name, below]) => [name, wholeOf(below)]))
}

export const numberOf = (value: Json | undefined): number => Number(value ?? 0) || 0

export const sumOf = (items: readonly Json[], field: string): number =>
  items.reduce((sum: number, item) => sum + numberOf(inside(item, field)), 0)

export const percentOf = (amount: Json | undefined, percent: Json | undefined): number =>
  Math.round((numberOf(amount) * numberOf(percent)) / 100)

/** The part of an amount that `part` is of `whole`. */
export const shareOf = (amount: Json | undefined, part: Json | undefined, whole: Json | undefined): number =>
  numberOf(whole) === 0 ? 0 : Math.round((numberOf(amount) * numberOf(part)) / numberOf(whole))

/** An amount as a price's decimal text. */
export const decimalText = (amount: Json | undefined): string | null => (isGiven(amount) ? valueText(amount) : null)

const UNITS_S: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: HOUR_S, day: DAY_S, week: 7 * DAY_S }

/** Seconds after a period. A month later is the same day, or the last one of a shorter month. */
export function after(seconds: Json | undefined, count: Json | undefined, unit: Json | undefined): number {
  const fixed = UNITS_S[valueText(unit ?? '')]
  if (fixed !== undefined) return numberOf(seconds) + numberOf(count) * fixed
  const date = new Date(numberOf(seconds) * 1_000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + numberOf(count) * (unit === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return Math.floor(date.getTime() / 1_000)
}

/** `30 Nov 2026`, of seconds. */
export const dateText = (seconds: number): string => new Date(seconds * 1_000).toUTCString().slice(5, 16)

/** The records of a collection. An id is any JSON that a record has: only a text names a record. */
interface Records extends Iterable<Kept> {
  get(id: Json | undefined): Kept | undefined
  find(test: Values | ((record: Kept) => boolean)): Kept | undefined
  where(test: Values | ((record: Kept) => boolean)): Kept[]
  some(test: Values | ((record: Kept) => boolean)): boolean
  count(test?: Values): number
  create(fields: Values): Kept
  update(id: Json | undefined, fields: Values): Kept
  remove(id: Json | undefined): void
}

type Values = Readonly<Record<string, Json | undefined>>

/** Where a refusal is in Stripe's form. */
interface Fault {
  readonly param?: string | undefined
  /** Stripe's code. */
  readonly reason?: string
  /** @default 400 */
  readonly status?: number
}

/** What payments change in invoices, subscriptions and sessions, whose files import those of payments. */
export interface Following {
  /** A payment was tried: it may have succeeded. */
  intentTried(stripe: Stripe, intent: Kept): void
  debitFailed(stripe: Stripe, intent: Kept): void
  /** A bank has answered after the request that asked it. */
  intentAnswered(stripe: Stripe, intent: Kept): void
  invoicePaid(stripe: Stripe, invoice: Kept): void
  /** An attempt to pay an invoice has failed, or waits for its customer. */
  invoiceFailed(stripe: Stripe, invoice: Kept): void
}

/** The records, the clock, and the request: an empty one where time brings a change. */
export class Stripe {
  readonly records: Readonly<Record<Collection, Records>>
  readonly body: Fields
  readonly query: Fields
  readonly path: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly origin: string
  /** Seconds since 1970. */
  readonly unix: number
  readonly following: Following
  readonly #of: Context | Due
  readonly #own: string

  /** @param own parameters that a new or changed record does not keep, with spaces between */
  constructor(of: Context | Due, following: Following, own = '') {
    this.following = following
    this.#own = own
    const request = 'body' in of ? of : undefined
    this.#of = of
    this.records = of.records as unknown as Stripe['records']
    this.origin = of.origin
    this.unix = Math.floor(of.now.getTime() / 1_000)
    this.body = fieldsOf(request?.body)
    this.query = fieldsOf(request?.query)
    this.path = request?.path ?? {}
    this.headers = request?.headers ?? {}
  }

  /** The context of a request. */
  get of(): Context {
    return this.#of as Context
  }

  /** The account of a request that is not the platform's. */
  get account(): string | undefined {
    return this.headers['stripe-account'] ?? this.headers['stripe-context']
  }

  id(prefix: string): string {
    return this.#of.id(prefix)
  }

  letters(length: number): string {
    let text = ''
    while (text.length < length) text += this.#of.id()
    return text.slice(0, length)
  }

  /** The secret of an intent, which the browser has. */
  secretOf({ id }: Kept): string {
    return `${id}_secret_${this.letters(25)}`
  }

  /** Seconds since 1970 after a period from now. */
  later(count: number, unit = 'day'): number {
    return after(this.unix, count, unit)
  }

  /** The host of a kind of pages, beside that of the API. */
  pageHost(name: string): string {
    return (this.origin || `https://${name}.stripe.example`).replace('//api.stripe.com', `//${name}.stripe.com`)
  }

  /** Does what the API does with the request alone: the new or changed record. */
  next(): Kept {
    return this.of.next({ drop: this.#own.split(' ') }) as Kept
  }

  /** Answers with a page of the records that fit. @param ignore parameters of the query that `where` reads */
  list(ignore: readonly string[], where: (record: Kept) => boolean = () => true): void {
    this.of.next({ where: (record) => where(record as Kept), ignore })
  }

  /** The record that the path names: by default with its last part. */
  own(collection: Collection, id = Object.values(this.path).at(-1) ?? ''): Kept {
    const facts = { code: 'not_found', singular: collection.slice(0, -1), collection, id }
    return this.records[collection].get(id) ?? this.#of.refuse(404, facts)
  }

  /** A record as it is now. */
  fresh(collection: Collection, { id }: Fields): Kept {
    return this.records[collection].get(id) as Kept
  }

  /** Sets fields of a record, where there is one. */
  change(collection: Collection, id: Json | undefined, fields: Values): Kept | undefined {
    const found = this.records[collection].get(id)
    return found && this.records[collection].update(found.id, fields)
  }

  /** The records with these values, oldest first. */
  oldest(collection: Collection, test: Values | ((record: Kept) => boolean)): Kept[] {
    return this.records[collection].where(test).reverse()
  }

  /** Moves the clock of the world to a time, after the request. */
  advance(unix: number): void {
    this.of.advance(new Date(unix * 1_000))
  }

  inAccount<T>(name: Json | undefined, work: () => T): T {
    return this.#of.inAccount(valueText(name ?? ''), work)
  }

  preview<T>(work: () => T): T {
    return this.#of.preview(work)
  }

  refuse(message: string, { param, reason, status = 400 }: Fault = {}): never {
    const facts = { code: 'bad_param', message, ...(param && { param }), ...(reason && { reason }) }
    return this.#of.refuse(status, facts)
  }

  absent(kind: string, id: Json | undefined, param: string): never {
    return this.refuse(`No such ${kind}: '${valueText(id ?? '')}'`, { param, reason: 'resource_missing' })
  }

  /** Refuses a request without these parameters. @param names with spaces between */
  need(names: string): void {
    for (const param of names.split(' '))
      if (!isGiven(inside(this.body, param.replaceAll('[', '.').replaceAll(']', ''))))
        this.refuse(`Missing required param: ${param}.`, { param, reason: 'parameter_missing' })
  }

  /** Refuses addresses of the request that are none. */
  checkUrls(...params: string[]): void {
    for (const param of params)
      if (isGiven(this.body[param]) && !textOf(this.body[param]).split('://')[1])
        this.refuse('Not a valid URL', { reason: 'url_invalid', param })
  }

  /** Refuses an amount of the request that is below one. */
  positive(param: string): void {
    const amount = this.body[param]
    if (!isGiven(amount) || numberOf(amount) > 0) return
    const message =
      numberOf(amount) < 0 ? 'Invalid non-negative integer' : 'This value must be greater than or equal to 1.'
    this.refuse(message, { reason: 'parameter_invalid_integer', param })
  }

  /** Refuses with an error of a card: what was changed stays, unless nothing of it `keeps`. */
  decline(error: Fields, keeps = false, status = 402): never {
    const facts = { code: 'declined', message: valueText(error.message ?? ''), error, keeps }
    return this.#of.refuse(status, facts)
  }

  usedToken(token: string): never {
    const facts = { code: 'used_token', token }
    return this.#of.refuse(400, facts)
  }

  /** Refuses what an intent cannot do in its state. */
  unexpected(intent: Kept, message: string, keeps = false, param?: string): never {
    const isSetup = intent.object === 'setup_intent'
    const facts = { code: isSetup ? 'setup_unexpected_state' : 'unexpected_state', message, keeps }
    return this.#of.refuse(400, {
      ...facts,
      [isSetup ? 'setup_intent' : 'payment_intent']: intent,
      ...(param && { param }),
    })
  }

  /** A page of a list that a record has. */
  pageOf(list: Json | undefined): Fields {
    return { ...fieldsOf(list), ...toPage(this.of, textIn(list, 'url'), listOf(inside(list, 'data'))) }
  }
}
