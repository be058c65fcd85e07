import { type Json, type JsonObject, readField } from '../../src/protocol/json.ts'
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
import { currencyOfCountry, isCountry } from './countries.ts'
import { cardOfToken, toSource } from './sources.ts'

/** The account of the path. Refuses one that the key cannot reach. */
function accountOf({ records, path, refuse }: Context): Kept {
  const facts = { id: String(path.account) }
  const known = records.accounts.get(facts.id)
  return known ?? refuse(403, { code: 'unknown_account', message: 'There is no such account.', ...facts })
}

const banksOf = (account: Kept): JsonObject[] => listOf(fieldsOf(account.external_accounts).data)

function keepBanks(context: Context, account: Kept, data: JsonObject[]): void {
  const { external_accounts, accounts } = context.records
  for (const { id } of banksOf(account)) if (!data.some((one) => one.id === id)) external_accounts.remove(String(id))
  for (const bank of data)
    if (external_accounts.get(String(bank.id))) external_accounts.update(String(bank.id), bank)
    else external_accounts.create(bank)
  const list = { ...fieldsOf(account.external_accounts), data, total_count: data.length }
  accounts.update(account.id, { external_accounts: list })
  settle(context, account.id)
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
  const card = cardOfToken(context, sent)
  const token = typeof sent === 'string' ? context.records.tokens.get(sent) : undefined
  const known = typeof sent === 'string' && /^(?:btok|tok)_/.test(sent)
  if (typeof sent === 'string' && token === undefined && !known)
    return absent(context, 'token', sent, 'external_account')
  const given = fieldsOf(token?.bank_account ?? sent)
  const owner = { account: account.id, metadata: fieldsOf(given.metadata) }
  const currency = textOf(given.currency) || textOf(account.default_currency)
  const number = textOf(given.account_number) || textOf(given.iban) || '000123456789'
  const default_for_currency = !banksOf(account).some((one) => one.currency === currency)
  if (card !== undefined) {
    const { customer: _, ...shown } = toSource({ id: context.id('card_'), card })
    return { ...shown, ...owner, available_payout_methods: ['standard', 'instant'], currency, default_for_currency }
  }
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
    default_for_currency,
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

/** What an account still lacks. The person that represents a company is asked for, too. */
function missingIn({ records }: Context, account: Kept): string[] {
  const who = textOf(account.business_type)
  const lacks = (owner: JsonObject | undefined, path: string) =>
    ![path, `${path}_provided`].some((name) => hasText(readField(owner ?? {}, name.split('.'))))
  const lackedBy = (owner: JsonObject | undefined, fields: string[], name: string) =>
    fields.filter((path) => lacks(owner, path)).map((path) => `${name}.${path}`)
  const person = records.persons.find(
    (one) => one.account === account.id && fieldsOf(one.relationship).representative === true,
  )
  return [
    ...(who === 'individual' ? lackedBy(fieldsOf(account.individual), PERSON, who) : []),
    ...(who === 'individual' || who === ''
      ? []
      : [
          ...lackedBy(fieldsOf(account.company), COMPANY, 'company'),
          ...lackedBy(person, PERSON, person?.id ?? 'representative'),
        ]),
    ...['business_profile.mcc', 'business_profile.url', 'tos_acceptance.date', 'tos_acceptance.ip'].filter((path) =>
      lacks(account, path),
    ),
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

/** Lets an account be paid once it lacks nothing. Stripe itself asks the owners of those that it collects from. */
function settle(context: Context, id: string): Kept {
  const { persons, accounts } = context.records
  const account = find(context, 'accounts', id)
  const controller = controllerOf(account)
  const due = missingIn(context, account)
  const before = textOf(fieldsOf(account.requirements).disabled_reason)
  const isRejected = before.startsWith('rejected.')
  const isOwn = controller.requirement_collection === 'application'
  const isDone = !isRejected && (account.details_submitted === true || (isOwn && due.length === 0))
  const left = isDone ? [] : due
  const own = persons.where({ account: id })
  for (const { id: person, verification } of isDone ? own : [])
    persons.update(person, { verification: { ...fieldsOf(verification), status: 'verified' } })
  const capabilities = mapped(account.capabilities, isDone ? 'active' : 'inactive')
  const reason = isRejected ? before : 'requirements.past_due'
  return keepCapabilities(
    context,
    accounts.update(id, {
      controller,
      ...(isParts(account.company) && { company: companyOf(fieldsOf(account.company)) }),
      ...(account.business_type === 'individual' &&
        own[0] !== undefined && { individual: persons.get(own[0].id) ?? own[0] }),
      requirements: {
        ...fieldsOf(account.requirements),
        currently_due: left,
        eventually_due: left,
        past_due: left,
        disabled_reason: isDone ? null : reason,
      },
      capabilities,
      ...(isDone && {
        charges_enabled: 'card_payments' in capabilities || account.charges_enabled === true,
        payouts_enabled: true,
        details_submitted: true,
      }),
    }),
  )
}

/** A company without the numbers that Stripe keeps to itself. */
function companyOf({ tax_id, vat_id, ...shown }: JsonObject): JsonObject {
  const given = (name: string, value: unknown) => shown[`${name}_provided`] === true || hasText(value)
  return {
    directors_provided: false,
    executives_provided: false,
    owners_provided: false,
    ...shown,
    tax_id_provided: given('tax_id', tax_id),
    vat_id_provided: given('vat_id', vat_id),
  }
}

const mapped = (capabilities: Json | undefined, status: string): JsonObject =>
  Object.fromEntries(Object.keys(fieldsOf(capabilities)).map((name) => [name, status]))

const isParts = (value: unknown): value is JsonObject => Object.keys(fieldsOf(value)).length > 0

/** Does an operation of an account, so that its events are those of the account. */
function within({ call, refuse }: Context, path: string, sent: object): void {
  const { status, body } = call('POST', path, sent)
  const { code, ...facts } = fieldsOf(body.error)
  if (status !== 200) refuse(status, { ...facts, code: 'bad_param', reason: code } as never)
}

/** What a change of an account adds to. */
const PARTS = ['business_profile', 'settings', 'tos_acceptance', 'company']

/** A new or changed account, with its person and its bank account. */
function settled(context: Context): JsonObject {
  const { body, records, next } = context
  if (body.country !== undefined && !isCountry(body.country))
    return refused(
      context,
      'country',
      `Country '${body.country}' is unknown. Try using a 2-character alphanumeric country code instead, such as 'US', 'EG', or 'GB'.`,
      'country_unsupported',
    )
  const { individual, external_account, ...fields } = body
  const isNew = context.path.account === undefined
  // A new account is asked for its parts alone.
  const before = isNew ? undefined : accountOf(context)
  const account = before === undefined || Object.keys(fields).length > 0 ? (next() as Kept) : before
  const path = `/v1/accounts/${account.id}`
  if (isNew) {
    const settings = fieldsOf(account.settings)
    const isOwn = controllerOf(account).requirement_collection === 'application'
    const payouts = { debit_negative_balances: !isOwn, ...fieldsOf(settings.payouts) }
    const list = { object: 'list', data: [], has_more: false, total_count: 0, url: `${path}/external_accounts` }
    records.accounts.update(account.id, {
      external_accounts: list,
      settings: { ...settings, payouts },
      type: body.type ?? 'none',
      default_currency: body.default_currency ?? currencyOfCountry(account.country),
      capabilities: mapped(body.capabilities, 'inactive'),
    })
    within(context, path, { individual, external_account })
    return find(context, 'accounts', account.id)
  }
  const parts = PARTS.filter((name) => isParts(body[name]))
  records.accounts.update(account.id, {
    ...Object.fromEntries(parts.map((name) => [name, { ...fieldsOf(before?.[name]), ...fieldsOf(body[name]) }])),
    capabilities: { ...mapped(body.capabilities, 'inactive'), ...fieldsOf(before?.capabilities) },
  })
  const [person] = records.persons.where({ account: account.id })
  if (isParts(individual)) within(context, person ? `${path}/persons/${person.id}` : `${path}/persons`, individual)
  if (external_account !== undefined) within(context, `${path}/external_accounts`, { external_account })
  return settle(context, account.id)
}

const ROLES = { authorizer: false, director: false, executive: false, legal_guardian: false, owner: false }

/** Keeps a person, whose numbers nobody sees again, and settles its account. */
const withPerson = (context: Context): JsonObject => {
  const { body, records } = context
  const before = records.persons.get(context.path.person)
  const { id } = context.next({ drop: ['id_number', 'ssn_last_4'] }) as Kept
  const usual = { ...ROLES, percent_ownership: null, representative: false, title: null }
  const answer = records.persons.update(id, {
    relationship: { ...usual, ...fieldsOf(before?.relationship), ...fieldsOf(body.relationship) },
    ...(hasText(body.id_number) && { id_number_provided: true }),
    ...((hasText(body.id_number) || hasText(body.ssn_last_4)) && { ssn_last_4_provided: true }),
  })
  settle(context, accountOf(context).id)
  return answer
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

/** The account of the key, where it has none among its records. */
const PLATFORM = {
  id: 'acct_1Backlot0000000',
  object: 'account',
  business_type: 'company',
  charges_enabled: true,
  country: 'US',
  created: 1,
  default_currency: 'usd',
  details_submitted: true,
  email: 'owner@example.com',
  payouts_enabled: true,
  type: 'standard',
}

/** Banks, capabilities and rejections of connected accounts; parts of transfers and fees. */
export const accounts = {
  'POST /v1/accounts': settled,
  'POST /v1/accounts/{account}': settled,
  'GET /v1/account': ({ records, headers }: Context) => records.accounts.get(headers['stripe-account']) ?? PLATFORM,
  'POST /v1/test_helpers/accounts/{account}/complete': (context: Context) => {
    const { id, capabilities } = find(context, 'accounts', context.path.account)
    const none = { currently_due: [], eventually_due: [], past_due: [], pending_verification: [] }
    const complete = context.records.accounts.update(id, {
      ...{ charges_enabled: true, details_submitted: true, payouts_enabled: true },
      // Stripe asks for the usual ones where nobody asked for any
      capabilities: mapped(isParts(capabilities) ? capabilities : { card_payments: null, transfers: null }, 'active'),
      requirements: { ...none, disabled_reason: null },
    })
    return keepCapabilities(context, complete)
  },
  'POST /v1/accounts/{account}/login_links': (context: Context) => {
    const { id, controller, details_submitted } = find(context, 'accounts', context.path.account)
    const dashboard = fieldsOf(fieldsOf(controller).stripe_dashboard).type
    const fault =
      dashboard === 'express' ? 'that has not completed onboarding' : 'without access to the Express Dashboard'
    if (dashboard !== 'express' || details_submitted === false)
      return refused(context, null, `Cannot create a login link for an account ${fault}.`)
    const url = `https://connect.stripe.example/express/${id}`
    return { object: 'login_link', created: secondsOf(context), url }
  },
  'POST /v1/accounts/{account}/persons': withPerson,
  'POST /v1/accounts/{account}/persons/{person}': withPerson,
  'DELETE /v1/accounts/{account}/persons/{person}': (context: Context) => {
    const answer = context.next()
    settle(context, accountOf(context).id)
    return answer
  },
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
