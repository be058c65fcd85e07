import type { AnyOperation, DueContext, OperationContext } from '../../src/handlers.ts'
import { valueText } from '../../src/protocol/json.ts'
import { Provider } from '../shared/provider.ts'
import { type Fields, fieldsOf, filled, type Json, type Kept, textOf } from '../shared/values.ts'

export { type Fields, fieldsOf, filled, type Json, type Kept, sent, textOf, without } from '../shared/values.ts'

export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const INSTANCE = 'ins_backlot'
/** The issuer of tokens, and the host of pages. */
export const ISSUER = 'https://clerk.backlot.example'

export type Collection =
  | ('access_tokens' | 'actor_tokens' | 'allowlist_identifiers' | 'api_keys' | 'blocklist_identifiers' | 'clients')
  | ('connections' | 'domains' | 'email_addresses' | 'happenings' | 'instances' | 'invitations' | 'jwt_templates')
  | ('m2m_tokens' | 'machines' | 'memberships' | 'oauth_applications' | 'org_domains' | 'org_invitations')
  | ('organizations' | 'permissions' | 'phone_numbers' | 'plans' | 'redirect_urls' | 'role_sets' | 'roles')
  | ('sessions' | 'sign_in_tokens' | 'subscription_items' | 'users' | 'waitlist_entries')

/** What refusals call a record, where it is not the name of its collection. */
const NOUNS: { readonly [Name in Collection]?: string } = {
  api_keys: 'API key',
  email_addresses: 'email address',
  jwt_templates: 'JWT template',
  m2m_tokens: 'token',
  memberships: 'organization membership',
  oauth_applications: 'OAuth application',
  org_domains: 'organization domain',
  org_invitations: 'organization invitation',
  waitlist_entries: 'waitlist entry',
}

const nounOf = (collection: Collection): string =>
  NOUNS[collection] ?? collection.replace(/s$/, '').replaceAll('_', ' ')

type Records = Record<Collection, Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (clerk: ClerkRequest) => unknown>>

/** Why a request is refused. */
interface Fault {
  readonly code: string
  readonly text: string
  /** @default the text */
  readonly long?: string
  /** The parameter at fault. */
  readonly name?: string
  /** @default 422 */
  readonly status?: number
}

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

export const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(valueText) : [])

/** Whether a text has the words in it, in any case. */
export const contains = (value: Json | undefined, words: string): boolean =>
  textOf(value).toLowerCase().includes(words.toLowerCase())

/** Milliseconds since 1970 of a text or a number; undefined for anything else. */
export function msOf(value: Json | undefined): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** The records, the clock and the events. */
export class Clerk extends Provider<Records> {
  /** Milliseconds since 1970. */
  get ms(): number {
    return this.now.getTime()
  }

  create(collection: Collection, fields: Fields): Kept {
    return this.records[collection].create({ created_at: this.ms, updated_at: this.ms, ...fields })
  }

  update(collection: Collection, record: Kept, fields: Fields): Kept {
    return this.records[collection].update(record, { ...fields, updated_at: this.ms })
  }

  /** Records whose field has this value, the oldest first. */
  having(collection: Collection, field: string, value: Json | undefined): Kept[] {
    return this.records[collection].where({ [field]: value ?? null }).reverse()
  }

  removeAll(collection: Collection, field: string, value: Json): void {
    for (const record of this.having(collection, field, value)) this.records[collection].remove(record)
  }

  /** Sends an event, and returns its data. */
  happen(type: string, data: Fields): Fields {
    this.records.happenings.create({ type, data })
    return data
  }
}

/** The same, with a request. */
export class ClerkRequest extends Clerk {
  readonly of: Context
  readonly body: Fields

  constructor(of: Context) {
    super(of)
    this.of = of
    this.body = fieldsOf(of.body)
  }

  get path(): Readonly<Record<string, string>> {
    return this.of.path
  }

  get query(): Fields {
    return this.of.query
  }

  /** A parameter of the query with one text. */
  param(name: string): string {
    return textOf(this.query[name])
  }

  /** Milliseconds since 1970 after some seconds; null without any. */
  expiryIn(seconds: Json | undefined): number | null {
    return typeof seconds === 'number' ? this.ms + seconds * SECOND_MS : null
  }

  isPast(ms: Json | undefined): boolean {
    return typeof ms === 'number' && ms < this.ms
  }

  refuse({ code: reason, status = 422, text, long = text, name }: Fault): never {
    const facts = { code: 'refused', reason, text, long, name }
    return this.of.refuse(status, facts)
  }

  taken(name: string, what = name.replaceAll('_', ' ')): never {
    return this.refuse({ code: 'form_identifier_exists', text: `That ${what} is taken. Please try another.`, name })
  }

  gone(what: string, id: Json | undefined): never {
    const facts = { code: 'gone', what, id: valueText(id ?? '') }
    return this.of.refuse(404, facts)
  }

  /** Refuses a request without these fields. @param names with spaces between */
  need(names: string, body = this.body): void {
    const field = names.split(' ').find((name) => isMissing(body[name]))
    const facts = { code: 'lacking', field }
    if (field !== undefined) this.of.refuse(422, facts)
  }

  /** The record with this id. @param id @default the last one of the path */
  find(collection: Collection, id: Json | undefined = Object.values(this.path).at(-1)): Kept {
    return this.records[collection].get(valueText(id ?? '')) ?? this.gone(nounOf(collection), id)
  }

  /** The organization that the path names by its id or its slug. */
  get organization(): Kept {
    const { organizations } = this.records
    const id = this.path.organization_id ?? ''
    return organizations.get(id) ?? organizations.find({ slug: id }) ?? this.gone('organization', id)
  }

  /** The record below the path's organization that the path names. */
  findInOrganization(collection: keyof typeof PARAMETERS): Kept {
    const parameter = PARAMETERS[collection]
    const value = this.path[parameter] ?? ''
    const test = { organization_id: this.organization.id, [parameter === 'user_id' ? parameter : 'id']: value }
    return this.records[collection].find(test) ?? this.gone(nounOf(collection), value)
  }

  /** The user whom the body names. */
  userOfBody(): Kept {
    this.need('user_id')
    return this.find('users', this.body.user_id)
  }

  /** Deletes a record. Returns what the answer and events say of it. */
  remove(collection: Collection, record = this.find(collection), noun = nounOf(collection)): Fields {
    this.records[collection].remove(record)
    return { object: noun.toLowerCase().replaceAll(' ', '_'), id: record.id, deleted: true }
  }

  /** The records whose field is one of a parameter's values; all without the parameter. */
  among(records: Kept[], field: string, param = field): Kept[] {
    const wanted = this.query[param]
    return isMissing(wanted)
      ? records
      : records.filter((record) => textsOf([wanted ?? []].flat()).includes(textOf(record[field])))
  }

  /** The records in the order of `order_by`. */
  ordered(records: Kept[]): Kept[] {
    const order = this.param('order_by')
    const field = order.replace(/[+ -]/g, '')
    if (field === '') return records
    const sign = order.includes('-') ? -1 : 1
    return records.toSorted((left, right) => {
      const [a, b] = [left[field] ?? null, right[field] ?? null]
      if (a === b) return 0
      // Records without the field come last in both directions.
      if (a === null || b === null) return a === null ? 1 : -1
      const isLess = typeof a === 'number' && typeof b === 'number' ? a < b : valueText(a) < valueText(b)
      return isLess ? -sign : sign
    })
  }

  /** The part of a list that `limit` and `offset` name. */
  page<T>(items: readonly T[]): T[] {
    const [limit, offset] = [this.query.limit, this.query.offset].map((value) => Number(value ?? 0) || 0)
    return items.slice(offset, (offset ?? 0) + Math.min(limit || USUAL_LISTED, MOST_LISTED))
  }

  /** A page of a list with the number of all items. */
  list<T>(items: readonly T[], show: (item: T) => Fields): Fields {
    return { data: this.page(items).map(show), total_count: items.length }
  }
}

const PARAMETERS = { memberships: 'user_id', org_invitations: 'invitation_id', org_domains: 'domain_id' } as const
const USUAL_LISTED = 10
const MOST_LISTED = 500

/** Records that are created, listed, read, changed and deleted in one way. */
export interface Resource {
  readonly collection: Collection
  /** Of the list. */
  readonly path: string
  /** The parameter of the path that names a record. */
  readonly param: string
  /** Fields that a new record must have, with spaces between. */
  readonly needed: string
  /** The fields of bodies, with spaces between. */
  readonly fields: string
  readonly show: (record: Kept, clerk: ClerkRequest) => Fields
  /** Refuses a new record. */
  readonly check?: (clerk: ClerkRequest) => void
  /** Further fields of a new record. */
  readonly made?: (clerk: ClerkRequest) => Fields
  /** What the answer to a creation alone shows. */
  readonly secret?: (record: Kept) => Fields
  /** Whether there are `created`, `updated` and `deleted` events. */
  readonly hasEvents?: boolean
  /** The operations, with spaces between. @default all */
  readonly has?: string
}

/** The operations of a resource: `list`, `create`, `read`, `change` and `delete`. */
export function operationsOf(resource: Resource): Operations {
  const { collection, path, param, needed, fields, show, has = 'list create read change delete' } = resource
  const one = `${path}/{${param}}`
  const announce = (clerk: ClerkRequest, what: string, data: Fields): Fields =>
    resource.hasEvents ? clerk.happen(`${nounOf(collection)}.${what}`, data) : data
  const operations: Readonly<Record<string, readonly [string, Operations[string]]>> = {
    list: [`GET ${path}`, (clerk) => clerk.list([...clerk.records[collection]], (record) => show(record, clerk))],
    create: [
      `POST ${path}`,
      (clerk) => {
        clerk.need(needed)
        resource.check?.(clerk)
        const record = clerk.create(collection, { ...filled(clerk.body, fields), ...resource.made?.(clerk) })
        return { ...announce(clerk, 'created', show(record, clerk)), ...resource.secret?.(record) }
      },
    ],
    read: [`GET ${one}`, (clerk) => show(clerk.find(collection), clerk)],
    change: [
      `PATCH ${one}`,
      (clerk) => {
        const record = clerk.update(collection, clerk.find(collection), filled(clerk.body, fields))
        return announce(clerk, 'updated', show(record, clerk))
      },
    ],
    delete: [`DELETE ${one}`, (clerk) => announce(clerk, 'deleted', clerk.remove(collection))],
  }
  return Object.fromEntries(has.split(' ').flatMap((name) => (operations[name] ? [operations[name]] : [])))
}
