import { type Fields, fieldsOf, type Json, type Kept, listOf } from '../openai/context.ts'
import { after } from '../openai/times.ts'
import { openAccounts, toAccount, toCustom, USUAL } from './accounts.ts'
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
  notifyAt,
  operation,
  refuseWith,
  type Work,
} from './context.ts'
import { INSTITUTIONS, institutionOf } from './institutions.ts'
import { toItem } from './item.ts'
import { completeInLink } from './payments.ts'
import { payIntent } from './transfers.ts'

/** Seconds that tokens are valid, and that a consent at an institution with OAuth lasts. */
const PUBLIC_TOKEN_S = 30 * MINUTE_S
const LINK_TOKEN_S = 4 * 3_600
const UPDATE_TOKEN_S = 30 * MINUTE_S
const CONSENT_S = 365 * DAY_S
const NOTICE_S = 7 * DAY_S
/** Products that no session of Link begins with. */
const NO_LINK = ['balance', 'balance_plus', 'recurring_transactions', 'transactions_refresh', 'signal']

/** Links an institution: an item, which is ready once its public token is exchanged. */
function link(context: Context, institution_id: unknown, given: Fields): Fields {
  const { id, now, records } = context
  const { name, oauth, institution_id: known } = institutionOf(context, institution_id)
  if (known === 'ins_132361') refuseLogin(context, 'INSTITUTION_DOWN')
  const days = integerOf(context, 'days_requested', fieldsOf(given.transactions).days_requested, 90, 730, 1)
  addEndpoint(context, given.webhook)
  const { opened, kind } = loginOf(context, given)
  const public_token = `public-sandbox-${id()}`
  const item = records.items.create({
    id: `${id()}${id()}`.slice(0, 37),
    kind,
    public_token,
    public_token_ends_at: after(now, PUBLIC_TOKEN_S),
    access_token: null,
    institution_id: known,
    institution_name: name,
    webhook: given.webhook ?? null,
    products: given.products ?? [],
    statements: given.statements ?? null,
    days,
    step: 0,
    sequence: 0,
    is_synced: false,
    needs_login: false,
    created_at: now.toISOString(),
    consent_ends_at: oauth ? after(now, CONSENT_S) : null,
    consent_advances_at: oauth ? after(now, CONSENT_S - NOTICE_S) : null,
  })
  openAccounts(context, item, opened)
  return { public_token }
}

/** Users of the sandbox whose transactions change at each refresh. */
const DYNAMIC =
  /^user_(transactions_dynamic|yuppie|small_business|ewa_user|bank_income|credit_(bonus|joint_account|profile_\w+))$/
/** Error codes and messages of logins that fail. */
const FAILURES: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: 'the provided credentials were not correct',
  INVALID_MFA: 'the provided MFA response(s) were not correct',
  ITEM_LOCKED: "the account is locked. prompt the user to visit the institution's site and unlock their account",
  INSTITUTION_DOWN: 'this institution is not currently responding to this request. please try again soon',
}

function refuseLogin(context: Context, error: string): never {
  const type = error.startsWith('INSTITUTION_') ? 'INSTITUTION_ERROR' : 'ITEM_ERROR'
  const message = FAILURES[error] ?? `the login failed with ${error}`
  const facts = { type, error }
  return context.refuse(400, { code: 'refused', message, ...facts })
}

/** The accounts of a user of the sandbox; a password can name the error of its login. */
function loginOf(context: Context, given: Fields): { opened: Fields[]; kind: string } {
  const { override_username: user, override_password } = given
  const password = String(override_password ?? 'pass_good')
  if (user === 'user_custom') {
    try {
      const accounts = listOf(fieldsOf(JSON.parse(password)).override_accounts)
      if (accounts.length > 0) return { opened: accounts.map(toCustom), kind: 'custom' }
    } catch {
      // Refused below, as a password without accounts is.
    }
    return refuseWith(context, 'INVALID_FIELD', 'override_password of user_custom must be JSON with override_accounts')
  }
  if (password.startsWith('error_')) refuseLogin(context, password.slice('error_'.length))
  if (DYNAMIC.test(String(user)))
    return {
      opened: USUAL.filter(({ subtype }) => subtype === 'checking' || subtype === 'credit card'),
      kind: 'dynamic',
    }
  const isGood = /^(pass_good|microdeposits_good|mfa_\w+|\{.*\})$/.test(password)
  return (user ?? 'user_good') === 'user_good' && isGood
    ? { opened: USUAL, kind: 'good' }
    : refuseLogin(context, 'INVALID_CREDENTIALS')
}

/** What a finished session has linked. */
function addedBy({ records }: Context, { public_token = null }: Fields): Fields {
  const item = records.items.find({ public_token: String(public_token) })
  const accounts = records.accounts.where({ item_id: item?.id ?? '' }).map((account) => {
    const { account_id, name = null, mask = null, type = null, subtype = null } = toAccount(account)
    return { id: account_id ?? null, name, mask, type, subtype, verification_status: null, class_type: null }
  })
  const { institution_name: name = null, institution_id = null } = item ?? ({} as Fields)
  return { public_token, accounts, institution: { name, institution_id } }
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

/** What a user does in Link: links an institution, or renews the login of the item. */
function finish(context: Context, token: Kept, institution: unknown): Fields {
  const { records } = context
  const { initial_products: products = [], webhook = null } = fieldsOf(token.metadata)
  const item =
    token.access_token === null ? undefined : records.items.find({ access_token: String(token.access_token) })
  const { transactions = null, statements = null } = token
  const isDone = completeInLink(context, token)
  const result =
    item || isDone ? {} : link(context, institution ?? 'ins_109508', { products, webhook, transactions, statements })
  if (item?.needs_login === true) {
    records.items.update(item.id, { needs_login: false })
    notify(context, item, 'ITEM', 'LOGIN_REPAIRED')
  }
  const linked = item ?? records.items.find({ public_token: String(result.public_token ?? '') })
  if (linked !== undefined) payIntent(context, token.intent_id, linked)
  endSession(context, token, item || isDone ? null : result)
  return result
}

/** @param result a new item, null without one; undefined where the user has left */
function endSession(context: Context, token: Kept, result: Fields | null | undefined): void {
  const { now, records } = context
  const { webhook = null } = fieldsOf(token.metadata)
  const link_session_id = context.id()
  const { public_token = null } = result ?? {}
  const exit = result === undefined ? { error: null, metadata: { status: 'choose_institution' } } : null
  const session = {
    link_session_id,
    started_at: now.toISOString(),
    finished_at: now.toISOString(),
    on_success: result ? { public_token, metadata: null } : null,
    on_exit: exit,
    exit,
    events: [],
    results: result ? { item_add_results: [addedBy(context, result)] } : null,
  }
  records.link_tokens.update(token.id, { sessions: [...listOf(token.sessions), session] })
  if (token.is_hosted !== true) return
  const facts = { link_session_id, link_token: token.id }
  const public_tokens: Json[] = public_token === null ? [] : [public_token]
  for (const one of public_tokens)
    notifyAt(context, webhook, 'LINK', 'ITEM_ADD_RESULT', { ...facts, public_token: one })
  const status = exit === null ? 'SUCCESS' : 'EXITED'
  notifyAt(context, webhook, 'LINK', 'SESSION_FINISHED', { ...facts, status, public_tokens })
}

/** Hosted Link: a person chooses an institution, or leaves. */
const hostedPage = (context: Context): object =>
  context.page((sent) => {
    const token = context.records.link_tokens.get(`link-sandbox-${context.path.id}`)
    if (token?.is_hosted !== true || String(token.expiration) <= context.now.toISOString())
      return { title: 'Plaid', status: 404, parts: [{ alert: 'This link is unknown, or has expired.' }] }
    const ended = { title: 'Plaid', parts: [{ status: 'You can close this page.' }] }
    if (listOf(token.sessions).length > 0) return ended
    const { client_name } = fieldsOf(token.metadata)
    if (sent === undefined) {
      const banks = INSTITUTIONS.map(({ name, institution_id }) => ({
        button: token.access_token === null ? name : 'Renew the login',
        name: 'institution_id',
        value: institution_id,
      })).slice(0, token.access_token === null ? undefined : 1)
      const list = { name: 'Institutions', list: banks }
      return {
        title: `${client_name} uses Plaid to link your account`,
        parts: [{ form: [list, { button: 'Leave', name: 'leave' }] }],
      }
    }
    if (sent.leave === undefined) finish(context, token, sent.institution_id)
    else endSession(context, token, undefined)
    return typeof token.completion === 'string' ? { to: token.completion } : ended
  })

/** The user that the request names. */
const userOf = (context: Context): Kept => {
  const { user_id, user_token: token } = context.body
  return (
    [...context.records.users].find(({ id, user_token }) => id === user_id || user_token === token) ??
    refuseWith(context, 'INVALID_FIELD', 'user_id or user_token must be of a user')
  )
}

const toUser = ({ id, user_token: _, ...user }: Kept): Fields => ({ user_id: id, ...user })

/** Gives an item its access token. */
function exchange(context: Context, public_token: unknown): Fields {
  const { id, now, records } = context
  const item = records.items.find({ public_token: String(public_token) })
  if (item === undefined)
    return refuseWith(
      context,
      `INVALID_PUBLIC_TOKEN${String(public_token).startsWith('public-') ? '' : ' of another form'}`,
    )
  if (String(item.public_token_ends_at) <= now.toISOString())
    return refuseWith(context, 'INVALID_PUBLIC_TOKEN after its time')
  const access_token = item.access_token ?? `access-sandbox-${id()}`
  const hasTransactions = (item.products as string[]).includes('transactions')
  const advances_at = hasTransactions ? after(now, MINUTE_S) : null
  records.items.update(item.id, { access_token, public_token: null, advances_at })
  return { access_token, item_id: item.id }
}

export const items = {
  'POST /link/token/create': operation(['client_name', 'language', 'country_codes'], (context) => {
    const { body, id, now, records, origin } = context
    const { access_token = null, products = [], webhook = null, transactions = null } = body
    if (body.user === undefined && body.user_id === undefined) refuseWith(context, 'MISSING_FIELDS', 'user')
    if (access_token !== null) anyItemOf(context)
    else if (!Array.isArray(products) || products.length === 0) refuseWith(context, 'MISSING_FIELDS', 'products')
    else if (products.some((one) => NO_LINK.includes(String(one))))
      refuseWith(context, 'INVALID_PRODUCT', JSON.stringify(products.filter((one) => NO_LINK.includes(String(one)))))
    const link_token = `link-sandbox-${id()}`
    const hosted = body.hosted_link == null ? undefined : fieldsOf(body.hosted_link)
    const seconds = integerOf(
      context,
      'hosted_link.url_lifetime_seconds',
      hosted?.url_lifetime_seconds,
      access_token === null ? LINK_TOKEN_S : UPDATE_TOKEN_S,
      1_814_400,
      1,
    )
    const expiration = after(now, seconds)
    addEndpoint(context, webhook)
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
      statements: body.statements ?? null,
      intent_id: fieldsOf(body.transfer).intent_id ?? null,
      payment_id: fieldsOf(body.payment_initiation).payment_id ?? null,
      verifies:
        body.identity_verification == null
          ? null
          : {
              template_id: fieldsOf(body.identity_verification).template_id ?? null,
              client_user_id: fieldsOf(body.user).client_user_id ?? null,
            },
      is_hosted: hosted !== undefined,
      completion: hosted?.completion_redirect_uri ?? null,
      sessions: [],
    })
    return {
      link_token,
      expiration,
      ...(hosted && { hosted_link_url: link_token.replace('link-sandbox-', `${origin}/hl/`) }),
    }
  }),
  'POST /link/token/get': operation(['link_token'], (context) => {
    const {
      id,
      sessions = [],
      access_token: _a,
      transactions: _t,
      statements: _s,
      intent_id: _i,
      payment_id: _p,
      verifies: _v,
      is_hosted: _h,
      completion: _c,
      ...token
    } = linkTokenOf(context)
    return { link_token: id, link_sessions: sessions, ...token }
  }),
  'POST /test_helpers/link/finish': operation(['link_token'], (context) =>
    finish(context, linkTokenOf(context), context.body.institution_id),
  ),
  'GET /hl/{id}': hostedPage,
  'POST /hl/{id}': hostedPage,
  'POST /user/create': operation(['client_user_id'], ({ body, id, now, records }) => {
    const client_user_id = String(body.client_user_id)
    const { identity = null } = body
    const made = { created_at: now.toISOString(), updated_at: now.toISOString(), identity }
    const user =
      records.users.find({ client_user_id }) ??
      records.users.create({ id: id('usr_'), client_user_id, user_token: `user-sandbox-${id()}`, ...made })
    return { user_id: user.id, user_token: user.user_token ?? null }
  }),
  'POST /user/get': operation([], (context) => toUser(userOf(context))),
  'POST /user/update': operation([], (context) => {
    const { body, now, records } = context
    const found = userOf(context)
    const identity = { ...fieldsOf(found.identity), ...fieldsOf(body.identity) }
    return toUser(records.users.update(found.id, { identity, updated_at: now.toISOString() }))
  }),
  'POST /user/remove': operation([], (context) => {
    context.records.users.remove(userOf(context).id)
    return {}
  }),
  'POST /sandbox/public_token/create': operation(['institution_id', 'initial_products'], (context) => {
    const { institution_id, initial_products: products = [], options } = context.body
    return link(context, institution_id, { ...fieldsOf(options), products })
  }),
  'POST /item/public_token/exchange': operation(['public_token'], (context) =>
    exchange(context, context.body.public_token),
  ),
  'POST /sandbox/processor_token/create': operation(['institution_id'], (context) => {
    const { body, id, records } = context
    const { item_id } = exchange(
      context,
      link(context, body.institution_id, { products: ['auth'], ...fieldsOf(body.options) }).public_token,
    )
    const account = records.accounts.find({ item_id: String(item_id), subtype: 'checking' })
    const processor_token = `processor-sandbox-${id()}`
    records.processor_tokens.create({ id: processor_token, account_id: account?.id ?? null })
    return { processor_token }
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
    records.items.update(id, { is_removed: true, webhook: null, advances_at: null, consent_advances_at: null })
    return {}
  }),
  'POST /item/access_token/invalidate': operation(['access_token'], (context) => {
    const access_token = `access-sandbox-${context.id()}`
    context.records.items.update(anyItemOf(context).id, { access_token })
    return { new_access_token: access_token }
  }),
  'POST /item/public_token/create': operation(['access_token'], (context) => {
    const public_token = `public-sandbox-${context.id()}`
    const ends = after(context.now, PUBLIC_TOKEN_S)
    context.records.items.update(anyItemOf(context).id, { public_token, public_token_ends_at: ends })
    return { public_token, expiration: ends }
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
    const kind =
      code === 'PRODUCT_READY'
        ? 'ASSETS'
        : ['DEFAULT_UPDATE', 'SYNC_UPDATES_AVAILABLE', 'RECURRING_TRANSACTIONS_UPDATE'].includes(code)
          ? String(webhook_type ?? 'TRANSACTIONS')
          : String(webhook_type ?? 'ITEM')
    const [product, updated] = UPDATED[kind] ?? []
    if (product !== undefined && !(item.products as string[]).includes(product))
      refuseWith(context, 'SANDBOX_PRODUCT_NOT_ENABLED', product)
    const account_ids = context.records.accounts.where({ item_id: item.id }).map(({ id }) => id)
    const more = 'account_ids' in facts ? { account_ids } : code === 'DEFAULT_UPDATE' ? updated : {}
    notify(context, item, kind, code, { ...facts, ...more })
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
