import { priced } from './orders.ts'
import { plainOf, plainOperations, shown } from './plain.ts'
import {
  amountOf,
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  type Json,
  type Kept,
  listOf,
  type Operations,
  type Square,
  type SquareRequest,
  textOf,
} from './square.ts'

const PROGRAM = 'LOYALTYBACKLOT'
const SIZES = { usual: 100, most: 200 }
const OPEN = ['OPEN', 'DRAFT']

/** The program that the path names; `main` is the seller's. */
function programOf(square: SquareRequest): Kept {
  const { program_id } = square.path
  return square.find('loyalty_programs', 'Loyalty program not found.', program_id === 'main' ? PROGRAM : program_id)
}

const accountOf = (square: SquareRequest): Kept =>
  square.find('loyalty_accounts', 'Loyalty account with ID `{id}` not found.')

const rewardOf = (square: SquareRequest): Kept =>
  square.find('loyalty_rewards', 'Loyalty reward with ID `{id}` not found.')

/** A point for each dollar. */
const pointsFor = (money: Json | undefined): number => Math.max(0, Math.floor(amountOf(money) / 100))

/** Notes what has happened to an account. @param facts what its type says of it */
function note({ records, time }: Square, account: Kept, type: string, facts: Fields, fields: Fields = {}): Kept {
  const details = { loyalty_program_id: account.program_id ?? null, ...facts }
  const common = { type, loyalty_account_id: account.id, created_at: time }
  return records.loyalty_events.create({ ...common, [type.toLowerCase()]: filled(details), ...fields })
}

/** Changes the points of an account. @param earned what is added to all that it has had */
function addPoints({ records, time }: Square, account: Kept, points: number, earned = 0): void {
  records.loyalty_accounts.update(account, {
    ...{ balance: Number(account.balance) + points, lifetime_points: Number(account.lifetime_points) + earned },
    updated_at: time,
  })
}

function createAccount(square: SquareRequest): Fields {
  const { records, times, time } = square
  const { program_id, customer_id, mapping } = square.sent(
    { program_id: '', customer_id: '', mapping: {} },
    'loyalty_account',
  )
  const { phone_number = null } = square.fitting({ phone_number: '' }, fieldsOf(mapping), 'loyalty_account.mapping')
  if (!phone_number && !customer_id) square.unset('loyalty_account.mapping')
  if (records.loyalty_programs.get(textOf(program_id)) === undefined)
    square.gone('Loyalty program not found.', 'loyalty_account.program_id')
  if (phone_number && records.loyalty_accounts.some((one) => fieldsOf(one.mapping).phone_number === phone_number))
    square.refuse('BAD_REQUEST', 'A loyalty account with this phone number exists already.', 'loyalty_account.mapping')
  const owner = () =>
    records.customers.find({ phone_number }) ??
    records.customers.create({ phone_number, creation_source: 'LOYALTY', version: 0, ...times })
  const made = records.loyalty_accounts.create({
    ...{ program_id, customer_id: customer_id ?? owner().id, enrolled_at: time, ...times },
    mapping: filled({ id: square.letters(32).toLowerCase(), created_at: time, phone_number }),
  })
  return { loyalty_account: filled(made) }
}

/** Prices an open order anew, with other discounts and rewards. */
function discount(square: Square, order: Kept, discounts: Fields[], rewards: Fields[]): void {
  const {
    fulfillments: _,
    fulfillment_update: _f,
    ...prices
  } = priced(square, { ...order, discounts }, order.fulfillments)
  square.change('orders', order, { ...prices, rewards })
}

function createReward(square: SquareRequest): Fields {
  const { records, times } = square
  const form = { loyalty_account_id: '', reward_tier_id: '', order_id: '' }
  const { loyalty_account_id, reward_tier_id, order_id = null } = square.sent(form, 'reward')
  const account =
    records.loyalty_accounts.get(textOf(loyalty_account_id)) ??
    square.gone('Loyalty account not found.', 'reward.loyalty_account_id')
  const tier =
    listOf(records.loyalty_programs.get(PROGRAM)?.reward_tiers).find(({ id }) => id === reward_tier_id) ??
    square.gone('Reward tier not found.', 'reward.reward_tier_id')
  const order = order_id ? records.orders.get(textOf(order_id)) : undefined
  if (order_id && !OPEN.includes(textOf(order?.state))) square.gone('Open order not found.', 'reward.order_id')
  const points = Number(tier.points)
  if (Number(account.balance) < points)
    square.refuse('BAD_REQUEST', 'The buyer does not have enough points.', 'reward.reward_tier_id')
  const reward = records.loyalty_rewards.create({
    ...{ loyalty_account_id, reward_tier_id, order_id, points, ...times },
  })
  note(square, account, 'CREATE_REWARD', { reward_id: reward.id, points: -points })
  addPoints(square, account, -points)
  if (order) {
    const { percentage_discount: percentage = null, fixed_discount_money: amount_money = null } = fieldsOf(
      tier.definition,
    )
    const cut = { uid: square.letters(), name: tier.name ?? null, percentage, amount_money, scope: 'ORDER' }
    const discounts = [...listOf(order.discounts), { ...cut, reward_ids: [reward.id] }]
    discount(square, order, discounts, [...listOf(order.rewards), { id: reward.id, reward_tier_id: tier.id ?? null }])
  }
  return { reward: filled(reward) }
}

/** Redeems a reward. Returns the event. */
export function redeem(square: Square, reward: Kept, location_id: Json): Kept | undefined {
  const { records, time } = square
  const { id: reward_id, loyalty_account_id = null, order_id = null } = reward
  const account = records.loyalty_accounts.get(textOf(loyalty_account_id))
  records.loyalty_rewards.update(reward, { status: 'REDEEMED', redeemed_at: time, updated_at: time })
  return account && note(square, account, 'REDEEM_REWARD', { reward_id, order_id }, { location_id })
}

/** Refuses a reward that was redeemed. */
function checkIssued(square: SquareRequest, { status }: Kept): void {
  if (status !== 'ISSUED') square.refuse('BAD_REQUEST', 'The reward was redeemed.')
}

function deleteReward(square: SquareRequest): Fields {
  const { records } = square
  const reward = rewardOf(square)
  const { id: reward_id, loyalty_account_id = null, order_id = null, points = 0 } = reward
  const account = records.loyalty_accounts.get(textOf(loyalty_account_id))
  const order = records.orders.get(textOf(order_id))
  checkIssued(square, reward)
  if (account) {
    note(square, account, 'DELETE_REWARD', { reward_id, points })
    addPoints(square, account, Number(points))
  }
  records.loyalty_rewards.remove(reward)
  if (order && OPEN.includes(textOf(order.state))) {
    const isOf = ({ reward_ids }: Fields): boolean => [reward_ids ?? []].flat().includes(reward_id)
    const discounts = listOf(order.discounts).filter((one) => !isOf(one))
    discount(
      square,
      order,
      discounts,
      listOf(order.rewards).filter(({ id }) => id !== reward_id),
    )
  }
  return {}
}

const active = { status: 'ACTIVE', loyalty_program_id: PROGRAM }
const promotions = plainOperations('loyalty_promotion', ['name', 'incentive', 'available_time'], active)

export const loyalty: Operations = {
  'GET /v2/loyalty/programs': (square) => ({ programs: square.oldest('loyalty_programs') }),
  'GET /v2/loyalty/programs/{program_id}': (square) => ({ program: programOf(square) }),
  'POST /v2/loyalty/programs/{program_id}/calculate': (square) => {
    const { order_id, transaction_amount_money } = square.body
    const order = square.records.orders.get(textOf(order_id))
    programOf(square)
    return { points: pointsFor(order?.total_money ?? transaction_amount_money), promotion_points: 0 }
  },
  'POST /v2/loyalty/accounts': createAccount,
  'GET /v2/loyalty/accounts/{account_id}': (square) => ({ loyalty_account: filled(accountOf(square)) }),
  'POST /v2/loyalty/accounts/search': (square) => {
    const { mappings, customer_ids } = fieldsOf(square.body.query)
    const phones = listOf(mappings).map(({ phone_number }) => phone_number ?? null)
    const found = square.oldest(
      'loyalty_accounts',
      (one) =>
        (phones.length === 0 || isAmong(fieldsOf(one.mapping).phone_number, phones)) &&
        isAmong(one.customer_id, customer_ids),
    )
    return square.page('loyalty_accounts', found, filled, SIZES)
  },
  'POST /v2/loyalty/accounts/{account_id}/accumulate': (square) => {
    const account = accountOf(square)
    const asked = square.fitting(
      { order_id: '', points: 1 },
      fieldsOf(square.body.accumulate_points),
      'accumulate_points',
    )
    const { order_id = null } = asked
    const order = square.records.orders.get(textOf(order_id))
    if (order === undefined && asked.points == null) square.gone('Order not found.', 'accumulate_points.order_id')
    const points = Number(asked.points ?? pointsFor(order?.total_money))
    const { location_id = null } = square.sent({ location_id: '' })
    const event = filled(note(square, account, 'ACCUMULATE_POINTS', { points, order_id }, { location_id }))
    addPoints(square, account, points, points)
    return { event, events: [event] }
  },
  'POST /v2/loyalty/accounts/{account_id}/adjust': (square) => {
    const account = accountOf(square)
    const { points, reason = null } = square.fitting(
      { points: 1, reason: '' },
      fieldsOf(square.body.adjust_points),
      'adjust_points',
    )
    if (points == null) square.unset('adjust_points.points')
    const by = Number(points)
    if (Number(account.balance) + by < 0 && square.body.allow_negative_balance !== true)
      square.refuse('BAD_REQUEST', 'The balance would be negative.', 'adjust_points.points')
    const event = note(square, account, 'ADJUST_POINTS', { points: by, reason })
    addPoints(square, account, by, Math.max(0, by))
    return { event: filled(event) }
  },
  'POST /v2/loyalty/rewards': createReward,
  'GET /v2/loyalty/rewards/{reward_id}': (square) => ({ reward: filled(rewardOf(square)) }),
  'DELETE /v2/loyalty/rewards/{reward_id}': deleteReward,
  'POST /v2/loyalty/rewards/{reward_id}/redeem': (square) => {
    const reward = rewardOf(square)
    checkIssued(square, reward)
    const { location_id = null } = square.sent({ location_id: '' })
    return { event: filled(redeem(square, reward, location_id) ?? {}) }
  },
  'POST /v2/loyalty/rewards/search': (square) => {
    const { loyalty_account_id, status } = fieldsOf(square.body.query)
    const found = square.records.loyalty_rewards.where(
      (one) => isAmong(one.loyalty_account_id, loyalty_account_id) && isAmong(one.status, status),
    )
    return square.page('rewards', found, filled, SIZES)
  },
  'POST /v2/loyalty/events/search': (square) => {
    const { loyalty_account_filter, type_filter } = fieldsOf(fieldsOf(square.body.query).filter)
    const found = square.records.loyalty_events.where(
      (one) =>
        isAmong(one.loyalty_account_id, fieldsOf(loyalty_account_filter).loyalty_account_id) &&
        isAmong(one.type, fieldsOf(type_filter).types),
    )
    return square.page('events', found, filled, SIZES)
  },
  'POST /v2/loyalty/programs/{program_id}/promotions': promotions.create,
  'GET /v2/loyalty/programs/{program_id}/promotions': promotions.list,
  'GET /v2/loyalty/programs/{program_id}/promotions/{promotion_id}': promotions.get,
  'POST /v2/loyalty/programs/{program_id}/promotions/{promotion_id}/cancel': (square) => {
    const { id } = plainOf(square, 'loyalty_promotion')
    const canceled = square.records.plain.update(id, { status: 'CANCELED', canceled_at: square.time })
    return { loyalty_promotion: shown(canceled) }
  },
}
