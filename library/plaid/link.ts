import { after } from '../shared/times.ts'
import { openAccounts, toAccount, toCustom, USUAL } from './accounts.ts'
import { institutionOf } from './institutions.ts'
import { payPayment } from './payments.ts'
import type { Fields, Json, Kept, PlaidRequest } from './plaid.ts'
import { DAY_S, fieldsOf, listOf, MINUTE_S, operation, rawOperation, renamed } from './plaid.ts'
import { payIntent } from './transfers.ts'
import { verifyPerson } from './verifications.ts'

/** Seconds that tokens are valid, and that a consent at an institution with OAuth lasts. */
const PUBLIC_TOKEN_S = 30 * MINUTE_S
const LINK_TOKEN_S = 4 * 3_600
const UPDATE_TOKEN_S = 30 * MINUTE_S
const CONSENT_S = 365 * DAY_S
const NOTICE_S = 7 * DAY_S
/** Products that no session of Link begins with. */
const NO_LINK = ['balance', 'balance_plus', 'recurring_transactions', 'transactions_refresh', 'signal']

/** Links an institution: an item, which is ready once its public token is exchanged. */
function link(plaid: PlaidRequest, institution: unknown, given: Fields): Fields {
  const { now } = plaid
  const { id: institution_id, name: institution_name = null, oauth } = institutionOf(plaid, institution)
  if (institution_id === 'ins_132361') plaid.refuse('INSTITUTION_DOWN')
  const days = plaid.integer('days_requested', fieldsOf(given.transactions).days_requested, 90, 730, 1)
  const { webhook = null, products = [], statements = null } = given
  plaid.addEndpoint(webhook)
  const { opened, kind } = loginOf(plaid, given)
  const public_token = plaid.token('public')
  const item = plaid.records.items.create({
    ...{
      id: plaid.longId(),
      kind,
      access_token: null,
      institution_id,
      institution_name,
      webhook,
      products,
      statements,
    },
    ...{ public_token, public_token_ends_at: after(now, PUBLIC_TOKEN_S), created_at: now.toISOString() },
    ...{ days, step: 0, sequence: 0, is_synced: false, needs_login: false },
    consent_ends_at: oauth ? after(now, CONSENT_S) : null,
    consent_advances_at: oauth ? after(now, CONSENT_S - NOTICE_S) : null,
  })
  openAccounts(plaid, item, opened)
  return { public_token }
}

/** Users of the sandbox whose transactions change at each refresh. */
const DYNAMIC =
  /^user_(transactions_dynamic|yuppie|small_business|ewa_user|bank_income|credit_(bonus|joint_account|profile_\w+))$/

/** The accounts of a user of the sandbox; a password can name the error of its login. */
function loginOf(plaid: PlaidRequest, given: Fields): { opened: Fields[]; kind: string } {
  const [user, password] = [given.override_username ?? 'user_good', String(given.override_password ?? 'pass_good')]
  if (user === 'user_custom') return { opened: customAccounts(plaid, password), kind: 'custom' }
  if (password.startsWith('error_')) plaid.refuseLogin(password.slice('error_'.length))
  if (DYNAMIC.test(String(user)))
    return { opened: USUAL.filter(({ subtype }) => /^(checking|credit card)$/.test(String(subtype))), kind: 'dynamic' }
  const isGood = /^(pass_good|microdeposits_good|mfa_\w+|\{.*\})$/.test(password)
  return user === 'user_good' && isGood ? { opened: USUAL, kind: 'good' } : plaid.refuse('INVALID_CREDENTIALS')
}

function customAccounts(plaid: PlaidRequest, password: string): Fields[] {
  let accounts: Fields[] = []
  try {
    accounts = listOf(fieldsOf(JSON.parse(password)).override_accounts)
  } catch {
    // Refused below, as a password without accounts is.
  }
  if (accounts.length === 0) plaid.invalid('override_password of user_custom must be JSON with override_accounts')
  return accounts.map(toCustom)
}

/** What a finished session has linked. */
function addedBy({ records }: PlaidRequest, { public_token = null }: Fields): Fields {
  const item = records.items.find({ public_token: String(public_token) })
  const accounts = records.accounts.where({ item_id: item?.id ?? '' }).map((account) => {
    const { account_id = null, name = null, mask = null, type = null, subtype = null } = toAccount(account)
    return { id: account_id, name, mask, type, subtype, verification_status: null, class_type: null }
  })
  const { institution_name: name = null, institution_id = null } = item ?? ({} as Fields)
  return { public_token, accounts, institution: { name, institution_id } }
}

function linkTokenOf(plaid: PlaidRequest): Kept {
  const token = plaid.records.link_tokens.get(String(plaid.body.link_token))
  const isValid = token !== undefined && String(token.expiration) > plaid.now.toISOString()
  return isValid ? token : plaid.refuse('INVALID_LINK_TOKEN')
}

/** What a user does in Link: links an institution, renews the login of the item, pays, or is verified. */
function finish(plaid: PlaidRequest, token: Kept, institution: unknown): Fields {
  const { items } = plaid.records
  const { initial_products: products = [], webhook = null } = fieldsOf(token.metadata)
  const item = token.access_token === null ? undefined : items.find({ access_token: String(token.access_token) })
  const { transactions = null, statements = null } = token
  const [isPaid, isVerified] = [payPayment(plaid, token), verifyPerson(plaid, token)]
  const isDone = item !== undefined || isPaid || isVerified
  const given = { products, webhook, transactions, statements }
  const result = isDone ? {} : link(plaid, institution ?? 'ins_109508', given)
  if (item?.needs_login === true) {
    items.update(item.id, { needs_login: false })
    plaid.notify(item, 'ITEM', 'LOGIN_REPAIRED')
  }
  const linked = item ?? items.find({ public_token: String(result.public_token ?? '') })
  if (linked !== undefined) payIntent(plaid, token.intent_id, linked)
  endSession(plaid, token, isDone ? null : result)
  return result
}

/** Of products that are not simulated. */
const NO_RESULTS: Fields = {
  ...{ cra_item_add_results: [], cra_update_results: [], bank_income_results: [], payroll_income_results: [] },
  document_income_results: null,
}

/** @param result a new item, null without one; undefined where the user has left */
function endSession(plaid: PlaidRequest, token: Kept, result: Fields | null | undefined): void {
  const { webhook = null } = fieldsOf(token.metadata)
  const [link_session_id, time] = [plaid.id(), plaid.now.toISOString()]
  const { public_token = null } = result ?? {}
  const exit = result === undefined ? { error: null, metadata: { status: 'choose_institution' } } : null
  const session = {
    ...{ link_session_id, started_at: time, finished_at: time, on_exit: exit, exit, events: [] },
    on_success: result ? { public_token, metadata: null } : null,
    results: result ? { ...NO_RESULTS, item_add_results: [addedBy(plaid, result)] } : null,
  }
  plaid.records.link_tokens.update(token.id, { sessions: [...listOf(token.sessions), session] })
  if (token.is_hosted !== true) return
  const facts = { link_session_id, link_token: token.id }
  const public_tokens: Json[] = public_token === null ? [] : [public_token]
  for (const one of public_tokens) plaid.notifyAt(webhook, 'LINK', 'ITEM_ADD_RESULT', { ...facts, public_token: one })
  const status = exit === null ? 'SUCCESS' : 'EXITED'
  plaid.notifyAt(webhook, 'LINK', 'SESSION_FINISHED', { ...facts, status, public_tokens })
}

/** Hosted Link: a person chooses an institution, or leaves. */
const hostedPage = rawOperation((plaid) =>
  plaid.of.page((sent) => {
    const token = plaid.records.link_tokens.get(`link-sandbox-${plaid.of.path.id}`)
    if (token?.is_hosted !== true || String(token.expiration) <= plaid.now.toISOString())
      return { title: 'Plaid', status: 404, parts: [{ alert: 'This link is unknown, or has expired.' }] }
    const ended = { title: 'Plaid', parts: [{ status: 'You can close this page.' }] }
    if (listOf(token.sessions).length > 0) return ended
    if (sent === undefined) {
      const isNew = token.access_token === null
      const banks = [...plaid.records.institutions].slice(0, isNew ? undefined : 1).map(({ name, id: value }) => {
        return { button: isNew ? String(name) : 'Renew the login', name: 'institution_id', value }
      })
      const form = [
        { name: 'Institutions', list: banks },
        { button: 'Leave', name: 'leave' },
      ]
      return { title: `${fieldsOf(token.metadata).client_name} uses Plaid to link your account`, parts: [{ form }] }
    }
    if (sent.leave === undefined) finish(plaid, token, sent.institution_id)
    else endSession(plaid, token, undefined)
    return typeof token.completion === 'string' ? { to: token.completion } : ended
  }),
)

/** Gives an item its access token. */
function exchange(plaid: PlaidRequest, public_token: unknown): Fields {
  const { now, records } = plaid
  const item = records.items.find({ public_token: String(public_token) })
  if (item === undefined) return plaid.refuseToken('public', public_token)
  const expired =
    'provided public token is expired. Public tokens expire 30 minutes after creation at which point they can no longer be exchanged'
  if (String(item.public_token_ends_at) <= now.toISOString()) return plaid.refuse('INVALID_PUBLIC_TOKEN', expired)
  const access_token = item.access_token ?? plaid.token('access')
  const hasTransactions = (item.products as string[]).includes('transactions')
  const advances_at = hasTransactions ? after(now, MINUTE_S) : null
  records.items.update(item.id, { access_token, public_token: null, advances_at })
  return { access_token, item_id: item.id }
}

const showToken = renamed(
  'link_token',
  ...['sessions', 'access_token', 'transactions', 'statements', 'intent_id', 'payment_id', 'verifies', 'is_hosted'],
  'completion',
)

/** Link, where people add items, and its tokens. */
export const linkSessions = {
  'POST /link/token/create': operation(['client_name', 'language', 'country_codes'], (plaid) => {
    const { body, now } = plaid
    const { access_token = null, products = [], webhook = null, transactions = null, statements = null } = body
    if (body.user === undefined && body.user_id === undefined) plaid.refuse('MISSING_FIELDS', 'user')
    if (access_token !== null) plaid.anyItem()
    else if (!Array.isArray(products) || products.length === 0) plaid.refuse('MISSING_FIELDS', 'products')
    else if (products.some((one) => NO_LINK.includes(String(one))))
      plaid.refuse('INVALID_PRODUCT', JSON.stringify(products.filter((one) => NO_LINK.includes(String(one)))))
    const link_token = plaid.token('link')
    const { url_lifetime_seconds, completion_redirect_uri: completion = null } = fieldsOf(body.hosted_link)
    const usual = access_token === null ? LINK_TOKEN_S : UPDATE_TOKEN_S
    const seconds = plaid.integer('hosted_link.url_lifetime_seconds', url_lifetime_seconds, usual, 1_814_400, 1)
    plaid.integer('transactions.days_requested', fieldsOf(transactions).days_requested, 90, 730, 1)
    const [expiration, is_hosted] = [after(now, seconds), body.hosted_link != null]
    plaid.addEndpoint(webhook)
    const { country_codes = [], language = null, redirect_uri = null, client_name = null } = body
    const person = { client_user_id: null, ...fieldsOf(body.user) }
    const { template_id = null } = fieldsOf(body.identity_verification)
    plaid.records.link_tokens.create({
      ...{ id: link_token, created_at: now.toISOString(), expiration, access_token, transactions, statements },
      ...{ is_hosted, completion, sessions: [] },
      metadata: { initial_products: products, webhook, country_codes, language, redirect_uri, client_name },
      intent_id: fieldsOf(body.transfer).intent_id ?? null,
      payment_id: fieldsOf(body.payment_initiation).payment_id ?? null,
      verifies: body.identity_verification == null ? null : { template_id, client_user_id: person.client_user_id },
    })
    const hosted_link_url = link_token.replace('link-sandbox-', `${plaid.of.origin}/hl/`)
    return { link_token, expiration, ...(is_hosted && { hosted_link_url }) }
  }),
  'POST /link/token/get': operation(['link_token'], (plaid) => {
    const token = linkTokenOf(plaid)
    return { ...showToken(token), link_sessions: token.sessions ?? [] }
  }),
  'POST /test_helpers/link/finish': operation(['link_token'], (plaid) =>
    finish(plaid, linkTokenOf(plaid), plaid.body.institution_id),
  ),
  'GET /hl/{id}': hostedPage,
  'POST /hl/{id}': hostedPage,
  'POST /sandbox/public_token/create': operation(['institution_id', 'initial_products'], (plaid) => {
    const { institution_id, initial_products: products = [], options } = plaid.body
    return link(plaid, institution_id, { ...fieldsOf(options), products })
  }),
  'POST /item/public_token/exchange': operation(['public_token'], (plaid) => exchange(plaid, plaid.body.public_token)),
  'POST /item/public_token/create': operation(['access_token'], (plaid) => {
    const [public_token, expiration] = [plaid.token('public'), after(plaid.now, PUBLIC_TOKEN_S)]
    plaid.records.items.update(plaid.anyItem().id, { public_token, public_token_ends_at: expiration })
    return { public_token, expiration }
  }),
  'POST /sandbox/processor_token/create': operation(['institution_id'], (plaid) => {
    const given = { products: ['auth'], ...fieldsOf(plaid.body.options) }
    const { item_id } = exchange(plaid, link(plaid, plaid.body.institution_id, given).public_token)
    const account = plaid.records.accounts.find({ item_id: String(item_id), subtype: 'checking' })
    return { processor_token: plaid.addProcessorToken(account?.id ?? null) }
  }),
}
