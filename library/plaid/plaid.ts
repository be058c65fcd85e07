import { createHash } from 'node:crypto'
import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import { makeSecret } from '../../src/protocol/webhook-scheme/keys.ts'
import type { WebhookScheme } from '../../src/protocol/webhook-scheme/scheme.ts'
import { toPdf } from '../shared/pdf.ts'
import { toUnix } from '../shared/times.ts'
import { type Fields, fieldsOf, type Kept } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf } from '../shared/values.ts'

type Collection =
  | (
      | 'accounts'
      | 'asset_reports'
      | 'authorizations'
      | 'endpoints'
      | 'happenings'
      | 'institutions'
      | 'intents'
      | 'items'
    )
  | (
      | 'link_tokens'
      | 'payments'
      | 'processor_tokens'
      | 'recipients'
      | 'recurring_transfers'
      | 'refunds'
      | 'screenings'
      | 'signals'
    )
  | ('sweeps' | 'test_clocks' | 'transactions' | 'transfer_events' | 'transfers' | 'users' | 'verifications')
type Records = Record<Collection, Kept>
type Context = OperationContext<AnyOperation, Records>
/** What a handler of a due record gets. */
export type Due = DueContext<Records, Kept>

export const MINUTE_S = 60
export const DAY_S = 86_400

/** The day of a time, some days later. */
export const dayOf = (time: Date, days = 0): string =>
  new Date(time.getTime() + days * DAY_S * 1_000).toISOString().slice(0, 10)

export const USD = { iso_currency_code: 'USD', unofficial_currency_code: null }

export const cents = (amount: number): number => Math.round(amount * 100) / 100

/** Fields that are null, by their names with spaces between. */
export const nulls = (names: string): Fields => Object.fromEntries(names.split(' ').map((name) => [name, null]))

/** Whether a record has the values of a request that are not null, by these names. */
export const fits = (record: Fields, given: Fields, ...names: string[]): boolean =>
  names.every((name) => given[name] == null || record[name] === given[name])

/** A record whose id has another name, without the fields that are not shown. */
export const renamed =
  (id: string, ...hidden: string[]) =>
  (record: Kept): Fields => {
    const shown = Object.entries(record).filter(([name]) => name !== 'id' && !hidden.includes(name))
    return { [id]: record.id, ...Object.fromEntries(shown) }
  }

const PRODUCTS = 'assets auth balance identity investments liabilities signal statements transactions transfer'.split(
  ' ',
)

/** An item as it is shown. */
export function toItem({ id, needs_login, consent_ends_at = null, ...item }: Kept): Fields {
  const { institution_id = null, institution_name = null, webhook = null, created_at = null } = item
  const products = item.products as string[]
  return {
    ...{
      item_id: id,
      institution_id,
      institution_name,
      webhook,
      auth_method: products.includes('auth') ? 'INSTANT_AUTH' : null,
      products,
      billed_products: products,
    },
    available_products: PRODUCTS.filter((product) => !products.includes(product)),
    error: needs_login === true ? errorOf('ITEM_LOGIN_REQUIRED') : null,
    ...{ consent_expiration_time: consent_ends_at, update_type: 'background', created_at },
  }
}

/** Messages of errors, by type and code. */
const ERRORS = {
  INVALID_REQUEST: { MISSING_FIELDS: 'the following required fields are missing: ', INVALID_FIELD: '' },
  INVALID_INPUT: {
    INVALID_ACCESS_TOKEN: '',
    INVALID_PUBLIC_TOKEN: '',
    INVALID_PROCESSOR_TOKEN: 'could not find matching processor token',
    INVALID_LINK_TOKEN: 'invalid link_token provided',
    INVALID_ACCOUNT_ID: 'failed to find requested account ID for requested item',
    INVALID_INSTITUTION: 'invalid institution_id provided: /institutions/get lists those of the simulation',
    INVALID_PRODUCT: 'client is not authorized to access the following products: ',
    INVALID_WEBHOOK_VERIFICATION_KEY_ID: 'no webhook was signed with the key ',
    INVALID_AUDIT_COPY_TOKEN: 'could not find matching audit copy token',
    INVALID_ASSET_REPORT_TOKEN: 'could not find matching asset report token',
  },
  ITEM_ERROR: {
    ITEM_NOT_FOUND:
      'The Item you requested cannot be found. This Item does not exist, has been previously removed via /item/remove, or has had access removed by the user.',
    USER_PERMISSION_REVOKED:
      'the holder of this account has revoked their permission for your application to access it',
    ITEM_LOGIN_REQUIRED:
      "the login details of this item have changed (credentials, MFA, or required user action) and a user login is required to update this information. use Link's update mode to restore the item to a good state",
    PRODUCT_NOT_READY:
      'the requested product is not yet ready. please provide a webhook or try the request again later',
    NO_AUTH_ACCOUNTS: 'There are no valid checking or savings account(s) associated with this Item.',
    NO_INVESTMENT_ACCOUNTS: 'There are no valid investment account(s) associated with this Item.',
    NO_LIABILITY_ACCOUNTS: 'There are no valid liability account(s) associated with this Item.',
    INVALID_CREDENTIALS: 'the provided credentials were not correct',
    INVALID_MFA: 'the provided MFA response(s) were not correct',
    ITEM_LOCKED: "the account is locked. prompt the user to visit the institution's site and unlock their account",
  },
  INSTITUTION_ERROR: {
    INSTITUTION_DOWN: 'this institution is not currently responding to this request. please try again soon',
  },
  ASSET_REPORT_ERROR: { 'PRODUCT_NOT_READY of assets': 'the requested product is not yet ready' },
  TRANSACTIONS_ERROR: {
    TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION:
      'Underlying transaction data changed since last page was fetched. Please restart pagination from last update.',
  },
  SANDBOX_ERROR: {
    SANDBOX_WEBHOOK_INVALID:
      "Webhook for this item is either not set up, or invalid. Please update the item's webhook and try again.",
    SANDBOX_PRODUCT_NOT_ENABLED: 'This product is not enabled on this item: ',
    SANDBOX_TRANSFER_EVENT_TRANSITION_INVALID:
      'The provided simulated event type is incompatible with the current transfer status: it is ',
  },
  TRANSFER_ERROR: {
    NOT_FOUND: 'there is no transfer or authorization with the id ',
    INVALID_AUTHORIZATION: 'the authorization was declined or used, or differs from the transfer',
    TRANSFER_NOT_CANCELLABLE: 'transfer is not cancellable',
    TRANSFER_UNSUPPORTED_ACCOUNT_TYPE: 'transfer account type not supported',
    TRANSFER_NETWORK_LIMIT_EXCEEDED: '',
  },
} as const
type ErrorCode = { [Type in keyof typeof ERRORS]: keyof (typeof ERRORS)[Type] }[keyof typeof ERRORS]

/** The error of a code, as an item shows it too. @param rest the end of the message */
export function errorOf(code: ErrorCode, rest = ''): Fields {
  const all = Object.entries(ERRORS as Readonly<Record<string, Readonly<Record<string, string>>>>)
  const [error_type = '', messages = {}] = all.find(([, messages]) => code in messages) ?? []
  const [error_code = code] = code.split(' ')
  return { error_type, error_code, error_message: `${messages[code]}${rest}`, display_message: null }
}

const SCHEME = { algorithm: 'jwt-es256', publicKey: 'jwk' } as WebhookScheme

/** The records, the clock and the webhooks. */
export class Plaid {
  readonly records: WorldContext<Records>['records']
  readonly now: Date
  readonly id: (prefix?: string) => string

  constructor({ records, now, id }: WorldContext<Records>) {
    this.records = records
    this.now = now
    this.id = id
  }

  /** An id as Plaid's: 37 characters. */
  longId(): string {
    return `${this.id()}${this.id()}`.slice(0, 37)
  }

  /** A token such as `access-sandbox-` and a UUID. */
  token(kind: string): string {
    const hex = createHash('sha256').update(this.id()).digest('hex')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, `${kind}-sandbox-$1-$2-$3-$4-$5`)
  }

  /** Registers the address of a webhook: all have one key. */
  addEndpoint(url: unknown): void {
    const { endpoints } = this.records
    if (typeof url !== 'string' || endpoints.some({ url })) return
    const { secret, key, made } = endpoints.find({}) ?? this.#newKey()
    endpoints.create({ url, enabled: true, codes: ['*'], secret, key, made })
  }

  #newKey(): Fields {
    const hex = (bytes: number): string =>
      Buffer.from(this.id() + this.id())
        .toString('hex')
        .slice(0, 2 * bytes)
    const { secret, publicKey = '' } = makeSecret(SCHEME, hex)
    return { secret, key: publicKey, made: toUnix(this.now) }
  }

  /** A token with which a processor reads an account. */
  addProcessorToken(account_id: string | null): string {
    const id = this.token('processor')
    this.records.processor_tokens.create({ id, account_id })
    return id
  }

  /** Sends a webhook of an item. */
  notify(item: Kept, kind: string, code: string, facts: Fields = {}): void {
    this.notifyAt(item.webhook, kind, code, { item_id: item.id, ...facts })
  }

  /** Sends a webhook to an address; without one, to none. */
  notifyAt(webhook: unknown, kind: string, code: string, facts: Fields = {}): void {
    if (typeof webhook !== 'string') return
    const error = facts.error && { error: { ...fieldsOf(facts.error), status: 400 } }
    const body = { webhook_type: kind, webhook_code: code, ...facts, ...error, environment: 'sandbox' }
    this.records.happenings.create({ code, webhook, body })
  }
}

/** The same, with a request. */
export class PlaidRequest extends Plaid {
  readonly of: Context
  readonly body: Fields

  constructor(of: Context) {
    super(of)
    this.of = of
    this.body = of.body
  }

  /** Refuses the request. @param rest the end of the message */
  refuse(code: ErrorCode, rest = ''): never {
    const { error_type: type, error_code: error, error_message } = errorOf(code, rest)
    return this.of.refuse(400, { code: 'refused', message: String(error_message), ...{ type, error } })
  }

  pdf(line: string): object {
    return this.of.respond({ headers: { 'Content-Type': 'application/pdf' }, body: toPdf([line]) })
  }

  /** Refuses a login with an error that the request names. */
  refuseLogin(error: string): never {
    if (error in ERRORS.ITEM_ERROR || error in ERRORS.INSTITUTION_ERROR) this.refuse(error as ErrorCode)
    const type = error.startsWith('INSTITUTION_') ? 'INSTITUTION_ERROR' : 'ITEM_ERROR'
    return this.of.refuse(400, { code: 'refused', message: `the login failed with ${error}`, ...{ type, error } })
  }

  invalid(message: string): never {
    return this.refuse('INVALID_FIELD', message)
  }

  /** Refuses a field that has another value than these. @param values with spaces between @param within as for `need` */
  among(name: string, values: string, given: Fields = this.body, within = ''): void {
    if (given[name] != null && !values.split(' ').includes(String(given[name])))
      this.invalid(`${within}${name} must be one of ${values.replaceAll(' ', ', ')}`)
  }

  /** Refuses a request whose body, or a part of it, lacks fields. @param within the name of the part, with a dot */
  need(names: readonly string[], given: Fields = this.body, within = ''): void {
    const missing = names.filter((name) => given[name] === undefined || given[name] === null)
    if (missing.length > 0) this.refuse('MISSING_FIELDS', missing.map((name) => `${within}${name}`).join(', '))
  }

  /** An integer of the request between bounds. */
  integer(name: string, value: unknown, usual: number, most: number, least = 0): number {
    const number = value ?? usual
    if (!Number.isInteger(number) || Number(number) < least || Number(number) > most)
      this.invalid(`${name} must be an integer from ${least} to ${most}`)
    return Number(number)
  }

  /** The part of a list for which `count` and `offset` ask. */
  page<T>(list: readonly T[], { count, offset }: Fields, usual = 100, most = 500): T[] {
    const from = this.integer('offset', offset, 0, 1_000_000)
    return list.slice(from, from + this.integer('count', count, usual, most, 1))
  }

  /** A page of records, whose cursor is the id of the next one. */
  pageByCursor(name: string, found: readonly Kept[], show: (one: Kept) => Fields, usual = 100, most = 500): Fields {
    const { count, cursor } = this.body
    const from = cursor == null ? 0 : found.findIndex(({ id }) => id === cursor)
    if (from < 0) this.invalid('cursor must be the next_cursor of an earlier answer')
    const to = from + this.integer('count', count, usual, most, 1)
    return { [name]: found.slice(from, to).map(show), next_cursor: found[to]?.id ?? null }
  }

  /** The record with the id that a field of the body has. */
  named(collection: Collection, field: string): Kept {
    const id = String(this.body[field])
    return this.records[collection].get(id) ?? this.refuse('NOT_FOUND', id)
  }

  /** The same, of what has no error of its own. */
  known(collection: Collection, field: string): Kept {
    const id = String(this.body[field])
    return this.records[collection].get(id) ?? this.invalid(`${field} is not known: ${id}`)
  }

  /** Refuses an access token or a public token that nothing has. */
  refuseToken(kind: 'access' | 'public', token: unknown): never {
    const form = `provided ${kind} token is in an invalid format. expected format: ${kind}-<environment>-<identifier>`
    const isForm = String(token).startsWith(`${kind}-`)
    const code = kind === 'access' ? 'INVALID_ACCESS_TOKEN' : 'INVALID_PUBLIC_TOKEN'
    return this.refuse(code, isForm ? `could not find matching ${kind} token` : form)
  }

  /** The item of the access token. */
  anyItem(token: unknown = this.body.access_token): Kept {
    const item = this.records.items.find({ access_token: String(token) }) ?? this.refuseToken('access', token)
    return item.is_removed === true ? this.refuse('ITEM_NOT_FOUND') : item
  }

  /** The same, where its login is valid. */
  item(token?: unknown): Kept {
    const item = this.anyItem(token)
    return item.needs_login === true ? this.refuse('ITEM_LOGIN_REQUIRED') : item
  }

  /** The item of a request that reads a product: one that it did not begin with is added. */
  itemWith(product: string, more: Fields = {}, token?: unknown): Kept {
    const item = this.item(token)
    const products = item.products as string[]
    if (products.includes(product)) return item
    return this.records.items.update(item.id, { products: [...products, product], ...more })
  }
}

export type Operation = (context: Context) => Fields

/** An operation that needs these fields of its body, and answers with the id of the request. */
export const operation =
  (fields: readonly string[], answer: (plaid: PlaidRequest) => Fields | undefined): Operation =>
  (context) => {
    const plaid = new PlaidRequest(context)
    plaid.need(fields)
    return { ...answer(plaid), request_id: plaid.id().slice(0, 15) }
  }

/** An operation whose answer is no JSON. */
export const rawOperation = (answer: (plaid: PlaidRequest) => object) => (context: Context) =>
  answer(new PlaidRequest(context))
