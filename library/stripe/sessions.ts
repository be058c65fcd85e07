import { apportioned } from '../shared/apportioned.ts'
import { costOf, plainPrice, wantedPrice } from './catalog.ts'
import { customFields, strayParam } from './checkout.ts'
import { couponOf } from './discounts.ts'
import { allowedTypes, fitCurrency } from './intents.ts'
import { shippingOf, shippingRateOf } from './invoicing.ts'
import { checkMode } from './links.ts'
import { leastOf } from './prices.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  percentOf,
  type Steps,
  type Stripe,
  sumOf,
  textOf,
  wholeOf,
} from './stripe.ts'
import { checkRates, ratesOf, taxByPlace, taxOf } from './taxes.ts'

/** A checkout session, or a quote: both have lines, discounts and totals. */
type Cart = 'checkout_sessions' | 'quotes'

/** What a discount takes of a cart. */
interface Off {
  readonly amount: number
}

const linesOf = (cart: Kept): Fields[] => listOf(inside(cart, 'line_items.data'))

/** The line of what the body wants, with the rates of its tax. */
function toLine(stripe: Stripe, cart: Kept, wanted: Fields): Fields {
  const { body, records } = stripe
  const { mode = null } = cart
  const price = wantedPrice(stripe, wanted)
  if (price === undefined) return stripe.absent('price', wanted.price, 'line_items[0][price]')
  if (mode === 'payment' && price.type === 'recurring')
    stripe.refuse(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      { param: 'line_items[0][price]' },
    )
  if (mode !== null && !isGiven(wanted.quantity) && inside(price, 'recurring.usage_type') !== 'metered')
    stripe.refuse('Quantity is required. Add `quantity` to `line_items[0]`', {
      ...{ reason: 'parameter_missing', param: 'line_items[0][quantity]' },
    })
  if (price.active === false && isGiven(wanted.price))
    stripe.refuse('The price specified is inactive. This field only accepts active prices.', {
      param: 'line_items[0][price]',
    })
  const hasOption = isGiven(fieldsOf(price.currency_options)[textOf(body.currency)])
  const quantity = wanted.quantity ?? 1
  const rates = wanted.tax_rates ?? inside(cart, 'data.subscription_data.default_tax_rates')
  return {
    ...{ id: stripe.id('li_'), object: 'item', amount_subtotal: costOf(price, quantity, body.currency) },
    currency: (hasOption ? body.currency : price.currency) ?? null,
    ...{ adjustable_quantity: null, description: records.products.get(price.product)?.name ?? null },
    ...{ metadata: wanted.metadata ?? {}, price: plainPrice(price), quantity, rates: ratesOf(stripe, rates) },
  }
}

/** The lines of the body. */
export function bodyLines(stripe: Stripe, cart: Kept): Fields[] {
  return listOf(stripe.body.line_items).map((wanted) => toLine(stripe, cart, wanted))
}

/** What the discounts of the body take of lines, and how a cart keeps them. */
export function discountsOf(
  stripe: Stripe,
  lines: Fields[],
  wanted: Json | undefined,
): { offs: Off[]; kept: Fields[] } {
  const found = listOf(wanted).map((one) => {
    const { code, coupon } = couponOf(stripe, one)
    const products = inside(coupon, 'applies_to.products')
    const isOf = ({ price }: Fields) => !Array.isArray(products) || products.includes(fieldsOf(price).product ?? null)
    const base = sumOf(lines.filter(isOf), 'amount_subtotal')
    const amount = isGiven(coupon.percent_off)
      ? percentOf(base, coupon.percent_off)
      : Math.min(numberOf(coupon.amount_off), base)
    return { off: { amount }, kept: { coupon: coupon.id, promotion_code: code?.id ?? null } }
  })
  return { offs: found.map(({ off }) => off), kept: found.slice(-1).map(({ kept }) => kept) }
}

/** A discount as the lines and the totals of a cart show it. */
const toDiscount = (stripe: Stripe, cart: Kept, { promotion_code = null, coupon = null }: Fields): Fields => ({
  ...{ id: stripe.id('di_'), object: 'discount', checkout_session: cart.id, customer: null, end: null, invoice: null },
  ...{ invoice_item: null, promotion_code, source: { type: 'coupon', coupon }, start: stripe.unix },
  ...{ subscription: null, subscription_item: null },
})

/** Adds a cart up: its lines, less discounts, with taxes and shipping. */
export function totalCart(
  stripe: Stripe,
  collection: Cart,
  cart: Kept,
  { lines, offs }: { lines: Fields[]; offs: readonly Off[] },
): Kept {
  const off = offs.reduce((sum, { amount }) => sum + amount, 0)
  const gross = sumOf(lines, 'amount_subtotal')
  const shares = apportioned({ of: off, by: lines.map(({ amount_subtotal }) => numberOf(amount_subtotal)) })
  const given = (amount: number) =>
    off > 0 ? listOf(cart.discounts).map((one) => ({ amount, discount: toDiscount(stripe, cart, one) })) : []
  const data = lines.map(({ rates, ...line }, place): Fields => {
    const amount_discount = shares[place] ?? 0
    const net = numberOf(line.amount_subtotal) - amount_discount
    const own = rates === undefined ? listOf(line.taxes).map((tax) => fieldsOf(tax.rate)) : listOf(rates)
    const taxes = own.map((one) => ({ ...taxOf(net, one), rate: one, taxability_reason: 'not_available' }))
    const exclusive = taxes.filter((tax) => tax.rate.inclusive !== true)
    return {
      ...{ ...line, amount_discount, taxes, discounts: given(amount_discount), amount_tax: sumOf(taxes, 'amount') },
      amount_total: net + sumOf(exclusive, 'amount'),
    }
  })
  const { trial_period_days, trial_end } = fieldsOf(inside(cart, 'data.subscription_data'))
  const isTrial = isGiven(trial_period_days) || isGiven(trial_end)
  const shipping = numberOf(inside(cart, 'shipping_cost.amount_total'))
  const every = data.flatMap(({ taxes }) => listOf(taxes))
  const taxes = [...Map.groupBy(every, (tax) => inside(tax, 'rate.id')).values()].map((same) => ({
    ...same[0],
    ...{ amount: sumOf(same, 'amount'), taxable_amount: sumOf(same, 'taxable_amount') },
  }))
  return stripe.records[collection].update(cart.id, {
    line_items: { ...fieldsOf(cart.line_items), data },
    amount_subtotal: isTrial ? 0 : gross,
    amount_total: isTrial ? 0 : sumOf(data, 'amount_total') + shipping,
    total_details: {
      ...{ amount_discount: off, amount_shipping: shipping, amount_tax: sumOf(data, 'amount_tax') },
      breakdown: { discounts: given(off), taxes },
    },
  })
}

/** Offers the ways of shipping of the body: the first is chosen. */
function offerShipping(stripe: Stripe, session: Kept): Kept {
  const { body, records } = stripe
  const rates = listOf(body.shipping_options).flatMap((option) => shippingRateOf(stripe, option) ?? [])
  return records.checkout_sessions.update(session.id, {
    shipping_options: rates.map((rate) => ({
      ...{ shipping_amount: inside(rate, 'fixed_amount.amount') ?? null, shipping_rate: rate.id },
    })),
    shipping_cost: shippingOf(rates[0]),
  })
}

function checkSession(stripe: Stripe, { mode }: Kept): void {
  const { body, unix } = stripe
  const { ui_mode, success_url, expires_at, payment_intent_data, subscription_data, setup_intent_data } = body
  const missing = (param: string, message = `Missing required param: ${param}.`) =>
    stripe.refuse(message, { reason: 'parameter_missing', param })
  if (mode !== 'setup' && !isGiven(body.line_items))
    missing('line_items', 'You must provide `line_items` unless `mode` is `setup`.')
  if (!isGiven(success_url) && !isOneOf(ui_mode, 'embedded_page', 'elements', 'form')) missing('success_url')
  if (isGiven(success_url) && isOneOf(ui_mode, 'embedded_page', 'elements'))
    stripe.refuse(`You cannot use \`success_url\` with \`ui_mode: ${ui_mode}\`; use \`return_url\`.`, {
      param: 'success_url',
    })
  if (!isGiven(body.mode)) missing('mode')
  const stray = strayParam({
    ...{ mode: body.mode ?? null, line_items: isGiven(body.line_items) ? true : null },
    payment_intent_data: payment_intent_data ?? null,
    subscription_data: subscription_data ?? null,
    setup_intent_data: setup_intent_data ?? null,
  })
  if (stray) stripe.refuse(`You can not pass \`${stray}\` in \`${mode}\` mode.`, { param: textOf(stray) })
  const onlyOne = (names: string) => stripe.refuse(`You may only specify one of these parameters: ${names}.`)
  if (isGiven(body.allow_promotion_codes) && listOf(body.discounts).length > 0)
    onlyOne('allow_promotion_codes, discounts')
  if (isGiven(body.customer) && isGiven(body.customer_email)) onlyOne('customer, customer_email')
  if (isGiven(expires_at) && numberOf(expires_at) < unix + 1_800)
    stripe.refuse('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    })
  if (numberOf(expires_at) > stripe.later(24, 'hour'))
    stripe.refuse('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    })
}

/** What a new session has, before its lines. */
function sessionFields(stripe: Stripe, made: Kept): Fields {
  const { body, records } = stripe
  const { mode } = made
  const buyer = records.customers.get(body.customer)
  const isEmbedded = isOneOf(body.ui_mode, 'embedded_page', 'elements')
  const email = body.customer_email ?? buyer?.email ?? null
  const creation = fieldsOf(body.invoice_creation)
  return {
    url: isEmbedded ? null : `${stripe.pageHost('checkout')}/c/pay/${made.id}`,
    client_secret: isEmbedded ? `${made.id}_secret_${stripe.letters(40)}` : null,
    ui_mode: body.ui_mode ?? 'hosted_page',
    expires_at: body.expires_at ?? stripe.later(24, 'hour'),
    payment_method_types: body.payment_method_types ?? ['card'],
    data: {
      payment_intent_data: wholeOf(body.payment_intent_data),
      subscription_data: wholeOf(body.subscription_data),
      setup_intent_data: wholeOf(body.setup_intent_data),
    },
    customer_details: isGiven(email)
      ? {
          ...{ address: null, business_name: null, email, individual_name: null, name: null, phone: null },
          ...{ tax_exempt: mode === 'setup' ? null : 'none', tax_ids: null },
        }
      : null,
    customer_creation:
      body.customer_creation ?? (isGiven(made.customer) ? null : mode === 'payment' ? 'if_required' : 'always'),
    payment_method_collection: body.payment_method_collection ?? (mode === 'payment' ? 'if_required' : 'always'),
    invoice_creation:
      mode === 'payment'
        ? {
            ...{ enabled: false, ...creation },
            invoice_data: {
              ...{ account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: null },
              ...{ metadata: {}, rendering_options: null, ...fieldsOf(creation.invoice_data) },
            },
          }
        : null,
    custom_fields: customFields(body.custom_fields ?? null),
    redirect_on_completion:
      body.redirect_on_completion ?? (isOneOf(body.ui_mode, 'embedded_page', 'form') ? 'always' : null),
  }
}

function createSession(stripe: Stripe): Kept {
  const { body, records } = stripe
  checkMode(stripe.of, body.mode)
  const made = stripe.next()
  const fields = sessionFields(stripe, made)
  checkRates(stripe)
  checkSession(stripe, made)
  stripe.checkUrls('success_url', 'cancel_url')
  let session = records.checkout_sessions.update(made.id, fields)
  let lines = bodyLines(stripe, session)
  const url = `/v1/checkout/sessions/${made.id}/line_items`
  if (lines.length > 0)
    session = records.checkout_sessions.update(made.id, {
      currency: lines.at(-1)?.currency,
      line_items: { object: 'list', has_more: false, url, data: [] },
    })
  session = records.checkout_sessions.update(made.id, allowedTypes(stripe, session))
  fitCurrency(stripe, session)
  if (inside(session, 'automatic_tax.enabled') === true) {
    const { automatic_tax, rate } = taxByPlace(stripe, session, inside(lines[0], 'price.tax_behavior'))
    session = records.checkout_sessions.update(made.id, { automatic_tax })
    if (rate) lines = lines.map((line) => ({ ...line, rates: [rate] }))
  }
  if (session.mode === 'subscription' && !lines.some((line) => inside(line, 'price.type') === 'recurring'))
    stripe.refuse('You must provide at least one recurring price in `subscription` mode when using prices.', {
      param: 'line_items',
    })
  if (session.mode === 'setup') {
    const sent = { customer: session.customer ?? null, ...fieldsOf(body.setup_intent_data) }
    return records.checkout_sessions.update(made.id, {
      ...{ payment_status: 'no_payment_required', amount_subtotal: null, amount_total: null },
      setup_intent: records.setup_intents.create(sent).id,
    })
  }
  const { offs, kept } = discountsOf(stripe, lines, body.discounts)
  if (kept.length > 0) session = records.checkout_sessions.update(made.id, { discounts: kept })
  session = totalCart(stripe, 'checkout_sessions', offerShipping(stripe, session), { lines, offs })
  const least = leastOf(session.currency)
  const total = numberOf(session.amount_total)
  if (session.mode === 'payment' && total > 0 && total < numberOf(least.amount))
    stripe.refuse(`The Checkout Session's total amount due must add up to at least ${least.text} ${session.currency}`, {
      reason: 'amount_too_small',
    })
  return session
}

const discounted = (session: Kept): Off[] => [{ amount: numberOf(inside(session, 'total_details.amount_discount')) }]

const expireSession = (stripe: Stripe, session: Kept): Kept => {
  const { after_expiration } = session
  const recovery = fieldsOf(inside(after_expiration, 'recovery'))
  const address = { url: `${stripe.origin}/c/pay/${session.id}`, expires_at: stripe.later(30) }
  return stripe.records.checkout_sessions.update(session.id, {
    ...{ status: 'expired', url: null },
    ...(recovery.enabled === true && {
      after_expiration: { ...fieldsOf(after_expiration), recovery: { ...recovery, ...address } },
    }),
  })
}

export const sessions: Operations = {
  'POST /v1/checkout/sessions': createSession,
  'POST /v1/checkout/sessions/{session}': (stripe) => {
    const before = stripe.own('checkout_sessions')
    const session = stripe.next()
    return isGiven(stripe.body.shipping_options)
      ? totalCart(stripe, 'checkout_sessions', offerShipping(stripe, session), {
          ...{ lines: linesOf(session), offs: discounted(before) },
        })
      : session
  },
  'GET /v1/checkout/sessions/{session}/line_items': (stripe) =>
    stripe.pageOf(stripe.own('checkout_sessions').line_items),
  'POST /v1/checkout/sessions/{session}/expire': (stripe) => {
    const session = stripe.own('checkout_sessions')
    if (session.status !== 'open')
      stripe.refuse(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      )
    return expireSession(stripe, session)
  },
  'POST /v1/test_helpers/checkout/sessions/{session}/choose': (stripe) => {
    const { body, records } = stripe
    let session = stripe.own('checkout_sessions')
    if (session.status !== 'open') stripe.refuse(`This Checkout Session is ${session.status}.`)
    const folded = textOf(body.promotion_code).toLowerCase()
    const code = isGiven(body.promotion_code) ? records.promotion_codes.find({ active: true, folded }) : undefined
    if (isGiven(body.promotion_code) && code === undefined)
      stripe.refuse('This code is invalid.', { reason: 'resource_missing', param: 'promotion_code' })
    const lines = linesOf(session)
    let offs = discounted(session)
    if (code) {
      const found = discountsOf(stripe, lines, [{ promotion_code: code.id }])
      offs = found.offs
      session = records.checkout_sessions.update(session.id, { discounts: found.kept })
    }
    const rate = records.shipping_rates.get(body.shipping_rate)
    if (rate) session = records.checkout_sessions.update(session.id, { shipping_cost: shippingOf(rate) })
    return totalCart(stripe, 'checkout_sessions', session, { lines, offs })
  },
}

export const sessionSteps: Steps = { expireSession }
