import { countryOf } from './institutions.ts'
import type { Fields, Kept, Plaid, PlaidRequest } from './plaid.ts'
import { fieldsOf, listOf, operation, renamed, toItem } from './plaid.ts'

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
  const { transactions = [], holdings = [], investment_transactions = [] } = given
  const owner = { names: [], emails: [], phone_numbers: [], addresses: [], ...fieldsOf(given.identity) }
  return {
    ...{ name: name ?? `Plaid ${subtype}`, official_name, mask: mask ?? String(1_111 * (at % 10)).padStart(4, '0') },
    ...{ type, subtype },
    balances: {
      available: force_available_balance ?? (type === 'depository' ? starting_balance : null),
      ...{ current: starting_balance, limit },
      ...(currency !== undefined && { iso_currency_code: currency }),
    },
    kept: {
      ...{ ...fieldsOf(given.numbers), transactions, holdings, investment_transactions },
      ...(given.identity !== undefined && { owners: [owner] }),
    },
  }
}

const CURRENCIES: Readonly<Record<string, string>> = { CA: 'CAD', GB: 'GBP' }

export function openAccounts(plaid: Plaid, item: Kept, opened: readonly Fields[]): void {
  const iso_currency_code = CURRENCIES[String(countryOf(plaid, item))] ?? 'USD'
  for (const account of opened.toReversed()) {
    const balances = { iso_currency_code, unofficial_currency_code: null, ...fieldsOf(account.balances) }
    const facts = { id: plaid.longId(), item_id: item.id, holder_category: 'personal' }
    plaid.records.accounts.create({ ...facts, ...account, balances })
  }
}

export const toAccount = renamed('account_id', 'item_id', 'kept')

/** An account as investments and asset reports show it. */
export const withMargin = (account: Kept): Fields => ({
  ...toAccount(account),
  balances: { margin_loan_amount: null, ...fieldsOf(account.balances) },
})

/** The accounts of an item that the request names: by default all. */
export function accountsOf(plaid: PlaidRequest, item: Kept): Kept[] {
  const all = plaid.records.accounts.where({ item_id: item.id })
  const wanted = fieldsOf(plaid.body.options).account_ids
  if (!Array.isArray(wanted)) return all
  return wanted.map((id) => all.find((one) => one.id === id) ?? plaid.refuse('INVALID_ACCOUNT_ID'))
}

/** The account of the item that the request names. */
export function accountOf(plaid: PlaidRequest, item: Kept): Kept {
  const id = String(plaid.body.account_id)
  return plaid.records.accounts.find({ item_id: item.id, id }) ?? plaid.refuse('INVALID_ACCOUNT_ID')
}

const list = operation(['access_token'], (plaid) => {
  const item = plaid.item()
  return { accounts: accountsOf(plaid, item).map(toAccount), item: toItem(item) }
})

const HOME = { street: '2992 Cameron Road', city: 'Malakoff', region: 'NY', postal_code: '14236', country: 'US' }
const OTHER = {
  street: '2493 Leisure Lane',
  city: 'San Matias',
  region: 'CA',
  postal_code: '93405-2255',
  country: 'US',
}
const emailOf = (data: string, type: string) => ({ data, primary: type === 'primary', type })
const phoneOf = (type: string, end: number) => ({ data: `111222${end}`, primary: type === 'mobile', type })
/** The user of the sandbox, who owns every account. */
export const OWNER = {
  names: ['Alberta Bobbeth Charleson'],
  emails: [
    emailOf('accountholder0@example.com', 'primary'),
    emailOf('accountholder1@example.com', 'secondary'),
    emailOf('extraordinarily.long.email.username.123456@reallylonghostname.com', 'other'),
  ],
  phone_numbers: [phoneOf('home', 3333), phoneOf('work', 4444), phoneOf('mobile', 5555)],
  addresses: [
    { data: HOME, primary: true },
    { data: OTHER, primary: false },
  ],
}

/** Who owns an account. */
export const ownersOf = ({ kept }: Kept): Fields[] => {
  const { owners } = fieldsOf(kept)
  return owners === undefined ? [OWNER] : listOf(owners)
}

/** Where money is sent to accounts, by the country of their institution. */
export function numbersOf(plaid: Plaid, item: Kept, all: readonly Kept[]): Readonly<Record<string, Fields[]>> {
  const numbers = all.map(({ id: account_id, mask, kept }): Fields => {
    const { account: own, ach_routing, ach_wire_routing, eft_institution, eft_branch, bacs_sort_code } = fieldsOf(kept)
    const facts = { account_id, account: own ?? `111122223333${mask}` }
    const [account, sort_code] = [own ?? `3192${mask}`, bacs_sort_code ?? '601613']
    return {
      ach: { ...facts, routing: ach_routing ?? '011401533', wire_routing: ach_wire_routing ?? '021000021' },
      eft: { ...facts, institution: eft_institution ?? '021', branch: eft_branch ?? '01140' },
      bacs: { account_id, account, sort_code },
      international: { account_id, iban: `GB29NWBK${sort_code}${account}`, bic: 'NWBKGB21' },
    }
  })
  const country = countryOf(plaid, item)
  const of = (kind: string, where: string): Fields[] =>
    country === where ? numbers.map((one) => fieldsOf(one[kind])) : []
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
  'POST /auth/get': operation(['access_token'], (plaid) => {
    const item = plaid.itemWith('auth')
    const all = accountsOf(plaid, item).filter(({ subtype }) => subtype === 'checking' || subtype === 'savings')
    if (all.length === 0) plaid.refuse('NO_AUTH_ACCOUNTS')
    return { accounts: all.map(toAccount), numbers: numbersOf(plaid, item, all), item: toItem(item) }
  }),
  'POST /identity/get': operation(['access_token'], (plaid) => {
    const item = plaid.itemWith('identity')
    const all = accountsOf(plaid, item).map((one) => ({ ...toAccount(one), owners: ownersOf(one) }))
    return { accounts: all, item: toItem(item) }
  }),
  'POST /identity/match': operation(['access_token', 'user'], (plaid) => {
    const item = plaid.item()
    const user = fieldsOf(plaid.body.user)
    const all = accountsOf(plaid, item).map((one) => ({ ...toAccount(one), ...toMatch(user, one) }))
    return { accounts: all, item: toItem(item) }
  }),
  'POST /processor/token/create': operation(['access_token', 'account_id', 'processor'], (plaid) => {
    const { id: account_id } = accountOf(plaid, plaid.item())
    return { processor_token: plaid.addProcessorToken(account_id) }
  }),
  'POST /processor/stripe/bank_account_token/create': operation(['access_token', 'account_id'], (plaid) => {
    accountOf(plaid, plaid.item())
    return { stripe_bank_account_token: `btok_${plaid.id()}` }
  }),
  'POST /sandbox/item/set_verification_status': operation(
    ['access_token', 'account_id', 'verification_status'],
    (plaid) => {
      const verification_status = String(plaid.body.verification_status)
      plaid.among('verification_status', 'automatically_verified verification_expired')
      plaid.records.accounts.update(accountOf(plaid, plaid.anyItem()).id, { verification_status })
    },
  ),
}

/** How like the user of a request the owners of an account are, by what of theirs is most like it. */
function toMatch({ legal_name, phone_number, email_address, address }: Fields, account: Kept): Fields {
  const owners = ownersOf(account)
  const all = (name: string) => owners.flatMap((owner) => listOf(owner[name]).map(({ data = null }) => data))
  const [homes, sent] = [all('addresses').map(fieldsOf), fieldsOf(address)]
  const best = (text: unknown, kept: readonly unknown[], more: Fields = {}) => {
    const scores = kept.flatMap((one) => likeness(text, String(one)) ?? [])
    return scores.length === 0 ? null : { score: Math.max(...scores), ...more }
  }
  const names = owners.flatMap((owner) => owner.names ?? [])
  return {
    legal_name: best(legal_name, names, {
      ...{ is_nickname_match: false, is_business_name_detected: false },
      is_first_name_or_last_name_match: best(legal_name, names)?.score !== 0,
    }),
    phone_number: best(phone_number, all('phone_numbers')),
    email_address: best(email_address, all('emails')),
    address: best(
      address && Object.values(sent).join(' '),
      homes.map((home) => Object.values(home).join(' ')),
      { is_postal_code_match: homes.some(({ postal_code }) => postal_code === sent.postal_code) },
    ),
  }
}

/** Of a hundred: how many words two texts share. Null for one that was not sent. */
function likeness(sent: unknown, kept: string): number | null {
  if (typeof sent !== 'string') return null
  const isPhone = /^[+\d ().-]+$/.test(kept)
  const plain = (text: string): string => (isPhone ? text.replace(/^\+1|\D/g, '') : text.toLowerCase())
  const [words, others] = [sent, kept].map((text) => new Set(plain(text).match(/[\p{L}\p{N}@.]+/gu)))
  const shared = [...(words ?? [])].filter((word) => others?.has(word)).length
  return Math.round((200 * shared) / Math.max((words?.size ?? 0) + (others?.size ?? 0), 1))
}
