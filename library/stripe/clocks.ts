import {
  after,
  fieldsOf,
  inside,
  isGiven,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  type Stripe,
  without,
} from './stripe.ts'

/** An advance goes at most two periods of the shortest subscription, or two years: https://docs.stripe.com/api/test_clocks/advance */
function checkAdvance(stripe: Stripe, clock: Kept): void {
  const { body, records } = stripe
  const param = 'frozen_time'
  if (!isGiven(body.frozen_time)) stripe.need(param)
  if (numberOf(body.frozen_time) <= numberOf(clock.frozen_time))
    stripe.refuse('The frozen_time must be after the current frozen_time of the clock.', { param })
  const periods = records.customers
    .where({ test_clock: clock.id })
    .flatMap(({ id }) =>
      records.subscriptions.where(({ customer, status }) => customer === id && status !== 'canceled'),
    )
    .flatMap(({ items }) => listOf(inside(items, 'data')))
    .map(({ price }) => fieldsOf(inside(price, 'recurring')))
  const ends = (periods.length > 0 ? periods : [{ interval: 'year' }]).map(({ interval, interval_count = 1 }) =>
    after(clock.frozen_time, 2 * numberOf(interval_count), interval),
  )
  if (numberOf(body.frozen_time) <= Math.min(...ends)) return
  const most = periods.length > 0 ? 'two intervals of the shortest subscription' : 'two years'
  stripe.refuse(`The frozen_time cannot be more than ${most} after that of the clock.`, { param })
}

/** A test clock moves the time of the world: `lag` is how far the clock is behind it. */
export const clocks: Operations = {
  'POST /v1/test_helpers/test_clocks': (stripe) => {
    const made = stripe.next()
    const lag = Math.max(stripe.unix - numberOf(made.frozen_time), 0)
    if (lag === 0) stripe.advance(numberOf(made.frozen_time))
    const deletes_after = after(made.frozen_time, 30, 'day')
    return stripe.records.test_clocks.update(made.id, { status: 'ready', lag, deletes_after })
  },
  'POST /v1/test_helpers/test_clocks/{test_clock}/advance': (stripe) => {
    const { frozen_time = 0 } = stripe.body
    const clock = stripe.own('test_clocks', stripe.path.test_clock)
    checkAdvance(stripe, clock)
    const advanced = stripe.records.test_clocks.update(clock.id, { frozen_time, status: 'ready' })
    stripe.advance(numberOf(frozen_time) + numberOf(clock.lag))
    const status_details = { advancing: { target_frozen_time: frozen_time } }
    return { ...without(advanced, 'lag'), status: 'advancing', status_details }
  },
  'DELETE /v1/test_helpers/test_clocks/{test_clock}': (stripe) => {
    const { records } = stripe
    const { id } = stripe.own('test_clocks')
    stripe.next()
    for (const customer of stripe.oldest('customers', { test_clock: id })) {
      for (const own of stripe.oldest('subscriptions', { customer: customer.id })) records.subscriptions.remove(own.id)
      records.customers.remove(customer.id)
    }
  },
}
