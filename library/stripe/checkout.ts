import type { Page, PagePart, PageRedirect, PageRow, SentForm } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { authenticationParts, cardFields, takeCard } from './cards.ts'
import { type Context, fieldsOf, type Kept, listOf, missing, money, period, problemOf, textOf } from './context.ts'

/** The page of a checkout session: what is bought, and how it is paid. */
export const checkout = (context: Context): object =>
  context.page((sent) => {
    const session = context.records.checkout_sessions.get(context.path.id)
    if (session === undefined) return missing('checkout session')
    if (session.status === 'expired')
      return { title: 'This checkout has expired', parts: [{ status: 'Nothing was charged.' }, backTo(session)] }
    if (session.status === 'complete') return paidPage(session)
    return sent === undefined ? openPage(context, session, earlier(session)) : submit(context, session, sent)
  })

/** What was sent before a bank asked or refused. */
function earlier({ customer_details, collected_information }: Kept): SentForm {
  const { email, name, phone } = fieldsOf(customer_details)
  const { name: receiver, address } = fieldsOf(fieldsOf(collected_information).shipping_details)
  const sent = { email, holder: name, phone, name: receiver, ...fieldsOf(address) }
  return Object.fromEntries(
    Object.entries(sent).flatMap(([field, value]) => (textOf(value) ? [[field, textOf(value)]] : [])),
  )
}

const paidPage = (session: Kept): Page => ({
  title: 'Thank you',
  parts: [{ status: session.mode === 'setup' ? 'Your card is saved.' : 'This checkout is complete.' }],
})

const backTo = ({ cancel_url }: Kept): PagePart | undefined =>
  textOf(cancel_url) === '' ? undefined : { link: 'Back', to: textOf(cancel_url) }

function submit(context: Context, session: Kept, sent: SentForm): Page | PageRedirect {
  const { call, records, origin } = context
  const path = `/v1/test_helpers/checkout/sessions/${session.id}`
  const { promotion_code, shipping_rate, outcome } = sent
  const here = { to: `${origin}/c/pay/${session.id}` }
  if (outcome !== undefined) {
    const intent = intentOf(context, session)
    if (intent?.status !== 'requires_action') return here
    call('POST', `/v1/test_helpers/${intent.object}s/${intent.id}/authenticate`, { outcome })
    const { status } = records.checkout_sessions.get(session.id) ?? session
    return status === 'complete' ? { to: addressAfter(session) } : here
  }
  if (promotion_code !== undefined || shipping_rate !== undefined) {
    const chosen = call('POST', `${path}/choose`, { promotion_code, shipping_rate })
    return chosen.status === 200 ? here : openPage(context, session, sent, problemOf(chosen.body))
  }
  if (asksForTerms(session) && sent.terms === undefined)
    return openPage(context, session, sent, 'Please accept the terms of service.')
  const countries = countriesOf(session)
  if (countries.length > 0 && !countries.includes(sent.country ?? ''))
    return openPage(
      context,
      session,
      sent,
      `Expected Country to be one of ${countries.join(', ')}, got "${sent.country ?? ''}".`,
    )
  const address = { line1: sent.line1, city: sent.city, postal_code: sent.postal_code, country: sent.country }
  const custom_fields = listOf(session.custom_fields).map((field) => ({
    ...field,
    [textOf(field.type)]: { ...fieldsOf(field[textOf(field.type)]), value: sent[`custom_${field.key}`] || null },
  }))
  records.checkout_sessions.update(session.id, {
    ...(custom_fields.length > 0 && { custom_fields }),
    ...(asksForTerms(session) && { consent: { promotions: null, terms_of_service: 'accepted' } }),
  })
  const saved = savedCards(context, session).find(({ id }) => !sent.number && id === sent.saved)
  const card = needsCard(session) ? (saved ?? takeCard(context, sent)) : undefined
  if (card !== undefined && 'problem' in card) return openPage(context, session, sent, textOf(card.problem))
  const done = call('POST', `${path}/complete`, {
    payment_method: card?.id,
    email: emailOf(context, session) ?? sent.email,
    name: sent.holder ?? sent.name,
    phone: sent.phone,
    ...(session.shipping_address_collection !== null && { shipping: { name: sent.name, address } }),
  })
  if (done.status !== 200) return openPage(context, session, sent, problemOf(done.body))
  return done.body.status === 'complete' ? { to: addressAfter(session) } : here
}

const addressAfter = ({ id, success_url }: Kept): string => textOf(success_url).replaceAll('{CHECKOUT_SESSION_ID}', id)

/** The payment or setup intent of a session, once there is one. */
function intentOf({ records }: Context, { invoice, payment_intent, setup_intent }: Kept): Kept | undefined {
  return (
    records.payment_intents.get(textOf(payment_intent)) ??
    records.setup_intents.get(textOf(setup_intent)) ??
    (invoice === null ? undefined : records.payment_intents.find({ 'payment_details.order_reference': invoice }))
  )
}

/** Whether a card is asked for: not where nothing is to be paid, now or later. */
const needsCard = ({ mode, amount_total, payment_method_collection }: Kept): boolean =>
  amount_total !== 0 || (mode === 'subscription' && payment_method_collection !== 'if_required')

/** The cards of its customer that a session offers: by default those that may always be shown again. */
function savedCards({ records }: Context, { customer, saved_payment_method_options }: Kept): Kept[] {
  const { allow_redisplay_filters: shown } = fieldsOf(saved_payment_method_options)
  const isShown = ({ allow_redisplay }: Kept): boolean =>
    Array.isArray(shown) ? shown.includes(textOf(allow_redisplay)) : allow_redisplay === 'always'
  return customer === null ? [] : records.payment_methods.where({ customer }).filter(isShown)
}

const asksForTerms = ({ consent_collection }: Kept): boolean =>
  fieldsOf(consent_collection).terms_of_service === 'required'

const emailOf = ({ records }: Context, { customer, customer_email }: Kept): string | undefined =>
  textOf(customer_email) || textOf(records.customers.get(textOf(customer))?.email) || undefined

function openPage(context: Context, session: Kept, sent: SentForm, problem?: string): Page {
  const intent = intentOf(context, session)
  const { amount_total, currency, mode } = session
  const total = money(amount_total, currency)
  if (intent?.status === 'requires_action')
    return {
      title: 'Authenticate',
      parts: authenticationParts(mode === 'setup' ? 'saves this card' : `pays ${total}`),
    }
  const alert = problem ?? textOf(fieldsOf(intent?.last_payment_error ?? intent?.last_setup_error).message)
  const isTrial = Number(fieldsOf(fieldsOf(session.data).subscription_data).trial_period_days) > 0
  const verb = { book: 'Book', donate: 'Donate' }[textOf(session.submit_type)] ?? 'Pay'
  const button =
    mode === 'setup'
      ? 'Save card'
      : isTrial
        ? 'Start trial'
        : mode === 'subscription'
          ? 'Subscribe'
          : `${verb} ${total}`
  const email = emailOf(context, session)
  return {
    title: mode === 'setup' ? 'Save a card' : mode === 'subscription' ? 'Subscribe' : 'Pay',
    parts: [
      ...(mode === 'setup' ? [] : [{ rows: rowsOf(session), name: 'Items' }]),
      ...choices(context, session, sent),
      alert === '' ? undefined : { alert },
      email && `Email: ${email}`,
      {
        form: [
          ...(email === undefined
            ? [{ field: 'Email', name: 'email', value: sent.email, keys: 'email' } as const]
            : []),
          ...details(session, sent),
          ...(needsCard(session) ? cardFields(sent, savedCards(context, session)) : []),
          ...(asksForTerms(session) ? [{ check: 'I agree to the terms of service', name: 'terms' }] : []),
          { button, main: true },
        ],
      },
      backTo(session),
    ],
  }
}

function rowsOf(session: Kept): PageRow[] {
  const { currency, amount_total, total_details } = session
  const items = listOf(fieldsOf(session.line_items).data).map(({ description, quantity, amount_subtotal, price }) => ({
    label: textOf(description),
    value: money(amount_subtotal, currency),
    detail:
      [Number(quantity) > 1 ? `${quantity} pieces` : '', period(fieldsOf(price)) ?? ''].filter(Boolean).join(', ') ||
      undefined,
  }))
  const { amount_discount, amount_shipping, amount_tax } = fieldsOf(total_details)
  const others = [
    { label: 'Discount', amount: -Number(amount_discount) },
    { label: 'Shipping', amount: Number(amount_shipping) },
    { label: 'Tax', amount: Number(amount_tax) },
  ].filter(({ amount }) => amount !== 0)
  return [
    ...items,
    ...others.map(({ label, amount }) => ({ label, value: money(amount, currency) })),
    { label: 'Total due today', value: money(amount_total, currency), main: true },
  ]
}

/** Forms of their own: what they change is in the total. */
function choices({ records }: Context, session: Kept, sent: SentForm): PagePart[] {
  const chosen = fieldsOf(session.shipping_cost).shipping_rate
  const list = listOf(session.shipping_options).map(({ shipping_rate, shipping_amount }) => {
    const name = textOf(records.shipping_rates.get(textOf(shipping_rate))?.display_name) || 'Shipping'
    const amount = money(shipping_amount, session.currency)
    return {
      button: `${name} ${amount}`,
      name: 'shipping_rate',
      value: textOf(shipping_rate),
      ...(shipping_rate === chosen && { detail: 'Chosen' }),
    }
  })
  const code = { field: 'Promotion code', name: 'promotion_code', value: sent.promotion_code }
  return [
    ...(list.length > 1 ? [{ form: [{ list, name: 'Shipping options' }] }] : []),
    ...(session.allow_promotion_codes === true && session.discounts === null
      ? [{ form: [code, { button: 'Apply' }] }]
      : []),
  ]
}

/** Fields that the session asks for besides the card. */
function details(session: Kept, sent: SentForm): PagePart[] {
  const asksAddress = session.shipping_address_collection !== null
  const phone = fieldsOf(session.phone_number_collection).enabled === true
  const fields = listOf(session.custom_fields).map(({ key, label, optional, dropdown }) => ({
    field: textOf(fieldsOf(label).custom),
    name: `custom_${key}`,
    value: sent[`custom_${key}`],
    optional: optional === true,
    ...(optional === true && { example: 'Optional' }),
    ...(dropdown !== undefined && {
      options: [...(optional === true ? [{ label: 'None', value: '' }] : []), ...choicesOf(dropdown)],
    }),
  }))
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const address = [
    { field: 'Name', name: 'name', value: sent.name },
    { field: 'Address', name: 'line1', value: sent.line1 },
    { field: 'City', name: 'city', value: sent.city, half: true },
    { field: 'Postal code', name: 'postal_code', value: sent.postal_code, half: true },
    {
      field: 'Country',
      name: 'country',
      value: sent.country,
      options: countriesOf(session).map((value) => ({ label: names.of(value) ?? value, value })),
    },
  ]
  return [
    ...(phone ? [{ field: 'Phone number', name: 'phone', value: sent.phone, keys: 'tel' } as const] : []),
    ...(asksAddress ? [{ heading: 'Ship to' }, ...address] : []),
    ...fields,
  ]
}

const choicesOf = (dropdown: unknown): { label: string; value: string }[] =>
  listOf(fieldsOf(dropdown).options).map(({ label, value }) => ({ label: textOf(label), value: textOf(value) }))

const countriesOf = ({ shipping_address_collection }: Kept): string[] => {
  const { allowed_countries } = fieldsOf(shipping_address_collection)
  return Array.isArray(allowed_countries) ? allowed_countries.map(textOf) : []
}

/** A parameter that another mode has. */
export function strayParam({ mode, ...sent }: JsonObject): string | null {
  const of: Record<string, string> = {
    payment_intent_data: 'payment',
    setup_intent_data: 'setup',
    subscription_data: 'subscription',
  }
  const isStray = (name: string) => (name === 'line_items' ? mode === 'setup' : of[name] !== mode)
  return Object.keys(sent).find((name) => sent[name] !== undefined && sent[name] !== null && isStray(name)) ?? null
}

/** The fields of the seller's own, empty. */
export const customFields = (sent: unknown): JsonObject[] =>
  listOf(sent).map((field) => {
    const type = textOf(field.type)
    const limits = type === 'dropdown' ? {} : { maximum_length: null, minimum_length: null }
    return {
      optional: false,
      ...field,
      [type]: { default_value: null, ...limits, value: null, ...fieldsOf(field[type]) },
    }
  })
