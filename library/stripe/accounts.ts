import { type JsonObject, readField } from '../../src/protocol/json.ts'
import {
  absent,
  type Context,
  fieldsOf,
  find,
  type Kept,
  listOf,
  refused,
  secondsOf,
  textOf,
  toPage,
} from './context.ts'

/** The account of the path. Refuses one that the key cannot reach. */
function accountOf({ records, path, refuse }: Context): Kept {
  const facts = { id: String(path.account) }
  const known = records.accounts.get(facts.id)
  return known ?? refuse(403, { code: 'unknown_account', message: 'There is no such account.', ...facts })
}

const banksOf = (account: Kept): JsonObject[] => listOf(fieldsOf(account.external_accounts).data)

function keepBanks({ records }: Context, account: Kept, data: JsonObject[], isAnnounced = true): void {
  const url = `/v1/accounts/${account.id}/external_accounts`
  const list = { object: 'list', data, has_more: false, total_count: data.length, url }
  const { external_accounts } = records
  const before = banksOf(account)
  for (const { id } of before)
    if (!data.some((one) => one.id === id) && external_accounts.get(String(id))) external_accounts.remove(String(id))
  for (const bank of isAnnounced ? data : [])
    if (external_accounts.get(String(bank.id))) external_accounts.update(String(bank.id), bank)
    else if (!before.some(({ id }) => id === bank.id)) external_accounts.create(bank)
  records.accounts.update(account.id, { external_accounts: list })
}

/** Keeps the capabilities of an account, of which it has events. */
function keepCapabilities({ records: { account_capabilities } }: Context, account: Kept): Kept {
  for (const capability of Object.keys(fieldsOf(account.capabilities))) {
    const id = `${account.id}_${capability}`
    const shown = { ...capabilityOf(account, capability), id, capability }
    if (account_capabilities.get(id) === undefined) account_capabilities.create(shown)
    else account_capabilities.update(id, shown)
  }
  return account
}

const bankOf = (context: Context): JsonObject =>
  banksOf(accountOf(context)).find(({ id }) => id === context.path.id) ??
  absent(context, 'external account', context.path.id)

/** The bank account or the debit card that a token or a hash names. */
export function toBank(context: Context, account: Kept, sent: unknown): JsonObject {
  const token = typeof sent === 'string' ? context.records.tokens.get(sent) : undefined
  const known = typeof sent === 'string' && /^(?:btok|tok)_/.test(sent)
  if (typeof sent === 'string' && token === undefined && !known)
    return absent(context, 'token', sent, 'external_account')
  const given = fieldsOf(token?.bank_account ?? sent)
  const owner = { account: account.id, metadata: fieldsOf(given.metadata) }
  const currency = textOf(given.currency) || textOf(account.default_currency)
  const number = textOf(given.account_number) || textOf(given.iban) || '000123456789'
  return {
    id: context.id('ba_'),
    object: 'bank_account',
    ...owner,
    account_holder_name: given.account_holder_name ?? null,
    account_holder_type: given.account_holder_type ?? null,
    account_type: null,
    available_payout_methods: ['standard'],
    bank_name: 'STRIPE TEST BANK',
    country: given.country ?? account.country ?? 'US',
    currency,
    default_for_currency: !banksOf(account).some((one) => one.currency === currency),
    fingerprint: context.id(),
    last4: number.slice(-4),
    routing_number: given.routing_number ?? '110000000',
    status: 'new',
  }
}

const capabilityOf = (account: Kept, id: string): JsonObject => {
  const status = fieldsOf(account.capabilities)[id] ?? 'unrequested'
  const { currently_due = [], disabled_reason = null } = fieldsOf(account.requirements)
  const due = { alternatives: [], current_deadline: null, currently_due, disabled_reason, errors: [] }
  return {
    id,
    object: 'capability',
    account: account.id,
    requested: status !== 'unrequested',
    requested_at: status === 'unrequested' ? null : (account.created ?? null),
    requirements: { ...due, eventually_due: currently_due, past_due: [], pending_verification: [] },
    status,
  }
}

/** A part of a list that a record has. */
function partOf(context: Context, list: unknown, id: unknown, kind: string): JsonObject {
  return listOf(list).find((one) => one.id === id) ?? absent(context, kind, id)
}

const withMetadata = (part: JsonObject, sent: unknown): JsonObject => ({
  ...part,
  metadata: Object.fromEntries(
    Object.entries({ ...fieldsOf(part.metadata), ...fieldsOf(sent) }).filter(([, value]) => value !== ''),
  ),
})

const PERSON =
  'address.city address.line1 address.postal_code address.state dob.day dob.month dob.year email first_name last_name phone ssn_last_4'.split(
    ' ',
  )
const COMPANY = 'address.city address.line1 address.postal_code address.state name phone tax_id'.split(' ')

/** What an account still lacks. */
function missingIn(account: Kept): string[] {
  const who = textOf(account.business_type)
  const own = who === 'individual' ? PERSON : who === '' ? [] : COMPANY
  const fields = own.map((name) => `${who === 'individual' ? 'individual' : 'company'}.${name}`)
  const wanted = [...fields, 'business_profile.mcc', 'business_profile.url', 'tos_acceptance.date', 'tos_acceptance.ip']
  const isGiven = (path: string) =>
    [path, `${path}_provided`].some((name) => hasText(readField(account, name.split('.'))))
  const missing = wanted.filter((path) => !isGiven(path))
  return [
    ...missing,
    ...(who === '' ? ['business_type'] : []),
    ...(banksOf(account).length === 0 ? ['external_account'] : []),
  ].sort()
}

const hasText = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false

/** Who controls an account, by its type. */
const CONTROLLERS: Readonly<
  Record<string, readonly [fees: string, losses: string, collects: string, dashboard: string]>
> = {
  custom: ['application_custom', 'application', 'application', 'none'],
  express: ['application_express', 'application', 'stripe', 'express'],
  standard: ['account', 'stripe', 'stripe', 'full'],
}

function controllerOf({ type, controller }: Kept): JsonObject {
  const given = fieldsOf(controller)
  const [payer, payments, requirement_collection, dashboard] = CONTROLLERS[textOf(type)] ?? [
    'account',
    'stripe',
    'stripe',
    'full',
  ]
  const usual = { fees: { payer }, losses: { payments }, requirement_collection, stripe_dashboard: { type: dashboard } }
  return { type: 'application', is_controller: true, ...usual, ...given }
}

/** The person of an account, without the numbers that Stripe keeps to itself. */
function personOf(context: Context, account: Kept, before: JsonObject): JsonObject | null {
  const { ssn_last_4, id_number, ...sent } = fieldsOf(context.body.individual)
  if (Object.keys({ ...before, ...(context.body.individual as object) }).length === 0) return null
  const joined = Object.fromEntries(
    Object.entries({ ...before, ...sent }).map(([name, value]) => [
      name,
      isParts(value) ? { ...fieldsOf(before[name]), ...value } : value,
    ]),
  )
  const known = {
    id: before.id ?? context.id('person_'),
    object: 'person',
    account: account.id,
    created: before.created ?? secondsOf(context),
  }
  const id_number_provided = before.id_number_provided === true || id_number !== undefined
  const ssn_last_4_provided = before.ssn_last_4_provided === true || ssn_last_4 !== undefined || id_number !== undefined
  return { ...joined, ...known, id_number_provided, ssn_last_4_provided, metadata: fieldsOf(joined.metadata) }
}

const isParts = (value: unknown): value is JsonObject => Object.keys(fieldsOf(value)).length > 0

/** A new or changed account: what it lacks, and whether it may be paid. Stripe itself asks the owners of others. */
function settled(context: Context): JsonObject {
  const earlier = context.path.account === undefined ? undefined : accountOf(context)
  const account = context.next() as Kept
  const { external_account } = context.body
  if (external_account !== undefined)
    keepBanks(
      context,
      account,
      [...banksOf(account), toBank(context, account, external_account)],
      earlier !== undefined,
    )
  const person = personOf(context, account, fieldsOf(earlier?.individual))
  const whole: Kept = { ...find(context, 'accounts', account.id), individual: person }
  const due = missingIn(whole)
  const isOwn = account.type === 'custom' || fieldsOf(account.controller).requirement_collection === 'application'
  const isDone = earlier?.details_submitted === true || (isOwn && due.length === 0)
  const left = isDone ? [] : due
  const verification = {
    additional_document: null,
    details: null,
    details_code: null,
    document: { back: null, details: null, details_code: null, front: null },
    status: isDone ? 'verified' : 'unverified',
  }
  const capabilities = Object.fromEntries(
    Object.keys(fieldsOf(whole.capabilities)).map((name) => [name, isDone ? 'active' : 'inactive']),
  )
  const changed = context.update({
    controller: controllerOf(whole),
    individual: person && { ...person, verification },
    requirements: {
      ...fieldsOf(whole.requirements),
      currently_due: left,
      eventually_due: left,
      past_due: left,
      disabled_reason: isDone ? null : 'requirements.past_due',
    },
    ...(isDone && {
      charges_enabled: 'card_payments' in capabilities || whole.charges_enabled === true,
      payouts_enabled: true,
      details_submitted: true,
      capabilities,
    }),
  })
  return earlier === undefined ? changed : keepCapabilities(context, changed as Kept)
}

/** Changes metadata of a part of a list that a record has. */
const partChanged =
  (collection: 'application_fees' | 'transfers', field: 'refunds' | 'reversals', kind: string) =>
  (context: Context) => {
    const owner = find(context, collection, context.path.id)
    const list = fieldsOf(owner[field])
    const part = partOf(context, list.data, context.path.refund ?? context.path.reversal, kind)
    const changed = withMetadata(part, context.body.metadata)
    const data = listOf(list.data).map((one) => (one.id === part.id ? changed : one))
    context.records[collection].update(owner.id, { [field]: { ...list, data } })
    return changed
  }

/** Banks, capabilities and rejections of connected accounts; parts of transfers and fees. */
export const accounts = {
  'POST /v1/accounts': settled,
  'POST /v1/accounts/{account}': settled,
  'POST /v1/test_helpers/accounts/{account}/complete': (context: Context) =>
    keepCapabilities(context, context.next() as Kept),
  'GET /v1/accounts/{account}/external_accounts': (context: Context) => {
    const account = accountOf(context)
    const { object } = context.query
    const banks = banksOf(account).filter((one) => object === undefined || one.object === object)
    return toPage(context, `/v1/accounts/${account.id}/external_accounts`, banks)
  },
  'POST /v1/accounts/{account}/external_accounts': (context: Context) => {
    const account = accountOf(context)
    const made = withMetadata(toBank(context, account, context.body.external_account), context.body.metadata)
    const isDefault = context.body.default_for_currency === true || made.default_for_currency === true
    const others = banksOf(account).map((one) =>
      isDefault && one.currency === made.currency ? { ...one, default_for_currency: false } : one,
    )
    const bank = { ...made, default_for_currency: isDefault }
    keepBanks(context, account, [...others, bank])
    return bank
  },
  'GET /v1/accounts/{account}/external_accounts/{id}': bankOf,
  'POST /v1/accounts/{account}/external_accounts/{id}': (context: Context) => {
    const { metadata, default_for_currency, expand: _, ...fields } = context.body
    const current = bankOf(context)
    const isDefault = default_for_currency === undefined ? {} : { default_for_currency }
    const bank = { ...withMetadata({ ...current, ...fields }, metadata), ...isDefault }
    const account = accountOf(context)
    const rest = default_for_currency === true ? { default_for_currency: false } : {}
    const all = banksOf(account).map((one) =>
      one.id === current.id ? bank : one.currency === current.currency ? { ...one, ...rest } : one,
    )
    keepBanks(context, account, all)
    return bank
  },
  'DELETE /v1/accounts/{account}/external_accounts/{id}': (context: Context) => {
    const { id = null, object = null, default_for_currency } = bankOf(context)
    const account = accountOf(context)
    if (default_for_currency === true && banksOf(account).length > 1)
      return refused(
        context,
        null,
        'You cannot delete the default external account for your default currency. Please make another external account the default using the `default_for_currency` param, and then delete this one.',
      )
    keepBanks(
      context,
      account,
      banksOf(account).filter((one) => one.id !== id),
    )
    return { id, object, deleted: true }
  },
  'GET /v1/accounts/{account}/capabilities': (context: Context) => {
    const account = accountOf(context)
    const data = Object.keys(fieldsOf(account.capabilities)).map((id) => capabilityOf(account, id))
    return { object: 'list', data, has_more: false, url: `/v1/accounts/${account.id}/capabilities` }
  },
  'GET /v1/accounts/{account}/capabilities/{capability}': (context: Context) =>
    capabilityOf(accountOf(context), String(context.path.capability)),
  'POST /v1/accounts/{account}/capabilities/{capability}': (context: Context) => {
    const account = accountOf(context)
    const id = String(context.path.capability)
    const { [id]: had, ...others } = fieldsOf(account.capabilities)
    const asked = account.details_submitted === true ? 'active' : 'inactive'
    const capabilities = context.body.requested === false ? others : { ...others, [id]: had ?? asked }
    return capabilityOf(keepCapabilities(context, context.records.accounts.update(account.id, { capabilities })), id)
  },
  'POST /v1/accounts/{account}/reject': (context: Context) => {
    const { reason } = context.body
    const reasons = ['fraud', 'terms_of_service', 'other']
    if (!reasons.includes(textOf(reason)))
      return refused(context, 'reason', `Invalid reason: must be one of ${reasons.join(', ')}`)
    const account = accountOf(context)
    const requirements = { ...fieldsOf(account.requirements), disabled_reason: `rejected.${reason}` }
    const capabilities = Object.fromEntries(
      Object.keys(fieldsOf(account.capabilities)).map((name) => [name, 'inactive']),
    )
    const rejected = { charges_enabled: false, payouts_enabled: false, requirements, capabilities }
    return keepCapabilities(context, context.update(rejected) as Kept)
  },
  'GET /v1/transfers/{id}/reversals/{reversal}': (context: Context) => {
    const transfer = find(context, 'transfers', context.path.id)
    return partOf(context, fieldsOf(transfer.reversals).data, context.path.reversal, 'transfer reversal')
  },
  'POST /v1/transfers/{id}/reversals/{reversal}': partChanged('transfers', 'reversals', 'transfer reversal'),
  'GET /v1/application_fees/{id}/refunds': (context: Context) => {
    const fee = find(context, 'application_fees', context.path.id)
    return toPage(context, `/v1/application_fees/${fee.id}/refunds`, listOf(fieldsOf(fee.refunds).data))
  },
  'GET /v1/application_fees/{id}/refunds/{refund}': (context: Context) => {
    const fee = find(context, 'application_fees', context.path.id)
    return partOf(context, fieldsOf(fee.refunds).data, context.path.refund, 'fee refund')
  },
  'POST /v1/application_fees/{id}/refunds/{refund}': partChanged('application_fees', 'refunds', 'fee refund'),
}
