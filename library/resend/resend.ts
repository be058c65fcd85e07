import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import { after } from '../shared/times.ts'
import { type Fields, type Json, type Kept, newSecret, only } from '../shared/values.ts'
import { spokenTime } from './spoken-time.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf, only } from '../shared/values.ts'

/** What records of a collection are called: in answers, in refusals, and the field that names one besides its id. */
interface Kind {
  readonly object: string
  readonly noun: string
  readonly by?: string
}

const KINDS = {
  emails: { object: 'email', noun: 'Email' },
  received_emails: { object: 'email', noun: 'Email' },
  attachments: { object: 'attachment', noun: 'Attachment' },
  domains: { object: 'domain', noun: 'Domain' },
  api_keys: { object: 'api_key', noun: 'API key' },
  segments: { object: 'segment', noun: 'Audience' },
  contacts: { object: 'contact', noun: 'Contact', by: 'email' },
  topics: { object: 'topic', noun: 'Topic' },
  contact_properties: { object: 'contact_property', noun: 'Contact property' },
  broadcasts: { object: 'broadcast', noun: 'Broadcast' },
  templates: { object: 'template', noun: 'Template', by: 'alias' },
  webhooks: { object: 'webhook', noun: 'Webhook' },
  suppressions: { object: 'suppression', noun: 'Suppression', by: 'email' },
  automations: { object: 'automation', noun: 'Automation' },
  events: { object: 'event', noun: 'Event', by: 'name' },
} as const satisfies Record<string, Kind>
type Named = keyof typeof KINDS
type Records = Record<Named | 'claims' | 'happenings' | 'logs', Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Why a request is refused. */
export interface Fault {
  readonly message: string
  /** @default 'validation_error' */
  readonly name?: string
  /** @default 422 */
  readonly status?: number
}

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (resend: ResendRequest) => unknown>>

/** The same, with times as Resend shows most of them: `2026-11-29 20:48:16.123+00`. */
export const shown = (record: Fields, names: string): Fields =>
  Object.fromEntries(
    Object.entries(only(record, names)).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'string' ? value.replace('T', ' ').replace('Z', '+00') : value,
    ]),
  )

/** The fields of a request's body that it has. */
export const given = (body: Fields, names: string): Fields =>
  Object.fromEntries(
    names.split(' ').flatMap((name) => {
      const value = body[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The texts of one or of a list; null without any. */
export const textsOf = (value: Json | undefined): string[] | null =>
  value === undefined || value === null || value === '' ? null : [value].flat().map(String)

/** The records, the clock and the events. */
export class Resend {
  readonly records: WorldContext<Records>['records']
  readonly now: Date
  readonly id: (prefix?: string) => string

  constructor({ records, now, id }: WorldContext<Records>) {
    this.records = records
    this.now = now
    this.id = id
  }

  get time(): string {
    return this.now.toISOString()
  }

  later(seconds: number): string {
    return after(this.now, seconds)
  }

  newSecret(): string {
    return newSecret(this)
  }

  /** The id of a message, with a sender's host. */
  messageId(host: string): string {
    return `<${Buffer.from(this.id()).toString('hex').slice(0, 24)}@${host}.resend.example>`
  }

  /** The time that a request names, in words or in ISO 8601; undefined for none, and for words that are no time. */
  timeOf(words: Json | undefined): string | undefined {
    const time = spokenTime(words, this.now)
    return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
  }

  /** Sends a webhook. */
  happen(type: string, data: Fields): void {
    this.records.happenings.create({ type, created_at: this.time, data })
  }
}

/** The same, with a request. */
export class ResendRequest extends Resend {
  readonly of: Context
  readonly body: Fields

  constructor(of: Context) {
    super(of)
    this.of = of
    this.body = of.body
  }

  /** The record of the key, where the API has made it. */
  get apiKey(): Kept | undefined {
    return this.records.api_keys.find({ token: this.of.key })
  }

  refuse({ message, name = 'validation_error', status = 422 }: Fault): never {
    const facts = { code: 'problem', message, name, statusCode: status }
    return this.of.refuse(status, facts)
  }

  /** Refuses a request whose body lacks a field. */
  need(...fields: string[]): void {
    const field = fields.find((name) => [undefined, null, ''].includes(this.body[name] as null))
    if (field !== undefined) this.of.refuse(422, { code: 'missing_field', field })
  }

  gone(what: string): never {
    const facts = { code: 'gone', what }
    return this.of.refuse(404, facts)
  }

  /** The record that the path names: by default its last part. */
  find(collection: Named, id = String(Object.values(this.of.path).at(-1))): Kept {
    const { noun, by }: Kind = KINDS[collection]
    if (by === undefined && id.split('-').length < 5) this.of.refuse(422, { code: 'no_uuid' })
    const records = this.records[collection]
    const found = records.get(id) ?? (by && records.find({ [by]: by === 'email' ? id.toLowerCase() : id }))
    return found || this.gone(noun)
  }

  create(collection: Named, fields: Fields): Kept {
    return this.records[collection].create({ ...fields, created_at: this.time })
  }

  /** Changes the record that the path names. */
  change(collection: Named, fields: Fields): Fields {
    return this.named(collection, this.records[collection].update(this.find(collection), fields))
  }

  /** Deletes the record that the path names. */
  remove(collection: Named): Fields {
    const found = this.find(collection)
    this.records[collection].remove(found)
    return { ...this.named(collection, found), deleted: true }
  }

  /** How a request that changes a record answers. */
  named(collection: Named, { id }: Kept): Fields {
    return { object: KINDS[collection].object, id }
  }

  /** A page of a list. @param usual how many items it has without a limit */
  list<T extends { readonly id: unknown }>(items: Iterable<T>, show: (item: T) => Fields, usual = 20): Fields {
    const { limit = usual, after, before } = this.of.query
    if (before && after) this.refuse({ message: 'You can only use either `after` or `before`, not both.' })
    const all = [...items]
    const placeOf = (field: string, id: Json) => {
      const place = all.findIndex((item) => item.id === id)
      return place < 0 ? this.of.refuse(422, { code: 'missing_reference', field }) : place
    }
    if (before) {
      const to = placeOf('before', before)
      const from = Math.max(0, to - Number(limit))
      return { object: 'list', data: all.slice(from, to).map(show), has_more: from > 0 }
    }
    const from = after ? placeOf('after', after) + 1 : 0
    const to = from + Number(limit)
    return { object: 'list', data: all.slice(from, to).map(show), has_more: to < all.length }
  }
}
