import type { AnyOperation, DueContext, OperationContext, RecordTest, WorldContext } from '../../src/handlers.ts'
import { faultOfOpenRedirect } from '../../src/service/pages/redirect-address.ts'
import { after } from '../shared/times.ts'
import { type Fields, fieldsOf, filled, type Json, type Kept, textOf, without } from '../shared/values.ts'

export { type Fields, fieldsOf, filled, type Json, type Kept, listOf, sent, textOf, without } from '../shared/values.ts'

export const MINUTE_S = 60
export const HOUR_S = 3_600
export const DAY_S = 86_400

export type Collection =
  | ('api_keys' | 'audit_log_events' | 'audit_log_exports' | 'audit_log_schemas' | 'challenges' | 'client_secrets')
  | ('connect_applications' | 'connections' | 'data_keys' | 'directories' | 'directory_groups' | 'directory_users')
  | ('email_verifications' | 'events' | 'factors' | 'feature_flags' | 'grants' | 'groups' | 'happenings')
  | ('invitations' | 'it_contacts' | 'magic_auths' | 'organization_domains' | 'organization_memberships')
  | ('organizations' | 'password_resets' | 'passwordless_sessions' | 'permissions' | 'portal_links' | 'profiles')
  | ('resources' | 'role_assignments' | 'roles' | 'sessions' | 'timers' | 'users' | 'vault_objects' | 'waitlists')
  | ('waitlist_entries' | 'webhook_endpoints')

/** What refusals call a record, where it is not the name of its collection. */
const NOUNS: { readonly [Name in Collection]?: string } = {
  challenges: 'AuthenticationChallenge',
  connect_applications: 'Application',
  email_verifications: 'Email Verification',
  factors: 'AuthenticationFactor',
  feature_flags: 'Feature flag',
  organization_memberships: 'Organization Membership',
  password_resets: 'Password Reset',
  resources: 'AuthorizationResource',
  vault_objects: 'Item',
}

/** `directory_users` is `DirectoryUser`. */
const nounOf = (collection: Collection): string =>
  NOUNS[collection] ??
  collection
    .replace(/ies$/, 'ys')
    .replace(/s$/, '')
    .replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

type Records = Record<Collection, Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Why a request is refused, where a part is at fault. */
interface Fault {
  readonly code: string
  readonly message: string
  /** @default 400 */
  readonly status?: number
}

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (workos: WorkOSRequest) => unknown>>

/** Fields that no answer and no event shows, by collection, with spaces between. */
const HIDDEN: { readonly [Name in Collection]?: string } = {
  api_keys: 'value',
  audit_log_exports: 'ready_at asked origin',
  audit_log_schemas: 'id action updated_at',
  challenges: 'code is_verified',
  client_secrets: 'application_id secret',
  directories: 'domain',
  directory_users: 'group_ids',
  email_verifications: 'code',
  feature_flags: 'targets',
  groups: 'member_ids',
  invitations: 'token',
  it_contacts: 'organization_id',
  magic_auths: 'code',
  organization_memberships: 'role_slugs',
  organizations: 'retention',
  password_resets: 'password_reset_token updated_at',
  profiles: 'access_token created_at updated_at',
  sessions: 'refresh_token',
  users: 'password',
}

export const idsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Metadata with the sent keys; a null deletes a key. */
export const patched = (metadata: Json | undefined, change: Json | undefined): Fields =>
  Object.fromEntries(
    Object.entries({ ...fieldsOf(metadata), ...fieldsOf(change) }).filter(([, value]) => value !== null),
  )

/** A record without the fields that its collection hides. */
export const shown = (collection: Collection, record: Fields): Fields => without(record, HIDDEN[collection] ?? '')

export const toUser = (user: Fields): Fields => {
  const words = [user.first_name, user.last_name].filter((word) => word != null)
  return { ...shown('users', user), name: user.name ?? (user.first_name == null ? null : words.join(' ')) }
}

export const toDirectory = (directory: Fields): Fields => ({
  ...shown('directories', directory),
  state: directory.state === 'linked' ? 'active' : 'inactive',
  domains: [],
})

/** What `role.created` and its like have: less than answers, for a role of the environment. */
export const toRoleEvent = ({ id, type, ...role }: Fields): Fields => {
  if (type === 'OrganizationRole') return { ...role, object: 'organization_role' }
  const { slug, resource_type_slug, permissions, created_at, updated_at } = role
  return { object: 'role', slug, resource_type_slug, permissions, created_at, updated_at } as Fields
}

/** Where a redirect leads, with these parameters. */
export const withQuery = (address: string, query: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(query).filter(([, value]) => value)
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return `${address}${address.includes('?') ? '&' : '?'}${text}`
}

/** The records, the clock and the events. */
export class WorkOS {
  readonly records: WorldContext<Records>['records']
  readonly now: Date
  readonly id: (prefix?: string) => string
  readonly #random: () => number

  constructor({ records, now, id, random }: WorldContext<Records>) {
    this.records = records
    this.now = now
    this.id = id
    this.#random = random
  }

  get time(): string {
    return this.now.toISOString()
  }

  later(seconds: number): string {
    return after(this.now, seconds)
  }

  isPast(time: Json | undefined): boolean {
    return textOf(time) < this.time
  }

  /** @param alphabet @default digits */
  code(length: number, alphabet = '0123456789'): string {
    return Array.from({ length }, () => alphabet[Math.floor(this.#random() * alphabet.length)]).join('')
  }

  /** Such as the code of a redirect. */
  ticket(prefix = '01'): string {
    return `${prefix}${this.id().toUpperCase()}`
  }

  /** 32 hexadecimal digits. */
  hex(length = 32): string {
    return this.code(length, '0123456789abcdef')
  }

  create(collection: Collection, fields: Fields): Kept {
    return this.records[collection].create({ ...fields, created_at: this.time, updated_at: this.time })
  }

  update(collection: Collection, record: Kept, fields: Fields): Kept {
    return this.records[collection].update(record, { ...fields, updated_at: this.time })
  }

  removeAll(collection: Collection, test: RecordTest<Kept>): void {
    for (const record of this.records[collection].where(test).reverse()) this.records[collection].remove(record)
  }

  /** Adds an id to a list of a record, or takes it away. */
  join(collection: Collection, record: Kept, { list, id, isIn }: { list: string; id: string; isIn: boolean }): Kept {
    const others = idsOf(record[list]).filter((one) => one !== id)
    const changed = isIn ? [...new Set([...idsOf(record[list]), id])] : others
    return this.records[collection].update(record, { [list]: changed })
  }

  endSession(session: Kept, status = 'revoked'): Kept {
    return this.update('sessions', session, { status, ended_at: this.time })
  }

  /** Sends an event that no change of a record sends. */
  happen(event_name: string, data: Fields): void {
    this.records.happenings.create({ event_name, data })
  }

  toOrganization(organization: Kept): Fields {
    const domains = this.records.organization_domains.where({ organization_id: organization.id }).reverse()
    return { ...shown('organizations', organization), domains }
  }
}

/** The same, with a request. */
export class WorkOSRequest extends WorkOS {
  readonly of: Context
  readonly body: Fields

  constructor(of: Context) {
    super(of)
    this.of = of
    this.body = of.body
  }

  get path(): Readonly<Record<string, string>> {
    return this.of.path
  }

  get query(): Readonly<Record<string, string>> {
    return this.of.query as Readonly<Record<string, string>>
  }

  /** The address in the body, in lower case. */
  get email(): string {
    return textOf(this.body.email).toLowerCase()
  }

  refuse(reason: string, message: string, status = 400): never {
    const facts = { code: 'refused', reason, message }
    return this.of.refuse(status, facts)
  }

  /** Refuses with a fault of the request's parts. */
  refuseListed({ code: reason, message, status = 400 }: Fault, inner: string, text: string): never {
    const facts = { code: 'listed', reason, message, inner, text }
    return this.of.refuse(status, facts)
  }

  refuseInvalid(inner: string, text: string): never {
    const fault = { code: 'invalid_request_parameters', message: 'Validation failed.', status: 422 }
    return this.refuseListed(fault, inner, text)
  }

  refuseGrant(reason: string, message: string): never {
    const facts = { code: 'oauth', reason, message }
    return this.of.refuse(400, facts)
  }

  gone(collection: Collection, id: Json | undefined): never {
    const facts = { code: 'gone', what: nounOf(collection), id: String(id ?? '') }
    return this.of.refuse(404, facts)
  }

  /** Refuses a text that is no address. */
  checkEmail(): string {
    if (textOf(this.body.email).split('@').length !== 2) this.refuseInvalid('email_invalid', 'email must be an email')
    return this.email
  }

  /** The record with this id. @param id @default `{id}` of the path */
  find(collection: Collection, id: Json | undefined = this.path.id): Kept {
    return this.records[collection].get(String(id ?? '')) ?? this.gone(collection, id)
  }

  /** The record that fits. @param id what the refusal names */
  findBy(collection: Collection, test: RecordTest<Kept>, id: Json | undefined): Kept {
    return this.records[collection].find(test) ?? this.gone(collection, id)
  }

  /** The record with this id, where the request names one. */
  findNamed(collection: Collection, id: Json | undefined): Kept | undefined {
    return id == null || id === '' ? undefined : this.find(collection, id)
  }

  /** Records whose fields have these values, those of absent parameters aside. */
  matching(collection: Collection, test: Fields): Kept[] {
    return this.records[collection].where(filled(test, Object.keys(test).join(' ')) as RecordTest<Kept>)
  }

  /** Deletes the record that the path names. */
  remove(collection: Collection, record = this.find(collection)): object {
    this.records[collection].remove(record)
    return this.done()
  }

  done(): object {
    return this.of.respond({})
  }

  /** Refuses an address that is not of a test: anyone could send a link to it. */
  redirect(location: string): object {
    const fault = faultOfOpenRedirect(location)
    const step = "Use an address on loopback, one such as https://app.example, or an application's own scheme."
    if (fault)
      this.of.refuse(400, {
        code: 'invalid_redirect',
        message: `Failed to redirect to "${location.slice(0, 200)}": ${fault}. ${step}`,
      })
    return this.of.respond({ headers: { Location: location } })
  }

  /** A page of a list. @param items the newest first */
  list(items: readonly Kept[], show: (item: Kept) => Fields = (item) => item, usual = 'desc'): Fields {
    const { limit: asked, order = usual, before: above, after: below } = this.query
    const limit = Number(asked ?? 10)
    const all = order === 'asc' ? items.toReversed() : items
    // In the order `normal`, which has the newest first too, `before` leads to older items and `after` to newer ones.
    const toCursors = <T>(before: T, after: T) =>
      order === 'normal' ? { before: after, after: before } : { before, after }
    const { before, after } = toCursors(above, below)
    const placeOf = (id: string): number => {
      const place = all.findIndex((item) => item.id === id)
      const facts = { code: 'missing_reference', message: `There is no '${id}' in the list.`, id }
      return place < 0 ? this.of.refuse(422, facts) : place
    }
    const end = before && !after ? placeOf(before) : undefined
    const from = end === undefined ? (after ? placeOf(after) + 1 : 0) : Math.max(0, end - limit)
    const data = all.slice(from, end ?? from + limit)
    const list_metadata = toCursors(
      from > 0 ? (data[0]?.id ?? null) : null,
      from + data.length < all.length ? (data.at(-1)?.id ?? null) : null,
    )
    return { object: 'list', data: data.map(show), list_metadata }
  }

  /** A list without pages. */
  whole(items: readonly Fields[]): Fields {
    return { object: 'list', data: [...items], list_metadata: { before: null, after: null } }
  }
}
