import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { after } from '../openai/times.ts'
import { openAccounts } from './accounts.ts'
import {
  addEndpoint,
  anyItemOf,
  type Context,
  DAY_S,
  type Due,
  errorOf,
  integerOf,
  MINUTE_S,
  notify,
  operation,
  refuseWith,
  type Work,
} from './context.ts'
import { institutionOf } from './institutions.ts'
import { toItem } from './item.ts'

/** Seconds that tokens are valid, and that a consent at an institution with OAuth lasts. */
const PUBLIC_TOKEN_S = 30 * MINUTE_S
const LINK_TOKEN_S = 4 * 3_600
const CONSENT_S = 365 * DAY_S
const NOTICE_S = 7 * DAY_S

/** Links an institution: an item, which is ready once its public token is exchanged. */
function link(context: Context, institution_id: unknown, given: Fields): Fields {
  const { id, now, records } = context
  const { name, oauth, institution_id: known } = institutionOf(context, institution_id)
  const days = integerOf(context, 'days_requested', fieldsOf(given.transactions).days_requested, 90, 730, 1)
  addEndpoint(context, given.webhook)
  const public_token = `public-sandbox-${id()}`
  records.items.create({
    id: `${id()}${id()}`.slice(0, 37),
    public_token,
    public_token_ends_at: after(now, PUBLIC_TOKEN_S),
    access_token: null,
    institution_id: known,
    institution_name: name,
    webhook: given.webhook ?? null,
    products: given.products ?? [],
    days,
    step: 0,
    sequence: 0,
    is_synced: false,
    needs_login: false,
    created_at: now.toISOString(),
    consent_ends_at: oauth ? after(now, CONSENT_S) : null,
    consent_advances_at: oauth ? after(now, CONSENT_S - NOTICE_S) : null,
  })
  return { public_token }
}

function linkTokenOf(context: Context): Kept {
  const token = context.records.link_tokens.get(String(context.body.link_token))
  const isValid = token !== undefined && String(token.expiration) > context.now.toISOString()
  return isValid ? token : refuseWith(context, 'INVALID_LINK_TOKEN')
}

/** The login of an item is no longer valid. */
function requireLogin(context: Work, item: Kept): void {
  context.records.items.update(item.id, { needs_login: true })
  notify(context, item, 'ITEM', 'ERROR', { error: errorOf('ITEM_LOGIN_REQUIRED') })
}

export const items = {
  'POST /link/token/create': operation(['client_name', 'language', 'country_codes'], (context) => {
    const { body, id, now, records } = context
    const { access_token = null, products = [], webhook = null, transactions = null } = body
    if (body.user === undefined && body.user_id === undefined) refuseWith(context, 'MISSING_FIELDS', 'user')
    if (access_token !== null) anyItemOf(context)
    else if (!Array.isArray(products) || products.length === 0) refuseWith(context, 'MISSING_FIELDS', 'products')
    const link_token = `link-sandbox-${id()}`
    const expiration = after(now, LINK_TOKEN_S)
    const metadata = {
      initial_products: products,
      webhook,
      country_codes: body.country_codes ?? [],
      language: body.language ?? null,
      redirect_uri: body.redirect_uri ?? null,
      client_name: body.client_name ?? null,
    }
    const created_at = now.toISOString()
    records.link_tokens.create({
      id: link_token,
      created_at,
      expiration,
      metadata,
      access_token,
      transactions,
      sessions: [],
    })
    return { link_token, expiration }
  }),
  'POST /link/token/get': operation(['link_token'], (context) => {
    const { id, sessions = [], access_token: _a, transactions: _t, ...token } = linkTokenOf(context)
    return { link_token: id, link_sessions: sessions, ...token }
  }),
  /** What a user does in Link: links an institution, or renews the login of the item. */
  'POST /test_helpers/link/finish': operation(['link_token'], (context) => {
    const { body, now, records } = context
    const token = linkTokenOf(context)
    const { initial_products: products = [], webhook = null } = fieldsOf(token.metadata)
    const item =
      token.access_token === null ? undefined : records.items.find({ access_token: String(token.access_token) })
    const transactions = token.transactions ?? null
    const result = item ? {} : link(context, body.institution_id ?? 'ins_109508', { products, webhook, transactions })
    if (item?.needs_login === true) {
      records.items.update(item.id, { needs_login: false })
      notify(context, item, 'ITEM', 'LOGIN_REPAIRED')
    }
    const results = item ? null : { item_add_results: [result] }
    const session = { link_session_id: context.id(), finished_at: now.toISOString(), results }
    records.link_tokens.update(token.id, { sessions: [...(token.sessions as Fields[]), session] })
    return result
  }),
  'POST /sandbox/public_token/create': operation(['institution_id', 'initial_products'], (context) => {
    const { institution_id, initial_products: products = [], options } = context.body
    return link(context, institution_id, { ...fieldsOf(options), products })
  }),
  'POST /item/public_token/exchange': operation(['public_token'], (context) => {
    const { body, id, now, records } = context
    const item = records.items.find({ public_token: String(body.public_token) })
    if (item === undefined || String(item.public_token_ends_at) <= now.toISOString())
      return refuseWith(context, 'INVALID_PUBLIC_TOKEN')
    const access_token = `access-sandbox-${id()}`
    const hasTransactions = (item.products as string[]).includes('transactions')
    const advances_at = hasTransactions ? after(now, MINUTE_S) : null
    records.items.update(item.id, { access_token, public_token: null, advances_at })
    openAccounts(context, item.id)
    return { access_token, item_id: item.id }
  }),
  'POST /item/get': operation(['access_token'], (context) => {
    const item = anyItemOf(context)
    const sent = context.records.happenings.find(({ body }) => fieldsOf(body).item_id === item.id)
    const last_webhook = sent && { code_sent: sent.code ?? null, sent_at: sent.sent_at ?? null }
    const transactions = { last_successful_update: item.updated_at ?? null, last_failed_update: null }
    return { item: toItem(item), status: { transactions, last_webhook: last_webhook ?? null } }
  }),
  'POST /item/remove': operation(['access_token'], (context) => {
    const { records } = context
    const { id } = anyItemOf(context)
    for (const one of records.accounts.where({ item_id: id })) records.accounts.remove(one.id)
    for (const one of records.transactions.where({ item_id: id })) records.transactions.remove(one.id)
    records.items.remove(id)
    return {}
  }),
  'POST /item/access_token/invalidate': operation(['access_token'], (context) => {
    const access_token = `access-sandbox-${context.id()}`
    context.records.items.update(anyItemOf(context).id, { access_token })
    return { new_access_token: access_token }
  }),
  'POST /item/webhook/update': operation(['access_token'], (context) => {
    const { webhook = null } = context.body
    addEndpoint(context, webhook)
    const item = context.records.items.update(anyItemOf(context).id, { webhook })
    notify(context, item, 'ITEM', 'WEBHOOK_UPDATE_ACKNOWLEDGED', { new_webhook_url: webhook, error: null })
    return { item: toItem(item) }
  }),
  'POST /sandbox/item/reset_login': operation(['access_token'], (context) => {
    requireLogin(context, anyItemOf(context))
    return { reset_login: true }
  }),
  'POST /sandbox/item/fire_webhook': operation(['access_token', 'webhook_code'], (context) => {
    const { webhook_code, webhook_type } = context.body
    const item = anyItemOf(context)
    if (item.webhook === null) refuseWith(context, 'SANDBOX_WEBHOOK_INVALID')
    const code = String(webhook_code)
    const facts =
      FIRED[code] ??
      refuseWith(context, 'INVALID_FIELD', `webhook_code must be one of ${Object.keys(FIRED).join(', ')}`)
    const kind = ['DEFAULT_UPDATE', 'SYNC_UPDATES_AVAILABLE', 'RECURRING_TRANSACTIONS_UPDATE'].includes(code)
    notify(context, item, String(webhook_type ?? (kind ? 'TRANSACTIONS' : 'ITEM')), code, facts)
    return { webhook_fired: true }
  }),
  'POST /webhook_verification_key/get': operation(['key_id'], (context) => {
    const { records, body } = context
    const one = records.endpoints.find({})
    const { kid, ...key }: Fields = JSON.parse(String(one?.key ?? '{}'))
    if (one === undefined || kid !== body.key_id)
      return refuseWith(context, 'INVALID_WEBHOOK_VERIFICATION_KEY_ID', String(body.key_id))
    return { key: { ...key, kid: kid ?? null, created_at: one.made ?? null, expired_at: null } }
  }),
  /** A consent at an institution with OAuth ends: a notice, and a week later the login is required. */
  advanceConsent: (context: Due) => {
    const { record, update } = context
    const isOver = record.consent_advances_at === record.consent_ends_at
    update({ consent_advances_at: isOver ? null : record.consent_ends_at })
    if (record.access_token === null) return
    if (isOver) return requireLogin(context, record)
    const facts = { reason: 'INSTITUTION_TOKEN_EXPIRATION', disconnect_time: record.consent_ends_at ?? null }
    notify(context, record, 'ITEM', 'PENDING_DISCONNECT', facts)
  },
}

/** The webhooks that the sandbox sends at once, with their facts. */
const FIRED: Readonly<Record<string, Fields>> = {
  DEFAULT_UPDATE: { error: null, new_transactions: 0 },
  SYNC_UPDATES_AVAILABLE: { initial_update_complete: true, historical_update_complete: true },
  RECURRING_TRANSACTIONS_UPDATE: { account_ids: [] },
  NEW_ACCOUNTS_AVAILABLE: { error: null },
  LOGIN_REPAIRED: {},
  PENDING_DISCONNECT: { reason: 'INSTITUTION_TOKEN_EXPIRATION', disconnect_time: null },
  USER_PERMISSION_REVOKED: { error: null },
  USER_ACCOUNT_REVOKED: { error: null },
  ERROR: { error: errorOf('ITEM_LOGIN_REQUIRED') },
}
