import type { JsonObject } from '../../src/protocol/json.ts'
import { absent, type Context, fieldsOf, find, type Kept, listOf, refused, textOf, toPage } from './context.ts'

const accountOf = (context: Context): Kept => find(context, 'accounts', context.path.account)

const banksOf = (account: Kept): JsonObject[] => listOf(fieldsOf(account.external_accounts).data)

function keepBanks({ records }: Context, account: Kept, data: JsonObject[]): void {
  const url = `/v1/accounts/${account.id}/external_accounts`
  const list = { object: 'list', data, has_more: false, total_count: data.length, url }
  records.accounts.update(account.id, { external_accounts: list })
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

/** Banks, capabilities and rejections of connected accounts; parts of transfers and fees. */
export const accounts = {
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
    return capabilityOf(context.records.accounts.update(account.id, { capabilities }), id)
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
    return context.update({ charges_enabled: false, payouts_enabled: false, requirements, capabilities })
  },
  'GET /v1/transfers/{id}/reversals/{reversal}': (context: Context) => {
    const transfer = find(context, 'transfers', context.path.id)
    return partOf(context, fieldsOf(transfer.reversals).data, context.path.reversal, 'transfer reversal')
  },
  'POST /v1/transfers/{id}/reversals/{reversal}': (context: Context) => {
    const transfer = find(context, 'transfers', context.path.id)
    const list = fieldsOf(transfer.reversals)
    const part = partOf(context, list.data, context.path.reversal, 'transfer reversal')
    const changed = withMetadata(part, context.body.metadata)
    const data = listOf(list.data).map((one) => (one.id === part.id ? changed : one))
    context.records.transfers.update(transfer.id, { reversals: { ...list, data } })
    return changed
  },
  'GET /v1/application_fees/{id}/refunds': (context: Context) => {
    const fee = find(context, 'application_fees', context.path.id)
    return toPage(context, `/v1/application_fees/${fee.id}/refunds`, listOf(fieldsOf(fee.refunds).data))
  },
  'GET /v1/application_fees/{id}/refunds/{refund}': (context: Context) => {
    const fee = find(context, 'application_fees', context.path.id)
    return partOf(context, fieldsOf(fee.refunds).data, context.path.refund, 'fee refund')
  },
  'POST /v1/application_fees/{id}/refunds/{refund}': (context: Context) => {
    const fee = find(context, 'application_fees', context.path.id)
    const list = fieldsOf(fee.refunds)
    const part = partOf(context, list.data, context.path.refund, 'fee refund')
    const changed = withMetadata(part, context.body.metadata)
    const data = listOf(list.data).map((one) => (one.id === part.id ? changed : one))
    context.records.application_fees.update(fee.id, { refunds: { ...list, data } })
    return changed
  },
}
