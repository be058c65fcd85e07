import { bill, settleFirst, showItems, startTrial } from './billing.ts'
import { pricingOf } from './catalog.ts'
import { redeemDiscounts } from './discounts.ts'
import { gather, payerFields } from './invoicing.ts'
import { bodyLines, discountsOf, totalCart } from './sessions.ts'
import {
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Kept,
  listOf,
  merged,
  type Operations,
  type Stripe,
  sumOf,
} from './stripe.ts'
import { addItem } from './subscription-items.ts'

/** Gives a quote the lines of the body, and adds it up. */
function layQuote(stripe: Stripe, given: Kept): Kept {
  const { body, records } = stripe
  const lines = bodyLines(stripe, given)
  const url = `/v1/quotes/${given.id}/line_items`
  const { offs, kept } = discountsOf(stripe, lines, body.discounts)
  const quote = totalCart(
    stripe,
    'quotes',
    records.quotes.update(given.id, {
      line_items: { object: 'list', data: [], has_more: false, url },
      ...(lines.length > 0 && { currency: lines.at(-1)?.currency }),
      ...(kept.length > 0 && { discounts: kept }),
    }),
    { lines, offs },
  )
  const { amount_total = null, line_items = null } = quote
  const cycle = listOf(inside(line_items, 'data')).filter((line) => inside(line, 'price.type') === 'recurring')
  const { interval = null, interval_count = null } = fieldsOf(inside(cycle[0], 'price.recurring'))
  const total_details = { amount_discount: 0, amount_shipping: 0, amount_tax: 0 }
  const whole = sumOf(cycle, 'amount_total')
  return records.quotes.update(quote.id, {
    computed: {
      recurring:
        cycle.length > 0
          ? { amount_subtotal: whole, amount_total: whole, interval, interval_count, total_details }
          : null,
      upfront: { amount_subtotal: amount_total, amount_total, line_items, total_details },
    },
  })
}

/** Refuses what a quote cannot do in its state. */
function check(stripe: Stripe, { status }: Kept, verb: string, ...states: string[]): void {
  if (!isOneOf(status, ...states))
    stripe.refuse(
      `You cannot ${verb} a quote that is currently in the \`${status}\` status. It must be in the following statuses: ${states.join(', ')}.`,
    )
}

/** The subscription of what recurs in an accepted quote. */
function subscribe(stripe: Stripe, quote: Kept, cycle: ReturnType<typeof listOf>): Kept {
  const { records, unix } = stripe
  const data = fieldsOf(quote.subscription_data)
  const { customer, currency, collection_method } = quote
  const made = records.subscriptions.create({
    ...{ customer, currency, collection_method, description: data.description ?? null, metadata: data.metadata ?? {} },
    ...{ status: collection_method === 'send_invoice' ? 'active' : 'incomplete', start_date: unix },
    billing_cycle_anchor: unix,
  })
  let sub = startTrial(stripe, made, data)
  for (const line of cycle) {
    const tax_rates = listOf(line.taxes).map((tax) => inside(tax, 'rate.id') ?? null)
    const price = records.prices.get(inside(line, 'price.id'))
    sub = addItem(stripe, sub, { quantity: line.quantity ?? null, tax_rates }, price)
  }
  sub = redeemDiscounts(stripe, showItems(stripe, sub), quote.discounts)
  return settleFirst(stripe, bill(stripe, sub, { reason: 'subscription_create' }))
}

function accept(stripe: Stripe): Kept {
  const { records, unix } = stripe
  const quote = stripe.own('quotes')
  check(stripe, quote, 'accept', 'open')
  if (!isGiven(quote.customer)) stripe.refuse('A quote cannot be accepted without a customer.')
  const { id, customer, currency, collection_method, status_transitions } = quote
  const lines = listOf(inside(quote, 'line_items.data'))
  const byType = (type: string) => lines.filter((line) => inside(line, 'price.type') === type)
  const cycle = byType('recurring')
  const opening =
    cycle.length === 0
      ? records.invoices.create({
          ...payerFields(stripe, records.customers.get(customer)),
          ...{ customer, currency, billing_reason: 'manual', status: 'draft', collection_method, auto_advance: true },
          ...{ period_start: unix, period_end: unix },
          parent: { type: 'quote_details', quote_details: { quote: id }, subscription_details: null },
        })
      : undefined
  for (const line of byType('one_time'))
    records.invoiceitems.create({
      ...{ amount: line.amount_total, currency: line.currency, customer, date: unix, description: line.description },
      ...{ discountable: true, quantity: line.quantity, period: { start: unix, end: unix } },
      pricing: pricingOf(fieldsOf(line.price)),
    })
  if (opening) gather(stripe, opening)
  const subscription = cycle.length > 0 ? subscribe(stripe, quote, cycle).id : undefined
  return records.quotes.update(id, {
    ...{ status: 'accepted', status_transitions: merged(status_transitions, { accepted_at: unix }) },
    ...{ invoice: opening?.id, subscription },
  })
}

const linesOf = (stripe: Stripe) => stripe.pageOf(stripe.own('quotes').line_items)

export const quotes: Operations = {
  'POST /v1/quotes': (stripe) => {
    const made = stripe.next()
    const expires_at = stripe.body.expires_at ?? stripe.later(30)
    return layQuote(stripe, stripe.records.quotes.update(made.id, { expires_at }))
  },
  'POST /v1/quotes/{quote}': (stripe) => {
    const quote = stripe.next()
    check(stripe, quote, 'update', 'draft')
    return isGiven(stripe.body.line_items) ? layQuote(stripe, quote) : quote
  },
  'POST /v1/quotes/{quote}/finalize': (stripe) => {
    const { body, records, unix } = stripe
    const quote = stripe.own('quotes')
    check(stripe, quote, 'finalize', 'draft')
    const { customer, status_transitions } = quote
    const numbered = records.quotes.where({ customer }).filter(({ number }) => isGiven(number)).length
    const prefix = records.customers.get(customer)?.invoice_prefix ?? ''
    return records.quotes.update(quote.id, {
      ...{ status: 'open', number: `QT-${prefix}-${`${numbered + 1}`.padStart(4, '0')}-1` },
      expires_at: body.expires_at ?? quote.expires_at,
      status_transitions: merged(status_transitions, { finalized_at: unix }),
    })
  },
  'POST /v1/quotes/{quote}/cancel': (stripe) => {
    const quote = stripe.own('quotes')
    check(stripe, quote, 'cancel', 'draft', 'open')
    const status_transitions = merged(quote.status_transitions, { canceled_at: stripe.unix })
    return stripe.records.quotes.update(quote.id, { status: 'canceled', status_transitions })
  },
  'POST /v1/quotes/{quote}/accept': accept,
  'GET /v1/quotes/{quote}/line_items': linesOf,
  'GET /v1/quotes/{quote}/computed_upfront_line_items': linesOf,
}
