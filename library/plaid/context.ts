import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import { makeSecret } from '../../src/protocol/webhook-scheme/keys.ts'
import type { WebhookScheme } from '../../src/protocol/webhook-scheme/scheme.ts'
import type { Fields, Kept } from '../openai/context.ts'
import { toUnix } from '../openai/times.ts'

/** The collections of the description. */
type Collections = Record<
  | 'accounts'
  | 'asset_reports'
  | 'authorizations'
  | 'endpoints'
  | 'happenings'
  | 'intents'
  | 'items'
  | 'link_tokens'
  | 'payments'
  | 'processor_tokens'
  | 'recipients'
  | 'recurring_transfers'
  | 'screenings'
  | 'refunds'
  | 'signals'
  | 'sweeps'
  | 'test_clocks'
  | 'transactions'
  | 'transfer_events'
  | 'transfers'
  | 'users'
  | 'verifications',
  Kept
>

/** What a handler of an operation gets. */
export type Context = OperationContext<AnyOperation, Collections>
/** What a handler of a due record gets. */
export type Due = DueContext<Collections, Kept>
/** What both get. */
export type Work = WorldContext<Collections>

export const MINUTE_S = 60
export const DAY_S = 86_400

/** The day of a time, some days later. */
export const dayOf = (time: Date, days = 0): string =>
  new Date(time.getTime() + days * DAY_S * 1_000).toISOString().slice(0, 10)

/** Type and message of each error, with what people may read. */
const ERRORS = {
  MISSING_FIELDS: ['INVALID_REQUEST', 'the following required fields are missing: '],
  INVALID_FIELD: ['INVALID_REQUEST', ''],
  INVALID_ACCESS_TOKEN: ['INVALID_INPUT', 'could not find matching access token'],
  'INVALID_ACCESS_TOKEN of another form': [
    'INVALID_INPUT',
    'provided access token is in an invalid format. expected format: access-<environment>-<identifier>',
  ],
  INVALID_PUBLIC_TOKEN: ['INVALID_INPUT', 'could not find matching public token'],
  'INVALID_PUBLIC_TOKEN of another form': [
    'INVALID_INPUT',
    'provided public token is in an invalid format. expected format: public-<environment>-<identifier>',
  ],
  'INVALID_PUBLIC_TOKEN after its time': [
    'INVALID_INPUT',
    'provided public token is expired. Public tokens expire 30 minutes after creation at which point they can no longer be exchanged',
  ],
  INVALID_PROCESSOR_TOKEN: ['INVALID_INPUT', 'could not find matching processor token'],
  INVALID_LINK_TOKEN: ['INVALID_INPUT', 'invalid link_token provided'],
  INVALID_ACCOUNT_ID: ['INVALID_INPUT', 'failed to find requested account ID for requested item'],
  INVALID_INSTITUTION: ['INVALID_INPUT', 'invalid institution_id provided'],
  INVALID_PRODUCT: ['INVALID_INPUT', 'client is not authorized to access the following products: '],
  INVALID_WEBHOOK_VERIFICATION_KEY_ID: ['INVALID_INPUT', 'no webhook was signed with the key '],
  ITEM_NOT_FOUND: [
    'ITEM_ERROR',
    'The Item you requested cannot be found. This Item does not exist, has been previously removed via /item/remove, or has had access removed by the user.',
  ],
  USER_PERMISSION_REVOKED: [
    'ITEM_ERROR',
    'the holder of this account has revoked their permission for your application to access it',
  ],
  ITEM_LOGIN_REQUIRED: [
    'ITEM_ERROR',
    "the login details of this item have changed (credentials, MFA, or required user action) and a user login is required to update this information. use Link's update mode to restore the item to a good state",
  ],
  PRODUCT_NOT_READY: [
    'ITEM_ERROR',
    'the requested product is not yet ready. please provide a webhook or try the request again later',
  ],
  'PRODUCT_NOT_READY of assets': ['ASSET_REPORT_ERROR', 'the requested product is not yet ready'],
  PRODUCTS_NOT_SUPPORTED: ['ITEM_ERROR', 'the following products are not supported by this institution: '],
  INVALID_AUDIT_COPY_TOKEN: ['INVALID_INPUT', 'could not find matching audit copy token'],
  INVALID_ASSET_REPORT_TOKEN: ['INVALID_INPUT', 'could not find matching asset report token'],
  NO_AUTH_ACCOUNTS: ['ITEM_ERROR', 'There are no valid checking or savings account(s) associated with this Item.'],
  NO_INVESTMENT_ACCOUNTS: ['ITEM_ERROR', 'There are no valid investment account(s) associated with this Item.'],
  NO_LIABILITY_ACCOUNTS: ['ITEM_ERROR', 'There are no valid liability account(s) associated with this Item.'],
  TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION: [
    'TRANSACTIONS_ERROR',
    'Underlying transaction data changed since last page was fetched. Please restart pagination from last update.',
  ],
  SANDBOX_WEBHOOK_INVALID: [
    'SANDBOX_ERROR',
    "Webhook for this item is either not set up, or invalid. Please update the item's webhook and try again.",
  ],
  SANDBOX_PRODUCT_NOT_ENABLED: ['SANDBOX_ERROR', 'This product is not enabled on this item: '],
  NOT_FOUND: ['TRANSFER_ERROR', 'there is no transfer or authorization with the id '],
  INVALID_AUTHORIZATION: ['TRANSFER_ERROR', 'the authorization was declined or used, or differs from the transfer'],
  TRANSFER_NOT_CANCELLABLE: ['TRANSFER_ERROR', 'transfer is not cancellable'],
  TRANSFER_UNSUPPORTED_ACCOUNT_TYPE: ['TRANSFER_ERROR', 'transfer account type not supported'],
  TRANSFER_NETWORK_LIMIT_EXCEEDED: ['TRANSFER_ERROR', ''],
  SANDBOX_TRANSFER_EVENT_TRANSITION_INVALID: [
    'SANDBOX_ERROR',
    'The provided simulated event type is incompatible with the current transfer status: it is ',
  ],
} as const satisfies Record<string, readonly [string, string]>

/** The error of a code, as an item shows it too. */
export function errorOf(code: keyof typeof ERRORS, rest = ''): Fields {
  const [error_type, message] = ERRORS[code]
  const [error_code = code] = code.split(' ')
  return { error_type, error_code, error_message: message + rest, display_message: null }
}

/** Refuses a request. @param rest the end of the message */
export function refuseWith(context: Context, code: keyof typeof ERRORS, rest = ''): never {
  const { error_type: type, error_code: error, error_message } = errorOf(code, rest)
  const facts = { type, error }
  return context.refuse(400, { code: 'refused', message: String(error_message), ...facts })
}

/** An operation that needs these fields of its body, and answers with the id of the request. */
export const operation =
  (fields: readonly string[], answer: (context: Context) => Fields) =>
  (context: Context): Fields => {
    const missing = fields.filter((name) => context.body[name] === undefined || context.body[name] === null)
    if (missing.length > 0) refuseWith(context, 'MISSING_FIELDS', missing.join(', '))
    return { ...answer(context), request_id: context.id().slice(0, 15) }
  }

/** An integer of the request between bounds. */
export function integerOf(
  context: Context,
  name: string,
  value: unknown,
  usual: number,
  most: number,
  least = 0,
): number {
  const number = value ?? usual
  if (!Number.isInteger(number) || Number(number) < least || Number(number) > most)
    refuseWith(context, 'INVALID_FIELD', `${name} must be an integer from ${least} to ${most}`)
  return Number(number)
}

/** The item of the access token. */
export function anyItemOf(context: Context, token: unknown = context.body.access_token): Kept {
  const access_token = String(token)
  const item =
    context.records.items.find({ access_token }) ??
    refuseWith(context, `INVALID_ACCESS_TOKEN${access_token.startsWith('access-') ? '' : ' of another form'}`)
  return item.is_removed === true ? refuseWith(context, 'ITEM_NOT_FOUND') : item
}

/** The same, where its login is valid. */
export function itemOf(context: Context, token?: unknown): Kept {
  const item = anyItemOf(context, token)
  return item.needs_login === true ? refuseWith(context, 'ITEM_LOGIN_REQUIRED') : item
}

/** The item of a request that reads a product: one that it did not begin with is added. */
export function itemWith(context: Context, product: string, more: Fields = {}, token?: unknown): Kept {
  const item = itemOf(context, token)
  const products = item.products as string[]
  if (products.includes(product)) return item
  return context.records.items.update(item.id, { products: [...products, product], ...more })
}

const SCHEME = { algorithm: 'jwt-es256', publicKey: 'jwk' } as WebhookScheme

/** Registers the address of a webhook: all have one key. */
export function addEndpoint({ records, id, now }: Work, url: unknown): void {
  if (typeof url !== 'string' || records.endpoints.some({ url })) return
  const hex = (bytes: number): string =>
    Buffer.from(`${id()}${id()}`)
      .toString('hex')
      .slice(0, 2 * bytes)
  const { secret, key, made } = records.endpoints.find({}) ?? newKey(hex, now)
  records.endpoints.create({ url, enabled: true, codes: ['*'], secret, key, made })
}

function newKey(hex: (bytes: number) => string, now: Date): Fields {
  const { secret, publicKey = '' } = makeSecret(SCHEME, hex)
  return { secret, key: publicKey, made: toUnix(now) }
}

/** Sends a webhook of an item. */
export const notify = (work: Work, item: Kept, kind: string, code: string, facts: Fields = {}): void =>
  notifyAt(work, item.webhook, kind, code, { item_id: item.id, ...facts })

/** Sends a webhook to an address; without one, to none. */
export function notifyAt({ records }: Work, webhook: unknown, kind: string, code: string, facts: Fields): void {
  if (typeof webhook !== 'string') return
  const error = facts.error && { error: { ...(facts.error as Fields), status: 400 } }
  const body = { webhook_type: kind, webhook_code: code, ...facts, ...error, environment: 'sandbox' }
  records.happenings.create({ code, webhook, body })
}
