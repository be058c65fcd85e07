import { apportioned } from '../shared/apportioned.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  type Json,
  type Kept,
  listOf,
  merged,
  numberOf,
  percentOf,
  type Stripe,
  sumOf,
  textOf,
  without,
} from './stripe.ts'
import { taxByPlace, taxPart } from './taxes.ts'

/** The subscription of an invoice. */
export const subscriptionOf = ({ records }: Stripe, invoice: Kept | undefined): Kept | undefined =>
  records.subscriptions.get(inside(invoice, 'parent.subscription_details.subscription'))

export const linesOf = (invoice: Kept | undefined): Fields[] => listOf(inside(invoice, 'lines.data'))

export const taxIdsOf = (stripe: Stripe, customer: Json | undefined): Fields[] =>
  stripe.oldest('tax_ids', { customer }).map(({ type = null, value = null }) => ({ type, value }))

/** What a new invoice has of its customer. */
export const payerFields = (stripe: Stripe, customer: Kept | undefined): Fields => ({
  customer_tax_ids: customer ? taxIdsOf(stripe, customer.id) : [],
  ...{ customer_email: customer?.email ?? null, customer_name: customer?.name ?? null },
  ...{ customer_address: customer?.address ?? null, customer_phone: customer?.phone ?? null },
  ...{ customer_tax_exempt: customer?.tax_exempt ?? null },
  ...{ account_country: 'US', account_name: 'Test account', issuer: { type: 'self' } },
})

/** The item of an invoice whose line it is. */
export const itemOf = (line: Fields): Json | undefined => inside(line, 'parent.invoice_item_details.invoice_item')

/** The line of an invoice item, with the rates of its tax. */
function toLine(stripe: Stripe, invoice: Kept, part: Kept): Fields {
  const { id, amount = null, proration = null, quantity = null } = part
  const { subscription = null, subscription_item = null } = fieldsOf(inside(part, 'parent.subscription_details'))
  const credited_items = inside(part, 'proration_details.credited_items.invoice_line_item_details') ?? null
  const parent: Fields = isGiven(subscription_item)
    ? {
        ...{ type: 'subscription_item_details', invoice_item_details: null },
        subscription_item_details: {
          ...{ invoice_item: id, proration, proration_details: { credited_items }, subscription, subscription_item },
        },
      }
    : {
        ...{ type: 'invoice_item_details', subscription_item_details: null },
        invoice_item_details: {
          ...{ invoice_item: id, proration, proration_details: { credited_items: null } },
          subscription: subscription ?? inside(invoice, 'parent.subscription_details.subscription') ?? null,
        },
      }
  return {
    ...newLine(stripe, invoice),
    ...{ amount, subtotal: amount, currency: part.currency ?? null, description: part.description ?? null, quantity },
    ...{
      discountable: part.discountable ?? null,
      discounts: part.discounts ?? [],
      metadata: part.metadata ?? {},
      parent,
      subscription,
    },
    ...{ period: part.period ?? null, pricing: part.pricing ?? null, rates: part.tax_rates ?? [] },
  }
}

/** What every line of an invoice has. */
export const newLine = (stripe: Stripe, { id: invoice }: Kept): Fields => ({
  ...{ id: stripe.id('il_'), object: 'line_item', discount_amounts: [], discountable: true, discounts: [], invoice },
  ...{ livemode: false, pretax_credit_amounts: [] },
})

/** Puts the items of a customer that wait for an invoice on it, before further lines. */
export function gather(stripe: Stripe, invoice: Kept, lines: readonly Fields[] = []): Kept {
  const { customer, currency } = invoice
  const pending = stripe.oldest('invoiceitems', { customer, invoice: null, currency })
  const whole = addLines(stripe, invoice, pending, lines)
  for (const { id } of pending) stripe.records.invoiceitems.update(id, { invoice: invoice.id })
  return whole
}

/** Adds lines of items, and further ones. */
export function addLines(stripe: Stripe, invoice: Kept, parts: readonly Kept[], lines: readonly Fields[] = []): Kept {
  const fresh = [...parts.map((part) => toLine(stripe, invoice, part)), ...lines]
  const shown = fresh.map((line) => ({
    ...without(line, 'rates'),
    ...(isGiven(line.quantity) && { quantity_decimal: `${line.quantity}` }),
  }))
  const rates = Object.fromEntries(fresh.map(({ id, rates }) => [textOf(id), rates ?? []]))
  return setLines(stripe, invoice, [...linesOf(invoice), ...shown], rates)
}

/** Sets the lines of an invoice, with the rates of those that have new ones. */
export function setLines(stripe: Stripe, invoice: Kept, data: Fields[], rates: Fields = {}): Kept {
  return totalInvoice(
    stripe,
    stripe.records.invoices.update(invoice.id, {
      lines: {
        ...{ object: 'list', data, has_more: false, total_count: data.length, url: `/v1/invoices/${invoice.id}/lines` },
      },
      line_rates: merged(invoice.line_rates, rates),
    }),
  )
}

/** The rate that a way of shipping names, or a new one. */
export function shippingRateOf({ records }: Stripe, { shipping_rate, shipping_rate_data }: Fields): Kept | undefined {
  const { delivery_estimate = null, ...rate } = fieldsOf(shipping_rate_data)
  return isGiven(shipping_rate_data)
    ? records.shipping_rates.create({ ...rate, delivery_estimate })
    : records.shipping_rates.get(shipping_rate)
}

/** What a session or an invoice shows of its way of shipping. */
export function shippingOf(rate: Kept | undefined): Fields | null {
  if (rate === undefined) return null
  const amount = inside(rate, 'fixed_amount.amount') ?? null
  return { amount_subtotal: amount, amount_tax: 0, amount_total: amount, shipping_rate: rate.id }
}

/** The shipping that a request gives an invoice, or takes from it. */
export const shippedBy = (stripe: Stripe): Fields => {
  const { shipping_cost: sent } = stripe.body
  return sent === undefined ? {} : { shipping_cost: shippingOf(shippingRateOf(stripe, fieldsOf(sent))) }
}

/** What a discount takes: of all, and of each line. */
interface Off {
  readonly amount: number
  readonly discount: Json
  readonly shares: readonly number[]
}

/** What one discount takes of each line, after those before it. @param own the place of the only line that it is of */
function takeOff(
  { records }: Stripe,
  lines: readonly Fields[],
  { discount, before, own }: { discount: Json; before: readonly Off[]; own?: number },
): Off {
  const coupon = records.coupons.get(inside(records.discounts.get(discount), 'source.coupon'))
  const products = inside(coupon, 'applies_to.products')
  const left = lines.map((line, place) => {
    const product = inside(line, 'pricing.price_details.product')
    const isProration = inside(line, 'parent.subscription_item_details.proration') === true
    const isOf =
      (own === undefined || own === place) &&
      (line.discountable !== false || isProration) &&
      (!Array.isArray(products) || products.includes(product ?? null))
    return isOf ? before.reduce((rest, { shares }) => rest - (shares[place] ?? 0), numberOf(line.amount)) : 0
  })
  const base = left.reduce((sum, one) => sum + one, 0)
  const amount = isGiven(coupon?.percent_off)
    ? percentOf(base, coupon?.percent_off)
    : Math.min(numberOf(coupon?.amount_off), Math.max(base, 0))
  return { amount, discount, shares: apportioned({ of: amount, by: left.map((one) => Math.max(one, 0)) }) }
}

function isOfItem({ records }: Stripe, id: Json): boolean {
  const discount = records.discounts.get(id)
  return isGiven(discount?.invoice_item) || isGiven(discount?.subscription_item)
}

/** Adds an invoice up: its lines, less discounts, with taxes and shipping. */
export function totalInvoice(stripe: Stripe, given: Kept): Kept {
  const { records } = stripe
  const invoice = withPlace(stripe, given)
  const offs: Off[] = []
  const lines = linesOf(invoice)
  // "Item discounts are applied before invoice discounts" (InvoiceItem)
  for (const [own, { discounts }] of lines.entries())
    for (const discount of Array.isArray(discounts) ? discounts : [])
      if (isOfItem(stripe, discount)) offs.push(takeOff(stripe, lines, { discount, before: offs, own }))
  for (const discount of Array.isArray(invoice.discounts) ? invoice.discounts : [])
    offs.push(takeOff(stripe, lines, { discount, before: offs }))
  const usual = [...listOf(invoice.default_tax_rates), ...listOf(invoice.placed_rates)]
  const summed = lines.map((line, place): Fields => {
    const parts = offs.flatMap(({ shares, discount }) =>
      (shares[place] ?? 0) > 0 ? [{ amount: shares[place] ?? 0, discount }] : [],
    )
    const own = listOf(fieldsOf(invoice.line_rates)[textOf(line.id)])
    const net = numberOf(line.amount) - sumOf(parts, 'amount')
    const taxes = (own.length > 0 ? own : usual).map((rate) => taxPart(net, rate))
    return { ...line, discounts: parts.map(({ discount }) => discount), discount_amounts: parts, taxes }
  })
  const every = summed.flatMap(({ taxes }) => listOf(taxes))
  const byRate = [...Map.groupBy(every, (tax) => inside(tax, 'tax_rate_details.tax_rate')).values()]
  const total_taxes = byRate.map((same) => ({
    ...same[0],
    ...{ amount: sumOf(same, 'amount'), taxable_amount: sumOf(same, 'taxable_amount') },
  }))
  const taxBy = (behavior: string) =>
    sumOf(
      every.filter(({ tax_behavior }) => tax_behavior === behavior),
      'amount',
    )
  const subtotal = sumOf(lines, 'amount')
  const inclusive = taxBy('inclusive')
  const taxable = subtotal - sumOf(offs as unknown as Fields[], 'amount')
  const amount_shipping = numberOf(inside(invoice, 'shipping_cost.amount_total'))
  const untaxed = taxable - inclusive + amount_shipping
  const total = taxable + taxBy('exclusive') + amount_shipping
  const starting_balance = numberOf(records.customers.get(invoice.customer)?.balance)
  const due = Math.max(total + starting_balance, 0)
  return records.invoices.update(invoice.id, {
    lines: { ...fieldsOf(invoice.lines), data: summed },
    ...{ subtotal, subtotal_excluding_tax: subtotal - inclusive, total, total_excluding_tax: untaxed, amount_shipping },
    ...{ starting_balance, amount_due: due, amount_remaining: due, total_taxes },
    total_discount_amounts: offs.map(({ amount, discount }) => ({ amount, discount })),
  })
}

/** With automatic tax, the rate of its customer's address. */
function withPlace(stripe: Stripe, invoice: Kept): Kept {
  if (inside(invoice, 'automatic_tax.enabled') !== true || listOf(invoice.placed_rates).length > 0) return invoice
  const sold = stripe.records.prices.get(inside(linesOf(invoice)[0], 'pricing.price_details.price'))
  const { automatic_tax, rate } = taxByPlace(stripe, invoice, sold?.tax_behavior)
  return stripe.records.invoices.update(invoice.id, { automatic_tax, ...(rate && { placed_rates: [rate] }) })
}
