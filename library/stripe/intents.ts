import { copyMethod, createMethod, isTestMethod, USED_UP } from './payment-methods.ts'
import { fitMethods, unfitMethod } from './prices.ts'
import { type Fields, fieldsOf, inside, isGiven, type Json, type Kept, type Stripe, textIn, textOf } from './stripe.ts'

/** Methods of payment that the simulation does not do. */
const UNSIMULATED =
  'blik boleto cashapp crypto customer_balance konbini kr_card multibanco oxxo pay_by_bank payco paynow pix promptpay swish upi wechat_pay zip'.split(
    ' ',
  )

/** Methods that lead to a page of their own. */
const BY_REDIRECT =
  'affirm afterpay_clearpay alipay alma amazon_pay bancontact billie eps fpx giropay grabpay ideal klarna mobilepay p24 paypal revolut_pay satispay sofort twint'.split(
    ' ',
  )

/** Last digits of cards whose bank always asks the owner: https://docs.stripe.com/testing#regulatory-cards */
const ASKING = ['3184', '3220', '3063', '1629', '3178']

/** Methods that never redirect. */
const WITHOUT_REDIRECT = 'card card_present us_bank_account sepa_debit acss_debit au_becs_debit bacs_debit'.split(' ')

const WAITING = ['requires_payment_method', 'requires_confirmation', 'requires_action']

const collectionOf = (intent: Kept): 'payment_intents' | 'setup_intents' =>
  intent.object === 'setup_intent' ? 'setup_intents' : 'payment_intents'

const nameOf = (intent: Kept): string => (intent.object === 'setup_intent' ? 'SetupIntent' : 'PaymentIntent')

/** Sets fields of an intent of either kind. */
export const setIntent = (stripe: Stripe, intent: Kept, fields: Readonly<Record<string, Json | undefined>>): Kept =>
  stripe.records[collectionOf(intent)].update(intent.id, fields)

export const methodOf = (stripe: Stripe, intent: Kept): Kept | undefined =>
  stripe.records.payment_methods.get(intent.payment_method)

/** The intent that pays an invoice. */
export const intentOf = ({ records }: Stripe, invoice: Json | undefined): Kept | undefined =>
  isGiven(invoice) ? records.payment_intents.find({ 'payment_details.order_reference': invoice }) : undefined

/** Refuses a confirmation of an intent that may redirect without an address to return to. */
export function checkReturn(stripe: Stripe, intent: Kept): void {
  const { body, path } = stripe
  const { allowed_payment_method_types: allowed } = intent
  const types = Array.isArray(allowed) ? allowed : ['any']
  if (types.every((type) => WITHOUT_REDIRECT.includes(textOf(type)))) return
  if (isGiven(body.return_url) || isGiven(body.confirmation_token)) return
  const sent = fieldsOf(body.automatic_payment_methods)
  const own = fieldsOf(intent.automatic_payment_methods)
  const isNew =
    body.confirm === true &&
    body.payment_method_types === undefined &&
    !isGiven(body.off_session) &&
    sent.enabled !== false &&
    sent.allow_redirects !== 'never'
  const isConfirmed =
    isGiven(path.intent) &&
    WAITING.includes(textOf(intent.status)) &&
    own.enabled === true &&
    own.allow_redirects !== 'never'
  if (isNew || isConfirmed)
    stripe.refuse(
      `This ${nameOf(intent)} is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a \`return_url\`. If you don't want to accept redirect-based payment methods, set \`automatic_payment_methods[enabled]\` to \`true\` and \`automatic_payment_methods[allow_redirects]\` to \`never\` when creating Setup Intents and Payment Intents.`,
    )
}

export const automaticMethods = ({ body }: Stripe): Fields | null =>
  isGiven(body.payment_method_types)
    ? null
    : { allow_redirects: 'always', enabled: true, ...fieldsOf(body.automatic_payment_methods) }

/** Refuses types of payment methods that do not take the currency. */
export function fitCurrency(stripe: Stripe, { payment_method_types, currency }: Kept): void {
  const unfit = unfitMethod({ types: payment_method_types ?? null, currency: currency ?? null })
  if (unfit)
    stripe.refuse(
      `The currency provided (${currency}) is invalid. Payments with ${unfit.type} support the following currencies: ${unfit.currencies}.`,
      { param: 'payment_method_types' },
    )
}

/** The types of methods that a request allows, of those that take the currency. */
export function allowedTypes(stripe: Stripe, { currency }: Kept): Fields {
  const { allowed_payment_method_types: allowed } = stripe.body
  if (!Array.isArray(allowed) || allowed.length === 0) return {}
  const fitting = fitMethods({ types: allowed, currency: currency ?? null })
  if (fitting.length === 0)
    stripe.refuse(`No valid payment method types: none of those that are allowed takes ${currency}.`, {
      param: 'allowed_payment_method_types',
    })
  return { payment_method_types: fitting }
}

/** Takes the method of the request: one that it names, of its data, or of a confirmation token. */
export function useMethod(stripe: Stripe, given: Kept): Kept {
  const { body, records } = stripe
  const { confirmation_token, payment_method_data } = body
  const token = isGiven(confirmation_token) ? records.confirmation_tokens.get(confirmation_token) : undefined
  if (isGiven(confirmation_token) && token === undefined)
    stripe.absent('confirmation_token', confirmation_token, 'confirmation_token')
  if (isGiven(token?.payment_intent) || isGiven(token?.setup_intent))
    stripe.refuse(`The ConfirmationToken ${token?.id} has already been used. Create a new one.`, {
      ...{ reason: 'confirmation_token_already_used', param: 'confirmation_token' },
    })
  let intent = setIntent(stripe, given, allowedTypes(stripe, given))
  const sent = fieldsOf(token?.method ?? payment_method_data)
  const isNew = isGiven(sent.type) && !isGiven(sent.id) && (token !== undefined || !isGiven(intent.payment_method))
  const made = isNew ? createMethod(stripe, sent) : undefined
  if (made) intent = setIntent(stripe, intent, { payment_method: made.id })
  if (token) {
    records.confirmation_tokens.update(token.id, { [textOf(intent.object)]: intent.id })
    intent = setIntent(stripe, intent, {
      payment_method: made?.id ?? inside(token.method, 'id') ?? null,
      ...(intent.object === 'payment_intent' && {
        setup_future_usage: token.setup_future_usage ?? intent.setup_future_usage ?? null,
        shipping: token.shipping ?? intent.shipping ?? null,
      }),
    })
  }
  return copyTestMethod(stripe, intent)
}

/** Refuses a method that is not the payer's. Of one of Stripe's test methods a copy is used. */
function copyTestMethod(stripe: Stripe, intent: Kept): Kept {
  const method = methodOf(stripe, intent)
  if (method === undefined) return intent
  if (WAITING.includes(textOf(intent.status))) {
    if (isGiven(method.customer) && isGiven(intent.customer) && method.customer !== intent.customer)
      stripe.refuse(
        `The PaymentMethod ${method.id} does not belong to the Customer you supplied ${intent.customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
        { param: 'payment_method' },
      )
    if (isGiven(method.customer) && !isGiven(intent.customer))
      stripe.refuse(
        `The \`payment_method\` parameter supplied ${method.id} belongs to the Customer ${method.customer}. Please include the Customer in the \`customer\` parameter on the ${nameOf(intent)}.`,
        { param: 'payment_method' },
      )
    if (method.was_detached === true || (method.was_used === true && !isGiven(method.customer)))
      stripe.refuse(`The provided ${USED_UP}`)
  }
  return isTestMethod(method) ? setIntent(stripe, intent, { payment_method: copyMethod(stripe, method).id }) : intent
}

/** Refuses, or asks for, what a method needs before it can be used. Undefined where it needs nothing. */
export function askFirst(stripe: Stripe, intent: Kept, method: Kept | undefined): Kept | undefined {
  const type = textOf(method?.type)
  const isPayment = intent.object === 'payment_intent'
  if (UNSIMULATED.includes(type))
    stripe.refuse(
      `Payments by ${type} are not simulated. Use card, us_bank_account, sepa_debit or a method that redirects, such as ideal or klarna.`,
      { param: 'payment_method' },
    )
  if (BY_REDIRECT.includes(type) && !(isPayment && stripe.body.off_session === true))
    return askForAuthentication(stripe, intent)
  return method?.is_unverified === true ? askForDeposits(stripe, intent) : undefined
}

/** Whether the bank of a card asks its owner. @param isPresent whether the owner can answer: only then 3155 is asked for */
export const asksBank = (method: Kept | undefined, isPresent: boolean): boolean =>
  ASKING.includes(textIn(method, 'card.last4')) || (isPresent && textIn(method, 'card.last4') === '3155')

export function askForAuthentication(stripe: Stripe, intent: Kept): Kept {
  const { body, records } = stripe
  const token = isGiven(body.confirmation_token) ? records.confirmation_tokens.get(body.confirmation_token) : undefined
  const return_url = body.return_url ?? token?.return_url
  const url = `${stripe.origin}/redirect/authenticate/${intent.id}`
  return setIntent(stripe, intent, {
    status: 'requires_action',
    next_action: isGiven(return_url)
      ? { type: 'redirect_to_url', redirect_to_url: { return_url, url } }
      : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } },
  })
}

function askForDeposits(stripe: Stripe, intent: Kept): Kept {
  const verify_with_microdeposits = {
    arrival_date: stripe.later(2),
    hosted_verification_url: `${stripe.origin}/microdeposit/${intent.id}`,
    microdeposit_type: 'descriptor_code',
  }
  return setIntent(stripe, intent, {
    status: 'requires_action',
    next_action: { type: 'verify_with_microdeposits', verify_with_microdeposits },
  })
}

/** Verifies a bank account by its microdeposits: https://docs.stripe.com/payments/ach-direct-debit/accept-a-payment#test-accounts */
export function checkDeposits(stripe: Stripe, intent: Kept): void {
  const { amounts, descriptor_code } = stripe.body
  const mismatch = 'payment_method_microdeposit_verification'
  if (inside(intent, 'next_action.type') !== 'verify_with_microdeposits')
    stripe.refuse(`This intent waits for no microdeposits: it has a status of ${intent.status}.`)
  if (isGiven(amounts) && `${amounts}` !== '32,45')
    stripe.refuse('The amounts provided do not match the amounts that were sent to the bank account.', {
      reason: `${mismatch}_amounts_mismatch`,
    })
  if (isGiven(descriptor_code) && descriptor_code !== 'SM11AA')
    stripe.refuse('The verification code provided does not match the one sent to the bank account.', {
      reason: `${mismatch}_descriptor_code_mismatch`,
    })
  stripe.change('payment_methods', intent.payment_method, { is_unverified: false })
}
