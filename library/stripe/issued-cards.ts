import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, find, type Kept, listOf, refused, secondsOf, textOf } from './context.ts'

const NO_CONTROLS = {
  allowed_card_presences: [],
  allowed_categories: null,
  allowed_merchant_countries: [],
  blocked_card_presences: [],
  blocked_categories: null,
  blocked_merchant_countries: [],
  spending_limits: [],
  spending_limits_currency: null,
}

export const cardOf = (context: Context, id: unknown = context.path.card): Kept =>
  find(context, 'issuing_cards', id, 'card')

function withControls(sent: unknown, currency: unknown): JsonObject {
  const limits = listOf(fieldsOf(sent).spending_limits)
  return {
    ...NO_CONTROLS,
    ...fieldsOf(sent),
    ...(limits.length > 0 && { spending_limits_currency: textOf(currency) || 'usd' }),
    spending_limits: limits.map((limit) => ({ categories: [], ...limit })),
  }
}

/** Where the shipping of a physical card leads, and from which statuses, by the verb of the test helper. */
const SHIPPING_STEPS: Readonly<Record<string, readonly [status: string, ...from: string[]]>> = {
  submit: ['submitted', 'pending'],
  ship: ['shipped', 'pending', 'submitted'],
  deliver: ['delivered', 'shipped'],
  return: ['returned', 'shipped'],
  fail: ['failure', 'shipped'],
}

const shipped = Object.fromEntries(
  Object.entries(SHIPPING_STEPS).map(([verb, [status, ...from]]) => [
    `POST /v1/test_helpers/issuing/cards/{card}/shipping/${verb}`,
    (context: Context) => {
      const card = cardOf(context)
      const shipping = fieldsOf(card.shipping)
      if (!from.includes(textOf(shipping.status)))
        return refused(
          context,
          null,
          `Shipping status of card ${card.id} cannot become ${status}: it is ${shipping.status ?? 'not shipped'}.`,
        )
      const tracking = status === 'shipped' ? { carrier: 'usps', tracking_number: context.id('').toUpperCase() } : {}
      return context.records.issuing_cards.update(card.id, { shipping: { ...shipping, ...tracking, status } })
    },
  ]),
)

const SHIPPING = {
  address_validation: null,
  carrier: null,
  customs: null,
  phone_number: null,
  require_signature: false,
  service: 'standard',
  tracking_number: null,
  tracking_url: null,
  type: 'individual',
}

function createCard(context: Context): object {
  const { body, records, create, now, random } = context
  const holder = find(context, 'cardholders', body.cardholder, 'cardholder')
  if (body.type === 'physical' && body.shipping === undefined)
    return refused(context, 'shipping', 'You must provide a shipping address for physical cards.', 'parameter_missing')
  const replaced = body.replacement_for === undefined ? undefined : cardOf(context, body.replacement_for)
  const last4 = String(Math.floor(random() * 10_000)).padStart(4, '0')
  const { spending_controls, shipping, ...fields } = body
  const made = create({
    ...fields,
    cardholder: holder,
    cvc: '123',
    exp_month: body.exp_month ?? 12,
    exp_year: body.exp_year ?? now.getUTCFullYear() + 4,
    last4,
    number: `400000999000${last4}`,
    shipping:
      body.type === 'physical'
        ? { ...SHIPPING, ...fieldsOf(shipping), eta: secondsOf(context) + 864_000, status: 'pending' }
        : null,
    spending_controls: withControls(spending_controls, body.currency),
  })
  if (replaced !== undefined) records.issuing_cards.update(replaced.id, { replaced_by: textOf(made.id) })
  return made
}

function updateCard(context: Context): object {
  const { body, next } = context
  const { id, status, currency } = cardOf(context)
  if (status === 'canceled') return refused(context, 'status', 'You cannot update a canceled card.')
  next()
  const controls =
    body.spending_controls === undefined ? {} : { spending_controls: withControls(body.spending_controls, currency) }
  return context.records.issuing_cards.update(id, {
    cancellation_reason: body.cancellation_reason ?? null,
    ...controls,
  })
}

function createCardholder(context: Context): object {
  const { individual, company, billing, spending_controls } = context.body
  const address = { line2: null, state: null, ...fieldsOf(fieldsOf(billing).address) }
  return context.create({
    ...context.body,
    billing: { ...fieldsOf(billing), address },
    company: company === undefined ? null : { tax_id_provided: fieldsOf(company).tax_id !== undefined },
    individual:
      individual === undefined
        ? null
        : {
            card_issuing: null,
            dob: null,
            first_name: null,
            last_name: null,
            verification: { document: null },
            ...fieldsOf(individual),
          },
    spending_controls: withControls(spending_controls, 'usd'),
  })
}

/** A cardholder is part of its cards. */
function updateCardholder(context: Context): object {
  const { body, records, next, path } = context
  const { id } = find(context, 'cardholders', path.cardholder, 'cardholder')
  next()
  const controls =
    body.spending_controls === undefined ? {} : { spending_controls: withControls(body.spending_controls, 'usd') }
  const company =
    body.company === undefined ? {} : { company: { tax_id_provided: fieldsOf(body.company).tax_id !== undefined } }
  const cardholder = records.cardholders.update(id, { ...controls, ...company })
  for (const card of records.issuing_cards.where((one) => fieldsOf(one.cardholder).id === id))
    records.issuing_cards.update(card.id, { cardholder })
  return cardholder
}

/** Cards that are issued, and who has them. */
export const issuedCards = {
  ...shipped,
  'POST /v1/issuing/cardholders': createCardholder,
  'POST /v1/issuing/cardholders/{cardholder}': updateCardholder,
  'POST /v1/issuing/cards': createCard,
  'POST /v1/issuing/cards/{card}': updateCard,
}
