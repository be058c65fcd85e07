import { type Due, errorOf, type Fields, fieldsOf, type Kept, operation, Plaid, toItem } from './plaid.ts'

/** The login of an item is no longer valid. */
function requireLogin(plaid: Plaid, item: Kept): void {
  plaid.records.items.update(item.id, { needs_login: true })
  plaid.notify(item, 'ITEM', 'ERROR', { error: errorOf('ITEM_LOGIN_REQUIRED') })
}

export const items = {
  'POST /item/get': operation(['access_token'], (plaid) => {
    const item = plaid.anyItem()
    const sent = plaid.records.happenings.find(({ body }) => fieldsOf(body).item_id === item.id)
    const last_webhook = sent && { code_sent: sent.code ?? null, sent_at: sent.sent_at ?? null }
    const transactions = { last_successful_update: item.updated_at ?? null, last_failed_update: null }
    return { item: toItem(item), status: { transactions, last_webhook: last_webhook ?? null } }
  }),
  'POST /item/remove': operation(['access_token'], (plaid) => {
    const { records } = plaid
    const { id } = plaid.anyItem()
    for (const one of records.accounts.where({ item_id: id })) records.accounts.remove(one.id)
    for (const one of records.transactions.where({ item_id: id })) records.transactions.remove(one.id)
    records.items.update(id, { is_removed: true, webhook: null, advances_at: null, consent_advances_at: null })
  }),
  'POST /item/access_token/invalidate': operation(['access_token'], (plaid) => {
    const access_token = plaid.token('access')
    plaid.records.items.update(plaid.anyItem().id, { access_token })
    return { new_access_token: access_token }
  }),
  'POST /item/webhook/update': operation(['access_token'], (plaid) => {
    const { webhook = null } = plaid.body
    plaid.addEndpoint(webhook)
    const item = plaid.records.items.update(plaid.anyItem().id, { webhook })
    plaid.notify(item, 'ITEM', 'WEBHOOK_UPDATE_ACKNOWLEDGED', { new_webhook_url: webhook, error: null })
    return { item: toItem(item) }
  }),
  'POST /sandbox/item/reset_login': operation(['access_token'], (plaid) => {
    requireLogin(plaid, plaid.anyItem())
    return { reset_login: true }
  }),
  'POST /sandbox/item/fire_webhook': operation(['access_token', 'webhook_code'], (plaid) => {
    const { webhook_code, webhook_type } = plaid.body
    const item = plaid.anyItem()
    if (item.webhook === null) plaid.refuse('SANDBOX_WEBHOOK_INVALID')
    const code = String(webhook_code)
    const wanted = `webhook_code must be one of ${Object.keys(FIRED).join(', ')}`
    const facts = FIRED[code] ?? plaid.invalid(wanted)
    const usual = OF_TRANSACTIONS.includes(code) ? 'TRANSACTIONS' : code.startsWith('SMS_') ? 'AUTH' : 'ITEM'
    const kind = code === 'PRODUCT_READY' ? 'ASSETS' : String(webhook_type ?? usual)
    const [product, updated] = UPDATED[kind] ?? []
    if (product !== undefined && !(item.products as string[]).includes(product))
      plaid.refuse('SANDBOX_PRODUCT_NOT_ENABLED', product)
    const account_ids = plaid.records.accounts.where({ item_id: item.id }).map(({ id }) => id)
    const more = 'account_ids' in facts ? { account_ids } : code === 'DEFAULT_UPDATE' ? updated : {}
    plaid.notify(item, kind, code, { ...facts, ...more })
    return { webhook_fired: true }
  }),
  'POST /webhook_verification_key/get': operation(['key_id'], (plaid) => {
    const { records, body } = plaid
    const one = records.endpoints.find({})
    const { kid, ...key }: Fields = JSON.parse(String(one?.key ?? '{}'))
    if (one === undefined || kid !== body.key_id)
      return plaid.refuse('INVALID_WEBHOOK_VERIFICATION_KEY_ID', String(body.key_id))
    return { key: { ...key, kid: kid ?? null, created_at: one.made ?? null, expired_at: null } }
  }),
  /** A consent at an institution with OAuth ends: a notice, and a week later the login is required. */
  advanceConsent: (due: Due) => {
    const [plaid, { record }] = [new Plaid(due), due]
    const isOver = record.consent_advances_at === record.consent_ends_at
    due.update({ consent_advances_at: isOver ? null : record.consent_ends_at })
    if (record.access_token === null) return
    if (isOver) return requireLogin(plaid, record)
    const facts = { reason: 'INSTITUTION_TOKEN_EXPIRATION', disconnect_time: record.consent_ends_at ?? null }
    plaid.notify(record, 'ITEM', 'PENDING_DISCONNECT', facts)
  },
}

/** The product of each kind of webhooks, and the facts of its updates. */
const UPDATED: Readonly<Record<string, readonly [string, Fields?]>> = {
  ASSETS: ['assets'],
  AUTH: ['auth', {}],
  HOLDINGS: ['investments', { new_holdings: 0, updated_holdings: 0 }],
  IDENTITY: ['identity', { account_ids_with_updated_identity: {} }],
  INVESTMENTS_TRANSACTIONS: ['investments', { new_investments_transactions: 0, canceled_investments_transactions: 0 }],
  LIABILITIES: ['liabilities', { account_ids_with_new_liabilities: [], account_ids_with_updated_liabilities: {} }],
  TRANSACTIONS: ['transactions', { new_transactions: 0 }],
}

const OF_TRANSACTIONS = ['DEFAULT_UPDATE', 'SYNC_UPDATES_AVAILABLE', 'RECURRING_TRANSACTIONS_UPDATE']

/** The webhooks that the sandbox sends at once, with their facts. */
const FIRED: Readonly<Record<string, Fields>> = {
  DEFAULT_UPDATE: { error: null },
  SYNC_UPDATES_AVAILABLE: { initial_update_complete: true, historical_update_complete: true },
  RECURRING_TRANSACTIONS_UPDATE: { account_ids: [] },
  NEW_ACCOUNTS_AVAILABLE: { error: null },
  LOGIN_REPAIRED: {},
  AUTHORIZATION_GRANTED: { error: null },
  PRODUCT_READY: { asset_report_id: '00000000-0000-0000-0000-000000000000', report_type: 'FULL' },
  SMS_MICRODEPOSITS_VERIFICATION: { status: 'MANUALLY_VERIFIED', error: null },
  PENDING_DISCONNECT: { reason: 'INSTITUTION_TOKEN_EXPIRATION', disconnect_time: null },
  USER_PERMISSION_REVOKED: { error: errorOf('USER_PERMISSION_REVOKED') },
  USER_ACCOUNT_REVOKED: { error: null },
  ERROR: { error: errorOf('ITEM_LOGIN_REQUIRED') },
}
