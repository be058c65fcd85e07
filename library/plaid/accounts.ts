import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { anyItemOf, type Context, itemOf, operation, refuseWith, type Work } from './context.ts'
import { toItem } from './item.ts'

/** The accounts of a new item: name, mask, type and subtype, balances. */
const ACCOUNTS = [
  ['Checking', '0000', 'depository', 'checking', { available: 1_000, current: 1_100, limit: null }],
  ['Savings', '1111', 'depository', 'savings', { available: 2_000, current: 2_100, limit: null }],
  ['Credit Card', '3333', 'credit', 'credit card', { available: null, current: 410, limit: 2_000 }],
] as const

export function openAccounts({ records, id }: Work, item_id: string): void {
  for (const [name, mask, type, subtype, balances] of ACCOUNTS.toReversed()) {
    records.accounts.create({
      id: `${id()}${id()}`.slice(0, 37),
      item_id,
      name: `Plaid ${name}`,
      official_name: `Plaid ${name} of the sandbox`,
      mask,
      type,
      subtype,
      holder_category: 'personal',
      balances: { ...balances, iso_currency_code: 'USD', unofficial_currency_code: null },
    })
  }
}

export const toAccount = ({ id, item_id: _, ...account }: Kept): Fields => ({ account_id: id, ...account })

/** The accounts of an item that the request names: by default all. */
export function accountsOf(context: Context, item: Kept): Kept[] {
  const all = context.records.accounts.where({ item_id: item.id })
  const wanted = fieldsOf(context.body.options).account_ids
  if (!Array.isArray(wanted)) return all
  return wanted.map((id) => all.find((one) => one.id === id) ?? refuseWith(context, 'INVALID_ACCOUNT_ID', String(id)))
}

/** The account of the item that the request names. */
export function accountOf(context: Context, item: Kept): Kept {
  const id = String(context.body.account_id)
  return context.records.accounts.find({ item_id: item.id, id }) ?? refuseWith(context, 'INVALID_ACCOUNT_ID', id)
}

const list = operation(['access_token'], (context) => {
  const item = itemOf(context)
  return { accounts: accountsOf(context, item).map(toAccount), item: toItem(item) }
})

export const accounts = {
  'POST /accounts/get': list,
  'POST /accounts/balance/get': list,
  'POST /auth/get': operation(['access_token'], (context) => {
    const item = itemOf(context)
    const all = accountsOf(context, item).filter(({ type }) => type === 'depository')
    if (all.length === 0) refuseWith(context, 'NO_AUTH_ACCOUNTS')
    const ach = all.map(({ id, mask }) => ({
      account_id: id,
      account: `111122223333${mask}`,
      routing: '011401533',
      wire_routing: '021000021',
    }))
    return {
      accounts: all.map(toAccount),
      numbers: { ach, eft: [], international: [], bacs: [] },
      item: toItem(item),
    }
  }),
  'POST /identity/get': operation(['access_token'], (context) => {
    const item = itemOf(context)
    const owners = [
      {
        names: ['Ada Byron'],
        emails: [{ data: 'ada@example.com', primary: true, type: 'primary' }],
        phone_numbers: [{ data: '+12025550123', primary: true, type: 'mobile' }],
        addresses: [
          {
            data: { street: '12 Mill Lane', city: 'Salem', region: 'OR', postal_code: '97301', country: 'US' },
            primary: true,
          },
        ],
      },
    ]
    return { accounts: accountsOf(context, item).map((one) => ({ ...toAccount(one), owners })), item: toItem(item) }
  }),
  'POST /processor/token/create': operation(['access_token', 'account_id', 'processor'], (context) => {
    const { id } = accountOf(context, itemOf(context))
    const processor_token = `processor-sandbox-${context.id()}`
    context.records.processor_tokens.create({
      id: processor_token,
      account_id: id,
      processor: context.body.processor ?? null,
    })
    return { processor_token }
  }),
  'POST /processor/stripe/bank_account_token/create': operation(['access_token', 'account_id'], (context) => {
    accountOf(context, itemOf(context))
    return { stripe_bank_account_token: `btok_${context.id()}` }
  }),
  'POST /sandbox/item/set_verification_status': operation(
    ['access_token', 'account_id', 'verification_status'],
    (context) => {
      const verification_status = String(context.body.verification_status)
      if (!['automatically_verified', 'verification_expired'].includes(verification_status))
        refuseWith(
          context,
          'INVALID_FIELD',
          'verification_status must be automatically_verified or verification_expired',
        )
      context.records.accounts.update(accountOf(context, anyItemOf(context)).id, { verification_status })
      return {}
    },
  ),
}
