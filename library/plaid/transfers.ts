import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { after } from '../openai/times.ts'
import { accountOf } from './accounts.ts'
import {
  addEndpoint,
  anyItemOf,
  type Context,
  DAY_S,
  type Due,
  dayOf,
  integerOf,
  itemOf,
  notify,
  notifyAt,
  operation,
  refuseWith,
  type Work,
} from './context.ts'

/** Where a transfer goes on by itself, and after how many seconds. */
const NEXT: Readonly<Record<string, readonly [status: string, seconds: number]>> = {
  pending: ['posted', DAY_S],
  posted: ['settled', 2 * DAY_S],
  settled: ['funds_available', 3 * DAY_S],
}
/** The statuses from which each event of the sandbox is possible. */
export const FROM: Readonly<Record<string, readonly string[]>> = {
  posted: ['pending'],
  settled: ['posted'],
  funds_available: ['settled'],
  failed: ['pending', 'posted'],
  returned: ['posted', 'settled', 'funds_available'],
}

const WHOLE = ['posted', 'settled', 'funds_available']
/** Amounts of the sandbox whose transfers, refunds and sweeps go on at once; a code is that of the return. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  '11.11': WHOLE,
  '22.22': ['failed'],
  '33.33': [...WHOLE, 'R01'],
  '44.44': [...WHOLE, 'R02'],
  '55.55': [...WHOLE, 'R16'],
  '66.66': ['posted', 'settled', 'R01'],
  '1.11': ['posted', 'settled'],
  '2.22': ['failed'],
  '3.33': ['posted', 'settled', 'R01'],
  '111.11': WHOLE,
  '222.22': ['failed'],
  '333.33': [...WHOLE, 'R01'],
  '444.44': ['posted', 'settled', 'R01'],
}
const RETURNS: Readonly<Record<string, string>> = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R16: 'Account frozen',
}

/** @param isSent money that is sent has no `funds_available` */
export function takePath(
  amount: unknown,
  isSent: boolean,
  change: (status: string, failure: Fields | null) => void,
): void {
  for (const step of PATHS[String(amount).replace('-', '')] ?? []) {
    const description = RETURNS[step]
    const returned = { failure_code: step, ach_return_code: step, description: description ?? null }
    if (description !== undefined) change('returned', returned)
    else if (step === 'failed') change(step, { description: 'The transfer failed.' })
    else if (step !== 'funds_available' || !isSent) change(step, null)
  }
}

const ids = { funding_account_id: null, ledger_id: null, originator_client_id: null }

/** Seconds until a transfer goes on; money that is sent has no `funds_available`. */
const advancesAt = (status: string, type: unknown, now: Date): string | null => {
  const [next, seconds] = NEXT[status] ?? []
  return seconds === undefined || (next === 'funds_available' && type === 'credit') ? null : after(now, seconds)
}

/** @param transfer without one, of a sweep */
export function addEvent(context: Work, transfer: Kept | undefined, event_type: string, more: Fields = {}): void {
  const { records, now } = context
  const id = records.transfer_events.count() + 1
  records.transfer_events.create({
    id: String(id),
    event_id: id,
    timestamp: now.toISOString(),
    event_type,
    transfer_id: transfer?.id ?? '',
    account_id: transfer?.account_id ?? null,
    transfer_type: transfer?.type ?? null,
    transfer_amount: transfer?.amount ?? null,
    failure_reason: transfer?.failure_reason ?? null,
    origination_account_id: null,
    sweep_id: null,
    sweep_amount: null,
    refund_id: null,
    ...ids,
    ...more,
  })
  const item = records.items.get(String(transfer?.item_id))
  if (item !== undefined) notify(context, item, 'TRANSFER', 'TRANSFER_EVENTS_UPDATE')
}

function change(context: Work, transfer: Kept, status: string, failure_reason: Fields | null = null): Kept {
  const advances_at = advancesAt(status, transfer.type, context.now)
  const changed = context.records.transfers.update(transfer.id, {
    status,
    failure_reason,
    cancellable: false,
    advances_at,
  })
  addEvent(context, changed, status)
  return changed
}

const shown = (
  { records }: Context,
  { item_id: _i, advances_at: _a, is_available: _v, ...transfer }: Kept,
): Fields => ({
  ...transfer,
  refunds: records.refunds.where({ transfer_id: transfer.id }).map(toRefund),
})

const toRefund = ({ advances_at: _, ...refund }: Kept): Fields => refund

function refundOf(context: Context): Kept {
  const id = String(context.body.refund_id)
  return context.records.refunds.get(id) ?? refuseWith(context, 'NOT_FOUND', id)
}

/** A refund goes on, as a transfer does. */
function changeRefund(context: Work, { id, transfer_id }: Kept, status: string, failure_reason: Fields | null = null) {
  const { records, now } = context
  const advances_at = advancesAt(status, 'credit', now)
  const refund = records.refunds.update(id, { status, failure_reason, advances_at })
  const transfer = records.transfers.get(String(transfer_id))
  if (transfer !== undefined) addEvent(context, transfer, `refund.${status}`, { refund_id: id, failure_reason })
  return refund
}

/** The next status that the sandbox is asked for, if the last one allows it. */
export function eventOf(context: Context, { status }: Kept): { event: string; failure: Fields | null } {
  const { event_type, failure_reason = null } = context.body
  const event = String(event_type).replace(/^(refund|sweep)\./, '')
  const from =
    FROM[event] ?? refuseWith(context, 'INVALID_FIELD', `event_type must be one of ${Object.keys(FROM).join(', ')}`)
  if (!from.includes(String(status))) refuseWith(context, 'SANDBOX_TRANSFER_EVENT_TRANSITION_INVALID', String(status))
  const usual = { failure_code: 'R01', ach_return_code: 'R01', description: 'Insufficient funds' }
  const isFailure = event === 'failed' || event === 'returned'
  return { event, failure: isFailure ? { ...usual, ...fieldsOf(failure_reason) } : null }
}

function transferOf({ body, records }: Context): Kept | undefined {
  const { transfer_id, authorization_id = '' } = body
  return transfer_id == null ? records.transfers.find({ authorization_id }) : records.transfers.get(String(transfer_id))
}

function getTransfer(context: Context): Kept {
  const { transfer_id, authorization_id } = context.body
  if (transfer_id == null && authorization_id == null) refuseWith(context, 'MISSING_FIELDS', 'transfer_id')
  return transferOf(context) ?? refuseWith(context, 'NOT_FOUND', String(transfer_id ?? authorization_id))
}

export function amountIn(context: Context): string {
  const amount = String(context.body.amount)
  if (!/^\d+\.\d\d$/.test(amount) || Number(amount) === 0)
    refuseWith(context, 'INVALID_FIELD', 'amount must be a positive decimal with two places, such as 10.00')
  return amount
}

const LOST = ['cancelled', 'failed', 'returned']
/** Dollars of a new ledger. */
const OPENING = 100

/** What the ledger has: money of debits and deposits is pending until it is available. */
export function balanceOf({ records }: Work): { available: number; pending: number } {
  const counted = (list: Iterable<Kept>): Kept[] => [...list].filter(({ status }) => !LOST.includes(String(status)))
  const sum = (list: readonly Kept[]): number =>
    list.reduce((total, { amount }) => total + Math.round(100 * Math.abs(Number(amount))), 0)
  const transfers = counted(records.transfers)
  const sweeps = counted(records.sweeps).filter(({ trigger }) => trigger === 'manual')
  const incoming = [
    ...transfers.filter(({ type }) => type === 'debit'),
    ...sweeps.filter(({ amount }) => Number(amount) < 0),
  ]
  const isAvailable = (one: Kept): boolean => one.is_available === true || one.status === 'funds_available'
  const outgoing = [
    ...transfers.filter(({ type }) => type === 'credit'),
    ...sweeps.filter(({ amount }) => Number(amount) > 0),
    ...counted(records.refunds),
  ]
  return {
    available: OPENING + (sum(incoming.filter(isAvailable)) - sum(outgoing)) / 100,
    pending: sum(incoming.filter((one) => !isAvailable(one))) / 100,
  }
}

/** What is decided on a transfer: one over the available balance, of the account or the ledger, is declined. */
export function authorize(context: Context, item: Kept, account: Kept, asked: Fields): Kept {
  const { records, now } = context
  const { ach_class = 'ppd', type = null, network = null, amount = null } = asked
  const { legal_name = '', phone_number = null, email_address = null, address = null } = fieldsOf(asked.user)
  const { available } = type === 'credit' ? balanceOf(context) : fieldsOf(account.balances)
  const isCovered = Number(available) >= Number(amount)
  const isEmpty = available === 0
  const declined = isEmpty
    ? { code: 'RISK', description: 'Transaction is high-risk.' }
    : {
        code: 'NSF',
        description: 'Transaction has an elevated risk of resulting in a return due to insufficient funds.',
      }
  return records.authorizations.create({
    item_id: item.id,
    created: now.toISOString(),
    decision: item.needs_login === true ? 'user_action_required' : isCovered ? 'approved' : 'declined',
    decision_rationale: item.needs_login === true || isCovered ? null : declined,
    guarantee_decision: null,
    guarantee_decision_rationale: null,
    payment_risk: null,
    proposed_transfer: {
      ach_class,
      account_id: account.id,
      type,
      network,
      amount,
      requested_amount: amount,
      user: { legal_name, phone_number, email_address, address },
      iso_currency_code: 'USD',
      origination_account_id: '',
      credit_funds_source: 'sweep',
      ...ids,
    },
  })
}

/** Begins a transfer that is authorized. */
export function transfer(context: Work, authorization: Kept, { description, metadata }: Fields): Kept {
  const { now, records } = context
  const { requested_amount: _r, ...proposed } = fieldsOf(authorization.proposed_transfer)
  const made = records.transfers.create({
    item_id: authorization.item_id,
    authorization_id: authorization.id,
    ...proposed,
    description: description ?? '',
    created: now.toISOString(),
    status: 'pending',
    sweep_status: 'unswept',
    cancellable: true,
    failure_reason: null,
    metadata: metadata ?? null,
    guarantee_decision: null,
    guarantee_decision_rationale: null,
    standard_return_window: dayOf(now, 5),
    unauthorized_return_window: dayOf(now, 63),
    expected_settlement_date: dayOf(now, 3),
    recurring_transfer_id: authorization.recurring_transfer_id ?? null,
    network_trace_id: null,
    advances_at: advancesAt('pending', proposed.type, now),
  })
  addEvent(context, made, 'pending')
  takePath(made.amount, made.type === 'credit', (status, failure) => {
    change(context, made, status, failure)
  })
  return context.records.transfers.get(made.id) ?? made
}

/** A person pays an intent in Link, from its account or the item's checking account. */
export function payIntent(context: Context, intent_id: unknown, item: Kept): void {
  const { records } = context
  const intent = records.intents.get(String(intent_id))
  const account =
    records.accounts.get(String(intent?.account_id)) ?? records.accounts.find({ item_id: item.id, subtype: 'checking' })
  if (intent?.status !== 'PENDING' || account === undefined) return
  const type = intent.mode === 'PAYMENT' ? 'debit' : 'credit'
  const found = authorize(context, item, account, { ...intent, type })
  const isApproved = found.decision === 'approved'
  records.intents.update(intent.id, {
    status: isApproved ? 'SUCCEEDED' : 'FAILED',
    transfer_id: isApproved ? transfer(context, found, intent).id : null,
    authorization_decision: isApproved ? 'APPROVED' : 'DECLINED',
    authorization_decision_rationale: found.decision_rationale ?? null,
  })
}

/** @param begins the field of the time of each */
export function pageOf(
  context: Context,
  list: Iterable<Kept>,
  begins = 'created',
  span: { start_date?: unknown; end_date?: unknown } = context.body,
): { page: Kept[]; has_more: boolean } {
  const found = [...list].filter(
    (one) =>
      String(one[begins]) >= String(span.start_date ?? '') && String(one[begins]) <= String(span.end_date ?? '9'),
  )
  const { count, offset } = context.body
  const from = integerOf(context, 'offset', offset, 0, 1_000_000)
  const page = found.slice(from, from + integerOf(context, 'count', count, 25, 25, 1))
  return { page, has_more: from + page.length < found.length }
}

/** What banks show of a transfer is short. */
function checkDescription(context: Context): void {
  if (String(context.body.description).length > 15)
    refuseWith(context, 'INVALID_FIELD', 'description must be at most 15 characters')
}

/** The statuses of a transfer that can be refunded, and of a refund that is none. */
const REFUNDABLE = ['posted', 'settled', 'funds_available']

/** The most that each network moves at once, in dollars, and its name. */
const LIMITS: Readonly<Record<string, readonly [number, string]>> = {
  ach: [10_000_000, 'ACH'],
  'same-day-ach': [1_000_000, 'Same Day ACH'],
  rtp: [1_000_000, 'RTP'],
  wire: [999_999.99, 'Wire'],
}
/** Seconds in which an authorization has to be used. */
const AUTHORIZATION_S = 3_600
const MOVABLE = ['checking', 'savings', 'cash management']

const NEEDED = ['access_token', 'account_id', 'type', 'network', 'amount', 'user']

export const transfers = {
  'POST /transfer/authorization/create': operation(NEEDED, (context) => {
    const { body } = context
    const item = anyItemOf(context)
    const account = accountOf(context, item)
    const [limit, name] = LIMITS[String(body.network)] ?? LIMITS.ach ?? []
    if (Number(amountIn(context)) > Number(limit))
      refuseWith(context, 'TRANSFER_NETWORK_LIMIT_EXCEEDED', `${name} transaction amount cannot exceed $${limit}`)
    if (!MOVABLE.includes(String(account.subtype))) refuseWith(context, 'TRANSFER_UNSUPPORTED_ACCOUNT_TYPE')
    if (body.type !== 'debit' && body.type !== 'credit')
      refuseWith(context, 'INVALID_FIELD', 'type must be debit or credit')
    if (fieldsOf(body.user).legal_name === undefined) refuseWith(context, 'MISSING_FIELDS', 'user.legal_name')
    const { item_id: _i, ...authorization } = authorize(context, item, account, body)
    return { authorization }
  }),
  'POST /transfer/authorization/cancel': operation(['authorization_id'], (context) => {
    const { body, records } = context
    const id = String(body.authorization_id)
    const found = records.authorizations.get(id) ?? refuseWith(context, 'NOT_FOUND', id)
    if (records.transfers.some({ authorization_id: id })) refuseWith(context, 'INVALID_AUTHORIZATION')
    records.authorizations.update(found.id, { decision: 'cancelled' })
    return {}
  }),
  'POST /transfer/create': operation(['access_token', 'account_id', 'authorization_id', 'description'], (context) => {
    const { body, records } = context
    const item = itemOf(context)
    checkDescription(context)
    const authorization_id = String(body.authorization_id)
    const made = records.transfers.find({ authorization_id })
    if (made !== undefined) return { transfer: shown(context, made) }
    const found = records.authorizations.get(authorization_id) ?? refuseWith(context, 'NOT_FOUND', authorization_id)
    const proposed = fieldsOf(found.proposed_transfer)
    const isOver = after(new Date(String(found.created)), AUTHORIZATION_S) < context.now.toISOString()
    const isOther = isOver || found.item_id !== item.id || proposed.account_id !== body.account_id
    if (isOther || found.decision !== 'approved' || (body.amount ?? proposed.amount) !== proposed.amount)
      refuseWith(context, 'INVALID_AUTHORIZATION')
    return { transfer: shown(context, transfer(context, found, body)) }
  }),
  'POST /transfer/get': operation([], (context) => ({ transfer: shown(context, getTransfer(context)) })),
  'POST /transfer/list': operation([], (context) => {
    const { page, has_more } = pageOf(context, context.records.transfers)
    return { transfers: page.map((one) => shown(context, one)), has_more }
  }),
  'POST /transfer/cancel': operation(['transfer_id'], (context) => {
    const transfer = getTransfer(context)
    if (transfer.cancellable !== true) refuseWith(context, 'TRANSFER_NOT_CANCELLABLE')
    change(context, transfer, 'cancelled')
    return {}
  }),
  'POST /transfer/event/sync': operation(['after_id'], (context) => {
    const { after_id, count } = context.body
    const found = [...context.records.transfer_events]
      .filter(({ event_id }) => Number(event_id) > Number(after_id))
      .toReversed()
    const transfer_events = found.slice(0, integerOf(context, 'count', count, 100, 500, 1))
    return {
      transfer_events: transfer_events.map(({ id: _, ...event }) => event),
      has_more: transfer_events.length < found.length,
    }
  }),
  'POST /transfer/event/list': operation([], (context) => {
    const { transfer_id, account_id, transfer_type, sweep_id, event_types } = context.body
    const found = [...context.records.transfer_events].filter(
      ({ event_type = null, ...event }) =>
        Object.entries({ transfer_id, account_id, transfer_type, sweep_id }).every(
          ([name, value]) => value == null || event[name] === value,
        ) &&
        (!Array.isArray(event_types) || event_types.length === 0 || event_types.includes(event_type)),
    )
    const { page, has_more } = pageOf(context, found, 'timestamp')
    return { transfer_events: page.map(({ id: _, ...event }) => event), has_more }
  }),
  'POST /sandbox/transfer/simulate': operation(['transfer_id', 'event_type'], (context) => {
    const transfer = getTransfer(context)
    const { event, failure } = eventOf(context, transfer)
    change(context, transfer, event, failure)
    return {}
  }),
  'POST /sandbox/transfer/fire_webhook': operation(['webhook'], (context) => {
    const { webhook = null } = context.body
    addEndpoint(context, webhook)
    notifyAt(context, webhook, 'TRANSFER', 'TRANSFER_EVENTS_UPDATE', {})
    return {}
  }),
  'POST /transfer/intent/create': operation(['mode', 'amount', 'description', 'user'], (context) => {
    const { body, now, records } = context
    const { mode = null, description = null, ach_class = null, network = 'same-day-ach', metadata = null } = body
    if (mode !== 'PAYMENT' && mode !== 'DISBURSEMENT')
      refuseWith(context, 'INVALID_FIELD', 'mode must be PAYMENT or DISBURSEMENT')
    checkDescription(context)
    const { id, ...intent } = records.intents.create({
      created: now.toISOString(),
      status: 'PENDING',
      account_id: body.account_id ?? null,
      mode,
      amount: amountIn(context),
      description,
      ach_class,
      network,
      user: { phone_number: null, email_address: null, address: null, ...fieldsOf(body.user) },
      metadata,
      iso_currency_code: 'USD',
      origination_account_id: '',
      funding_account_id: '',
    })
    return { transfer_intent: { id, ...intent } }
  }),
  /** An intent is pending until a person pays it in Link. */
  'POST /transfer/intent/get': operation(['transfer_intent_id'], (context) => {
    const id = String(context.body.transfer_intent_id)
    const intent = context.records.intents.get(id) ?? refuseWith(context, 'NOT_FOUND', id)
    const open = { transfer_id: null, failure_reason: null, authorization_decision: null }
    const guarantee = { guarantee_decision: null, guarantee_decision_rationale: null }
    return { transfer_intent: { ...open, authorization_decision_rationale: null, ...guarantee, ...intent } }
  }),
  'POST /transfer/refund/create': operation(['transfer_id', 'amount', 'idempotency_key'], (context) => {
    const { now, records } = context
    const transfer = getTransfer(context)
    const amount = amountIn(context)
    if (transfer.type !== 'debit' || !REFUNDABLE.includes(String(transfer.status)))
      refuseWith(context, 'INVALID_FIELD', `transfer_id must be of a debit that is ${REFUNDABLE.join(' or ')}`)
    const earlier = records.refunds
      .where({ transfer_id: transfer.id })
      .filter(({ status }) => !LOST.includes(String(status)))
    const left = Math.round(earlier.reduce((sum, one) => sum - 100 * Number(one.amount), 100 * Number(transfer.amount)))
    if (Math.round(100 * Number(amount)) > left)
      refuseWith(
        context,
        'INVALID_FIELD',
        `amount must be at most ${(left / 100).toFixed(2)}, which is not yet refunded`,
      )
    const refund = records.refunds.create({
      transfer_id: transfer.id,
      amount,
      failure_reason: null,
      ledger_id: null,
      created: now.toISOString(),
      network_trace_id: null,
    })
    changeRefund(context, refund, 'pending')
    takePath(amount, true, (status, failure) => {
      changeRefund(context, refund, status, failure)
    })
    return { refund: toRefund(records.refunds.get(refund.id) ?? refund) }
  }),
  'POST /transfer/refund/get': operation(['refund_id'], (context) => ({ refund: toRefund(refundOf(context)) })),
  'POST /transfer/refund/cancel': operation(['refund_id'], (context) => {
    const refund = refundOf(context)
    if (refund.status !== 'pending') refuseWith(context, 'TRANSFER_NOT_CANCELLABLE')
    changeRefund(context, refund, 'cancelled')
    return {}
  }),
  'POST /sandbox/transfer/refund/simulate': operation(['refund_id', 'event_type'], (context) => {
    const refund = refundOf(context)
    const { event, failure } = eventOf(context, refund)
    changeRefund(context, refund, event, failure)
    return {}
  }),
  advanceRefund: (context: Due) => {
    const [status] = NEXT[String(context.record.status)] ?? []
    if (status !== undefined) changeRefund(context, context.record, status)
  },
  /** A transfer goes on: it is posted, settled, and its money is available. */
  advanceTransfer: (context: Due) => {
    const { record } = context
    const [status] = NEXT[String(record.status)] ?? []
    if (status !== undefined) change(context, record, status)
  },
}
