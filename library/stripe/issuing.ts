import type { DueContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, find, type Kept, listOf, only, refused, secondsOf, textOf } from './context.ts'
import { cardOf } from './issued-cards.ts'

/** Categories of merchants with the codes of card networks: those that tests name most. */
const CATEGORIES =
  `advertising_services 7311 airlines_air_carriers 4511 automated_cash_disburse 6011 automated_fuel_dispensers 5542
  bakeries 5462 barber_and_beauty_shops 7230 betting_casino_gambling 7995 book_stores 5942 bus_lines 4131
  cable_satellite_and_other_pay_television_and_radio 4899 car_rental_agencies 7512 colleges_universities 8220
  computer_network_services 4816 computer_programming 7372 computer_software_stores 5734 courier_services 4215
  department_stores 5311 digital_goods_applications 5817 digital_goods_games 5816 digital_goods_large_volume 5818
  digital_goods_media 5815 drinking_places 5813 drug_stores_and_pharmacies 5912 eating_places_restaurants 5812
  electronics_stores 5732 fast_food_restaurants 5814 grocery_stores_supermarkets 5411 hardware_stores 5251 hospitals 8062
  hotels_motels_and_resorts 7011 miscellaneous_general_merchandise 5399 motion_picture_theaters 7832
  package_stores_beer_wine_and_liquor 5921 parking_lots_garages 7523 passenger_railways 4112 service_stations 5541
  shoe_stores 5661 sporting_goods_stores 5941 taxicabs_limousines 4121 telecommunication_services 4814
  transportation_services 4789 travel_agencies_tour_operators 4722 utilities 4900 wires_money_orders 4829`.split(/\s+/)

const MERCHANT = {
  category: 'taxicabs_limousines',
  city: 'San Francisco',
  country: 'US',
  name: 'Rocket Rides',
  network_id: '1234567890',
  postal_code: '94107',
  state: 'CA',
  tax_id: null,
  terminal_id: null,
  url: null,
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function merchantOf(context: Context): JsonObject {
  const merchant = { ...MERCHANT, ...fieldsOf(context.body.merchant_data) }
  const code = CATEGORIES[CATEGORIES.indexOf(merchant.category) + 1]
  if (CATEGORIES.includes(merchant.category) && code !== undefined) return { ...merchant, category_code: code }
  const known = CATEGORIES.filter((_, at) => at % 2 === 0).join(', ')
  return refused(
    context,
    'merchant_data[category]',
    `Invalid merchant_data[category]: the simulation knows the codes of ${known}.`,
  )
}

const authorizationOf = (context: Context): Kept =>
  find(context, 'authorizations', context.path.authorization, 'authorization')

const PERIODS_S: Readonly<Record<string, number>> = {
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_678_400,
  yearly: 31_622_400,
}

/** Whether controls let a card pay an amount to a merchant. `earlier`: what it has paid before. */
function allows(
  controls: JsonObject,
  asked: { amount: number; merchant: JsonObject; presence: string; now: number },
  earlier: Kept[],
): boolean {
  const { amount, merchant, presence, now } = asked
  const isIn = (name: string, value: unknown) => textsOf(controls[name]).includes(textOf(value))
  const isOut = (name: string, value: unknown) => textsOf(controls[name]).length > 0 && !isIn(name, value)
  if (isIn('blocked_categories', merchant.category) || isOut('allowed_categories', merchant.category)) return false
  if (isIn('blocked_merchant_countries', merchant.country) || isOut('allowed_merchant_countries', merchant.country))
    return false
  if (isIn('blocked_card_presences', presence) || isOut('allowed_card_presences', presence)) return false
  return listOf(controls.spending_limits).every((limit) => {
    const of = textsOf(limit.categories)
    if (of.length > 0 && !of.includes(textOf(merchant.category))) return true
    const interval = textOf(limit.interval)
    const counted = earlier.filter(
      ({ created, merchant_data }) =>
        interval !== 'per_authorization' &&
        (interval === 'all_time' || Number(created) > now - (PERIODS_S[interval] ?? 0)) &&
        (of.length === 0 || of.includes(textOf(fieldsOf(merchant_data).category))),
    )
    return amount + counted.reduce((sum, one) => sum + Number(one.amount), 0) <= Number(limit.amount)
  })
}

/** Why a card is refused; undefined where it is not. */
function refusalOf(
  context: Context,
  card: Kept,
  amount: number,
  merchant: JsonObject,
  presence: string,
): string | undefined {
  const { authorizations, cardholders } = context.records
  const holder = cardholders.get(textOf(fieldsOf(card.cardholder).id))
  if (card.status !== 'active') return `card_${card.status}`
  if (holder?.status !== 'active') return `cardholder_${holder?.status}`
  const asked = { amount, merchant, presence, now: secondsOf(context) }
  const paid = authorizations.where(({ approved }) => approved === true)
  const ofCard = paid.filter((one) => fieldsOf(one.card).id === card.id)
  const ofHolder = paid.filter((one) => one.cardholder === holder.id)
  const isAllowed =
    allows(fieldsOf(card.spending_controls), asked, ofCard) &&
    allows(fieldsOf(holder.spending_controls), asked, ofHolder)
  return isAllowed ? undefined : 'spending_controls'
}

const NONE = { atm_fee: null, cashback_amount: null }

function entryOf(
  context: Context,
  { amount, currency, merchant_amount, merchant_currency }: JsonObject,
  approved: boolean,
  reason: string,
): JsonObject {
  const money = {
    amount: amount ?? 0,
    currency: currency ?? null,
    merchant_amount: merchant_amount ?? 0,
    merchant_currency: merchant_currency ?? null,
  }
  const at = secondsOf(context)
  return {
    ...money,
    amount_details: NONE,
    approved,
    authorization_code: approved ? '123456' : null,
    created: at,
    network_risk_score: null,
    reason,
    reason_message: null,
    requested_at: at,
  }
}

/** The money that an authorization holds or lets go. */
function book(context: Context, type: string, source: string, amount: number, currency: unknown): JsonObject {
  return context.records.balance_transactions.create({
    amount,
    available_on: secondsOf(context),
    balance_type: 'issuing',
    currency: textOf(currency),
    fee: 0,
    net: amount,
    reporting_category: type,
    source,
    status: 'available',
    type,
  })
}

function authorize(context: Context): object {
  const { body, records } = context
  const card = cardOf(context, body.card)
  const merchant_data = merchantOf(context)
  const amount = Number(body.amount ?? body.merchant_amount ?? 0)
  const currency = textOf(body.currency) || textOf(card.currency)
  const money = {
    amount,
    currency,
    merchant_amount: Number(body.merchant_amount ?? amount),
    merchant_currency: textOf(body.merchant_currency) || currency,
  }
  const authorization_method = textOf(body.authorization_method) || 'online'
  const card_presence = ['chip', 'contactless', 'swipe'].includes(authorization_method) ? 'present' : 'not_present'
  const reason = refusalOf(context, card, amount, merchant_data, card_presence)
  const { verification_data, network_data, amount_details, is_amount_controllable = false, wallet = null } = body
  const details = { ...NONE, ...fieldsOf(amount_details) }
  const asksApplication =
    reason === undefined &&
    records.webhook_endpoints.some(
      ({ enabled_events, status }) =>
        status === 'enabled' && textsOf(enabled_events).includes('issuing_authorization.request'),
    )
  const network = { acquiring_institution_id: null, system_trace_audit_number: null, transaction_id: null }
  const made = records.authorizations.create({
    ...money,
    amount_details: details,
    approved: reason === undefined && !asksApplication,
    authorization_method,
    card,
    card_presence,
    cardholder: textOf(fieldsOf(card.cardholder).id),
    merchant_data,
    network_data: { ...network, ...fieldsOf(network_data) },
    request_history: asksApplication ? [] : [entryOf(context, money, reason === undefined, reason ?? 'card_active')],
    status: reason === undefined ? 'pending' : 'closed',
    verification_data: {
      address_line1_check: 'not_provided',
      address_postal_code_check: 'not_provided',
      authentication_exemption: null,
      cvc_check: 'match',
      expiry_check: 'match',
      postal_code: null,
      three_d_secure: null,
      ...fieldsOf(verification_data),
    },
    wallet,
    ...(asksApplication && {
      pending_request: { ...money, amount_details: details, is_amount_controllable, network_risk_score: null },
      decides_at: secondsOf(context) + 2,
    }),
  })
  return made.approved === true ? hold(context, made, amount) : made
}

/** An approved authorization takes its amount out of the balance. */
function hold(context: Context, authorization: Kept, amount: number): Kept {
  const booked = book(context, 'issuing_authorization_hold', authorization.id, 0 - amount, authorization.currency)
  const balance_transactions = [...listOf(authorization.balance_transactions), booked]
  return context.records.authorizations.update(authorization.id, { balance_transactions })
}

/** The application's own decision. */
function decide(context: Context, approved: boolean): object {
  const authorization = authorizationOf(context)
  const pending = fieldsOf(authorization.pending_request)
  if (authorization.pending_request === null || authorization.pending_request === undefined)
    return refused(
      context,
      null,
      'This authorization is not pending a decision. Authorizations can only be approved or declined within two seconds of the issuing_authorization.request webhook.',
    )
  const { amount, metadata } = context.body
  if (amount !== undefined && pending.is_amount_controllable !== true)
    return refused(context, 'amount', 'You can only specify an amount if is_amount_controllable is true.')
  const wanted = Number(amount ?? pending.amount)
  const entry = entryOf(
    context,
    { ...pending, amount: wanted },
    approved,
    approved ? 'webhook_approved' : 'webhook_declined',
  )
  const decided = context.records.authorizations.update(authorization.id, {
    approved,
    amount: wanted,
    decides_at: null,
    metadata: { ...fieldsOf(authorization.metadata), ...fieldsOf(metadata) },
    pending_request: null,
    request_history: [...listOf(authorization.request_history), entry],
    status: approved ? 'pending' : 'closed',
  })
  return approved ? hold(context, decided, wanted) : decided
}

function transact(context: Context, of: JsonObject, amount: number, type: 'capture' | 'refund'): Kept {
  const { issuing_transactions } = context.records
  const currency = textOf(of.currency)
  const made = issuing_transactions.create({
    ...only(of, 'authorization', 'card', 'cardholder', 'merchant_data', 'wallet'),
    amount,
    amount_details: NONE,
    currency,
    merchant_amount: amount,
    merchant_currency: currency,
    network_data: { authorization_code: '123456', processing_date: null, transaction_id: null },
    type,
  })
  const { id } = book(context, 'issuing_transaction', made.id, amount, currency)
  return issuing_transactions.update(made.id, { balance_transaction: textOf(id) })
}

/** The authorization of a test helper, which has to be open. */
function openOf(context: Context, verb: string): Kept {
  const authorization = authorizationOf(context)
  if (authorization.status === 'pending' && authorization.approved === true) return authorization
  return refused(
    context,
    null,
    `Authorization ${authorization.id} cannot be ${verb} because it is not an approved, pending authorization.`,
  )
}

function capture(context: Context): object {
  const { authorizations } = context.records
  const { capture_amount, close_authorization = true } = context.body
  const authorization = openOf(context, 'captured')
  const { id, amount, currency, card, transactions } = authorization
  const taken = Number(capture_amount ?? amount)
  book(context, 'issuing_authorization_release', id, Number(amount), currency)
  const made = transact(
    context,
    { ...authorization, authorization: id, card: textOf(fieldsOf(card).id) },
    0 - taken,
    'capture',
  )
  return authorizations.update(id, {
    transactions: [...listOf(transactions), made],
    ...(close_authorization === true ? { status: 'closed' } : { amount: Math.max(0, Number(amount) - taken) }),
  })
}

function change(context: Context, verb: string, amountOf: (amount: number) => number): object {
  const authorization = openOf(context, verb)
  const amount = amountOf(Number(authorization.amount))
  if (amount < 0)
    return refused(context, 'reverse_amount', 'The reverse amount is greater than the amount of the authorization.')
  book(
    context,
    amount > Number(authorization.amount) ? 'issuing_authorization_hold' : 'issuing_authorization_release',
    authorization.id,
    Number(authorization.amount) - amount,
    authorization.currency,
  )
  const entry = entryOf(context, { ...authorization, amount }, true, 'card_active')
  return context.records.authorizations.update(authorization.id, {
    amount,
    merchant_amount: amount,
    ...(amount === 0 ? { status: 'reversed' } : { request_history: [...listOf(authorization.request_history), entry] }),
  })
}

/** A transaction without an authorization. */
function transactAlone(context: Context, type: 'capture' | 'refund'): object {
  const { body } = context
  const card = cardOf(context, body.card)
  const currency = textOf(body.currency) || textOf(card.currency)
  const amount = type === 'capture' ? 0 - Number(body.amount) : Number(body.amount)
  const cardholder = fieldsOf(card.cardholder).id ?? null
  return transact(
    context,
    { card: card.id, cardholder, currency, merchant_data: merchantOf(context), wallet: null },
    amount,
    type,
  )
}

const base = '/v1/test_helpers/issuing/authorizations'

/** What is paid with issued cards. */
export const issuing = {
  'POST /v1/issuing/authorizations/{authorization}/approve': (context: Context) => decide(context, true),
  'POST /v1/issuing/authorizations/{authorization}/decline': (context: Context) => decide(context, false),
  [`POST ${base}`]: authorize,
  [`POST ${base}/{authorization}/capture`]: capture,
  [`POST ${base}/{authorization}/expire`]: (context: Context) => {
    const { id, amount, currency } = openOf(context, 'expired')
    book(context, 'issuing_authorization_release', id, Number(amount), currency)
    return context.records.authorizations.update(id, { status: 'expired' })
  },
  [`POST ${base}/{authorization}/finalize_amount`]: (context: Context) =>
    change(context, 'finalized', () => Number(context.body.final_amount)),
  [`POST ${base}/{authorization}/increment`]: (context: Context) =>
    change(context, 'incremented', (amount) => amount + Number(context.body.increment_amount)),
  [`POST ${base}/{authorization}/reverse`]: (context: Context) =>
    change(context, 'reversed', (amount) => amount - Number(context.body.reverse_amount ?? amount)),
  'POST /v1/test_helpers/issuing/transactions/create_force_capture': (context: Context) =>
    transactAlone(context, 'capture'),
  'POST /v1/test_helpers/issuing/transactions/create_unlinked_refund': (context: Context) =>
    transactAlone(context, 'refund'),
  'POST /v1/test_helpers/issuing/transactions/{transaction}/refund': (context: Context) => {
    const original = find(context, 'issuing_transactions', context.path.transaction, 'transaction')
    const rest = Math.abs(Number(original.amount))
    const amount = Number(context.body.refund_amount ?? rest)
    if (amount > rest)
      return refused(context, 'refund_amount', 'The refund amount is greater than the amount of the transaction.')
    return transact(context, original, amount, 'refund')
  },
  lapseRequest: ({ record, update, now }: DueContext) => {
    const at = Math.floor(now.getTime() / 1_000)
    const entry = {
      ...fieldsOf(record.pending_request),
      approved: false,
      authorization_code: null,
      created: at,
      reason: 'webhook_timeout',
      reason_message: null,
      requested_at: at,
    }
    update({ approved: false, decides_at: null, pending_request: null, request_history: [entry], status: 'closed' })
  },
}
