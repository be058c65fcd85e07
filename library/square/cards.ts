import { checkNotUsed, DECLINES, errorOf, NONCES } from './payments.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  type Kept,
  type Operations,
  only,
  type SquareRequest,
  textOf,
} from './square.ts'

const CARD = { cardholder_name: '', billing_address: {}, customer_id: '', reference_id: '' }

const cardOf = (square: SquareRequest): Kept => square.find('cards', 'Card with ID `{id}` not found.')

export const disable = ({ records, time }: SquareRequest, card: Kept): Kept =>
  records.cards.update(card, { enabled: false, disabled_at: time, version: Number(card.version) + 1 })

/** The card that a source of a new one stands for: a token, or a card payment. */
function faceOf(square: SquareRequest, source: string): Fields {
  const { card } = fieldsOf(square.records.payments.get(source)?.card_details)
  if (NONCES[source] !== undefined) return NONCES[source]
  return card == null ? square.gone('Card nonce not found', 'source_id') : only(fieldsOf(card), 'card_brand last_4 bin')
}

function create(square: SquareRequest): object {
  const { records, body } = square
  const { customer_id, exp_month = null, exp_year = null } = fieldsOf(body.card)
  const sent = square.sent(CARD, 'card')
  const source = textOf(body.source_id)
  const declined = DECLINES[source]
  if (!customer_id) square.unset('card.customer_id')
  if (records.customers.get(textOf(customer_id)) === undefined)
    square.gone(`Customer with ID \`${textOf(customer_id)}\` not found.`, 'card.customer_id')
  checkNotUsed(square, source)
  if (declined !== undefined && NONCES[source] === undefined)
    return square.of.respond({ status: 400, body: { errors: [errorOf(declined)] } })
  const card = records.cards.create({
    ...{ ...sent, ...faceOf(square, source), exp_month: exp_month ?? 11, exp_year: exp_year ?? 2030 },
    ...{ fingerprint: `sq-1-${square.letters(53)}`, created_at: square.time },
  })
  return { card: filled(card) }
}

export const cards: Operations = {
  'GET /v2/cards': (square) => {
    const { customer_id, reference_id, include_disabled, sort_order } = square.query
    const found = square.oldest(
      'cards',
      (card) =>
        isAmong(card.customer_id, customer_id) &&
        isAmong(card.reference_id, reference_id) &&
        (card.enabled === true || String(include_disabled) === 'true'),
    )
    return square.page('cards', sort_order === 'DESC' ? found.toReversed() : found, filled, { most: 25 })
  },
  'POST /v2/cards': create,
  'GET /v2/cards/{card_id}': (square) => ({ card: filled(cardOf(square)) }),
  'POST /v2/cards/{card_id}/disable': (square) => {
    const card = cardOf(square)
    return { card: filled(card.enabled === true ? disable(square, card) : card) }
  },
}
