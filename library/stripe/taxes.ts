import { currencyOf } from './countries.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  percentOf,
  type Stripe,
  shareOf,
  sumOf,
  textOf,
  without,
} from './stripe.ts'

/** Standard rates, of countries and of states of the US. */
const RATES: Readonly<Record<string, string>> = {
  ...{ AT: '20.0', BE: '21.0', BG: '20.0', CY: '19.0', CZ: '21.0', DE: '19.0', DK: '25.0', EE: '24.0', ES: '21.0' },
  ...{ FI: '25.5', FR: '20.0', GR: '24.0', HR: '25.0', HU: '27.0', IE: '23.0', IT: '22.0', LT: '21.0', LU: '17.0' },
  ...{ LV: '21.0', MT: '18.0', NL: '21.0', PL: '23.0', PT: '23.0', RO: '21.0', SE: '25.0', SI: '22.0', SK: '23.0' },
  ...{ GB: '20.0', CH: '8.1', NO: '25.0', AU: '10.0', NZ: '15.0', SG: '9.0', JP: '10.0' },
  ...{ 'US-CA': '7.25', 'US-FL': '6.0', 'US-GA': '4.0', 'US-IL': '6.25', 'US-MA': '6.25', 'US-MD': '6.0' },
  ...{ 'US-MI': '6.0', 'US-NC': '4.75', 'US-NJ': '6.625', 'US-NY': '4.0', 'US-OH': '5.75', 'US-PA': '6.0' },
  ...{ 'US-TX': '6.25', 'US-VA': '4.3', 'US-WA': '6.5' },
}

interface Rate {
  readonly place: Fields
  readonly payer: Kept | undefined
  /** Whether the account collects tax there. */
  readonly isRegistered: boolean
  /** Percent, undefined for a place without a known one. */
  readonly standard: string | undefined
}

/** The rate of a place. An account without registrations collects none. */
function findRate({ body, records, unix }: Stripe, customer: Json | undefined): Rate {
  const payer = records.customers.get(customer)
  const { address, taxability_override } = fieldsOf(body.customer_details)
  const place = fieldsOf(address ?? payer?.address)
  const known = records.registrations.find(
    (one) => one.country === place.country && numberOf(one.active_from) <= unix && one.status !== 'expired',
  )
  const isUs = place.country === 'US'
  const isThere = !isUs || inside(known, 'country_options.us.state') === place.state
  const isRegistered =
    known !== undefined && isThere && !isOneOf(taxability_override, 'customer_exempt', 'reverse_charge')
  return { place, payer, isRegistered, standard: RATES[isUs ? `US-${place.state}` : textOf(place.country)] }
}

/** What an invoice or a session keeps of the rate of its customer's address; the rate, where tax is collected. */
export function taxByPlace(
  stripe: Stripe,
  { customer, automatic_tax }: Kept,
  behavior: Json | undefined,
): { automatic_tax: Fields; rate: Kept | undefined } {
  const { place, payer, isRegistered, standard } = findRate(stripe, customer)
  const status = isGiven(place.country) ? 'complete' : 'requires_location_inputs'
  const isTaxed = isRegistered && standard !== undefined && !isOneOf(payer?.tax_exempt, 'exempt', 'reverse')
  const rate = isTaxed
    ? stripe.records.tax_rates.create({
        ...{ active: false, country: place.country, inclusive: behavior === 'inclusive', percentage: Number(standard) },
        display_name: place.country === 'US' ? 'Sales Tax' : 'VAT',
        jurisdiction: place.state ?? place.country,
      })
    : undefined
  return { automatic_tax: { ...fieldsOf(automatic_tax), provider: 'stripe', status }, rate }
}

/** The tax of an amount by a rate, and the amount that it is of. */
export function taxOf(net: number, { inclusive, percentage }: Fields): { amount: number; taxable_amount: number } {
  const amount = inclusive === true ? shareOf(net, percentage, numberOf(percentage) + 100) : percentOf(net, percentage)
  return { amount, taxable_amount: inclusive === true ? net - amount : net }
}

/** The tax of a line of an invoice by a rate. */
export const taxPart = (net: number, rate: Fields): Fields => ({
  ...taxOf(net, rate),
  tax_behavior: rate.inclusive === true ? 'inclusive' : 'exclusive',
  tax_rate_details: { tax_rate: rate.id ?? null },
  ...{ taxability_reason: 'not_available', type: 'tax_rate_details' },
})

/** Refuses new things with a tax rate that is not active. https://docs.stripe.com/api/tax_rates/update */
export function checkRates(stripe: Stripe): void {
  const { body, records } = stripe
  const lines = listOf(body.items ?? body.line_items).map(({ tax_rates }) => tax_rates)
  const ids = [body.default_tax_rates, inside(body, 'subscription_data.default_tax_rates'), ...lines]
  for (const id of ids.flatMap((list) => (Array.isArray(list) ? list : [])))
    if (records.tax_rates.get(id)?.active === false)
      stripe.refuse(`The tax rate ${id} is inactive. Use an active one.`, { param: 'tax_rates' })
}

/** The tax rates with these ids. */
export const ratesOf = ({ records }: Stripe, ids: Json | undefined): Kept[] =>
  (Array.isArray(ids) ? ids : []).flatMap((id) => records.tax_rates.get(id) ?? [])

const EXEMPT = { percentage_decimal: '0.0', rate_type: null, tax_type: null }

function calculate(stripe: Stripe): Kept {
  const { body, records, unix } = stripe
  const made = stripe.next()
  const currency = currencyOf(stripe)
  const { place, isRegistered, standard } = findRate(stripe, made.customer)
  if (isRegistered && standard === undefined)
    stripe.refuse(
      'The simulation knows no tax rate of this address. Calculate for another address, or answer this request with a handler.',
      { param: 'customer_details[address]' },
    )
  const taxed = (line: Fields): Fields => {
    const rate = { inclusive: line.tax_behavior === 'inclusive', percentage: Number(standard) }
    return { ...line, amount_tax: isRegistered ? taxOf(numberOf(line.amount), rate).amount : 0 }
  }
  const lines = listOf(body.line_items).map((line, at) =>
    taxed({
      ...{ id: stripe.id('tax_li_'), object: 'tax.calculation_line_item', livemode: false, metadata: null },
      ...{ product: null, quantity: 1, reference: `L${at}`, tax_behavior: 'exclusive', tax_code: 'txcd_10000000' },
      ...line,
    }),
  )
  const shipping = isGiven(body.shipping_cost)
    ? { tax_behavior: 'exclusive', tax_code: 'txcd_92010001', ...taxed(fieldsOf(body.shipping_cost)) }
    : null
  const charged: Fields[] = shipping ? [...lines, shipping] : lines
  const inclusive = sumOf(
    charged.filter(({ tax_behavior }) => tax_behavior === 'inclusive'),
    'amount_tax',
  )
  const exclusive = sumOf(charged, 'amount_tax') - inclusive
  const whole = sumOf(charged, 'amount')
  const country = textOf(place.country)
  const tax_type = country === 'US' ? 'sales_tax' : ['AU', 'NZ', 'SG'].includes(country) ? 'gst' : 'vat'
  return records.calculations.update(made.id, {
    ...currency,
    ...{ amount_total: whole + exclusive, tax_amount_exclusive: exclusive, tax_amount_inclusive: inclusive },
    customer_details: {
      ...{ address: null, address_source: null, ip_address: null, tax_ids: [], taxability_override: 'none' },
      ...fieldsOf(body.customer_details),
    },
    expires_at: stripe.later(90),
    line_items: {
      ...{ object: 'list', data: lines, has_more: false, total_count: lines.length },
      url: `/v1/tax/calculations/${made.id}/line_items`,
    },
    shipping_cost: shipping,
    tax_breakdown: [
      {
        ...{ amount: exclusive + inclusive, inclusive: inclusive > 0 },
        tax_rate_details: {
          ...{ country: place.country ?? null, flat_amount: null, state: place.state ?? null },
          ...(isRegistered ? { percentage_decimal: standard ?? null, rate_type: 'percentage', tax_type } : EXEMPT),
        },
        taxability_reason: isRegistered ? 'standard_rated' : 'not_collecting',
        taxable_amount: isRegistered ? whole - inclusive : 0,
      },
    ],
    tax_date: body.tax_date ?? unix,
  })
}

export const taxes: Operations = {
  'POST /v1/tax/calculations': calculate,
  'GET /v1/tax/calculations/{calculation}/line_items': (stripe) => stripe.pageOf(stripe.own('calculations').line_items),
  'POST /v1/tax/transactions/create_from_calculation': (stripe) => {
    const { body, records, unix } = stripe
    const base = records.calculations.get(body.calculation)
    if (base === undefined) return stripe.absent('calculation', body.calculation, 'calculation')
    if (records.transactions.some({ reference: body.reference }))
      stripe.refuse(`A tax transaction already exists with reference ${body.reference}.`, { param: 'reference' })
    const { currency, customer, customer_details, ship_from_details, shipping_cost, tax_date } = base
    const shown = { object: 'tax.transaction_line_item', type: 'transaction', reversal: null }
    const data = listOf(inside(base.line_items, 'data')).map((line) => ({
      ...without(line, 'tax_breakdown'),
      ...shown,
    }))
    const line_items = { ...fieldsOf(base.line_items), data }
    return records.transactions.create({
      ...{ currency, customer, customer_details, line_items, ship_from_details, shipping_cost, tax_date },
      ...{ metadata: body.metadata ?? {}, posted_at: body.posted_at ?? unix, reference: body.reference },
    })
  },
}
