import { fieldsOf, inside, isGiven, isOneOf, type Json, numberOf, type Operations, textOf } from './stripe.ts'

const BOUNDS: Readonly<Record<string, (time: number, bound: number) => boolean>> = {
  gt: (time, bound) => time > bound,
  gte: (time, bound) => time >= bound,
  lt: (time, bound) => time < bound,
  lte: (time, bound) => time <= bound,
}

/** Whether a time is that of a query, or in its range. */
const isWithin = (time: Json | undefined, wanted: Json | undefined): boolean =>
  typeof wanted === 'number'
    ? time === wanted
    : Object.entries(fieldsOf(wanted)).every(([name, bound]) => BOUNDS[name]?.(numberOf(time), numberOf(bound)) ?? true)

/** Lists whose parameters are not just fields of their records. */
export const lists: Operations = {
  // what a test clock has is listed by it alone
  'GET /v1/customers': (stripe) =>
    stripe.list([], ({ test_clock }) => isGiven(stripe.query.test_clock) || !isGiven(test_clock)),
  'GET /v1/payment_methods': (stripe) => stripe.list([], ({ metadata }) => inside(metadata, 'test_token') !== 'true'),
  'GET /v1/subscriptions': (stripe) => {
    const { plan, price, status, test_clock, customer } = stripe.query
    const isOfAnyClock = isGiven(test_clock) || isGiven(customer)
    const ignored = ['plan', 'price', ...(isOneOf(status, 'all', 'ended') ? ['status'] : [])]
    stripe.list(
      ignored,
      (one) =>
        (!isGiven(plan) || inside(one, 'items.data.0.price.id') === plan) &&
        (!isGiven(price) || stripe.records.subscription_items.some({ subscription: one.id, 'price.id': price })) &&
        (isGiven(status) || one.status !== 'canceled') &&
        (status !== 'ended' || isOneOf(one.status, 'canceled', 'incomplete_expired')) &&
        (isOfAnyClock || !isGiven(one.test_clock)),
    )
  },
  'GET /v1/invoices': (stripe) => {
    const { subscription } = stripe.query
    stripe.list(
      ['subscription'],
      ({ parent }) => !isGiven(subscription) || inside(parent, 'subscription_details.subscription') === subscription,
    )
  },
  'GET /v1/invoice_payments': (stripe) => {
    const intent = inside(stripe.query.payment, 'payment_intent')
    stripe.list(['payment'], ({ payment }) => !isGiven(intent) || inside(payment, 'payment_intent') === intent)
  },
  'GET /v1/invoiceitems': (stripe) => {
    const { pending, created } = stripe.query
    stripe.list(
      ['pending', 'created'],
      ({ date, invoice }) => (!isGiven(pending) || isGiven(invoice) !== pending) && isWithin(date, created),
    )
  },
  'GET /v1/entitlements/features': (stripe) =>
    stripe.list(['archived'], ({ active }) => active !== (stripe.query.archived === true)),
  'GET /v1/promotion_codes': (stripe) => {
    const { coupon, code } = stripe.query
    stripe.list(
      ['coupon', 'code'],
      ({ promotion, folded }) =>
        (!isGiven(coupon) || inside(promotion, 'coupon') === coupon) &&
        (!isGiven(code) || folded === textOf(code).toLowerCase()),
    )
  },
  'GET /v1/tax/registrations': (stripe) => stripe.list(stripe.query.status === 'all' ? ['status'] : []),
  'GET /v1/radar/value_lists': (stripe) => {
    const { contains: value } = stripe.query
    stripe.list(
      ['contains'],
      ({ id }) => !isGiven(value) || stripe.records.value_list_items.some({ value_list: id, value }),
    )
  },
}
