import { bill, endSubscription, itemsOf, moveTrial, settleFirst, showItems, startTrial } from './billing.ts'
import { wantedPrice } from './catalog.ts'
import { redeemDiscounts } from './discounts.ts'
import {
  after,
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  merged,
  numberOf,
  type Operations,
  type Steps,
  type Stripe,
  without,
} from './stripe.ts'
import { addItem, addParts, layItem } from './subscription-items.ts'

const DEFAULTS: Fields = {
  ...{ application_fee_percent: null, automatic_tax: { disabled_reason: null, enabled: false, liability: null } },
  ...{ billing_cycle_anchor: 'automatic', billing_thresholds: null, collection_method: 'charge_automatically' },
  ...{ default_payment_method: null, description: null, on_behalf_of: null, transfer_data: null },
  invoice_settings: {
    ...{ account_tax_ids: null, custom_fields: null, days_until_due: null, description: null, footer: null },
    issuer: { type: 'self' },
  },
}

/** The defaults of a schedule, as they are changed; an empty text takes one away. */
const defaultsOf = (usual: Json | undefined, sent: Json | undefined): Fields => ({
  ...Object.fromEntries(
    Object.entries(merged(usual, sent)).map(([name, value]) => [name, value === '' ? null : value]),
  ),
  invoice_settings: merged(inside(usual, 'invoice_settings'), inside(sent, 'invoice_settings')),
})

const timeOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined

/** A phase as a schedule keeps it. */
function toPhase({ records }: Stripe, phase: Fields, start: number): Fields {
  const [first] = listOf(phase.items)
  const { price: id = null } = first ?? {}
  const price = records.prices.get(id)
  const { interval, interval_count } = fieldsOf(phase.duration)
  const count = interval_count ?? numberOf(phase.iterations ?? 1) * numberOf(inside(price, 'recurring.interval_count'))
  const end_date = timeOf(phase.end_date) ?? after(start, count, interval ?? inside(price, 'recurring.interval'))
  return {
    add_invoice_items: listOf(phase.add_invoice_items).map((one) => ({
      ...{ discounts: [], metadata: {}, period: null, quantity: 1, tax_rates: [], ...one },
    })),
    ...{ application_fee_percent: null, billing_cycle_anchor: null, billing_thresholds: null },
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    ...{ collection_method: phase.collection_method ?? null, currency: price?.currency ?? null },
    ...{ default_payment_method: phase.default_payment_method ?? null, default_tax_rates: [] },
    ...{ description: phase.description ?? null, discounts: phase.discounts ?? [], invoice_settings: null },
    end_date,
    items: listOf(phase.items).map(({ price = null, quantity = 1 }) => ({
      ...{ billing_thresholds: null, discounts: [], metadata: {}, plan: price, price, quantity, tax_rates: [] },
    })),
    ...{ metadata: phase.metadata ?? {}, on_behalf_of: null, start_date: start, transfer_data: null },
    proration_behavior: phase.proration_behavior ?? 'create_prorations',
    trial_end: phase.trial_end ?? (phase.trial === true ? end_date : null),
  }
}

/** Gives a schedule its phases, each after the one before. */
function layPhases(stripe: Stripe, schedule: Kept, wanted: readonly Fields[], begin: Json | undefined): Kept {
  const phases: Fields[] = []
  for (const given of wanted) {
    const priced = (sent: Json | undefined) =>
      listOf(sent).map((one) => ({
        ...without(one, 'price_data'),
        price: wantedPrice(stripe, one)?.id ?? one.price ?? null,
      }))
    const phase = { ...given, items: priced(given.items), add_invoice_items: priced(given.add_invoice_items) }
    const items = `phases[${phases.length}][items]`
    if (phase.items.length === 0)
      stripe.refuse(`Missing required param: ${items}.`, { reason: 'parameter_missing', param: items })
    for (const [at, { price }] of phase.items.entries()) {
      const param = `${items}[${at}][price]`
      const known = stripe.records.prices.get(price)
      if (known === undefined) stripe.absent('price', price, param)
      if (known?.active === false && isGiven(listOf(given.items)[at]?.price))
        stripe.refuse('The price specified is inactive. This field only accepts active prices.', { param })
    }
    const start = phases.at(-1)?.end_date ?? timeOf(given.start_date) ?? begin
    phases.push(toPhase(stripe, phase, numberOf(start)))
  }
  const turns_at = phases[0]?.start_date ?? begin
  return stripe.records.subscription_schedules.update(schedule.id, { phases, turns_at })
}

/** The phase that is on a second from now: an invoice of a renewal has what the next phase says. */
function findPhase(stripe: Stripe, schedule: Kept): { phase: Fields | undefined; schedule: Kept } {
  const now = stripe.unix + 1
  const phase = listOf(schedule.phases).find(
    ({ start_date, end_date }) => numberOf(start_date) <= now && numberOf(end_date) > now,
  )
  if (phase === undefined) return { phase, schedule }
  const { start_date = null, end_date = null } = phase
  const current = { current_phase: { start_date, end_date }, turns_at: numberOf(end_date) - 1 }
  return { phase, schedule: stripe.records.subscription_schedules.update(schedule.id, current) }
}

/** Gives a subscription what a phase says. */
function usePhase(stripe: Stripe, { subscription }: Kept, phase: Fields): void {
  const found = stripe.records.subscriptions.get(subscription)
  if (found === undefined) return
  const existing = itemsOf(stripe, found)
  const metadata = merged(found.metadata, phase.metadata)
  let sub = redeemDiscounts(stripe, stripe.records.subscriptions.update(found.id, { metadata }), phase.discounts)
  for (const [at, { price = null, quantity = null }] of listOf(phase.items).entries()) {
    const id = existing[at]?.id ?? null
    // As `plan`, the price may be inactive by now: it was checked with the schedule.
    sub = layItem(stripe, sub, { id, plan: price, quantity }, { isOff: true, from: stripe.unix })
  }
  if (numberOf(phase.trial_end) > stripe.unix) moveTrial(stripe, sub, { trial_end: phase.trial_end ?? null })
  else showItems(stripe, sub)
}

/** Starts the subscription of a schedule. */
function start(stripe: Stripe, { id, customer, default_settings }: Kept, phase: Fields): Kept {
  const { records, unix } = stripe
  const usual = fieldsOf(default_settings)
  const { on_behalf_of, transfer_data, application_fee_percent, automatic_tax } = usual
  let sub = records.subscriptions.create({
    ...{ customer, currency: phase.currency, metadata: phase.metadata, schedule: id },
    ...{ on_behalf_of, transfer_data, application_fee_percent, automatic_tax },
    description: phase.description ?? usual.description ?? null,
    default_payment_method: phase.default_payment_method ?? usual.default_payment_method ?? null,
    collection_method: phase.collection_method ?? usual.collection_method,
    days_until_due: inside(usual, 'invoice_settings.days_until_due'),
    ...{ status: 'incomplete', start_date: unix, billing_cycle_anchor: unix },
  })
  if (numberOf(phase.trial_end) > unix) sub = startTrial(stripe, sub, { trial_end: phase.trial_end ?? null })
  for (const { price = null, ...wanted } of listOf(phase.items))
    sub = addItem(stripe, sub, wanted, records.prices.get(price))
  addParts(stripe, sub, phase.add_invoice_items)
  sub = settleFirst(stripe, bill(stripe, showItems(stripe, sub), { reason: 'subscription_create' }))
  return records.subscription_schedules.update(id, { status: 'active', subscription: sub.id })
}

function release(stripe: Stripe, { id, subscription }: Kept): Kept {
  stripe.change('subscriptions', subscription, { schedule: null })
  return stripe.records.subscription_schedules.update(id, {
    ...{ status: 'released', released_at: stripe.unix, released_subscription: subscription, subscription: null },
    ...{ current_phase: null, turns_at: null },
  })
}

/** A schedule comes to its next phase, or to its end. */
function turnSchedule(stripe: Stripe, given: Kept): Kept {
  const { records, unix } = stripe
  const { phase, schedule } = findPhase(stripe, given)
  const { id, status, subscription, end_behavior } = schedule
  if (phase && status === 'not_started') return start(stripe, schedule, phase)
  if (phase && status === 'active') {
    usePhase(stripe, schedule, phase)
    addParts(stripe, stripe.fresh('subscriptions', { id: subscription ?? null }), phase.add_invoice_items)
  }
  if (phase) return stripe.fresh('subscription_schedules', schedule)
  if (end_behavior === 'cancel') {
    const sub = records.subscriptions.get(subscription)
    if (sub) endSubscription(stripe, sub)
    const completed = { status: 'completed', completed_at: unix, current_phase: null, turns_at: null }
    return records.subscription_schedules.update(id, completed)
  }
  return status === 'active' ? release(stripe, schedule) : schedule
}

/** Refuses to change a schedule that has ended. */
function check(stripe: Stripe, { status }: Kept, verb: string): void {
  if (!isOneOf(status, 'not_started', 'active'))
    stripe.refuse(
      `You cannot ${verb} a subscription schedule that is currently in the \`${status}\` status. It must be in the following statuses: not_started, active.`,
    )
}

/** The phase that a subscription is in. */
const phaseOf = (items: readonly Fields[]): Fields => ({
  items: items.map(({ price, quantity = null }) => ({ price: fieldsOf(price).id ?? null, quantity })),
  start_date: items[0]?.current_period_start ?? null,
  end_date: items[0]?.current_period_end ?? null,
})

export const schedules: Operations = {
  'POST /v1/subscription_schedules': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    const existing = records.subscriptions.get(body.from_subscription)
    if (!existing) stripe.need('customer phases')
    if (isGiven(existing?.schedule))
      stripe.refuse('You cannot migrate a subscription that is already attached to a schedule.', {
        param: 'from_subscription',
      })
    const schedule = records.subscription_schedules.update(made.id, {
      ...{ customer: body.customer ?? existing?.customer, subscription: existing?.id },
      status: existing ? 'active' : 'not_started',
      default_settings: defaultsOf(DEFAULTS, body.default_settings),
    })
    const wanted = isGiven(body.phases) ? listOf(body.phases) : [phaseOf(listOf(inside(existing, 'items.data')))]
    const laid = layPhases(stripe, schedule, wanted, timeOf(body.start_date) ?? unix)
    if (existing) {
      records.subscriptions.update(existing.id, { schedule: made.id })
      return findPhase(stripe, laid).schedule
    }
    return numberOf(laid.turns_at) <= unix ? turnSchedule(stripe, laid) : laid
  },
  'POST /v1/subscription_schedules/{schedule}': (stripe) => {
    const { body } = stripe
    const before = stripe.own('subscription_schedules')
    const given = stripe.next()
    check(stripe, given, 'update')
    if (isGiven(body.default_settings))
      stripe.records.subscription_schedules.update(given.id, {
        default_settings: defaultsOf(before.default_settings, body.default_settings),
      })
    const hasPhases = isGiven(body.phases)
    const begin = inside(before, 'current_phase.start_date') ?? before.turns_at
    const laid = hasPhases ? layPhases(stripe, given, listOf(body.phases), begin) : given
    if (given.status !== 'active') return laid
    const { schedule } = findPhase(stripe, laid)
    const start_date = inside(schedule, 'current_phase.start_date')
    const phase = listOf(schedule.phases).find((one) => one.start_date === start_date)
    if (hasPhases && phase) usePhase(stripe, schedule, phase)
    return stripe.fresh('subscription_schedules', schedule)
  },
  'POST /v1/subscription_schedules/{schedule}/release': (stripe) => {
    const schedule = stripe.own('subscription_schedules')
    check(stripe, schedule, 'release')
    return release(stripe, schedule)
  },
  'POST /v1/subscription_schedules/{schedule}/cancel': (stripe) => {
    const { records, unix } = stripe
    const schedule = stripe.own('subscription_schedules')
    check(stripe, schedule, 'cancel')
    const sub = records.subscriptions.get(schedule.subscription)
    if (sub) endSubscription(stripe, sub)
    const canceled = { status: 'canceled', canceled_at: unix, current_phase: null, turns_at: null }
    return records.subscription_schedules.update(schedule.id, canceled)
  },
}

export const scheduleSteps: Steps = { turnSchedule }
