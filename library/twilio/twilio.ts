import type { AnyOperation, DueContext, OperationContext } from '../../src/handlers.ts'
import { valueText } from '../../src/protocol/json.ts'
import { Provider } from '../shared/provider.ts'
import { after } from '../shared/times.ts'
import { type Fields, type Json, without } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, listOf, only, textOf, without } from '../shared/values.ts'

/** A record. */
export type Kept = Fields & { readonly sid: string }

export type Collection =
  | ('accounts' | 'addresses' | 'alpha_senders' | 'applications' | 'callbacks' | 'calls' | 'challenges')
  | ('conferences' | 'contents' | 'conversation_messages' | 'conversation_participants' | 'conversation_users')
  | ('conversation_webhooks' | 'conversations' | 'factors' | 'happenings' | 'incoming_phone_numbers' | 'keys')
  | ('media' | 'messages' | 'messaging_services' | 'opt_outs' | 'outgoing_caller_ids' | 'participants')
  | ('queue_members' | 'queues' | 'recordings' | 'resources' | 'service_numbers' | 'studio_executions')
  | ('studio_flows' | 'timers' | 'verifications' | 'verify_services')

type Records = Record<Collection, Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (twilio: TwilioRequest) => unknown>>

export const ACCOUNT = '/2010-04-01/Accounts/{AccountSid}'
export const API_VERSION = '2010-04-01'
const MAIN_ACCOUNT = `AC${'0'.repeat(32)}`
/** The service of conversations that name none. */
export const USUAL_SERVICE = `IS${'0'.repeat(32)}`
const USUAL_PAGE = 50
const MOST_OF_PAGE = 1_000

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** An address with its method before it, if that is GET. */
export const reachedBy = (method: Json | undefined, url: Json | undefined): string => {
  const text = valueText(url ?? '')
  return valueText(method ?? '').toUpperCase() === 'GET' && text !== '' ? `GET ${text}` : text
}

/** `FriendlyName` is `friendly_name`. */
export const snake = (name: string): string => name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** `2026-11-30T06:45:28Z`. */
export const timeOf = (time: Date | number): string => `${new Date(time).toISOString().slice(0, 19)}Z`

/** `Mon, 30 Nov 2026 06:45:28 +0000`. */
export const mailTime = (time: Json | Date | undefined): string | null =>
  isMissing(time) ? null : new Date(time as string).toUTCString().replace('GMT', '+0000')

/** The records, the clock and the events. */
export class Twilio extends Provider<Records> {
  get time(): string {
    return timeOf(this.now)
  }

  sid(prefix: string): string {
    return prefix + this.hex(32)
  }

  create(collection: Collection, fields: Fields): Kept {
    return this.records[collection].create({ date_created: this.time, date_updated: this.time, ...fields })
  }

  update(collection: Collection, record: Kept, fields: Fields): Kept {
    return this.records[collection].update(record, { ...fields, date_updated: this.time })
  }

  removeAll(collection: Collection, test: Fields): void {
    for (const record of this.records[collection].where(test)) this.records[collection].remove(record)
  }

  /** Lets `fire` bring a record to a stage. @param from @default now */
  later(seconds: number, subject: Kept, stage: string, from = this.now): void {
    this.records.timers.create({ at: after(from, seconds), subject: subject.sid, stage })
  }

  /** Delivers to an address, signed with the token of the request that names it. */
  listen(address: Json | undefined, secret: Json): void {
    if (isMissing(address)) return
    const callback = { address: address as string, secret }
    const [url = '', method = 'POST'] = valueText(callback.address).split(' ').reverse()
    if (!this.records.callbacks.some(callback)) this.records.callbacks.create({ ...callback, url, method, on: true })
  }

  /** Sends an event, and the form to its callback address, which may be empty. */
  happen(type: string, callback: Json | undefined, payload: Readonly<Record<string, Json | undefined>>): void {
    const given = Object.entries(payload).filter((entry): entry is [string, Json] => (entry[1] ?? null) !== null)
    this.records.happenings.create({ type, callback: callback ?? '', payload: Object.fromEntries(given) })
  }
}

/** The same, with a request. */
export class TwilioRequest extends Twilio {
  readonly of: Context
  readonly body: Fields
  readonly query: Fields
  readonly path: Readonly<Record<string, string>>
  /** Of the request. */
  readonly target: string

  constructor(of: Context, operation: string) {
    super(of)
    this.of = of
    this.body = of.body
    this.query = of.query
    this.path = of.path
    const [, template = ''] = operation.split(' ')
    this.target = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURI(of.path[name] ?? ''))
    const status = this.records.accounts.get(this.user)?.status
    if (status === 'suspended' || status === 'closed') this.refuse(20005, 'Account not active', 401)
  }

  /** The sid of an account or of an API key that the request is signed with. */
  get user(): string {
    const [, credentials = ''] = /^basic (.*)$/i.exec(this.of.headers.authorization ?? '') ?? []
    return Buffer.from(credentials, 'base64').toString().split(':')[0] ?? ''
  }

  get account(): string {
    return this.path.AccountSid ?? (this.user.startsWith('AC') ? this.user : MAIN_ACCOUNT)
  }

  /** A parameter of the body as a text. */
  text(name: string): string {
    return valueText(this.body[name] ?? '')
  }

  /** An address of the body, by its method. */
  address(name: string, method = `${name}Method`): string {
    return reachedBy(this.body[method], this.body[name])
  }

  has(name: string): boolean {
    return !isMissing(this.body[name])
  }

  refuse(code: number, message: string, status = 400): never {
    const facts = { code: 'refused', reason: code, message, state: status }
    return this.of.refuse(status, facts)
  }

  gone(path = this.target.replace(/^\/[a-z]+\/v\d/, '')): never {
    const facts = { code: 'not_found', path }
    return this.of.refuse(404, facts)
  }

  /** Refuses a body without these parameters. @param names with spaces between */
  need(names: string): void {
    const missing = names.split(' ').find((name) => name !== '' && !this.has(name))
    if (missing !== undefined) this.refuse(20001, `Missing required parameter ${missing} in the post body`)
  }

  /** The parameters of the body that it has, as fields. @param names with spaces between */
  sent(names: string): Fields {
    const given = names.split(' ').filter((name) => this.body[name] !== undefined)
    return Object.fromEntries(given.map((name) => [snake(name), this.body[name] as Json]))
  }

  /** The record that the path names. @param sid @default `Sid` of the path */
  find(collection: Collection, sid = this.path.Sid): Kept {
    return this.records[collection].get(sid) ?? this.gone()
  }

  /** The answer without a body. */
  get empty(): object {
    return this.of.respond({ status: 204 })
  }

  /** The records whose fields are what the query's parameters of these names ask for. @param names with spaces between */
  asked<T extends Fields>(records: T[], names: string): T[] {
    const wanted = names.split(' ').filter((name) => !isMissing(this.query[name]))
    return records.filter((record) => wanted.every((name) => record[snake(name)] === this.query[name]))
  }

  /** A page of a list, as the API of 2010 and as the others write it. */
  page<T>(list: string, items: readonly T[], show: (item: T) => Json): Fields {
    const number = Math.max(0, Number(this.query.Page) || 0)
    const size = Math.min(Math.max(1, Number(this.query.PageSize) || USUAL_PAGE), MOST_OF_PAGE)
    const start = number * size
    const shown = items.slice(start, start + size).map(show)
    const given = Object.entries(this.query).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, valueText(one)]),
    )
    const isOld = this.target.startsWith(`/${API_VERSION}/`)
    const to = (page: number): string => {
      const parameters = new URLSearchParams(given)
      parameters.set('PageSize', String(size))
      parameters.set('Page', String(page))
      return `${isOld ? '' : this.of.origin}${this.target}?${parameters}`
    }
    const end = isOld ? 'uri' : 'url'
    const links = {
      [end]: to(number),
      [`first_page_${end}`]: to(0),
      [`next_page_${end}`]: start + size < items.length ? to(number + 1) : null,
      [`previous_page_${end}`]: number > 0 ? to(number - 1) : null,
    }
    const place = { page: number, page_size: size, ...links }
    if (!isOld) return { [list]: shown, meta: { ...place, key: list } }
    return { [list]: shown, ...place, start, end: start + Math.max(0, shown.length - 1) }
  }
}

/** The addresses of a number: those of its application, if it names one. */
export const settingsOf = ({ records }: Twilio, own: Kept, kind: 'sms' | 'voice'): Kept =>
  records.applications.get(valueText(own[`${kind}_application_sid`] ?? '')) ?? own

export type View = (record: Kept, twilio: Twilio) => Fields

const TIMES = ['date_created', 'date_updated', 'date_sent', 'start_time', 'end_time']

/**
 * How records are shown: with their address, and those of what is below them.
 * @param path of the list; the fields of a record fill it
 * @param below lists, with spaces between
 * @param hidden fields, with spaces between
 */
export function viewOf(path: string, below = '', hidden = ''): View {
  const names = below.split(' ').filter((name) => name !== '')
  return (record) => {
    const shown = without(record, hidden)
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => valueText(record[snake(name)] ?? ''))
    const place = `${filled}/${record.sid ?? record.call_sid}`
    const linksTo = (to: string, end = ''): Fields =>
      Object.fromEntries(names.map((name) => [snake(name), `${to}/${name}${end}`]))
    if (path.startsWith(`/${API_VERSION}/`)) {
      const times = TIMES.filter((name) => name in shown).map((name) => [name, mailTime(shown[name])])
      const more = names.length > 0 && { subresource_uris: linksTo(place, '.json') }
      return { ...shown, ...Object.fromEntries(times), uri: `${place}.json`, ...more }
    }
    const url = place.replace(/^\/([a-z]+)/, 'https://$1.twilio.example')
    return { ...shown, url, ...(names.length > 0 && { links: linksTo(url) }) }
  }
}

/** Records that are created, listed, read, changed and deleted in one way. */
export interface Resource {
  readonly collection: Collection
  /** Of the list, without `.json`. */
  readonly path: string
  /** What answers call the list. @default the collection */
  readonly list?: string
  /** A field that names a record in a path, besides its sid. */
  readonly name?: string
  /** The parameters of bodies, with spaces between. */
  readonly fields?: string
  /** What a body sets. @default the `fields` */
  readonly sent?: (twilio: TwilioRequest) => Fields
  /** Those that a new record must have. */
  readonly needed?: string
  /** The parameters of a list that are fields. */
  readonly filters?: string
  readonly show: View
  /** The fields that all records of a list have, of what is above them; refuses a missing one. @default the account */
  readonly above?: (twilio: TwilioRequest) => Fields
  /** Refuses a body. */
  readonly check?: (twilio: TwilioRequest) => void
  /** Refuses a new record, or returns further fields of it. */
  readonly made?: (twilio: TwilioRequest) => Fields
  /** Does what goes with a new record. */
  readonly added?: (twilio: TwilioRequest, record: Kept) => void
  /** Does what goes with a change. */
  readonly changed?: (twilio: TwilioRequest, record: Kept) => void
  /** Does what goes with a deleted record. */
  readonly removed?: (twilio: TwilioRequest, record: Kept) => void
  /** The operations, with spaces between. @default all */
  readonly has?: string
}

/** The operations of a resource: `create`, `list`, `read`, `change` and `delete`. */
export function operationsOf(resource: Resource): Operations {
  const { collection, path, list = collection, fields = '', needed = '', filters = '', show } = resource
  const { above = ({ account }) => ({ account_sid: account }), has = 'create list read change delete' } = resource
  const { name, sent = (twilio) => twilio.sent(fields) } = resource
  const end = path.startsWith(`/${API_VERSION}/`) ? '.json' : ''
  const one = `${path}/{Sid}${end}`
  const find = (twilio: TwilioRequest): Kept => {
    const named = { ...above(twilio), ...(name !== undefined && { [name]: twilio.path.Sid ?? '' }) }
    return (name !== undefined && twilio.records[collection].find(named)) || twilio.find(collection)
  }
  const operations: Readonly<Record<string, readonly [string, Operations[string]]>> = {
    create: [
      `POST ${path}${end}`,
      (twilio) => {
        const parents = above(twilio)
        twilio.need(needed)
        resource.check?.(twilio)
        const record = twilio.create(collection, { ...parents, ...resource.made?.(twilio), ...sent(twilio) })
        resource.added?.(twilio, record)
        return show(record, twilio)
      },
    ],
    list: [
      `GET ${path}${end}`,
      (twilio) => {
        const records = twilio.asked(twilio.records[collection].where(above(twilio)), filters)
        return twilio.page(list, records, (record) => show(record, twilio))
      },
    ],
    read: [`GET ${one}`, (twilio) => show(find(twilio), twilio)],
    change: [
      `POST ${one}`,
      (twilio) => {
        const record = find(twilio)
        resource.check?.(twilio)
        const changed = twilio.update(collection, record, sent(twilio))
        resource.changed?.(twilio, changed)
        return show(changed, twilio)
      },
    ],
    delete: [
      `DELETE ${one}`,
      (twilio) => {
        const record = find(twilio)
        resource.removed?.(twilio, record)
        twilio.records[collection].remove(record)
        return twilio.empty
      },
    ],
  }
  return Object.fromEntries(has.split(' ').flatMap((name) => (operations[name] ? [operations[name]] : [])))
}
