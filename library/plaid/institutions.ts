import { fieldsOf } from '../openai/context.ts'
import { type Context, integerOf, operation, refuseWith } from './context.ts'

export const PRODUCTS = ['auth', 'balance', 'identity', 'investments', 'liabilities', 'transactions', 'transfer']

const make = ([institution_id, name, oauth]: readonly [string, string, boolean]) => ({
  institution_id,
  name,
  products: PRODUCTS,
  country_codes: ['US'],
  url: null,
  primary_color: null,
  logo: null,
  routing_numbers: ['011000015'],
  oauth,
  status: null,
})

/** The institutions of the sandbox that tests use most. */
export const INSTITUTIONS = (
  [
    ['ins_109508', 'First Platypus Bank', false],
    ['ins_109509', 'First Gingham Credit Union', false],
    ['ins_109510', 'Tattersall Federal Credit Union', false],
    ['ins_109511', 'Tartan Bank', false],
    ['ins_109512', 'Houndstooth Bank', false],
    ['ins_127287', 'Platypus OAuth Bank', true],
  ] as const
).map(make)

export function institutionOf(context: Context, id: unknown): (typeof INSTITUTIONS)[number] {
  return INSTITUTIONS.find((one) => one.institution_id === id) ?? refuseWith(context, 'INVALID_INSTITUTION', String(id))
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : [])

/** Institutions of the countries that have all of the products. */
function inCountries({ body }: Context, products: unknown): typeof INSTITUTIONS {
  const countries = textsOf(body.country_codes)
  const hasAll = textsOf(products).every((product) => PRODUCTS.includes(product))
  return INSTITUTIONS.filter(({ country_codes }) => hasAll && country_codes.some((code) => countries.includes(code)))
}

export const institutions = {
  'POST /institutions/get': operation(['count', 'offset', 'country_codes'], (context) => {
    const { count, offset, options } = context.body
    const { products, oauth } = fieldsOf(options)
    const all = inCountries(context, products).filter(
      (one) => oauth === undefined || oauth === null || one.oauth === oauth,
    )
    const from = integerOf(context, 'offset', offset, 0, 1_000_000)
    const to = from + integerOf(context, 'count', count, 100, 500, 1)
    return { institutions: all.slice(from, to), total: all.length }
  }),
  'POST /institutions/get_by_id': operation(['institution_id', 'country_codes'], (context) => {
    const isWhole = fieldsOf(context.body.options).include_optional_metadata === true
    const more = isWhole ? { url: 'https://plaid.com', primary_color: '#1f1f1f' } : {}
    return { institution: { ...institutionOf(context, context.body.institution_id), ...more } }
  }),
  'POST /institutions/search': operation(['query', 'country_codes'], (context) => {
    const words = String(context.body.query).toLowerCase()
    const all = inCountries(context, context.body.products)
    return { institutions: all.filter(({ name }) => name.toLowerCase().includes(words)).slice(0, 10) }
  }),
}
