import { itemsOf, showItems } from './billing.ts'
import { costOf, plainPrice, pricingOf, productNameOf, wantedPrice } from './catalog.ts'
import { redeemDiscounts, useDiscounts } from './discounts.ts'
import { entitle } from './entitlements.ts'
import { linesOf } from './invoicing.ts'
import {
  after,
  dateText,
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  type Json,
  type Kept,
  listOf,
  merged,
  numberOf,
  type Stripe,
  shareOf,
} from './stripe.ts'
import { ratesOf } from './taxes.ts'

/** How the change of a subscription is charged between its periods. */
interface Proration {
  readonly isOff: boolean
  /** Seconds since 1970. */
  readonly from: number
}

/** What the request says of proration. */
export function prorationOf({ body, unix }: Stripe): Proration {
  const details = fieldsOf(body.subscription_details)
  const behavior = body.proration_behavior ?? details.proration_behavior
  return { isOff: behavior === 'none', from: numberOf(body.proration_date ?? details.proration_date ?? unix) }
}

/** The plan of an item, as Stripe had it before prices. */
export const planOf = (price: Kept): Fields => {
  const { interval = null, interval_count = null, meter = null, usage_type = null } = fieldsOf(price.recurring)
  const { active = null, unit_amount = null, unit_amount_decimal = null, billing_scheme = null } = price
  return {
    ...{ id: price.id, object: 'plan', active, amount: unit_amount, amount_decimal: unit_amount_decimal },
    ...{ billing_scheme, created: price.created ?? null, currency: price.currency ?? null, interval, interval_count },
    ...{ livemode: false, metadata: {}, meter, nickname: price.nickname ?? null, product: price.product ?? null },
    ...{ tiers_mode: price.tiers_mode ?? null, transform_usage: null, trial_period_days: null, usage_type },
  }
}

const isMetered = (price: Kept): boolean => inside(price, 'recurring.usage_type') === 'metered'

/** Refuses a price that no item can have: sold once, archived, or of another item. @param own the item that is changed */
export function checkPrice(stripe: Stripe, sub: Kept, price: Kept, wanted: Fields, param: string, own?: string): void {
  if (price.type === 'one_time')
    stripe.refuse(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      { param },
    )
  if (price.active === false && isGiven(wanted.price))
    stripe.refuse('The price specified is inactive. This field only accepts active prices.', { param })
  if (itemsOf(stripe, sub).some((item) => inside(item, 'price.id') === price.id && item.id !== own))
    stripe.refuse(`Cannot add multiple subscription items with the same plan: ${price.id}`, { param: 'price' })
}

/** Adds an item to a subscription. @param proration of one that has begun */
export function addItem(
  stripe: Stripe,
  sub: Kept,
  wanted: Fields,
  price: Kept | undefined,
  proration?: Proration,
): Kept {
  const { body, records, unix } = stripe
  const param = 'items[0][price]'
  if (price === undefined && isGiven(wanted.price)) return stripe.absent('price', wanted.price, param)
  if (price === undefined)
    return stripe.refuse(`Missing required param: ${param}.`, { reason: 'parameter_missing', param })
  checkPrice(stripe, sub, price, wanted, param)
  const { interval, interval_count } = fieldsOf(price.recurring)
  const currency = body.currency ?? sub.currency ?? ''
  const hasOption = isGiven(fieldsOf(price.currency_options)[`${currency}`])
  const began = proration && inside(listOf(inside(sub, 'items.data'))[0], 'current_period_start')
  const ends = sub.status === 'trialing' ? sub.trial_end : sub.renews_at
  const item = records.subscription_items.create({
    ...{ subscription: sub.id, price: plainPrice(price), plan: planOf(price), metadata: wanted.metadata ?? {} },
    tax_rates: ratesOf(stripe, wanted.tax_rates),
    current_period_start: began ?? unix,
    current_period_end: ends ?? after(unix, interval_count, interval),
    ...(!isMetered(price) && { quantity: wanted.quantity ?? 1 }),
  })
  const changed = records.subscriptions.update(sub.id, {
    currency: hasOption ? currency : price.currency,
    renews_at: item.current_period_end,
  })
  redeemDiscounts(stripe, item, wanted.discounts, changed)
  if (proration) chargeRest(stripe, changed, { item, price, quantity: wanted.quantity ?? 1, proration })
  return changed
}

/** `3 × Gold after 30 Nov 2026`. */
const restText = (quantity: Json | undefined, name: Json, from: number): string =>
  `${numberOf(quantity) > 1 ? `${quantity} × ` : ''}${name ?? ''} after ${dateText(from)}`

/** What both prorations have. */
function prorated(stripe: Stripe, sub: Kept, item: Kept, quantity: Json | undefined, { from }: Proration) {
  const { current_period_start, current_period_end } = item
  const end = numberOf(current_period_end)
  const fields = {
    ...{ currency: sub.currency, customer: sub.customer, date: stripe.unix, proration: true, discountable: false },
    ...{ quantity, period: { start: from, end } },
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: sub.id, subscription_item: item.id },
    },
  }
  return { fields, rest: Math.max(end - from, 0), length: end - numberOf(current_period_start) }
}

/** Gives back the rest of a period. */
export function creditUnused(stripe: Stripe, sub: Kept, item: Kept, proration = prorationOf(stripe)): void {
  const { records } = stripe
  const price = fieldsOf(item.price)
  const { fields, rest, length } = prorated(stripe, sub, item, item.quantity, proration)
  const billed = records.invoices.get(sub.latest_invoice)
  const line = linesOf(billed).find(
    (one) => inside(one, 'parent.subscription_item_details.subscription_item') === item.id && numberOf(one.amount) > 0,
  )
  const cost = costOf(records.prices.get(price.id), item.quantity, sub.currency)
  records.invoiceitems.create({
    ...fields,
    amount: 0 - shareOf(cost, rest, length),
    description: `Unused time on ${restText(item.quantity, productNameOf(stripe, price), proration.from)}`,
    pricing: { ...pricingOf(price), unit_amount_decimal: null },
    proration_details: {
      credited_items: line
        ? {
            ...{ invoice_item: null, type: 'invoice_line_items' },
            invoice_line_item_details: { invoice: billed?.id ?? null, invoice_line_items: [line.id ?? null] },
          }
        : null,
      discount_amounts: [],
    },
    ...{ tax_rates: item.tax_rates, metadata: sub.metadata },
  })
}

/** Charges the rest of a period at a price. */
export function chargeRest(
  stripe: Stripe,
  sub: Kept,
  { item, price, quantity, proration }: { item: Kept; price: Kept; quantity: Json | undefined; proration: Proration },
): void {
  if (sub.status !== 'active' || proration.isOff || isMetered(price)) return
  const { fields, rest, length } = prorated(stripe, sub, item, quantity, proration)
  stripe.records.invoiceitems.create({
    ...fields,
    amount: shareOf(costOf(price, quantity, sub.currency), rest, length),
    description: `Remaining time on ${restText(quantity, productNameOf(stripe, price), proration.from)}`,
    pricing: { ...pricingOf(price), unit_amount_decimal: null },
    proration_details: { credited_items: null, discount_amounts: [] },
  })
}

/** Changes or deletes an item, and prorates. */
export function changeItem(
  stripe: Stripe,
  sub: Kept,
  given: Kept | undefined,
  wanted: Fields,
  priced: Kept | undefined,
  proration: Proration,
): void {
  const { records } = stripe
  const item = given ?? stripe.absent('subscription_item', wanted.id, 'items[0][id]')
  const param = isGiven(wanted.id) ? 'items[0][price]' : 'price'
  const price = priced ?? stripe.absent('price', wanted.price, param)
  if (price.id !== inside(item, 'price.id')) checkPrice(stripe, sub, price, wanted, param, item.id)
  const { from, isOff } = proration
  const { current_period_start, current_period_end } = item
  if (from < numberOf(current_period_start) || from > numberOf(current_period_end))
    stripe.refuse('Cannot specify proration date outside of current subscription period.', { param: 'proration_date' })
  const quantity = wanted.quantity ?? item.quantity
  if (sub.status === 'active' && !isOff) {
    creditUnused(stripe, sub, item, proration)
    const isSame = inside(item, 'price.recurring.interval') === inside(price, 'recurring.interval')
    if (wanted.deleted !== true && isSame) chargeRest(stripe, sub, { item, price, quantity, proration })
  }
  if (wanted.deleted === true) {
    records.subscription_items.remove(item.id)
    return
  }
  const { id, amount, amount_decimal, interval, interval_count, product, nickname } = planOf(price)
  const changed = records.subscription_items.update(item.id, {
    ...{ price: plainPrice(price), quantity },
    tax_rates: isGiven(wanted.tax_rates) ? ratesOf(stripe, wanted.tax_rates) : item.tax_rates,
    plan: merged(item.plan, { id, amount, amount_decimal, interval, interval_count, product, nickname } as Fields),
    metadata: merged(item.metadata, wanted.metadata),
  })
  if (wanted.discounts !== undefined) useDiscounts(stripe, changed, wanted.discounts, sub)
}

/** Adds, changes or deletes an item, by whether it is named. */
export function layItem(stripe: Stripe, sub: Kept, wanted: Fields, proration: Proration): Kept {
  const item = stripe.records.subscription_items.get(wanted.id)
  const price = wantedPrice(stripe, wanted, inside(item, 'price.id'))
  if (!isGiven(wanted.id)) return addItem(stripe, sub, wanted, price, proration)
  changeItem(stripe, sub, item, wanted, price, proration)
  return sub
}

/** Adds the items of a new subscription. */
export function addItems(stripe: Stripe, sub: Kept, wanted: Json | undefined): Kept {
  let changed = sub
  for (const one of listOf(wanted)) changed = addItem(stripe, changed, one, wantedPrice(stripe, one))
  return showItems(stripe, changed)
}

/** Changes the items of a subscription. */
export function changeItems(stripe: Stripe, sub: Kept, wanted: Json | undefined): Kept {
  const proration = prorationOf(stripe)
  let changed = sub
  for (const one of listOf(wanted)) changed = layItem(stripe, changed, one, proration)
  const shown = showItems(stripe, changed)
  entitle(stripe, shown)
  return shown
}

/** Adds what is sold once, with the first invoice of a subscription. */
export function addPart(stripe: Stripe, sub: Kept, wanted: Fields, price: Kept | undefined): void {
  const { records, unix } = stripe
  const { quantity = 1, period } = wanted
  const part = records.invoiceitems.create({
    ...{ amount: costOf(price, quantity, sub.currency), currency: sub.currency, customer: sub.customer, date: unix },
    ...{ description: productNameOf(stripe, price), discountable: wanted.discountable ?? true, quantity },
    ...{ metadata: wanted.metadata ?? {}, tax_rates: ratesOf(stripe, wanted.tax_rates) },
    period: {
      start: inside(period, 'start.timestamp') ?? unix,
      end: inside(period, 'end.timestamp') ?? unix,
    },
    pricing: pricingOf(price ?? {}),
  })
  redeemDiscounts(stripe, part, wanted.discounts)
}

export function addParts(stripe: Stripe, sub: Kept, parts = stripe.body.add_invoice_items): void {
  for (const wanted of listOf(parts)) addPart(stripe, sub, wanted, wantedPrice(stripe, wanted))
}
