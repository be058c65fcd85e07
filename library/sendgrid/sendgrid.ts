import type { AnyOperation, DueContext, OperationContext } from '../../src/handlers.ts'
import { isJsonObject, valueText } from '../../src/protocol/json.ts'
import { Provider } from '../shared/provider.ts'
import { after } from '../shared/times.ts'
import { type Fields, type Json, type Kept, listOf } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf, only, without } from '../shared/values.ts'

/** The collections of suppressed addresses, whose records an address names. */
export type Suppressed = 'bounces' | 'blocks' | 'invalid_emails' | 'spam_reports' | 'unsubscribes'
export type Collection =
  | Suppressed
  | 'alerts'
  | 'allowed_ips'
  | 'api_keys'
  | 'batches'
  | 'contacts'
  | 'designs'
  | 'domains'
  | 'event_webhooks'
  | 'exports'
  | 'field_definitions'
  | 'group_suppressions'
  | 'groups'
  | 'happenings'
  | 'imports'
  | 'links'
  | 'lists'
  | 'messages'
  | 'parse_settings'
  | 'pools'
  | 'scheduled_sends'
  | 'segments'
  | 'senders'
  | 'settings'
  | 'singlesends'
  | 'subusers'
  | 'teammates'
  | 'template_versions'
  | 'templates'
  | 'timers'
  | 'verified_senders'
type Records = Record<Collection, Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (sendgrid: SendGridRequest) => unknown>>

/** Which fields a body sets, each with a value of its type; null stands for a text or null. */
export type Form = Readonly<Record<string, Json>>

/** Most items of a page of a list with `limit` and `offset`. */
const MOST_LISTED = 500

/** The texts of a list, or of one with commas. */
export const textsOf = (value: Json | undefined): string[] =>
  typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map((one) => valueText(one)) : []

const isMissing = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

const typeOf = (value: Json): string =>
  value === null ? 'string' : Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : typeof value

/** The records, the clock and the events. */
export class SendGrid extends Provider<Records> {
  /** `2026-11-30T06:45:28Z`. */
  get time(): string {
    return this.timeOf(this.now)
  }

  timeOf(time: Date | number): string {
    return `${new Date(time).toISOString().slice(0, 19)}Z`
  }

  /** A time some seconds later, as the plan reads it. */
  later(seconds: number): string {
    return after(this.now, seconds)
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-')
  }

  /** The records with this id in a field that is one, or a list. */
  having(collection: Collection, field: string, id: Json | undefined): Kept[] {
    return this.records[collection].where((record) => [record[field]].flat().includes(id ?? null))
  }

  removeAll(collection: Collection, ids: Iterable<Json>): void {
    for (const id of ids) {
      const found = this.records[collection].get(id as string)
      if (found !== undefined) this.records[collection].remove(found)
    }
  }
}

/** The same, with a request. */
export class SendGridRequest extends SendGrid {
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

  /** The record of the key, where the API has made it. */
  get apiKey(): Kept | undefined {
    return this.records.api_keys.find({ secret: this.of.key })
  }

  refuse(message: string, field?: string, status = 400): never {
    return this.of.refuse(status, { code: field === undefined ? 'refused' : 'bad', message, field })
  }

  gone(): never {
    return this.refuse('resource not found', undefined, 404)
  }

  /** Refuses a request whose body lacks a field. @param names with spaces between */
  need(names: string): void {
    const field = names.split(' ').find((name) => isMissing(this.body[name]))
    if (field !== undefined) this.refuse(`${field} is required`, field)
  }

  /** The fields of a form that the body has. Refuses one of another type. */
  sent(form: Form): Fields {
    const names = Object.keys(form).filter((name) => ![undefined, null].includes(this.body[name] as null))
    for (const name of names) {
      const type = typeOf(form[name] ?? null)
      if (typeOf(this.body[name] ?? null) !== type) this.refuse(`${name} must be of type ${type}`, name)
    }
    return Object.fromEntries(names.map((name) => [name, this.body[name] ?? null]))
  }

  /** The record that the path names: by default its last part. */
  find(collection: Collection, id = Object.values(this.path).at(-1)): Kept {
    return this.records[collection].get(id) ?? this.gone()
  }

  /** Deletes the record that the path names. */
  remove(collection: Collection): object {
    this.records[collection].remove(this.find(collection))
    return this.empty
  }

  /** Sets fields of the record that the path names. */
  change(collection: Collection, fields: Fields): Kept {
    return this.records[collection].update(this.find(collection), fields)
  }

  /** The answer without a body. */
  get empty(): object {
    return this.of.respond({})
  }

  /** The part of a list that `limit` and `offset` name. */
  page<T>(items: readonly T[], usual = MOST_LISTED): T[] {
    const offset = Number(this.query.offset ?? 0)
    return items.slice(offset, offset + Math.min(Number(this.query.limit ?? usual), MOST_LISTED))
  }

  /** A page with an address of the next one, for lists with `page_size` and `page_token`. */
  paged(
    path: string,
    items: readonly Kept[],
    { show, usual, most, more = '' }: { show: (item: Kept) => Fields; usual: number; most: number; more?: string },
  ): Fields {
    const { page_size = usual, page_token } = this.query
    const last = page_token ? Buffer.from(valueText(page_token), 'base64url').toString() : undefined
    const from = last === undefined ? 0 : items.findIndex(({ id }) => id === last) + 1
    if (last !== undefined && from === 0) this.refuse('invalid page_token', 'page_token')
    const shown = items.slice(from, from + Math.min(Number(page_size), most))
    const self = `https://api.sendgrid.example/v3/${path}`
    const token = Buffer.from(shown.at(-1)?.id ?? '').toString('base64url')
    const next = from + shown.length < items.length && {
      next: `${self}?${more}page_size=${page_size}&page_token=${token}`,
    }
    return { result: shown.map(show), _metadata: { count: items.length, self, ...next } }
  }
}

/** A collection whose operations do no more than keep what they are sent. */
export interface Resource {
  readonly collection: Collection
  /** Of the list. */
  readonly path: string
  /** The parameter that names a record. */
  readonly param: string
  /** Which a new record must have, with spaces between. */
  readonly needed: string
  readonly form: Form
  /** @default as it is */
  readonly show?: (record: Kept, sendgrid: SendGrid) => Fields
  /** Of a list's records. */
  readonly list: (shown: Fields[], sendgrid: SendGridRequest) => unknown
  /** The times of a new record and of a changed one. */
  readonly made?: (sendgrid: SendGridRequest) => Fields
  readonly changed?: (sendgrid: SendGrid) => Fields
}

const timesOf = ({ time }: SendGrid): Fields => ({ created_at: time, updated_at: time })
const changeOf = ({ time }: SendGrid): Fields => ({ updated_at: time })

/** The five operations of a resource: records are created, listed newest first, read, changed and deleted. */
export function operationsOf(resource: Resource): Operations {
  const { collection, path, param, needed, form, list, made = timesOf, changed = changeOf } = resource
  const { show = (record) => record } = resource
  const one = `${path}/{${param}}`
  return {
    [`POST ${path}`]: (sendgrid) => {
      sendgrid.need(needed)
      const fields = { ...sendgrid.sent(form), ...made(sendgrid) }
      return show(sendgrid.records[collection].create(fields), sendgrid)
    },
    [`GET ${path}`]: (sendgrid) =>
      list(
        [...sendgrid.records[collection]].map((record) => show(record, sendgrid)),
        sendgrid,
      ),
    [`GET ${one}`]: (sendgrid) => show(sendgrid.find(collection), sendgrid),
    [`PATCH ${one}`]: (sendgrid) =>
      show(sendgrid.change(collection, { ...sendgrid.sent(form), ...changed(sendgrid) }), sendgrid),
    [`DELETE ${one}`]: (sendgrid) => sendgrid.remove(collection),
  }
}

/** The addresses of a list of `{ email }`. */
export const emailsOf = (value: Json | undefined): string[] => listOf(value).map(({ email }) => valueText(email ?? ''))
