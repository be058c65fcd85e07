import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { anyItemOf, type Context, itemOf, itemWith, operation, refuseWith, type Work } from './context.ts'
import { toItem } from './item.ts'

/** The accounts of a new item: name, mask, type and subtype, balances. */
const ACCOUNTS = [
  ['Checking', '0000', 'depository', 'checking', { available: 100, current: 110, limit: null }],
  ['Saving', '1111', 'depository', 'savings', { available: 200, current: 210, limit: null }],
  ['CD', '2222', 'depository', 'cd', { available: null, current: 1_000, limit: null }],
  ['Credit Card', '3333', 'credit', 'credit card', { available: null, current: 410, limit: 2_000 }],
  ['Money Market', '4444', 'depository', 'money market', { available: 43_200, current: 43_200, limit: null }],
  ['IRA', '5555', 'investment', 'ira', { available: null, current: 320.76, limit: null }],
  ['401k', '6666', 'investment', '401k', { available: null, current: 23_631.98, limit: null }],
  ['Student Loan', '7777', 'loan', 'student', { available: null, current: 65_262, limit: null }],
  ['Mortgage', '8888', 'loan', 'mortgage', { available: null, current: 56_302.06, limit: null }],
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

/** Who owns every account. */
export const OWNER = {
  name: 'Ada Byron',
  email: 'ada@example.com',
  phone: '+12025550123',
  address: { street: '12 Mill Lane', city: 'Salem', region: 'OR', postal_code: '97301', country: 'US' },
}

export const owners = [
  {
    names: [OWNER.name],
    emails: [{ data: OWNER.email, primary: true, type: 'primary' }],
    phone_numbers: [{ data: OWNER.phone, primary: true, type: 'mobile' }],
    addresses: [{ data: OWNER.address, primary: true }],
  },
]

/** Where money is sent to an account. */
export const numbersOf = ({ id, mask }: Kept): Fields => ({
  account_id: id,
  account: `111122223333${mask}`,
  routing: '011401533',
  wire_routing: '021000021',
})

export const accounts = {
  'POST /accounts/get': list,
  'POST /accounts/balance/get': list,
  'POST /auth/get': operation(['access_token'], (context) => {
    const item = itemWith(context, 'auth')
    const all = accountsOf(context, item).filter(({ subtype }) => subtype === 'checking' || subtype === 'savings')
    if (all.length === 0) refuseWith(context, 'NO_AUTH_ACCOUNTS')
    return {
      accounts: all.map(toAccount),
      numbers: { ach: all.map(numbersOf), eft: [], international: [], bacs: [] },
      item: toItem(item),
    }
  }),
  'POST /identity/get': operation(['access_token'], (context) => {
    const item = itemWith(context, 'identity')
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
