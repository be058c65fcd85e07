import { fieldsOf, inside, isGiven, isOneOf, type Json, numberOf, type Operations, textOf } from './stripe.ts'

const BOUNDS: Readonly<Record<string, (time: number, bound: number) => boolean>> = {
  gt: (time, bound) => time > bound,
  gte: (time, bound) => time >= bound,
  lt: (time, bound) => time < bound,
  lte: (time, bound) => time <= bound,
}

const isWithin = (time: Json | undefined, range: Json | undefined): boolean =>
  Object.entries(fieldsOf(range)).every(([name, bound]) => BOUNDS[name]?.(numberOf(time), numberOf(bound)) ?? true)

/** Lists whose parameters are not just fields of their records. */
export const lists: Operations = {
  // what a test clock has is listed by it alone
  'GET /v1/customers': (stripe) =>
    stripe.list(({ test_clock }) => isGiven(stripe.query.test_clock) || !isGiven(test_clock)),
  'GET /v1/payment_methods': (stripe) => stripe.list(({ metadata }) => inside(metadata, 'test_token') !== 'true'),
  'GET /v1/subscriptions': (stripe) => {
    const { plan, price, status, test_clock, customer } = stripe.query
    const isOfAnyClock = isGiven(test_clock) || isGiven(customer)
    stripe.list(
      (one) =>
        (!isGiven(plan) || inside(one, 'items.data.0.price.id') === plan) &&
        (!isGiven(price) || stripe.records.subscription_items.some({ subscription: one.id, 'price.id': price })) &&
        (isGiven(status) || one.status !== 'canceled') &&
        (status !== 'ended' || isOneOf(one.status, 'canceled', 'incomplete_expired')) &&
        (isOfAnyClock || !isGiven(one.test_clock)),
      ...['plan', 'price', ...(isOneOf(status, 'all', 'ended') ? ['status'] : [])],
    )
  },
  'GET /v1/invoices': (stripe) => {
    const { subscription } = stripe.query
    stripe.list(
      ({ parent }) => !isGiven(subscription) || inside(parent, 'subscription_details.subscription') === subscription,
      'subscription',
    )
  },
  'GET /v1/invoice_payments': (stripe) => {
    const intent = inside(stripe.query.payment, 'payment_intent')
    stripe.list(({ payment }) => !isGiven(intent) || inside(payment, 'payment_intent') === intent, 'payment')
  },
  'GET /v1/invoiceitems': (stripe) => {
    const { pending, created } = stripe.query
    stripe.list(
      ({ date, invoice }) => (!isGiven(pending) || isGiven(invoice) !== pending) && isWithin(date, created),
      ...['pending', 'created'],
    )
  },
  'GET /v1/entitlements/features': (stripe) =>
    stripe.list(({ active }) => active !== (stripe.query.archived === true), 'archived'),
  'GET /v1/promotion_codes': (stripe) => {
    const { coupon, code } = stripe.query
    stripe.list(
      ({ promotion, folded }) =>
        (!isGiven(coupon) || inside(promotion, 'coupon') === coupon) &&
        (!isGiven(code) || folded === textOf(code).toLowerCase()),
      ...['coupon', 'code'],
    )
  },
  'GET /v1/tax/registrations': (stripe) =>
    stripe.list(() => true, ...(stripe.query.status === 'all' ? ['status'] : [])),
  'GET /v1/radar/value_lists': (stripe) => {
    const { contains: value } = stripe.query
    stripe.list(
      ({ id }) => !isGiven(value) || stripe.records.value_list_items.some({ value_list: id, value }),
      'contains',
    )
  },
  'GET /v1/accounts/{account}/persons': (stripe) => {
    const roles = Object.entries(fieldsOf(stripe.query.relationship)).filter(([, isWanted]) => isWanted === true)
    stripe.list(
      ({ relationship }) => roles.every(([role]) => inside(relationship, role) === true),
      ...(roles.length > 0 ? ['relationship'] : []),
    )
  },
}
