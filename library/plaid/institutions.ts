import { fieldsOf, type Kept, operation, type Plaid, type PlaidRequest, renamed } from './plaid.ts'

const toInstitution = renamed('institution_id')

export const institutionOf = (plaid: PlaidRequest, id: unknown): Kept =>
  plaid.records.institutions.get(String(id)) ?? plaid.refuse('INVALID_INSTITUTION')

export const countryOf = ({ records }: Plaid, { institution_id }: Kept): unknown =>
  [records.institutions.get(String(institution_id))?.country_codes].flat()[0]

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
function inCountries({ body, records }: PlaidRequest, products: unknown): Kept[] {
  const countries = textsOf(body.country_codes)
  const has = (list: unknown, name: string): boolean => textsOf(list).includes(name)
  return [...records.institutions].filter(
    (one) =>
      textsOf(products).every((product) => has(one.products, product)) &&
      countries.some((country) => has(one.country_codes, country)),
  )
}

export const institutions = {
  'POST /institutions/get': operation(['count', 'offset', 'country_codes'], (plaid) => {
    const { products, oauth } = fieldsOf(plaid.body.options)
    const all = inCountries(plaid, products).filter((one) => oauth == null || one.oauth === oauth)
    return { institutions: plaid.page(all, plaid.body).map(toInstitution), total: all.length }
  }),
  'POST /institutions/get_by_id': operation(['institution_id', 'country_codes'], (plaid) => {
    const { include_optional_metadata, include_status } = fieldsOf(plaid.body.options)
    const more = include_optional_metadata === true ? { url: 'https://plaid.com', primary_color: '#1f1f1f' } : {}
    const status = include_status === true ? { status: healthOf(plaid) } : {}
    const found = institutionOf(plaid, plaid.body.institution_id)
    if (!inCountries(plaid, []).some(({ id }) => id === found.id)) plaid.refuse('INVALID_INSTITUTION')
    return { institution: { ...toInstitution(found), ...more, ...status } }
  }),
  'POST /institutions/search': operation(['query', 'country_codes'], (plaid) => {
    const words = String(plaid.body.query).toLowerCase()
    const isNamed = ({ name }: Kept): boolean => String(name).toLowerCase().includes(words)
    const found = inCountries(plaid, plaid.body.products).filter(isNamed).slice(0, 10)
    return { institutions: found.map(toInstitution) }
  }),
}
