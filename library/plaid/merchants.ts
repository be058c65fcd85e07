import { type Fields, fieldsOf, type Json, listOf, nulls, operation } from './plaid.ts'

/** A merchant: name, amount (negative: money comes in), category, its detail, the account or, of a brand, another name. */
type Merchant = readonly [name: string, amount: number, primary: string, detailed: string, subtype: string]

export const SHOPS: readonly Merchant[] = [
  ['Corner Bakery', 6.4, 'FOOD_AND_DRINK', 'COFFEE', 'credit card'],
  ['Green Grocer', 48.25, 'FOOD_AND_DRINK', 'GROCERIES', 'checking'],
  ['City Metro', 2.9, 'TRANSPORTATION', 'PUBLIC_TRANSIT', 'credit card'],
  ['Paper & Ink', 17.5, 'GENERAL_MERCHANDISE', 'BOOKSTORES_AND_NEWSSTANDS', 'credit card'],
  ['Hill Street Pharmacy', 12.1, 'MEDICAL', 'PHARMACIES_AND_SUPPLEMENTS', 'checking'],
]
const RENT: Merchant = ['Mill Lane Homes', 900, 'RENT_AND_UTILITIES', 'RENT', 'checking']
const FILMS: Merchant = ['Night Films', 11.99, 'ENTERTAINMENT', 'TV_AND_MOVIES', 'credit card']
const WAGES: Merchant = ['Analytical Engines', -2_400, 'INCOME', 'WAGES', 'checking']
/** By the day of the month: what recurs each month. */
export const MONTHLY: Readonly<Record<string, Merchant>> = { '01': RENT, '12': FILMS, '25': WAGES }
/** Merchants that descriptors of a test may have. */
const BRANDS: readonly Merchant[] = [
  ['Walmart', 0, 'GENERAL_MERCHANDISE', 'SUPERSTORES', 'wm supercenter'],
  ['Amazon', 0, 'GENERAL_MERCHANDISE', 'ONLINE_MARKETPLACES', 'amzn'],
  ['Target', 0, 'GENERAL_MERCHANDISE', 'SUPERSTORES', 'target'],
  ['Starbucks', 0, 'FOOD_AND_DRINK', 'COFFEE', 'sbux'],
  ["McDonald's", 0, 'FOOD_AND_DRINK', 'FAST_FOOD', 'mcdonalds'],
  ['DoorDash', 0, 'FOOD_AND_DRINK', 'RESTAURANT', 'doordash'],
  ['Uber', 0, 'TRANSPORTATION', 'TAXIS_AND_RIDE_SHARES', 'uber'],
  ['Lyft', 0, 'TRANSPORTATION', 'TAXIS_AND_RIDE_SHARES', 'lyft'],
  ['Netflix', 0, 'ENTERTAINMENT', 'TV_AND_MOVIES', 'netflix'],
  ['Spotify', 0, 'ENTERTAINMENT', 'MUSIC_AND_AUDIO', 'spotify'],
]

/** The merchant that a description names. */
export function merchantOf(description: unknown): Merchant | undefined {
  const text = String(description).toLowerCase()
  const isNamed = (name: string): boolean => text.includes(name.toLowerCase())
  return (
    [...SHOPS, RENT, FILMS, WAGES].find(([name]) => isNamed(name)) ??
    BRANDS.find(([name, , , , alias]) => isNamed(name) || isNamed(alias))
  )
}

export const RECURRING = [RENT, FILMS, WAGES].map(([name]) => name)

const CATEGORIES = [...SHOPS, ...Object.values(MONTHLY)].map(([, , primary, detailed], at) => {
  const hierarchy = [primary, `${primary}_${detailed}`]
  return { category_id: String(10_000_000 + at * 1_000), group: 'place', hierarchy }
})

export const categoryOf = (primary: string, detailed: string): Fields => ({
  ...{ primary, detailed: `${primary}_${detailed}`, confidence_level: 'VERY_HIGH', version: 'v1' },
})

export const iconOf = (category: unknown): string =>
  `https://plaid-category-icons.plaid.example/PFC_${fieldsOf(category).primary ?? 'OTHER'}.png`

export const counterpartiesOf = (name: Json): Fields[] =>
  name === null
    ? []
    : [{ name, type: 'merchant', confidence_level: 'VERY_HIGH', ...nulls('entity_id logo_url phone_number website') }]

export const NOWHERE = nulls('address city region postal_code country lat lon store_number')

export const merchants = {
  'POST /categories/get': operation([], () => ({ categories: CATEGORIES })),
  /** Knows the merchants of the sandbox's own transactions and some brands: of others it says nothing. */
  'POST /transactions/enrich': operation(['account_type', 'transactions'], (plaid) => {
    plaid.among('account_type', 'depository credit')
    const given = listOf(plaid.body.transactions)
    if (given.length === 0 || given.length > 100) plaid.invalid('transactions must be a list of 1 to 100')
    const enriched_transactions = given.map((one) => {
      plaid.need(['id', 'description', 'amount', 'direction', 'iso_currency_code'], one, 'transactions.')
      plaid.among('direction', 'INFLOW OUTFLOW', one, 'transactions.')
      const [name = null, , primary = 'OTHER', detailed = 'OTHER'] = merchantOf(one.description) ?? []
      const category = categoryOf(primary, detailed)
      return {
        ...one,
        enrichments: {
          merchant_name: name,
          personal_finance_category: name === null ? { ...category, confidence_level: 'UNKNOWN' } : category,
          personal_finance_category_icon_url: iconOf(category),
          payment_channel: name === null ? 'other' : 'in store',
          counterparties: counterpartiesOf(name),
          location: NOWHERE,
          ...nulls('entity_id legacy_category legacy_category_id logo_url phone_number recurrence website'),
        },
      }
    })
    return { enriched_transactions }
  }),
}
