import { costOf } from './catalog.ts'
import { furtherDiscounts, lastingDiscounts } from './discounts.ts'
import { entitle } from './entitlements.ts'
import { intentOf } from './intents.ts'
import { gather, newLine, payerFields } from './invoicing.ts'
import { finalizeInvoice, payInvoice, voidInvoice, writeOff } from './paying.ts'
import { createSetupIntent } from './setup-intents.ts'
import {
  after,
  DAY_S,
  type Fields,
  fieldsOf,
  HOUR_S,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  merged,
  money,
  numberOf,
  type Steps,
  type Stripe,
  shareOf,
  sumOf,
  textIn,
  without,
} from './stripe.ts'

/** Why a subscription is billed. */
interface Bill {
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  /** @default now */
  readonly periodStart?: Json | undefined
  /** Whether the first period ends early, at the anchor. */
  readonly isStub?: boolean
  /** Whether nothing is due until the anchor. */
  readonly isUnpaid?: boolean
  /** Whether only waiting items are billed: the changes of a subscription between its periods. */
  readonly isPart?: boolean
}

/** A part of a subscription item on an invoice. */
interface Sold {
  readonly item: Kept
  readonly quantity: Json | undefined
  readonly named: string
  readonly each: Json | undefined
  readonly cost: number
}

export const itemsOf = (stripe: Stripe, { id }: Kept): Kept[] =>
  stripe.oldest('subscription_items', { subscription: id })

/** What a meter makes of its events, the newest first. */
const usedIn = (events: readonly Kept[], meter: Kept | undefined): number =>
  inside(meter, 'default_aggregation.formula') === 'last' ? numberOf(events[0]?.counted) : sumOf(events, 'counted')

/** Metered usage is billed after its period. */
function metered(stripe: Stripe, item: Kept, customer: Json | undefined): Kept {
  const { price, used_from, current_period_start, current_period_end } = item
  if (inside(price, 'recurring.usage_type') !== 'metered') return item
  const from = numberOf(used_from ?? stripe.unix)
  const meter = inside(price, 'recurring.meter')
  const used = stripe.records.meter_events
    .where({ customer, meter })
    .toSorted((one, other) => numberOf(other.timestamp) - numberOf(one.timestamp))
    .filter(({ timestamp }) => numberOf(timestamp) >= from && numberOf(timestamp) < numberOf(current_period_start))
  return {
    ...item,
    current_period_start: used_from ?? current_period_start ?? null,
    current_period_end: (isGiven(used_from) ? current_period_start : current_period_end) ?? null,
    quantity: usedIn(used, stripe.records.meters.get(meter)),
  }
}

/** An item as it is sold: by graduated tiers, in parts. */
function soldOf({ records }: Stripe, item: Kept, currency: Json | undefined): Sold[] {
  const { quantity } = item
  const price = records.prices.get(inside(item, 'price.id'))
  const tiers = listOf(price?.tiers)
  if (price?.tiers_mode !== 'graduated' || numberOf(quantity) <= 0) {
    const [cost, each] = [quantity, 1].map((count) => costOf(price, count, currency))
    return [{ item, quantity, named: 'at ', each, cost: cost ?? 0 }]
  }
  return tiers.flatMap(({ up_to, unit_amount, flat_amount }, at) => {
    const below = at === 0 ? 0 : numberOf(tiers[at - 1]?.up_to)
    const count = Math.min(numberOf(quantity), numberOf(up_to ?? quantity)) - below
    const each = unit_amount ?? 0
    const cost = Math.round(count * numberOf(each)) + numberOf(flat_amount)
    return count > 0 ? [{ item, quantity: count, named: `Tier ${at + 1} at `, each, cost }] : []
  })
}

function describe(stripe: Stripe, { item, quantity, named, each }: Sold, isTrial: boolean): string {
  const { price } = item
  const { unit_label: label, name = '' } = fieldsOf(stripe.records.products.get(fieldsOf(price).product))
  const counted = `${quantity} ${isGiven(label) ? `${label} ` : ''}× ${name}`
  if (isTrial) return `Free trial for ${counted}`
  const { interval, interval_count } = fieldsOf(fieldsOf(price).recurring)
  const period = numberOf(interval_count) > 1 ? ` every ${interval_count} ${interval}s)` : ` / ${interval})`
  return `${counted} (${named}${money(Math.trunc(numberOf(each)), fieldsOf(price).currency)}${period}`
}

/** The line of an item. */
function lineOf(stripe: Stripe, sub: Kept, invoice: Kept, sold: Sold, { isStub, isUnpaid }: Bill): Fields {
  const { item, cost } = sold
  const { current_period_start: start = null, current_period_end: end = null } = item
  const price = fieldsOf(item.price)
  const { interval, interval_count } = fieldsOf(price.recurring)
  const isTrial = sub.status === 'trialing'
  const whole = after(start, interval_count, interval) - numberOf(start)
  return {
    ...newLine(stripe, invoice),
    amount: isTrial || isUnpaid ? 0 : isStub ? shareOf(cost, numberOf(end) - numberOf(start), whole) : cost,
    ...{ currency: sub.currency ?? null, description: describe(stripe, sold, isTrial), metadata: sub.metadata ?? {} },
    parent: {
      ...{ invoice_item_details: null, type: 'subscription_item_details' },
      subscription_item_details: {
        ...{ invoice_item: null, proration: false, proration_details: { credited_items: null } },
        ...{ subscription: sub.id, subscription_item: item.id },
      },
    },
    period: { start, end },
    pricing: {
      type: 'price_details',
      price_details: { price: price.id ?? null, product: price.product ?? null },
      unit_amount_decimal: isTrial ? '0' : (price.unit_amount_decimal ?? null),
    },
    discounts: lastingDiscounts(stripe, item).map(({ id }) => id),
    ...{ quantity: sold.quantity ?? null, subscription: sub.id, subtotal: isTrial ? 0 : cost },
    rates: item.tax_rates ?? [],
  }
}

/** Writes the draft of an invoice: of the items of a subscription, and of what waits for its customer. */
export function bill(stripe: Stripe, sub: Kept, how: Bill): Kept {
  const { records, unix } = stripe
  const { customer, currency, pause_collection } = sub
  const isCycle = how.reason === 'subscription_cycle'
  const isPaused = isGiven(pause_collection)
  const isSent = sub.collection_method === 'send_invoice'
  const waits = !isPaused && (isCycle || (isSent && how.reason === 'subscription_create'))
  const sold = itemsOf(stripe, sub).flatMap((item) => soldOf(stripe, metered(stripe, item, customer), currency))
  const soon = unix + HOUR_S
  const payer = records.customers.get(customer)
  const made = records.invoices.create({
    ...payerFields(stripe, payer),
    ...{ customer, customer_shipping: payer?.shipping, currency, billing_reason: how.reason },
    ...{ collection_method: sub.collection_method, description: sub.description, status: 'draft', auto_advance: true },
    ...{ period_start: how.periodStart ?? unix, period_end: unix, test_clock: sub.test_clock },
    ...{ default_tax_rates: sub.default_tax_rates, webhooks_delivered_at: unix },
    automatic_tax: { enabled: inside(sub, 'automatic_tax.enabled') ?? false },
    discounts: lastingDiscounts(stripe, sub).map(({ id }) => id),
    parent: {
      ...{ type: 'subscription_details', quote_details: null },
      subscription_details: { metadata: sub.metadata ?? {}, subscription: sub.id },
    },
    automatically_finalizes_at: waits ? soon : null,
    next_payment_attempt: waits && !isSent ? soon : null,
    due_date: isSent ? (waits ? soon : unix) + numberOf(sub.days_until_due) * DAY_S : null,
  })
  const lines = how.isPart ? [] : sold.map((one) => lineOf(stripe, sub, made, one, how))
  const invoice = gather(stripe, made, lines)
  const discounted = how.isPart ? [] : itemsOf(stripe, sub).filter((item) => lastingDiscounts(stripe, item).length > 0)
  for (const item of discounted)
    records.subscription_items.update(item.id, { discounts: furtherDiscounts(stripe, item) })
  if (discounted.length > 0) showItems(stripe, sub)
  const changed = records.subscriptions.update(sub.id, {
    latest_invoice: invoice.id,
    discounts: furtherDiscounts(stripe, sub),
  })
  if (isCycle) pauseInvoice(stripe, invoice, inside(pause_collection, 'behavior'))
  return changed
}

/** The invoice of a subscription whose collection is paused. */
function pauseInvoice(stripe: Stripe, invoice: Kept, behavior: Json | undefined): void {
  if (behavior === 'keep_as_draft')
    stripe.records.invoices.update(invoice.id, {
      ...{ auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null },
    })
  if (behavior === 'void') voidInvoice(stripe, finalizeInvoice(stripe, invoice))
  if (behavior === 'mark_uncollectible') writeOff(stripe, finalizeInvoice(stripe, invoice))
}

/**
 * Finalizes the newest invoice, and pays it. What is paid for nothing asks for a method. The first invoice that is sent
 * stays a draft for an hour. https://docs.stripe.com/billing/invoices/subscription
 */
export function settleFirst(stripe: Stripe, sub: Kept): Kept {
  const { body, records, unix } = stripe
  const { id, customer, collection_method } = sub
  const behavior = body.payment_behavior
  const isCharged = collection_method === 'charge_automatically'
  const draft = records.invoices.get(sub.latest_invoice)
  const isFirst = draft?.billing_reason === 'subscription_create'
  const opening = draft && (isFirst && !isCharged ? draft : finalizeInvoice(stripe, draft))
  if (opening?.status === 'open' && isCharged && behavior !== 'default_incomplete') payInvoice(stripe, opening)
  const payer = records.customers.get(customer)
  const isFree = opening?.status === 'paid' && opening.total === 0
  const method =
    sub.default_payment_method ?? inside(payer, 'invoice_settings.default_payment_method') ?? payer?.default_source
  if (isFree && isCharged && !isGiven(method)) {
    const asked = createSetupIntent(stripe, { customer: customer ?? null, usage: 'off_session' })
    records.subscriptions.update(id, { pending_setup_intent: asked.id })
  }
  let settled = stripe.fresh('subscriptions', sub)
  if (settled.status === 'incomplete') {
    settled = records.subscriptions.update(id, { lapses_at: unix + 23 * HOUR_S })
    if (behavior === 'error_if_incomplete') refuseUnpaid(stripe, opening)
  }
  entitle(stripe, settled)
  return settled
}

/** Refuses what is not paid, with the reason of the payment. */
export function refuseUnpaid(stripe: Stripe, invoice: Kept | undefined, keeps = false): never {
  const intent = intentOf(stripe, invoice?.id)
  return stripe.decline({ ...fieldsOf(intent?.last_payment_error), ...(intent && { payment_intent: intent }) }, keeps)
}

/** Shows the items of a subscription in it. */
export function showItems(stripe: Stripe, { id }: Kept): Kept {
  const items = stripe.oldest('subscription_items', { subscription: id })
  const [first, second] = items
  const announced = numberOf(first?.current_period_end) - 7 * DAY_S
  return stripe.records.subscriptions.update(id, {
    items: {
      ...{ object: 'list', data: items.map((item) => without(item, 'used_from')), has_more: false },
      ...{ total_count: items.length, url: `/v1/subscription_items?subscription=${id}` },
    },
    // of a subscription with one item, as before there were several
    plan: second ? null : (first?.plan ?? null),
    quantity: second ? null : (first?.quantity ?? null),
    upcoming_at: announced > numberOf(first?.current_period_start) ? announced : null,
  })
}

/** Ends at a time, by default with the period. */
export function planEnd({ body, records, unix }: Stripe, { id, renews_at }: Kept, planned?: Json): Kept {
  const cancel_at = planned ?? renews_at ?? null
  return records.subscriptions.update(id, {
    ...{ cancel_at, canceled_at: unix },
    renews_at: Math.min(numberOf(renews_at), numberOf(cancel_at)),
    cancellation_details: {
      ...{ comment: null, feedback: null, reason: 'cancellation_requested' },
      ...fieldsOf(body.cancellation_details),
    },
  })
}

export function endSubscription(stripe: Stripe, { id, canceled_at }: Kept): Kept {
  const { records, unix } = stripe
  const ended = records.subscriptions.update(id, {
    ...{ status: 'canceled', canceled_at: canceled_at ?? unix, ended_at: unix, renews_at: null, lapses_at: null },
  })
  for (const invoice of stripe.oldest('invoices', { 'parent.subscription_details.subscription': id }))
    if (isOneOf(invoice.status, 'draft', 'open'))
      records.invoices.update(invoice.id, {
        ...{ next_payment_attempt: null, automatically_finalizes_at: null, auto_advance: false },
      })
  entitle(stripe, ended)
  return ended
}

/** Starts or moves a trial. */
export function startTrial(stripe: Stripe, sub: Kept, wanted: Fields): Kept {
  const { records, unix } = stripe
  const { trial_period_days: days, trial_end } = wanted
  const ends =
    numberOf(days) > 0 ? unix + numberOf(days) * DAY_S : numberOf(trial_end) > 0 ? numberOf(trial_end) : undefined
  const end_behavior = { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' }
  const trial_settings = wanted.trial_settings ?? sub.trial_settings ?? { end_behavior }
  if (ends === undefined) return records.subscriptions.update(sub.id, { trial_settings })
  const remindsAt = ends - 3 * DAY_S
  const isReminded = remindsAt <= unix
  return records.subscriptions.update(sub.id, {
    ...{ trial_settings, billing_cycle_anchor: ends, renews_at: ends, trial_end: ends, status: 'trialing' },
    trial_start: sub.status === 'trialing' ? sub.trial_start : unix,
    ...(isReminded ? { reminded_at: remindsAt, reminds_at: null } : { reminds_at: remindsAt }),
  })
}

/** Starts or moves the trial of a subscription with items, whose period ends with it. */
export function moveTrial(stripe: Stripe, sub: Kept, wanted: Fields): Kept {
  const { id, trial_end } = startTrial(stripe, sub, wanted)
  for (const item of itemsOf(stripe, sub))
    stripe.records.subscription_items.update(item.id, { current_period_end: trial_end })
  return showItems(stripe, stripe.fresh('subscriptions', { id }))
}

/** Begins the next period of every item, and bills it. */
export function turn(stripe: Stripe, sub: Kept, reason: Bill['reason'] = 'subscription_cycle'): Kept {
  const { records } = stripe
  // the period in which a subscription ends is as long as it is used
  const isStub = isGiven(sub.cancel_at)
  for (const { id, price, current_period_start, current_period_end } of itemsOf(stripe, sub)) {
    const { interval, interval_count } = fieldsOf(fieldsOf(price).recurring)
    const ends = after(current_period_end, interval_count, interval)
    records.subscription_items.update(id, {
      used_from: current_period_start,
      current_period_start: current_period_end,
      current_period_end: isStub ? Math.min(ends, numberOf(sub.cancel_at)) : ends,
    })
  }
  const { status, cancel_at } = showItems(stripe, sub)
  const ends = numberOf(itemsOf(stripe, sub).at(-1)?.current_period_end)
  const turned = records.subscriptions.update(sub.id, {
    renews_at: isGiven(cancel_at) ? Math.min(ends, numberOf(cancel_at)) : ends,
    ...(status === 'trialing' && { status: 'active' }),
  })
  return bill(stripe, turned, { reason, periodStart: sub.billing_cycle_anchor, isStub })
}

/** Begins a period now. */
export function restart(stripe: Stripe, sub: Kept): Kept {
  for (const { id } of itemsOf(stripe, sub))
    stripe.records.subscription_items.update(id, { current_period_end: stripe.unix })
  return turn(stripe, sub, 'subscription_update')
}

/** Gives a subscription the items that it had, or will have. */
export function layItems(stripe: Stripe, sub: Kept, kept: readonly Fields[]): Kept {
  const { subscription_items } = stripe.records
  for (const { id } of itemsOf(stripe, sub)) if (!kept.some((one) => one.id === id)) subscription_items.remove(id)
  for (const one of kept) {
    const { price, plan, quantity, metadata, tax_rates } = one
    if (subscription_items.get(one.id))
      subscription_items.update(one.id, { price, plan, quantity, metadata, tax_rates })
    else subscription_items.create({ ...without(one, 'id'), subscription: sub.id })
  }
  return showItems(stripe, sub)
}

/** A change that has waited for its invoice is made. */
export function applyUpdate(stripe: Stripe, sub: Kept): void {
  const laid = layItems(stripe, sub, listOf(inside(sub, 'pending_update.subscription_items')))
  stripe.records.subscriptions.update(sub.id, {
    ...{ pending_update: null, pends_until: null, applied_at: stripe.unix },
    metadata: merged(sub.metadata, inside(sub, 'pending_update.metadata')),
  })
  entitle(stripe, laid)
}

export const subscriptionSteps: Steps = {
  /** A subscription comes to the end of its period. */
  renew: (stripe, sub) => {
    const { records, unix } = stripe
    const { id, status, cancel_at, cancel_at_period_end, trial_settings } = sub
    if (cancel_at_period_end === true || (isGiven(cancel_at) && numberOf(cancel_at) <= unix))
      return endSubscription(stripe, sub)
    const payer = records.customers.get(sub.customer)
    const method =
      sub.default_payment_method ?? inside(payer, 'invoice_settings.default_payment_method') ?? payer?.default_source
    const missing = textIn(trial_settings, 'end_behavior.missing_payment_method')
    if (status === 'trialing' && !isGiven(method) && missing === 'cancel') return endSubscription(stripe, sub)
    if (status === 'trialing' && !isGiven(method) && missing === 'pause')
      return records.subscriptions.update(id, { status: 'paused', renews_at: null })
    return turn(stripe, sub)
  },
  /** The first invoice was not paid in time. */
  lapse: (stripe, { id, latest_invoice }) => {
    const { records, unix } = stripe
    const lapsed = { status: 'incomplete_expired', ended_at: unix, lapses_at: null, renews_at: null }
    records.subscriptions.update(id, lapsed)
    const invoice = records.invoices.get(latest_invoice)
    if (invoice) voidInvoice(stripe, invoice)
  },
  remindOfTrial: ({ records }, { id, reminds_at }) =>
    records.subscriptions.update(id, { reminded_at: reminds_at, reminds_at: null }),
  resumeCollection: ({ records }, { id }) => records.subscriptions.update(id, { pause_collection: null }),
  /** A change whose invoice was not paid in time is dropped. */
  dropUpdate: (stripe, { id, latest_invoice }) => {
    const { records, unix } = stripe
    records.subscriptions.update(id, { pending_update: null, pends_until: null, dropped_at: unix })
    const invoice = records.invoices.get(latest_invoice)
    if (invoice) voidInvoice(stripe, invoice)
  },
  /** An event has the next invoice a week before. */
  announceRenewal: (stripe, sub) => {
    const { records } = stripe
    if (isOneOf(sub.status, 'active', 'trialing', 'past_due') && !isGiven(sub.cancel_at) && !sub.cancel_at_period_end) {
      const draft = stripe.preview(() => records.invoices.get(turn(stripe, sub).latest_invoice))
      const { current_period_start, current_period_end } = fieldsOf(listOf(inside(sub, 'items.data'))[0])
      records.upcoming_invoices.create({
        ...without(draft, 'id automatically_finalizes_at webhooks_delivered_at'),
        ...{ billing_reason: 'upcoming', period_start: current_period_start, period_end: current_period_end },
        next_payment_attempt: numberOf(current_period_end) + HOUR_S,
      })
    }
    records.subscriptions.update(sub.id, { upcoming_at: null })
  },
}
