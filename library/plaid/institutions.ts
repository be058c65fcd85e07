import { fieldsOf, operation, type PlaidRequest, PRODUCTS } from './plaid.ts'

type Bank = readonly [id: string, name: string, oauth?: boolean, country?: string]

const toInstitution = ([institution_id, name, oauth = false, country = 'US']: Bank) => ({
  ...{ institution_id, name, products: PRODUCTS, country_codes: [country], routing_numbers: ['011000015'], oauth },
  ...{ url: null, primary_color: null, logo: null, status: null },
})

/** The institutions of the sandbox that tests use most. */
export const INSTITUTIONS = (
  [
    ['ins_109508', 'First Platypus Bank'],
    ['ins_109509', 'First Gingham Credit Union'],
    ['ins_109510', 'Tattersall Federal Credit Union'],
    ['ins_109511', 'Tartan Bank'],
    ['ins_109512', 'Houndstooth Bank'],
    ['ins_127287', 'Platypus OAuth Bank', true],
    ['ins_130016', 'First Platypus Balance Bank'],
    ['ins_132241', 'First Platypus OAuth App2App Bank', true],
    ['ins_135858', 'Windowpane Bank'],
    ['ins_132363', 'Unhealthy Platypus Bank - Degraded'],
    ['ins_132361', 'Unhealthy Platypus Bank - Down'],
    ['ins_43', 'Tartan-Dominion Bank of Canada', false, 'CA'],
    ['ins_116834', 'Flexible Platypus Open Banking', true, 'GB'],
    ['ins_117650', 'Royal Bank of Plaid', true, 'GB'],
    ['ins_1', 'Bank of America'],
    ['ins_3', 'Chase'],
    ['ins_4', 'Wells Fargo'],
    ['ins_5', 'Citibank Online'],
    ['ins_9', 'Capital One'],
    ['ins_10', 'American Express'],
    ['ins_11', 'Charles Schwab'],
    ['ins_12', 'Fidelity'],
    ['ins_14', 'TD Bank'],
    ['ins_20', 'Citizens Bank'],
    ['ins_56', 'Chase', true],
    ['ins_127989', 'Bank of America', true],
    ['ins_127991', 'Wells Fargo', true],
    ['ins_128026', 'Capital One', true],
  ] as readonly Bank[]
).map(toInstitution)

export function institutionOf(plaid: PlaidRequest, id: unknown): (typeof INSTITUTIONS)[number] {
  return INSTITUTIONS.find((one) => one.institution_id === id) ?? plaid.refuse('INVALID_INSTITUTION')
}

/** The country of each institution. */
export const COUNTRIES = new Map(
  INSTITUTIONS.map(({ institution_id, country_codes: [country] }) => [institution_id, country]),
)
export const CURRENCIES: Readonly<Record<string, string>> = { CA: 'CAD', GB: 'GBP' }

/** How well each product of an institution works; those with trouble are the sandbox's unhealthy ones. */
function healthOf({ body, now }: PlaidRequest) {
  const status = { ins_132361: 'DOWN', ins_132363: 'DEGRADED' }[String(body.institution_id)] ?? 'HEALTHY'
  const success = { DOWN: 0, DEGRADED: 0.5 }[status] ?? 1
  const breakdown = { success, error_plaid: 0, error_institution: 1 - success }
  const facts = { status, last_status_change: `${now.getUTCFullYear()}-01-01T00:00:00Z`, breakdown }
  const updates = { ...facts, breakdown: { ...breakdown, refresh_interval: 'NORMAL' } }
  const logins = { item_logins: facts, auth: facts, identity: facts }
  return { ...logins, transactions_updates: updates, investments_updates: updates, liabilities_updates: updates }
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : [])

/** Institutions of the countries that have all of the products. */
function inCountries({ body }: PlaidRequest, products: unknown): typeof INSTITUTIONS {
  const countries = textsOf(body.country_codes)
  const hasAll = textsOf(products).every((product) => PRODUCTS.includes(product))
  return INSTITUTIONS.filter(({ country_codes }) => hasAll && country_codes.some((code) => countries.includes(code)))
}

export const institutions = {
  'POST /institutions/get': operation(['count', 'offset', 'country_codes'], (plaid) => {
    const { products, oauth } = fieldsOf(plaid.body.options)
    const all = inCountries(plaid, products).filter((one) => oauth == null || one.oauth === oauth)
    return { institutions: plaid.page(all, plaid.body), total: all.length }
  }),
  'POST /institutions/get_by_id': operation(['institution_id', 'country_codes'], (plaid) => {
    const { include_optional_metadata, include_status } = fieldsOf(plaid.body.options)
    const more = include_optional_metadata === true ? { url: 'https://plaid.com', primary_color: '#1f1f1f' } : {}
    const status = include_status === true ? { status: healthOf(plaid) } : {}
    const found = institutionOf(plaid, plaid.body.institution_id)
    if (!inCountries(plaid, []).includes(found)) plaid.refuse('INVALID_INSTITUTION')
    return { institution: { ...found, ...more, ...status } }
  }),
  'POST /institutions/search': operation(['query', 'country_codes'], (plaid) => {
    const words = String(plaid.body.query).toLowerCase()
    const all = inCountries(plaid, plaid.body.products)
    return { institutions: all.filter(({ name }) => name.toLowerCase().includes(words)).slice(0, 10) }
  }),
}
