import { type Fields, fieldsOf, type Kept, listOf } from '../openai/context.ts'
import { anyItemOf, type Context, itemOf, itemWith, operation, refuseWith, type Work } from './context.ts'
import { COUNTRIES, CURRENCIES } from './institutions.ts'
import { toItem } from './item.ts'

/** The accounts of a new item: name, official name, mask, type and subtype, balances. */
const ACCOUNTS = [
  ['Checking', 'Gold Standard 0% Interest Checking', '0000', 'depository', 'checking', 110, 100],
  ['Saving', 'Silver Standard 0.1% Interest Saving', '1111', 'depository', 'savings', 210, 200],
  ['CD', 'Bronze Standard 0.2% Interest CD', '2222', 'depository', 'cd', 1_000, null],
  ['Credit Card', 'Diamond 12.5% APR Interest Credit Card', '3333', 'credit', 'credit card', 410, null],
  [
    'Money Market',
    'Platinum Standard 1.85% Interest Money Market',
    '4444',
    'depository',
    'money market',
    43_200,
    43_200,
  ],
  ['IRA', null, '5555', 'investment', 'ira', 320.76, null],
  ['401k', null, '6666', 'investment', '401k', 23_631.98, null],
  ['Student Loan', null, '7777', 'loan', 'student', 65_262, null],
  ['Mortgage', null, '8888', 'loan', 'mortgage', 56_302.06, null],
] as const

/** The accounts of the user `user_good`. */
export const USUAL = ACCOUNTS.map(
  ([name, official, mask, type, subtype, current, available]): Fields => ({
    name: `Plaid ${name}`,
    official_name: official && `Plaid ${official}`,
    mask,
    type,
    subtype,
    balances: { available, current, limit: type === 'credit' ? 2_000 : null },
  }),
)

/** An account of the user `user_custom`, whose password describes it. */
export function toCustom(given: Fields, at: number): Fields {
  const { type = 'depository', subtype = 'checking', starting_balance = 0, force_available_balance, currency } = given
  const { name, official_name = null, mask, limit = null } = fieldsOf(given.meta)
  const { names, emails, phone_numbers, addresses } = fieldsOf(given.identity)
  return {
    name: name ?? `Plaid ${subtype}`,
    official_name,
    mask: mask ?? String(1_111 * (at % 10)).padStart(4, '0'),
    type,
    subtype,
    balances: {
      available: force_available_balance ?? (type === 'depository' ? starting_balance : null),
      current: starting_balance,
      limit,
      ...(currency !== undefined && { iso_currency_code: currency }),
    },
    kept: {
      ...fieldsOf(given.numbers),
      transactions: given.transactions ?? [],
      holdings: given.holdings ?? [],
      investment_transactions: given.investment_transactions ?? [],
      ...(given.identity !== undefined && {
        owners: [
          {
            names: names ?? [],
            emails: emails ?? [],
            phone_numbers: phone_numbers ?? [],
            addresses: addresses ?? [],
          },
        ],
      }),
    },
  }
}

export function openAccounts({ records, id }: Work, item: Kept, opened: readonly Fields[]): void {
  const iso_currency_code = CURRENCIES[COUNTRIES.get(String(item.institution_id)) ?? ''] ?? 'USD'
  for (const account of opened.toReversed())
    records.accounts.create({
      id: `${id()}${id()}`.slice(0, 37),
      item_id: item.id,
      holder_category: 'personal',
      ...account,
      balances: { iso_currency_code, unofficial_currency_code: null, ...fieldsOf(account.balances) },
    })
}

export const toAccount = ({ id, item_id: _, kept: _k, ...account }: Kept): Fields => ({ account_id: id, ...account })

/** The accounts of an item that the request names: by default all. */
export function accountsOf(context: Context, item: Kept): Kept[] {
  const all = context.records.accounts.where({ item_id: item.id })
  const wanted = fieldsOf(context.body.options).account_ids
  if (!Array.isArray(wanted)) return all
  return wanted.map((id) => all.find((one) => one.id === id) ?? refuseWith(context, 'INVALID_ACCOUNT_ID'))
}

/** The account of the item that the request names. */
export function accountOf(context: Context, item: Kept): Kept {
  const id = String(context.body.account_id)
  return context.records.accounts.find({ item_id: item.id, id }) ?? refuseWith(context, 'INVALID_ACCOUNT_ID')
}

const list = operation(['access_token'], (context) => {
  const item = itemOf(context)
  return { accounts: accountsOf(context, item).map(toAccount), item: toItem(item) }
})

/** The user of the sandbox, who owns every account. */
const HOME = { street: '2992 Cameron Road', city: 'Malakoff', region: 'NY', postal_code: '14236', country: 'US' }
export const OWNER = {
  names: ['Alberta Bobbeth Charleson'],
  emails: [
    { data: 'accountholder0@example.com', primary: true, type: 'primary' },
    { data: 'accountholder1@example.com', primary: false, type: 'secondary' },
  ],
  phone_numbers: [
    { data: '1112223333', primary: false, type: 'home' },
    { data: '1112224444', primary: false, type: 'work' },
    { data: '1112225555', primary: true, type: 'mobile' },
  ],
  addresses: [{ data: HOME, primary: true }],
}

/** Who owns an account. */
export const ownersOf = ({ kept }: Kept): Fields[] => {
  const { owners } = fieldsOf(kept)
  return owners === undefined ? [OWNER] : listOf(owners)
}

/** Where money is sent to accounts, by the country of their institution. */
export function numbersOf(item: Kept, all: readonly Kept[]) {
  const country = COUNTRIES.get(String(item.institution_id))
  const numbers = all.map(({ id, mask, kept }) => {
    const { account: own, ach_routing, ach_wire_routing, eft_institution, eft_branch, bacs_sort_code } = fieldsOf(kept)
    const facts = { account_id: id, account: own ?? `111122223333${mask}` }
    const [account, british] = [own ?? `3192${mask}`, bacs_sort_code ?? '601613']
    return {
      ach: { ...facts, routing: ach_routing ?? '011401533', wire_routing: ach_wire_routing ?? '021000021' },
      eft: { ...facts, institution: eft_institution ?? '021', branch: eft_branch ?? '01140' },
      bacs: { account_id: id, account, sort_code: british },
      international: { account_id: id, iban: `GB29NWBK${british}${account}`, bic: 'NWBKGB21' },
    }
  })
  const of = (kind: 'ach' | 'eft' | 'bacs' | 'international', where: string): Fields[] =>
    country === where ? numbers.map((one): Fields => one[kind]) : []
  return {
    ach: of('ach', 'US'),
    eft: of('eft', 'CA'),
    international: of('international', 'GB'),
    bacs: of('bacs', 'GB'),
  }
}

export const accounts = {
  'POST /accounts/get': list,
  'POST /accounts/balance/get': list,
  'POST /auth/get': operation(['access_token'], (context) => {
    const item = itemWith(context, 'auth')
    const all = accountsOf(context, item).filter(({ subtype }) => subtype === 'checking' || subtype === 'savings')
    if (all.length === 0) refuseWith(context, 'NO_AUTH_ACCOUNTS')
    return {
      accounts: all.map(toAccount),
      numbers: numbersOf(item, all),
      item: toItem(item),
    }
  }),
  'POST /identity/get': operation(['access_token'], (context) => {
    const item = itemWith(context, 'identity')
    return {
      accounts: accountsOf(context, item).map((one) => ({ ...toAccount(one), owners: ownersOf(one) })),
      item: toItem(item),
    }
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
