import type { Kept } from './context.ts'
import { currencyOf } from './countries.ts'
import { amountOf, tiersOf } from './prices.ts'
import {
  decimalText,
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  type Json,
  listOf,
  merged,
  numberOf,
  type Operations,
  type Stripe,
  textOf,
  without,
} from './stripe.ts'

const recurringOf = (sent: Json | undefined): Fields | null =>
  isGiven(sent)
    ? { interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed', ...fieldsOf(sent) }
    : null

const typeOf = (sent: Json | undefined): string => (isGiven(sent) ? 'recurring' : 'one_time')

/** An amount in whole units, where a decimal text is one. */
const wholeOf = (decimal: Json | undefined): number | null =>
  isGiven(decimal) && Number.isInteger(Number(decimal)) ? Number(decimal) : null

/** Creates a price of `price_data`. */
function createPrice(stripe: Stripe, sent: Fields, fields: Fields): Kept {
  const { unit_amount = wholeOf(sent.unit_amount_decimal), unit_amount_decimal = decimalText(unit_amount) } = sent
  return stripe.records.prices.create({
    billing_scheme: 'per_unit',
    tax_behavior: 'unspecified',
    ...without(sent, 'product_data'),
    ...{ unit_amount, unit_amount_decimal, type: typeOf(sent.recurring), recurring: recurringOf(sent.recurring) },
    ...fields,
  })
}

/** The price that a line names, or whose `price_data` it has. */
export function wantedPrice(stripe: Stripe, wanted: Fields, usual?: Json): Kept | undefined {
  const { records } = stripe
  const { price_data } = wanted
  const { product_data, product } = fieldsOf(price_data)
  const made = isGiven(product_data) && records.products.create({ active: true, ...fieldsOf(product_data) })
  const price = isGiven(price_data)
    ? createPrice(stripe, fieldsOf(price_data), { active: false, product: made ? made.id : (product ?? null) })
    : records.prices.get(wanted.price ?? wanted.plan ?? usual)
  if (isGiven(wanted.quantity) && inside(price, 'recurring.usage_type') === 'metered')
    stripe.refuse('You cannot set the quantity for metered plans.', { param: 'quantity' })
  return price
}

/** The price of a line of an invoice item: `{ pricing: { price } }`. */
export const pricedBy = (stripe: Stripe, { pricing, price_data }: Fields): Kept | undefined =>
  wantedPrice(stripe, { price: fieldsOf(pricing).price ?? null, ...(price_data && { price_data }) })

/** What an invoice item shows of its price. */
export const pricingOf = ({ id, product, unit_amount_decimal }: Fields): Fields => ({
  type: 'price_details',
  price_details: { price: id ?? null, product: product ?? null },
  unit_amount_decimal: unit_amount_decimal ?? null,
})

/** A price as items and lines show it. */
export const plainPrice = (price: Kept): Fields => without(price, 'tiers currency_options')

/** The price of a quantity. */
export const costOf = (price: Json | undefined, quantity: Json | undefined, currency?: Json): number =>
  amountOf(price, numberOf(quantity), textOf(currency ?? null))

export const productNameOf = (stripe: Stripe, price: Fields | undefined): Json =>
  stripe.records.products.get(price?.product)?.name ?? null

/** Amounts in other currencies. */
const otherCurrencies = (sent: Json | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(sent)).map(([currency, option]) => [
      currency,
      {
        ...{ custom_unit_amount: null, tax_behavior: 'unspecified', unit_amount: null },
        unit_amount_decimal: decimalText(inside(option, 'unit_amount')),
        ...fieldsOf(option),
      },
    ]),
  )

function checkPrice(stripe: Stripe, price: Kept, taken: Kept | undefined): void {
  const { body, records } = stripe
  const { meter } = fieldsOf(body.recurring)
  const tiers = listOf(body.tiers)
  if (taken && body.transfer_lookup_key !== true)
    stripe.refuse(`A price (\`${taken.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
  if (numberOf(price.unit_amount) < 0)
    stripe.refuse('Invalid non-negative integer', { reason: 'parameter_invalid_integer', param: 'unit_amount' })
  if (body.billing_scheme === 'tiered' && tiers.length === 0)
    stripe.refuse('When billing_scheme is set to tiered, you must specify tiers.', { param: 'tiers' })
  if (tiers.length > 0 && !isGiven(body.tiers_mode))
    stripe.refuse('You must specify tiers_mode when tiers are set.', {
      ...{ reason: 'parameter_missing', param: 'tiers_mode' },
    })
  if (!['unit_amount', 'unit_amount_decimal', 'tiers', 'custom_unit_amount'].some((name) => isGiven(body[name])))
    stripe.refuse('Prices require an `unit_amount` or `unit_amount_decimal` parameter to be set.', {
      ...{ reason: 'parameter_missing', param: 'unit_amount' },
    })
  if (isGiven(meter) && records.meters.get(meter) === undefined) stripe.absent('meter', meter, 'recurring[meter]')
  if (!isGiven(body.product) && !isGiven(body.product_data))
    stripe.refuse('You must specify either `product` or `product_data` when creating a price.', {
      ...{ reason: 'parameter_missing', param: 'product' },
    })
}

export const catalog: Operations = {
  'POST /v1/prices': (stripe) => {
    const { body, records } = stripe
    const { lookup_key } = body
    const taken = isGiven(lookup_key) ? records.prices.find({ lookup_key }) : undefined
    const made = stripe.next()
    const { currency = textOf(made.currency) } = currencyOf(stripe)
    checkPrice(stripe, made, taken)
    if (taken) records.prices.update(taken.id, { lookup_key: null })
    const product = isGiven(body.product_data)
      ? records.products.create({ active: true, ...fieldsOf(body.product_data) }).id
      : made.product
    const tax_behavior = body.tax_behavior ?? 'unspecified'
    const unit_amount_decimal = decimalText(made.unit_amount) ?? body.unit_amount_decimal ?? null
    const custom_unit_amount = isGiven(made.custom_unit_amount)
      ? { ...{ maximum: null, minimum: null, preset: null }, ...without(made.custom_unit_amount, 'enabled') }
      : null
    const { unit_amount = null } = made
    return records.prices.update(made.id, {
      ...{ custom_unit_amount, product, currency, tax_behavior, unit_amount_decimal, type: typeOf(body.recurring) },
      billing_scheme: body.billing_scheme ?? 'per_unit',
      tiers: tiersOf(body.tiers ?? null),
      active: body.active ?? true,
      recurring: recurringOf(body.recurring),
      currency_options: {
        ...otherCurrencies(body.currency_options),
        [currency]: { custom_unit_amount, tax_behavior, unit_amount, unit_amount_decimal },
      },
    })
  },
  'POST /v1/prices/{price}': (stripe) => {
    const { body, records } = stripe
    const { currency_options } = stripe.own('prices')
    const price = stripe.next()
    if (body.active === false && records.products.get(price.product)?.default_price === price.id)
      stripe.refuse('This price cannot be archived because it is the default price of its product.', {
        param: 'active',
      })
    return records.prices.update(price.id, {
      currency_options: merged(currency_options, otherCurrencies(body.currency_options)),
    })
  },
  'POST /v1/products': (stripe) => {
    const { body, records, unix } = stripe
    const { id } = stripe.next()
    const price =
      isGiven(body.default_price_data) &&
      createPrice(stripe, fieldsOf(body.default_price_data), { product: id, active: true })
    return records.products.update(id, {
      ...{ active: body.active ?? true, updated: unix, type: 'service' },
      ...(price && { default_price: price.id }),
    })
  },
  'POST /v1/products/{id}': (stripe) => stripe.records.products.update(stripe.next().id, { updated: stripe.unix }),
  'DELETE /v1/products/{id}': (stripe) => {
    if (stripe.records.prices.some({ product: stripe.own('products').id }))
      stripe.refuse('This product cannot be deleted because it has one or more user-created prices.')
  },
  'POST /v1/plans': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    stripe.need('product')
    const { name } = fieldsOf(body.product)
    const product = isGiven(name)
      ? records.products.create({ active: true, ...without(body.product, 'tax_details') })
      : records.products.get(body.product)
    const amount = body.amount ?? (isGiven(body.amount_decimal) ? Number(body.amount_decimal) : null)
    const plan = records.plans.update(made.id, {
      ...{ amount, amount_decimal: decimalText(amount), product: product?.id ?? null },
    })
    const { active, currency, nickname, metadata, interval, interval_count, trial_period_days } = plan
    records.prices.create({
      ...{ id: plan.id, active, type: 'recurring', billing_scheme: 'per_unit', tax_behavior: 'unspecified', currency },
      ...{ unit_amount: amount, unit_amount_decimal: plan.amount_decimal, product: plan.product, nickname, metadata },
      recurring: { interval, interval_count, meter: null, trial_period_days, usage_type: 'licensed' } as Fields,
    })
    return plan
  },
  'POST /v1/plans/{plan}': (stripe) => {
    const plan = stripe.next()
    const { id, active, nickname } = plan
    stripe.records.prices.update(id, { active, nickname })
    return plan
  },
  'DELETE /v1/plans/{plan}': (stripe) => {
    stripe.next()
    if (stripe.records.prices.get(stripe.path.plan)) stripe.records.prices.update(stripe.path.plan, { active: false })
  },
}
