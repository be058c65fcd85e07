import { endSubscription } from './billing.ts'
import { currencyOf } from './countries.ts'
import { copyMethod, isTestMethod } from './payment-methods.ts'
import { attach } from './sources.ts'
import {
  fieldsOf,
  inside,
  isGiven,
  type Kept,
  listOf,
  merged,
  numberOf,
  type Operations,
  type Steps,
  type Stripe,
  textOf,
} from './stripe.ts'
import { createTaxId } from './tax.ts'

/** A customer has one currency, that of the first thing that it buys. */
export function keepCurrency(stripe: Stripe, { customer: id, currency }: Kept): void {
  const customer = stripe.records.customers.get(id)
  if (customer === undefined) return
  if (!isGiven(customer.currency)) stripe.records.customers.update(customer.id, { currency })
  else if (isGiven(currency) && customer.currency !== currency)
    stripe.refuse(
      `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${customer.currency}.`,
    )
}

/** Refuses a default payment method of another customer. */
export function checkDefaultMethod(stripe: Stripe, payer: string): void {
  const { body, records } = stripe
  const isOwn = isGiven(body.default_payment_method)
  const used = records.payment_methods.get(
    body.default_payment_method ?? inside(body, 'invoice_settings.default_payment_method'),
  )
  if (used === undefined || used.customer === payer || isTestMethod(used)) return
  stripe.refuse(
    `The customer does not have a payment method with the ID ${used.id}. The payment method must be attached to the customer.`,
    {
      reason: 'resource_missing',
      param: isOwn ? 'default_payment_method' : 'invoice_settings[default_payment_method]',
    },
  )
}

function checkEmail(stripe: Stripe): void {
  const { email } = stripe.body
  if (isGiven(email) && !/^[^@]+@[^@]+/.test(textOf(email)))
    stripe.refuse(`Invalid email address: ${email}`, { reason: 'email_invalid', param: 'email' })
}

/** Attaches the card of a token, which pays from now on. */
function takeSource(stripe: Stripe, customer: Kept): void {
  const { source } = stripe.body
  if (!isGiven(source) || stripe.records.payment_methods.get(source) !== undefined) return
  const card = attach(stripe.of, customer, source, {})
  stripe.records.customers.update(customer.id, { default_source: card.id })
}

const METHOD = 'invoice_settings.default_payment_method'

export const customers: Operations = {
  'POST /v1/customers': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    checkEmail(stripe)
    records.customers.update(made.id, {
      delinquent: false,
      tax_exempt: body.tax_exempt ?? 'none',
      preferred_locales: body.preferred_locales ?? [],
      invoice_settings: {
        ...{ custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
        ...fieldsOf(body.invoice_settings),
      },
    })
    takeSource(stripe, made)
    const method = records.payment_methods.get(body.payment_method)
    const used =
      method && isTestMethod(method)
        ? copyMethod(stripe, method, { customer: made.id })
        : method && records.payment_methods.update(method.id, { customer: made.id })
    const customer = stripe.fresh('customers', made)
    if (used && inside(customer, METHOD) === body.payment_method)
      records.customers.update(made.id, {
        invoice_settings: { ...fieldsOf(customer.invoice_settings), default_payment_method: used.id },
      })
    for (const sent of listOf(body.tax_id_data))
      createTaxId(stripe.of, made.id, { type: 'customer', customer: made.id, customer_account: null }, sent)
    return stripe.fresh('customers', made)
  },
  'POST /v1/customers/{customer}': (stripe) => {
    const { body, records } = stripe
    const before = stripe.own('customers')
    const customer = stripe.next()
    checkEmail(stripe)
    checkDefaultMethod(stripe, customer.id)
    records.customers.update(customer.id, {
      invoice_settings: merged(before.invoice_settings, body.invoice_settings),
      ...(body.shipping === '' && { shipping: null }),
    })
    takeSource(stripe, customer)
    return stripe.fresh('customers', customer)
  },
  'DELETE /v1/customers/{customer}': (stripe) => {
    const { id } = stripe.own('customers')
    stripe.next()
    for (const subscription of stripe.oldest('subscriptions', { customer: id }))
      if (subscription.status !== 'canceled' && subscription.status !== 'incomplete_expired')
        endSubscription(stripe, subscription)
  },
  'POST /v1/customers/{customer}/balance_transactions': (stripe) => {
    const { records } = stripe
    const owner = stripe.own('customers', stripe.path.customer)
    const made = stripe.next()
    const { currency = made.currency } = currencyOf(stripe)
    // a customer shows the balance in its own currency
    const isOther = isGiven(owner.currency) && owner.currency !== currency
    const last = records.customer_balance_transactions.find(
      (one) => one.id !== made.id && one.customer === owner.id && one.currency === currency,
    )
    const ending_balance = numberOf(isOther ? last?.ending_balance : owner.balance) + numberOf(made.amount)
    if (!isOther) records.customers.update(owner.id, { balance: ending_balance, currency })
    return records.customer_balance_transactions.update(made.id, { customer: owner.id, ending_balance, currency })
  },
}

/** Test values of tax ids, by their last nine digits. https://docs.stripe.com/billing/customer/tax-ids#testing */
const VERIFIED: Readonly<Record<string, string>> = { '000000000': 'verified', '111111111': 'unverified' }

export const customerSteps: Steps = {
  verifyTaxId: ({ records }, { id, value, verification }) => {
    const status = VERIFIED[textOf(value).slice(-9)]
    records.tax_ids.update(id, {
      verifies_at: null,
      ...(status && { verification: { ...fieldsOf(verification), status } }),
    })
  },
}
