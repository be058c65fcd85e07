import {
  bill,
  endSubscription,
  itemsOf,
  layItems,
  moveTrial,
  planEnd,
  refuseUnpaid,
  restart,
  settleFirst,
  showItems,
  startTrial,
} from './billing.ts'
import { wantedPrice } from './catalog.ts'
import { checkDefaultMethod, keepCurrency } from './customers.ts'
import { redeemDiscounts, useDiscounts } from './discounts.ts'
import { entitle } from './entitlements.ts'
import {
  type Fields,
  fieldsOf,
  HOUR_S,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  type Stripe,
  textIn,
} from './stripe.ts'
import {
  addItems,
  addParts,
  changeItem,
  changeItems,
  chargeRest,
  checkPrice,
  creditUnused,
  planOf,
  prorationOf,
} from './subscription-items.ts'
import { checkRates, ratesOf } from './taxes.ts'

const isWord = (value: Json | undefined): boolean => typeof value === 'string'

/** Refuses times that are not in the future. */
function checkTimes(stripe: Stripe): void {
  const { body, unix } = stripe
  const message = 'Invalid timestamp: must be an integer Unix timestamp in the future.'
  const { trial_end: ends, billing_cycle_anchor: anchor } = body
  if (!isWord(ends) && numberOf(ends) > 0 && numberOf(ends) <= unix) stripe.refuse(message, { param: 'trial_end' })
  if (!isWord(anchor) && numberOf(anchor) > 0 && numberOf(anchor) < unix)
    stripe.refuse(message, { param: 'billing_cycle_anchor' })
}

/** When the first whole period begins: at a time, or on a day of the month. */
function anchorOf({ body, unix }: Stripe): number | undefined {
  if (numberOf(body.billing_cycle_anchor) > 0) return numberOf(body.billing_cycle_anchor)
  const day = numberOf(inside(body, 'billing_cycle_anchor_config.day_of_month'))
  if (day === 0) return undefined
  const now = new Date(unix * 1_000)
  const inMonth = (month: number) => {
    const last = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate()
    const time = now.getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
    return Math.floor((Date.UTC(now.getUTCFullYear(), month, Math.min(day, last)) + time) / 1_000)
  }
  const month = now.getUTCMonth()
  return inMonth(month) > unix ? inMonth(month) : inMonth(month + 1)
}

function checkNew(stripe: Stripe): void {
  const { body } = stripe
  stripe.need('customer items')
  if (body.collection_method === 'send_invoice' && !isGiven(body.days_until_due))
    stripe.refuse('When `collection_method` is set to `send_invoice`, you must specify `days_until_due`.', {
      ...{ reason: 'parameter_missing', param: 'days_until_due' },
    })
}

/** Refuses a new subscription whose first invoice is due now, and that nothing pays. */
function checkPayer(stripe: Stripe, { collection_method, latest_invoice }: Kept): void {
  const { body, records } = stripe
  const customer = records.customers.get(body.customer)
  const method =
    body.default_payment_method ??
    inside(customer, 'invoice_settings.default_payment_method') ??
    customer?.default_source
  const hasTrial = isGiven(body.trial_period_days) || isGiven(body.trial_end)
  const isDueNow =
    collection_method === 'charge_automatically' &&
    body.payment_behavior !== 'default_incomplete' &&
    numberOf(records.invoices.get(latest_invoice)?.amount_due) > 0
  if (!isGiven(method) && !hasTrial && isDueNow)
    stripe.refuse(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
      { reason: 'resource_missing' },
    )
}

/** What a request sets of its time: an end, and no end. */
function planned(stripe: Stripe, sub: Kept, wasEnding: Json | undefined): Kept {
  const { body, records } = stripe
  const { cancel_at, cancel_at_period_end } = body
  let changed = sub
  if (cancel_at_period_end === true && wasEnding !== true) changed = planEnd(stripe, changed)
  if (cancel_at_period_end === false || cancel_at === '')
    changed = records.subscriptions.update(sub.id, {
      ...{ cancel_at: null, canceled_at: null },
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    })
  return isWord(cancel_at) || numberOf(cancel_at) <= 0 ? changed : planEnd(stripe, changed, cancel_at)
}

/** Prorates an end within the period: gives back what is after it, and charges what was given back after an earlier one. */
function prorateEnd(stripe: Stripe, before: Kept, sub: Kept): Kept {
  const { isOff } = prorationOf(stripe)
  if (isOff || sub.status !== 'active' || before.cancel_at === sub.cancel_at) return sub
  for (const item of itemsOf(stripe, sub)) {
    const end = numberOf(item.current_period_end)
    const price = stripe.records.prices.get(inside(item, 'price.id'))
    if (price === undefined || inside(price, 'recurring.usage_type') === 'metered') continue
    const [was, from] = [before, sub].map(({ cancel_at }) => numberOf(cancel_at) || end) as [number, number]
    const { id, quantity = null } = item
    const test = { 'parent.subscription_details.subscription_item': id, 'period.start': was }
    if (was < end && stripe.records.invoiceitems.some(test))
      chargeRest(stripe, sub, { item, price, quantity, proration: { isOff, from: was } })
    if (from < end) creditUnused(stripe, sub, item, { isOff, from: Math.max(from, stripe.unix) })
  }
  return isGiven(stripe.body.items) ? sub : billAtOnce(stripe, sub)
}

/** Begins a period now, and pays for it. */
const restarted = (stripe: Stripe, sub: Kept, fields: Fields = { billing_cycle_anchor: stripe.unix }): Kept =>
  settleFirst(stripe, restart(stripe, stripe.records.subscriptions.update(sub.id, fields)))

/** Bills the change of items at once, where the request says so. */
function billAtOnce(stripe: Stripe, sub: Kept): Kept {
  if (stripe.body.proration_behavior !== 'always_invoice') return sub
  return settleFirst(stripe, bill(stripe, sub, { reason: 'subscription_update', isPart: true }))
}

/** The interval of the first item. */
const intervalOf = ({ items }: Kept): string => textIn(listOf(inside(items, 'data'))[0], 'price.recurring.interval')

/** Changes the time and the items of a subscription. */
function rescheduled(stripe: Stripe, before: Kept, sub: Kept): Kept {
  const { body, unix } = stripe
  const { trial_end, billing_cycle_anchor } = body
  let changed = sub
  if (trial_end === 'now' && changed.status === 'trialing')
    changed = restarted(stripe, changed, { trial_end: unix, billing_cycle_anchor: unix, reminded_at: unix })
  if (billing_cycle_anchor === 'now' && changed.status === 'active') {
    if (!prorationOf(stripe).isOff && !isGiven(body.items))
      for (const item of itemsOf(stripe, changed)) creditUnused(stripe, changed, item)
    changed = restarted(stripe, changed)
  }
  if (!isWord(trial_end) && numberOf(trial_end) > 0) changed = moveTrial(stripe, changed, body)
  // another interval begins at once
  if (changed.status === 'active' && intervalOf(changed) !== intervalOf(before)) changed = restarted(stripe, changed)
  return isGiven(body.items) && intervalOf(changed) === intervalOf(before) ? billAtOnce(stripe, changed) : changed
}

/** A change waits until its invoice is paid. */
function holdUpdate(stripe: Stripe, before: Kept, sub: Kept): Kept {
  const laid = layItems(stripe, sub, listOf(inside(before, 'items.data')))
  const expires_at = stripe.unix + 23 * HOUR_S
  const subscription_items = inside(sub, 'items.data') ?? null
  const metadata = stripe.body.metadata ?? null
  const pending_update = {
    ...{ billing_cycle_anchor: null, expires_at, metadata, subscription_items, trial_end: null, trial_from_plan: null },
  }
  const waiting = { status: 'active', metadata: before.metadata, pending_update, pends_until: expires_at }
  entitle(stripe, stripe.records.subscriptions.update(laid.id, waiting))
  return stripe.fresh('subscriptions', laid)
}

/** Fields that a subscription may change after its end. */
const LASTING = ['cancellation_details', 'expand', 'metadata']

function update(stripe: Stripe): Kept {
  const { body, records } = stripe
  const before = stripe.own('subscriptions')
  const { id } = stripe.next()
  checkDefaultMethod(stripe, `${before.customer}`)
  checkTimes(stripe)
  const isOver = isOneOf(before.status, 'canceled', 'incomplete_expired')
  if (isOver && Object.keys(body).some((name) => !LASTING.includes(name)))
    stripe.refuse('A canceled subscription can only update its cancellation_details and metadata.', {
      ...{ reason: 'resource_missing', param: 'id' },
    })
  let sub = stripe.fresh('subscriptions', { id })
  if (isOneOf(body.cancel_at, 'min_period_end', 'max_period_end')) sub = planEnd(stripe, sub)
  const first = fieldsOf(listOf(inside(sub, 'items.data'))[0])
  sub = records.subscriptions.update(id, {
    ...(body.cancel_at === '' && { renews_at: first.current_period_end }),
    ...(isGiven(inside(body, 'pause_collection.behavior')) && {
      pause_collection: { resumes_at: null, ...fieldsOf(body.pause_collection) },
    }),
    ...(body.default_tax_rates !== undefined && { default_tax_rates: ratesOf(stripe, body.default_tax_rates) }),
  })
  sub = changeItems(stripe, sub, body.items)
  addParts(stripe, sub)
  sub = prorateEnd(stripe, before, planned(stripe, useDiscounts(stripe, sub), before.cancel_at_period_end))
  sub = rescheduled(stripe, before, sub)
  const unpaid = records.invoices.get(sub.latest_invoice)
  if (unpaid?.status !== 'open' || unpaid.id === before.latest_invoice) return sub
  if (body.payment_behavior === 'error_if_incomplete') refuseUnpaid(stripe, unpaid)
  return body.payment_behavior === 'pending_if_incomplete' ? holdUpdate(stripe, before, sub) : sub
}

export const subscriptions: Operations = {
  'POST /v1/subscriptions': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    checkDefaultMethod(stripe, `${made.customer}`)
    checkRates(stripe)
    checkTimes(stripe)
    checkNew(stripe)
    const anchor = anchorOf(stripe)
    let sub = records.subscriptions.update(made.id, {
      default_tax_rates: ratesOf(stripe, body.default_tax_rates),
      start_date: body.backdate_start_date ?? unix,
      billing_cycle_anchor: anchor ?? unix,
      renews_at: anchor ?? null,
      payment_settings: {
        ...{ payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
        ...fieldsOf(body.payment_settings),
      },
      status: made.collection_method === 'send_invoice' ? 'active' : 'incomplete',
      test_clock: records.customers.get(body.customer)?.test_clock,
    })
    sub = addItems(stripe, startTrial(stripe, sub, body), body.items)
    keepCurrency(stripe, sub)
    sub = planned(stripe, useDiscounts(stripe, sub), false)
    addParts(stripe, sub)
    const isStub = anchor !== undefined
    const isUnpaid = isStub && body.proration_behavior === 'none'
    sub = bill(stripe, sub, { reason: 'subscription_create', isStub, isUnpaid })
    checkPayer(stripe, sub)
    return settleFirst(stripe, sub)
  },
  'POST /v1/subscriptions/{subscription_exposed_id}': update,
  'DELETE /v1/subscriptions/{subscription_exposed_id}': (stripe) => {
    const { query, records, unix } = stripe
    const before = stripe.own('subscriptions')
    const { id } = before
    if (isOneOf(before.status, 'canceled', 'incomplete_expired'))
      stripe.refuse(`No such subscription: '${id}'`, { status: 404, reason: 'resource_missing', param: 'id' })
    let sub = records.subscriptions.update(id, {
      ...{ cancel_at: null, cancel_at_period_end: false },
      cancellation_details: {
        ...{ comment: null, feedback: null, reason: 'cancellation_requested' },
        ...fieldsOf(query.cancellation_details),
      },
    })
    if (`${query.prorate}` === 'true') prorateEnd(stripe, before, { ...sub, cancel_at: unix })
    if (`${query.invoice_now}` === 'true')
      sub = settleFirst(stripe, bill(stripe, sub, { reason: 'subscription_update', isPart: true }))
    return endSubscription(stripe, sub)
  },
  'POST /v1/subscriptions/{subscription_exposed_id}/migrate': (stripe) => {
    const { id } = stripe.own('subscriptions')
    const { flexible, ...mode } = fieldsOf(stripe.body.billing_mode)
    const billing_mode = { ...mode, flexible: flexible ? { ...fieldsOf(flexible) } : null, updated_at: stripe.unix }
    return stripe.records.subscriptions.update(id, { billing_mode })
  },
  'POST /v1/subscriptions/{subscription_exposed_id}/resume': (stripe) => {
    const sub = stripe.own('subscriptions')
    if (sub.status !== 'paused') stripe.refuse('Only paused subscriptions can be resumed.')
    return restarted(stripe, sub, { status: 'active', resumed_at: stripe.unix })
  },
  'DELETE /v1/subscriptions/{subscription_exposed_id}/discount': (stripe) => {
    const { records, unix } = stripe
    const { id, customer = null, discounts } = stripe.own('subscriptions', stripe.path.subscription_exposed_id)
    const [first = 'none'] = Array.isArray(discounts) ? discounts : []
    records.subscriptions.update(id, { discounts: [] })
    stripe.change('discounts', first, { deleted_at: unix })
    return { id: first, object: 'discount', customer, subscription: id, deleted: true }
  },
  'POST /v1/subscription_items': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    if (!isGiven(body.price_data)) stripe.need('price')
    const sub = stripe.own('subscriptions', `${body.subscription}`)
    const price = wantedPrice(stripe, body)
    if (price === undefined) return stripe.absent('price', body.price, 'price')
    checkPrice(stripe, sub, price, body, 'price', made.id)
    const item = records.subscription_items.update(made.id, {
      ...(inside(price, 'recurring.usage_type') !== 'metered' && { quantity: body.quantity ?? 1 }),
      ...{ price, plan: planOf(price), tax_rates: ratesOf(stripe, body.tax_rates) },
      current_period_start: inside(listOf(inside(sub, 'items.data'))[0], 'current_period_start') ?? unix,
      current_period_end: sub.renews_at,
    })
    redeemDiscounts(stripe, item, body.discounts, sub)
    chargeRest(stripe, sub, { item, price, quantity: item.quantity, proration: prorationOf(stripe) })
    billAtOnce(stripe, showItems(stripe, sub))
    return stripe.fresh('subscription_items', item)
  },
  'POST /v1/subscription_items/{item}': (stripe) => {
    const { body, records } = stripe
    const item = stripe.own('subscription_items')
    const { id, subscription } = stripe.next()
    const sub = records.subscriptions.get(subscription)
    const price = wantedPrice(stripe, body, inside(item, 'price.id'))
    if (sub) {
      changeItem(stripe, sub, item, body, price, prorationOf(stripe))
      billAtOnce(stripe, showItems(stripe, sub))
    }
    return stripe.fresh('subscription_items', { id })
  },
  'DELETE /v1/subscription_items/{item}': (stripe) => {
    const item = stripe.own('subscription_items')
    const sub = stripe.records.subscriptions.get(item.subscription)
    if (sub === undefined) return
    if (itemsOf(stripe, sub).length === 1)
      stripe.refuse(
        `A subscription must have at least one active plan. To cancel the subscription ${sub.id}, use the cancel endpoint.`,
      )
    stripe.next()
    showItems(stripe, sub)
  },
}
