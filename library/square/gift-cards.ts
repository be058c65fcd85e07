import {
  amountOf,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  isWithin,
  type Kept,
  listOf,
  type Operations,
  type Square,
  type SquareRequest,
  textOf,
} from './square.ts'

/** What an activity does: the state that it needs, the one that it leads to, and the sign of its amount. */
interface Activity {
  readonly from: string
  readonly to?: string
  readonly sign?: number
  /** Whether it must say an amount. */
  readonly needsAmount?: boolean
  readonly clears?: boolean
}

const ACTIVITIES: Readonly<Record<string, Activity>> = {
  ACTIVATE: { from: 'PENDING', to: 'ACTIVE', sign: 1 },
  LOAD: { from: 'ACTIVE', sign: 1, needsAmount: true },
  ADJUST_INCREMENT: { from: 'ACTIVE', sign: 1, needsAmount: true },
  REDEEM: { from: 'ACTIVE', sign: -1, needsAmount: true },
  ADJUST_DECREMENT: { from: 'ACTIVE', sign: -1, needsAmount: true },
  CLEAR_BALANCE: { from: 'ACTIVE', clears: true },
  DEACTIVATE: { from: 'ACTIVE', to: 'DEACTIVATED', clears: true },
  BLOCK: { from: 'ACTIVE', to: 'BLOCKED' },
  UNBLOCK: { from: 'BLOCKED', to: 'ACTIVE' },
}
const detailsName = (type: string): string => `${type.toLowerCase()}_activity_details`
const ACTIVITY = {
  ...{ type: '', location_id: '' },
  ...Object.fromEntries(Object.keys(ACTIVITIES).map((type) => [detailsName(type), {}])),
}
const MISSING = 'Gift card not found.'

/** Sets the balance of a gift card. */
const balance = ({ records }: Square, gift: Kept, amount: number, fields: Fields = {}): Kept =>
  records.gift_cards.update(gift, { ...fields, balance_money: { ...fieldsOf(gift.balance_money), amount } })

/** Changes the balance of a gift card by an amount. */
export const adjust = (square: Square, gift: Kept, by: number): Kept =>
  balance(square, gift, amountOf(gift.balance_money) + by)

/** Notes what has changed a gift card. */
export function noteActivity({ records, time }: Square, gift: Kept, activity: Fields): Kept {
  const { id: gift_card_id, gan: gift_card_gan = null, balance_money: gift_card_balance_money = null } = gift
  const facts = { gift_card_id, gift_card_gan, gift_card_balance_money, created_at: time }
  return records.gift_card_activities.create({ ...activity, ...facts })
}

function act(square: SquareRequest): Fields {
  const { records, body } = square
  const asked = fieldsOf(body.gift_card_activity)
  const type = textOf(asked.type)
  const gift =
    records.gift_cards.get(textOf(asked.gift_card_id)) ??
    records.gift_cards.find({ gan: textOf(asked.gift_card_gan) }) ??
    square.gone(MISSING)
  const {
    from,
    to,
    sign = 0,
    needsAmount,
    clears,
  } = ACTIVITIES[type] ??
  square.refuse('INVALID_ENUM_VALUE', `${type} is no type of activity that is simulated.`, 'gift_card_activity.type')
  const sent = square.sent(ACTIVITY, 'gift_card_activity')
  const { amount_money, order_id, line_item_uid } = fieldsOf(sent[detailsName(type)])
  if (gift.state !== from)
    square.refuse('BAD_REQUEST', `A gift card that is ${gift.state} takes no ${type}.`, 'gift_card_activity.type')
  if (needsAmount && fieldsOf(amount_money).amount == null) square.unset('gift_card_activity.amount_money')
  const left = amountOf(gift.balance_money)
  if (sign < 0 && amountOf(amount_money) > left)
    square.refuse('GIFT_CARD_AVAILABLE_AMOUNT', `The gift card has ${left} left.`, 'gift_card_activity')
  const lines = listOf(records.orders.get(textOf(order_id))?.line_items)
  const line = lines.find(({ uid }) => line_item_uid != null && uid === line_item_uid)
  const by = sign * amountOf(amount_money ?? line?.total_money)
  const changed = balance(square, gift, clears ? 0 : left + by, { state: to ?? from })
  return { gift_card_activity: filled(noteActivity(square, changed, sent)) }
}

/** Sets whose card it is. @param done what has been done with the customer */
function own(
  square: SquareRequest,
  done: 'linked' | 'unlinked',
  idsAfter: (ids: string[], id: string) => string[],
): Fields {
  const { records, path, body } = square
  const gift = square.find('gift_cards', MISSING, path.gift_card_id)
  const { id } = square.find('customers', 'Customer with ID `{id}` not found.', body.customer_id ?? '')
  const gift_card = filled(records.gift_cards.update(gift, { customer_ids: idsAfter(idsOf(gift.customer_ids), id) }))
  const object = { gift_card, [`${done}_customer_id`]: id }
  square.announce(`gift_card.customer_${done}`, { type: 'gift_card', id: gift.id, object })
  return { gift_card }
}

/** A gift card that some value names. */
const shown = (square: SquareRequest, gift: Kept | undefined): Fields => ({
  gift_card: filled(gift ?? square.gone(MISSING)),
})

export const giftCards: Operations = {
  'GET /v2/gift-cards': (square) => {
    const { type, state, customer_id } = square.query
    const found = square.oldest(
      'gift_cards',
      (gift) =>
        isAmong(gift.type, type) &&
        isAmong(gift.state, state) &&
        (customer_id == null || idsOf(gift.customer_ids).includes(textOf(customer_id))),
    )
    return square.page('gift_cards', found, filled, { usual: 30, most: 200 })
  },
  'POST /v2/gift-cards': (square) => {
    const { type, gan } = square.sent({ type: '', gan: '' }, 'gift_card')
    if (gan && square.records.gift_cards.some({ gan }))
      square.refuse('BAD_REQUEST', 'A gift card with this number exists.', 'gift_card.gan')
    const made = square.records.gift_cards.create({
      ...{ type, gan: gan || `7783${square.digits(12)}`, gan_source: gan ? 'OTHER' : 'SQUARE' },
      ...{ balance_money: { amount: 0, currency: 'USD' }, created_at: square.time },
    })
    return shown(square, made)
  },
  'POST /v2/gift-cards/from-gan': (square) =>
    shown(square, square.records.gift_cards.find({ gan: square.body.gan ?? '' })),
  'POST /v2/gift-cards/from-nonce': (square) => {
    const isKnown = square.body.nonce === 'cnon:gift-card-nonce-ok'
    return shown(square, isKnown ? square.oldest('gift_cards', { state: 'ACTIVE' })[0] : undefined)
  },
  'GET /v2/gift-cards/activities': (square) => {
    const { gift_card_id, type, location_id, begin_time, end_time, sort_order } = square.query
    const found = square.oldest(
      'gift_card_activities',
      (one) =>
        isAmong(one.gift_card_id, gift_card_id) &&
        isAmong(one.type, type) &&
        isAmong(one.location_id, location_id) &&
        isWithin(one.created_at, begin_time, end_time),
    )
    const inOrder: Kept[] = sort_order === 'ASC' ? found : found.toReversed()
    return square.page('gift_card_activities', inOrder, filled, { usual: 50, most: 100 })
  },
  'POST /v2/gift-cards/activities': act,
  'GET /v2/gift-cards/{id}': (square) => shown(square, square.find('gift_cards', MISSING)),
  'POST /v2/gift-cards/{gift_card_id}/link-customer': (square) =>
    own(square, 'linked', (ids, id) => [...new Set([...ids, id])]),
  'POST /v2/gift-cards/{gift_card_id}/unlink-customer': (square) =>
    own(square, 'unlinked', (ids, id) => ids.filter((one) => one !== id)),
}
