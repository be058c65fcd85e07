import type { JsonObject } from '../../src/protocol/json.ts'
import { absent, type Context, fieldsOf, find, type Kept, textOf, toPage } from './context.ts'
import { declineOf } from './declines.ts'

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  mastercard: 'MasterCard',
  unionpay: 'UnionPay',
}

/** A card as the API of before payment methods shows it. */
export function toSource({ id, card, customer, metadata, billing_details }: Kept): JsonObject {
  const { brand = 'visa', checks, country, exp_month, exp_year, fingerprint, funding, last4 } = fieldsOf(card)
  const { address, name } = fieldsOf(billing_details)
  const { city, country: land, line1, line2, postal_code, state } = fieldsOf(address)
  const { cvc_check } = fieldsOf(checks)
  return {
    id,
    object: 'card',
    address_city: city ?? null,
    address_country: land ?? null,
    address_line1: line1 ?? null,
    address_line1_check: null,
    address_line2: line2 ?? null,
    address_state: state ?? null,
    address_zip: postal_code ?? null,
    address_zip_check: null,
    brand: BRANDS[textOf(brand)] ?? textOf(brand).replace(/^./, (letter) => letter.toUpperCase()),
    country: country ?? null,
    customer: customer ?? null,
    cvc_check: cvc_check ?? null,
    dynamic_last4: null,
    exp_month: exp_month ?? null,
    exp_year: exp_year ?? null,
    fingerprint: fingerprint ?? null,
    funding: funding ?? null,
    last4: last4 ?? null,
    metadata: metadata ?? {},
    name: name ?? null,
    tokenization_method: null,
    wallet: null,
  }
}

const payerOf = (context: Context): Kept => find(context, 'customers', context.path.customer, 'customer')

const cardsOf = ({ records }: Context, customer: string): Kept[] =>
  records.payment_methods.where((one) => one.customer === customer && one.id.startsWith('card_'))

const cardOf = (context: Context): Kept =>
  cardsOf(context, payerOf(context).id).find(({ id }) => id === context.path.id) ??
  absent(context, 'source', context.path.id)

/** The code of the bank in an IBAN. https://www.swift.com/standards/data-standards/iban-international-bank-account-number */
export const bankCode = (iban: unknown): string =>
  textOf(iban).slice(4, 4 + ({ AT: 5, BE: 3, ES: 4, FR: 5, GB: 4, IE: 4, NL: 4 }[textOf(iban).slice(0, 2)] ?? 8))

/** The card of a token, as payment methods have it. */
export function tokenCard(card: JsonObject, id: string, sent: unknown): JsonObject {
  const { exp_month, exp_year, name, cvc } = fieldsOf(sent)
  const checks = { ...fieldsOf(card.checks), cvc_check: cvc === undefined ? null : 'unchecked' }
  return { ...card, id, checks, exp_month: Number(exp_month), exp_year: Number(exp_year), name: name ?? null }
}

/** Such a card as a token shows it. */
export function sourceOf(card: JsonObject): JsonObject {
  const { customer: _, ...shown } = toSource({
    id: textOf(card.id),
    card,
    billing_details: { name: card.name ?? null },
  })
  return shown
}

/** The card of a token or of a hash. */
export function cardOfToken({ records }: Pick<Context, 'records'>, sent: unknown): JsonObject | undefined {
  const token = typeof sent === 'string' ? records.tokens.get(sent) : undefined
  const test = records.payment_methods.find((one) => {
    const { token: name, number } = fieldsOf(one.metadata)
    return (name !== undefined && name === sent) || (number !== undefined && number === fieldsOf(sent).number)
  })
  const card = fieldsOf(token?.kept ?? test?.card)
  return card.last4 === undefined ? undefined : card
}

/** Attaches the card of a token or of a hash to a customer: it pays for its first card by default. */
export function attach(context: Context, customer: Kept, sent: unknown, metadata: unknown): Kept {
  const { records, refuse, id } = context
  const card = cardOfToken(context, sent)
  const token = records.tokens.get(textOf(sent))
  if (token?.used === true) return refuse(400, { code: 'used_token', ...{ token: token.id } })
  if (card === undefined) return absent(context, 'token', textOf(sent), 'source')
  const decline = declineOf({ of: card, at: 'attached' })
  if (decline !== null) {
    const facts = { ...decline, reason: decline.code }
    return refuse(402, { ...facts, code: 'declined_source' })
  }
  const { name = null } = fieldsOf(sent)
  const own = textOf(card.id) || id('card_')
  const made = records.payment_methods.create({
    id: own,
    type: 'card',
    card,
    customer: customer.id,
    metadata: fieldsOf(metadata),
    billing_details: { address: null, email: null, name: card.name ?? name, phone: null },
  })
  if (token !== undefined) records.tokens.update(token, { used: true })
  if (customer.default_source === null) records.customers.update(customer.id, { default_source: own })
  return made
}

/** Cards of customers before payment methods. */
export const sources = {
  'GET /v1/customers/{customer}/sources': (context: Context) => {
    const { id } = payerOf(context)
    return toPage(context, `/v1/customers/${id}/sources`, cardsOf(context, id).map(toSource))
  },
  'POST /v1/customers/{customer}/sources': (context: Context) =>
    toSource(attach(context, payerOf(context), context.body.source, context.body.metadata)),
  'GET /v1/customers/{customer}/sources/{id}': (context: Context) => toSource(cardOf(context)),
  'POST /v1/customers/{customer}/sources/{id}': (context: Context) => {
    const { name, exp_month, exp_year, metadata, ...sent } = context.body
    const current = cardOf(context)
    const details = fieldsOf(current.billing_details)
    const address = Object.fromEntries(
      Object.entries(sent).flatMap(([field, value]) =>
        field.startsWith('address_') ? [[field.slice(8).replace('zip', 'postal_code'), value]] : [],
      ),
    )
    const card = { ...fieldsOf(current.card), ...(exp_month && { exp_month }), ...(exp_year && { exp_year }) }
    return toSource(
      context.records.payment_methods.update(current.id, {
        card,
        metadata: { ...fieldsOf(current.metadata), ...fieldsOf(metadata) },
        billing_details: {
          ...details,
          name: name ?? details.name ?? null,
          address: { ...fieldsOf(details.address), ...address },
        },
      }),
    )
  },
  'DELETE /v1/customers/{customer}/sources/{id}': (context: Context) => {
    const { records } = context
    const customer = payerOf(context)
    const { id } = cardOf(context)
    records.payment_methods.remove(id)
    const [next] = cardsOf(context, customer.id)
    if (customer.default_source === id) records.customers.update(customer.id, { default_source: next?.id ?? null })
    return { id, object: 'card', deleted: true }
  },
}
