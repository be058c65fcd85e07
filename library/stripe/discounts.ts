import { costOf } from './catalog.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  type Steps,
  type Stripe,
  textOf,
} from './stripe.ts'

/** The code and the coupon that a discount of a request names. Refuses those that there are not. */
export function couponOf(stripe: Stripe, wanted: Fields): { code: Kept | undefined; coupon: Kept } {
  const { records } = stripe
  const code = records.promotion_codes.get(wanted.promotion_code)
  if (isGiven(wanted.promotion_code) && code === undefined)
    stripe.absent('promotion code', wanted.promotion_code, 'discounts[0][promotion_code]')
  const reused = inside(records.discounts.get(wanted.discount), 'source.coupon')
  const coupon = records.coupons.get(wanted.coupon ?? inside(code, 'promotion.coupon') ?? reused)
  return { code, coupon: coupon ?? stripe.absent('coupon', wanted.coupon, 'discounts[0][coupon]') }
}

/** Refuses a code that its owner cannot redeem. */
function checkCode(stripe: Stripe, code: Kept, { customer, items }: Kept): void {
  const { records, unix } = stripe
  const param = 'discounts[0][promotion_code]'
  const { minimum_amount, first_time_transaction } = fieldsOf(code.restrictions)
  if (code.active === false || (isGiven(code.expires_at) && numberOf(code.expires_at) <= unix))
    stripe.refuse(`This promotion code ${code.code} is not active.`, { reason: 'promotion_code_expired', param })
  if (isGiven(code.customer) && code.customer !== customer)
    stripe.refuse('This promotion code cannot be redeemed by this customer.', { reason: 'customer_mismatch', param })
  const lines = listOf(inside(items, 'data'))
  const costs = lines.map(({ price, quantity }) => costOf(records.prices.get(fieldsOf(price).id), quantity))
  if (lines.length > 0 && numberOf(minimum_amount) > costs.reduce((sum, cost) => sum + cost, 0))
    stripe.refuse('This promotion code cannot be redeemed because the amount is below its minimum.', {
      ...{ reason: 'promotion_code_minimum_not_met', param },
    })
  const hasPaid = (invoice: Kept) =>
    invoice.customer === customer && invoice.status === 'paid' && numberOf(invoice.amount_paid) > 0
  if (first_time_transaction === true && records.invoices.some(hasPaid))
    stripe.refuse('This promotion code cannot be redeemed because the associated customer has prior transactions.', {
      reason: 'promotion_code_not_first_time',
      param,
    })
}

/** Counts the use of a coupon or of a code, which may be the last one. */
export function redeem(stripe: Stripe, collection: 'coupons' | 'promotion_codes', id: Json | undefined): void {
  const found = stripe.records[collection].get(id)
  if (found === undefined) return
  const times_redeemed = numberOf(found.times_redeemed) + 1
  const isUsedUp = isGiven(found.max_redemptions) && times_redeemed >= numberOf(found.max_redemptions)
  const field = collection === 'coupons' ? 'valid' : 'active'
  stripe.records[collection].update(found.id, { times_redeemed, ...(isUsedUp && { [field]: false }) })
}

/** What can have discounts of its own, with the field of a discount that names it. */
const OWNERS = {
  invoice: { collection: 'invoices', field: 'invoice' },
  subscription: { collection: 'subscriptions', field: 'subscription' },
  invoiceitem: { collection: 'invoiceitems', field: 'invoice_item' },
  subscription_item: { collection: 'subscription_items', field: 'subscription_item' },
} as const

const ownerOf = ({ object }: Kept) => OWNERS[object as keyof typeof OWNERS]

/** Gives discounts to their owner. @param payer has the customer and the currency of an item */
export function redeemDiscounts(stripe: Stripe, owner: Kept, wanted: Json | undefined, payer = owner): Kept {
  const { records, unix } = stripe
  const { collection, field } = ownerOf(owner)
  let changed = owner
  for (const one of listOf(wanted)) {
    const { code, coupon } = couponOf(stripe, one)
    if (code) checkCode(stripe, code, payer)
    const param = 'discounts[0][coupon]'
    if (isGiven(coupon.currency) && coupon.currency !== payer.currency)
      stripe.refuse(
        `The coupon ${coupon.id} has the currency ${coupon.currency}, and cannot be used with the currency ${payer.currency}.`,
        { param },
      )
    if (coupon.valid === false)
      stripe.refuse(`Coupon ${coupon.id} is used up or expired.`, { reason: 'coupon_expired', param })
    const discount = records.discounts.create({
      ...{ customer: payer.customer, promotion_code: code?.id, source: { type: 'coupon', coupon: coupon.id } },
      start: unix,
      end: coupon.duration === 'repeating' ? stripe.later(numberOf(coupon.duration_in_months), 'month') : null,
      is_once: coupon.duration === 'once',
      [field]: changed.id,
    })
    const others = Array.isArray(changed.discounts) ? changed.discounts : []
    changed = records[collection].update(changed.id, { discounts: [...others, discount.id] })
    redeem(stripe, 'coupons', coupon.id)
    redeem(stripe, 'promotion_codes', code?.id)
  }
  return changed
}

/** Gives discounts, by default those of the request, in place of those before. */
export function useDiscounts(stripe: Stripe, owner: Kept, wanted = stripe.body.discounts, payer = owner): Kept {
  if (wanted === undefined) return owner
  const bare = stripe.records[ownerOf(owner).collection].update(owner.id, { discounts: [] })
  return redeemDiscounts(stripe, bare, wanted, payer === owner ? bare : payer)
}

/** The discounts of an owner that have not ended. */
export const lastingDiscounts = ({ records, unix }: Stripe, { discounts }: Kept): Kept[] =>
  (Array.isArray(discounts) ? discounts : [])
    .flatMap((id) => records.discounts.get(id) ?? [])
    .filter(({ end }) => end == null || numberOf(end) > unix)

/** Those that are left after an invoice. */
export const furtherDiscounts = (stripe: Stripe, owner: Kept): Json[] =>
  lastingDiscounts(stripe, owner).flatMap(({ id, is_once }) => (is_once === true ? [] : [id]))

export const discounts: Operations = {
  'POST /v1/coupons': (stripe) => {
    const { body } = stripe
    const made = stripe.next()
    const missing = (message: string, param?: string) => stripe.refuse(message, { reason: 'parameter_missing', param })
    if (!isGiven(body.percent_off) && !isGiven(body.amount_off)) missing('Must provide percent_off or amount_off')
    if (isGiven(body.percent_off) && isGiven(body.amount_off))
      stripe.refuse('You may only specify one of these parameters: amount_off, percent_off.')
    if (isGiven(body.amount_off) && !isGiven(body.currency))
      missing('You must pass currency when passing amount_off', 'currency')
    if (made.duration === 'repeating' && !isGiven(body.duration_in_months))
      missing('You must pass duration_in_months when passing duration=repeating', 'duration_in_months')
    if (isGiven(body.percent_off) && !(numberOf(body.percent_off) > 0 && numberOf(body.percent_off) <= 100))
      stripe.refuse('Invalid percent_off: must be greater than 0 and at most 100', { param: 'percent_off' })
    return stripe.records.coupons.update(made.id, { valid: true, times_redeemed: 0 })
  },
  'POST /v1/promotion_codes': (stripe) => {
    const { body, records } = stripe
    const code = isGiven(body.code) ? textOf(body.code) : stripe.letters(8).toUpperCase()
    const folded = code.toLowerCase()
    const isTaken = records.promotion_codes.some({ folded, active: true })
    const made = stripe.next()
    stripe.need('promotion[coupon]')
    if (isTaken) stripe.refuse(`An active promotion code with \`code: ${code}\` already exists.`, { param: 'code' })
    return records.promotion_codes.update(made.id, { code, folded })
  },
}

export const discountSteps: Steps = {
  expireCoupon: ({ records }, { id }) => records.coupons.update(id, { valid: false }),
}
