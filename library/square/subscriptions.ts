import { chargeFile } from './invoices.ts'
import { priced } from './orders.ts'
import { recipientOf } from './settling.ts'
import {
  amountOf,
  DAY_S,
  type Due,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  isoOf,
  type Json,
  type Kept,
  listOf,
  movedBy,
  type Operations,
  Square,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

/** How long a period of each cadence is. */
const CADENCES: Readonly<Record<string, string>> = {
  ...{ DAILY: 'P1D', WEEKLY: 'P1W', EVERY_TWO_WEEKS: 'P2W', THIRTY_DAYS: 'P30D', SIXTY_DAYS: 'P60D' },
  ...{ NINETY_DAYS: 'P90D', MONTHLY: 'P1M', EVERY_TWO_MONTHS: 'P2M', QUARTERLY: 'P3M', EVERY_FOUR_MONTHS: 'P4M' },
  ...{ EVERY_SIX_MONTHS: 'P6M', ANNUAL: 'P1Y', EVERY_TWO_YEARS: 'P2Y' },
}
const METHODS = {
  bank_account: false,
  buy_now_pay_later: false,
  card: true,
  cash_app_pay: false,
  square_gift_card: false,
}
const SUBSCRIPTION = {
  ...{ location_id: '', plan_variation_id: '', customer_id: '', card_id: '', tax_percentage: '', timezone: '' },
  ...{ price_override_money: {}, canceled_date: '', source: {}, monthly_billing_anchor_date: 1 },
}
const CHANGE = { card_id: '', tax_percentage: '', price_override_money: {}, canceled_date: '' }

export const toSubscription = (one: Fields): Fields =>
  filled({
    ...without(one, 'bill_at resume_at pause_at actions periods happened'),
    source: one.source ?? { name: 'Sandbox for backlot' },
  })

/** The subscription that the path names. */
const subscriptionOf = (square: SquareRequest): Kept =>
  square.records.subscriptions.get(square.path.subscription_id) ??
  square.gone(`Subscription with ID ${square.path.subscription_id} not found.`)

/** Sets fields of a subscription, whose version grows. */
const change = ({ records }: Square, one: Kept, fields: Fields): Kept =>
  records.subscriptions.update(one, { ...fields, version: Number(one.version) + 1 })

/** The phase of a plan in which a period is, the first being 0. */
function phaseAt(of: Json | undefined, period: number): Fields {
  const phases = listOf(of).toSorted((a, b) => Number(a.ordinal ?? 0) - Number(b.ordinal ?? 0))
  let end = 0
  for (const phase of phases) {
    end += Number(phase.periods ?? Number.POSITIVE_INFINITY)
    if (period < end) return phase
  }
  return phases.at(-1) ?? {}
}

/** The plan of a subscription, the phase that is next, and the time after some of its periods. */
function phaseOf({ records }: Square, one: Kept) {
  const plan = fieldsOf(records.catalog_objects.get(textOf(one.plan_variation_id))?.subscription_plan_variation_data)
  const phase = phaseAt(plan.phases, Number(one.periods))
  const cadence = CADENCES[textOf(phase.cadence)] ?? ''
  return { plan, phase, after: (time: string) => movedBy(new Date(time), cadence) }
}

/** Begins the next period of a subscription: sends its invoice, and charges its card. */
function billPeriod(square: Square, one: Kept): Kept {
  const { plan, phase, after } = phaseOf(square, one)
  const { price_money, price } = fieldsOf(phase.pricing)
  const due = one.price_override_money ?? price_money ?? price ?? phase.recurring_price_money
  const next = after(textOf(one.bill_at))
  const begun = change(square, one, {
    ...{ status: 'ACTIVE', periods: Number(one.periods) + 1 },
    ...(next && {
      charged_through_date: new Date(next.getTime() - DAY_S * 1_000).toISOString().slice(0, 10),
      bill_at: next.toISOString(),
    }),
  })
  return amountOf(due) > 0 ? bill(square, begun, plan.name ?? 'Subscription', fieldsOf(due)) : begun
}

/** Sends the invoice of a period. */
function bill(square: Square, one: Kept, name: Json, due: Fields): Kept {
  const { records, times } = square
  const { location_id = null, customer_id = null } = one
  const line = { uid: 'line', name, quantity: '1', item_type: 'ITEM', base_price_money: due }
  const prices = priced(square, { location_id, line_items: [line] })
  const order = records.orders.create({ ...prices, location_id, customer_id, ...times })
  const card = records.cards.get(textOf(one.card_id))
  const invoice = records.invoices.create({
    ...{ location_id, order_id: order.id, subscription_id: one.id, status: 'UNPAID', version: 1, ...times },
    ...{ delivery_method: 'EMAIL', invoice_number: square.digits(6), accepted_payment_methods: METHODS },
    ...{ public_url: `https://squareup.example/pay-invoice/${one.id}`, next_payment_amount_money: due },
    primary_recipient: recipientOf(records.customers.get(textOf(customer_id))),
    payment_requests: [
      {
        ...{ uid: square.uuid(), request_type: 'BALANCE', due_date: square.day, tipping_enabled: false },
        automatic_payment_source: card === undefined ? 'NONE' : 'CARD_ON_FILE',
        computed_amount_money: due,
        total_completed_amount_money: { amount: 0, currency: due.currency ?? null },
      },
    ],
  })
  const billed = records.subscriptions.update(one, { invoice_ids: [...idsOf(one.invoice_ids), invoice.id] })
  if (card?.enabled === true) chargeFile(square, order, card, due)
  return billed
}

function create(square: SquareRequest): Kept {
  const { records, day } = square
  const sent = square.sent(SUBSCRIPTION)
  const { location_id, plan_variation_id, customer_id, card_id } = sent
  const { start_date } = square.sent({ start_date: '' })
  const start = textOf(start_date || day)
  const plan = records.catalog_objects.get(textOf(plan_variation_id))
  const customer = records.customers.get(textOf(customer_id))
  const card = records.cards.get(textOf(card_id))
  if (records.locations.get(textOf(location_id)) === undefined)
    square.gone(`Location with ID \`${location_id}\` not found.`, 'location_id')
  if (plan?.type !== 'SUBSCRIPTION_PLAN_VARIATION')
    square.gone(`Subscription plan variation with ID ${textOf(plan_variation_id)} not found.`, 'plan_variation_id')
  if (customer === undefined)
    square.refuse('CUSTOMER_NOT_FOUND', `Customer with ID \`${customer_id}\` not found.`, 'customer_id', 404)
  if (!customer.email_address && !card_id) {
    const detail = 'The customer has no email address to send invoices to, and no card is given.'
    square.refuse('CUSTOMER_MISSING_EMAIL', detail, 'customer_id')
  }
  if (card_id && card === undefined) square.gone(`Card with ID \`${card_id}\` not found.`, 'card_id')
  if (card?.enabled === false) square.refuse('INVALID_CARD', `Card ${card.id} is disabled.`, 'card_id')
  const bill_at =
    isoOf(start) ?? square.refuse('INVALID_DATE', 'start_date must be a date such as 2026-11-30.', 'start_date')
  const isDue = start <= day
  const made = records.subscriptions.create({
    ...{ ...filled(sent), timezone: sent.timezone ?? 'UTC', start_date: start, created_at: square.time, bill_at },
    status: isDue ? 'ACTIVE' : 'PENDING',
  })
  return isDue ? records.subscriptions.update(billPeriod(square, made), { version: 1 }) : made
}

/** Adds actions to a subscription, for the answer. */
function plan(square: SquareRequest, one: Kept, actions: Fields[], fields: Fields = {}): Fields {
  const all = [...listOf(one.actions), ...actions]
  return { subscription: toSubscription(change(square, one, { ...fields, actions: all })), actions }
}

function checkStatus(square: SquareRequest, { id, status }: Kept, allowed: readonly string[]): void {
  if (!allowed.includes(textOf(status))) square.refuse('BAD_REQUEST', `Subscription ${id} is ${status}.`)
}

/** The day on which a subscription is billed next. */
const nextDayOf = (square: Square, { bill_at }: Kept): string => textOf(bill_at ?? square.time).slice(0, 10)

/** The day that a field of the body names. */
function dayIn(square: SquareRequest, field: string): string | undefined {
  const { [field]: day } = square.sent({ [field]: '' })
  if (!day) return undefined
  return isoOf(day) === undefined
    ? square.refuse('INVALID_DATE', `${field} must be a date such as 2026-11-30.`, field)
    : textOf(day)
}

const withActions = (one: Kept, isWhole: boolean): Fields => ({
  ...toSubscription(one),
  ...(isWhole && { actions: one.actions ?? [] }),
})

export const subscriptions: Operations = {
  'POST /v2/subscriptions': (square) => ({ subscription: toSubscription(create(square)) }),
  'POST /v2/subscriptions/search': (square) => {
    const { customer_ids, location_ids } = fieldsOf(fieldsOf(square.body.query).filter)
    const found = square.oldest(
      'subscriptions',
      (one) => isAmong(one.customer_id, customer_ids) && isAmong(one.location_id, location_ids),
    )
    const isWhole = idsOf(square.body.include).includes('actions')
    return square.page('subscriptions', found, (one) => withActions(one, isWhole), { most: 200 })
  },
  'GET /v2/subscriptions/{subscription_id}': (square) => ({
    subscription: withActions(subscriptionOf(square), square.query.include === 'actions'),
  }),
  'GET /v2/subscriptions/{subscription_id}/events': (square) => {
    const { id, plan_variation_id = null, start_date = null, canceled_date, happened } = subscriptionOf(square)
    const event = (of: string, subscription_event_type: string, effective_date: Json): Fields => ({
      ...{ id: `${id}-${of}`, subscription_event_type, effective_date, plan_variation_id },
    })
    return {
      subscription_events: [
        ...[event('start', 'START_SUBSCRIPTION', start_date), ...listOf(happened)],
        ...(canceled_date ? [event('stop', 'STOP_SUBSCRIPTION', canceled_date)] : []),
      ],
    }
  },
  'PUT /v2/subscriptions/{subscription_id}': (square) => {
    const one = subscriptionOf(square)
    const { version } = fieldsOf(square.body.subscription)
    square.checkVersion(version, one, 'subscription', 'subscription.version')
    return { subscription: toSubscription(change(square, one, square.sent(CHANGE, 'subscription'))) }
  },
  'POST /v2/subscriptions/{subscription_id}/cancel': (square) => {
    const one = subscriptionOf(square)
    checkStatus(square, one, ['ACTIVE', 'PENDING', 'PAUSED'])
    if (one.canceled_date) square.refuse('BAD_REQUEST', `Subscription ${one.id} is to be canceled already.`)
    const effective_date = one.charged_through_date ?? one.start_date ?? null
    const action = { id: square.uuid(), type: 'CANCEL', effective_date }
    return plan(square, one, [action], { canceled_date: effective_date })
  },
  'POST /v2/subscriptions/{subscription_id}/pause': (square) => {
    const one = subscriptionOf(square)
    checkStatus(square, one, ['ACTIVE'])
    const [asked = '', next] = [dayIn(square, 'pause_effective_date'), nextDayOf(square, one)]
    const pause = asked.localeCompare(next) > 0 ? asked : next
    const { pause_cycle_duration: cycles = null } = square.body
    let resume = dayIn(square, 'resume_effective_date')
    if (cycles !== null && (resume !== undefined || !(Number(cycles) >= 1 && Number(cycles) <= 100)))
      square.refuse('INVALID_VALUE', 'Expected 1 to 100 cycles, without a date of the end.', 'pause_cycle_duration')
    const { after } = phaseOf(square, one)
    for (let cycle = 0; cycle < Number(cycles); cycle++)
      resume = after(resume ?? pause)
        ?.toISOString()
        .slice(0, 10)
    const actions = [
      { id: square.uuid(), type: 'PAUSE', effective_date: pause },
      ...(resume === undefined ? [] : [{ id: square.uuid(), type: 'RESUME', effective_date: resume }]),
    ]
    const resume_at = isoOf(resume)
    return plan(square, one, actions, { pause_at: isoOf(pause) ?? null, ...(resume_at && { resume_at }) })
  },
  'POST /v2/subscriptions/{subscription_id}/resume': (square) => {
    const one = subscriptionOf(square)
    if (one.status !== 'PAUSED' && !one.pause_at)
      square.refuse('BAD_REQUEST', `Subscription ${one.id} is ${one.status}, and not to be paused.`)
    const day = dayIn(square, 'resume_effective_date')
    const action = { id: square.uuid(), type: 'RESUME', effective_date: day ?? square.day }
    return plan(square, one, [action], { resume_at: isoOf(day ?? square.time) ?? null })
  },
  'POST /v2/subscriptions/{subscription_id}/swap-plan': (square) => {
    const one = subscriptionOf(square)
    const { new_plan_variation_id = null } = square.body
    checkStatus(square, one, ['ACTIVE'])
    if (square.records.catalog_objects.get(textOf(new_plan_variation_id)) === undefined) {
      const detail = `Subscription plan variation with ID ${textOf(new_plan_variation_id)} not found.`
      square.gone(detail, 'new_plan_variation_id')
    }
    const effective_date = nextDayOf(square, one)
    return plan(square, one, [{ id: square.uuid(), type: 'SWAP_PLAN', effective_date, new_plan_variation_id }])
  },
  'POST /v2/subscriptions/bulk-swap-plan': (square) => {
    const { old_plan_variation_id: plan_variation_id = null, location_id = null, ...body } = square.body
    const found = square.oldest('subscriptions', { plan_variation_id, location_id, status: 'ACTIVE' })
    const { new_plan_variation_id } = body
    for (const { id } of found)
      square.ask(
        'POST',
        '/v2/subscriptions',
        id,
        { new_plan_variation_id: new_plan_variation_id ?? null },
        '/swap-plan',
      )
    return { affected_subscriptions: found.length }
  },
  'DELETE /v2/subscriptions/{subscription_id}/actions/{action_id}': (square) => {
    const { subscription_id, action_id } = square.path
    const gone = () => square.gone(`Subscription action with ID ${action_id} not found.`)
    const one = square.records.subscriptions.get(subscription_id) ?? gone()
    const action = listOf(one.actions).find(({ id }) => id === action_id) ?? gone()
    const actions = listOf(one.actions).filter(({ id }) => id !== action_id)
    const undone: Readonly<Record<string, string>> = { CANCEL: 'canceled_date', PAUSE: 'pause_at', RESUME: 'resume_at' }
    const field = undone[textOf(action.type)]
    const changed = change(square, one, { actions, ...(field !== undefined && { [field]: null }) })
    return { subscription: toSubscription(changed), actions }
  },
}

/** Carries out an action of a subscription, which is an event of it. */
function act(square: Square, one: Kept, type: string, event: string, fields: Fields): Kept {
  const actions = listOf(one.actions).filter((action) => action.type !== type)
  const plan_variation_id = fields.plan_variation_id ?? one.plan_variation_id ?? null
  const facts = { id: square.uuid(), subscription_event_type: event, effective_date: square.day, plan_variation_id }
  return change(square, one, { ...fields, actions, happened: [...listOf(one.happened), facts] })
}

/** What the plan does with subscriptions. */
export const subscriptionSteps = {
  pauseNow: (due: Due) => {
    const fields = { status: 'PAUSED', bill_at: null, pause_at: null }
    act(new Square(due), due.record, 'PAUSE', 'PAUSE_SUBSCRIPTION', fields)
  },
  resumeNow: (due: Due) => {
    const fields = { status: 'ACTIVE', resume_at: null, bill_at: due.now.toISOString() }
    act(new Square(due), due.record, 'RESUME', 'RESUME_SUBSCRIPTION', fields)
  },
  renew: (due: Due) => {
    const square = new Square(due)
    const { record } = due
    const { canceled_date, status, actions } = record
    if (canceled_date && textOf(canceled_date) <= square.day) {
      change(square, record, { status: 'CANCELED', bill_at: null, actions: [] })
      return
    }
    if (!['ACTIVE', 'PENDING'].includes(textOf(status))) return
    const swap = listOf(actions).find(({ type }) => type === 'SWAP_PLAN')
    const plan_variation_id = swap?.new_plan_variation_id ?? null
    const swapped =
      swap === undefined ? record : act(square, record, 'SWAP_PLAN', 'PLAN_CHANGE', { plan_variation_id, periods: 0 })
    billPeriod(square, swapped)
  },
}
