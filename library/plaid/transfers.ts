import { after } from '../shared/times.ts'
import { accountOf } from './accounts.ts'
import type { Due, Fields, Kept, PlaidRequest } from './plaid.ts'
import { DAY_S, dayOf, fieldsOf, fits, nulls, operation, Plaid, renamed } from './plaid.ts'

/** Where a transfer goes on by itself, and after how many seconds. */
const NEXT: Readonly<Record<string, readonly [status: string, seconds: number]>> = {
  pending: ['posted', DAY_S],
  posted: ['settled', 2 * DAY_S],
  settled: ['funds_available', 3 * DAY_S],
}
/** The statuses from which each event of the sandbox is possible. */
const FROM: Readonly<Record<string, readonly string[]>> = {
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
  change: (status: string, failure: Fields | null) => unknown,
): void {
  for (const step of PATHS[String(amount).replace('-', '')] ?? []) {
    const description = RETURNS[step]
    const returned = { failure_code: step, ach_return_code: step, description: description ?? null }
    if (description !== undefined) change('returned', returned)
    else if (step === 'failed') change(step, { description: 'The transfer failed.' })
    else if (step !== 'funds_available' || !isSent) change(step, null)
  }
}

const IDS = nulls('funding_account_id ledger_id originator_client_id')

/** Seconds until a transfer goes on; money that is sent has no `funds_available`. */
const advancesAt = (status: string, type: unknown, now: Date): string | null => {
  const [next, seconds] = NEXT[status] ?? []
  return seconds === undefined || (next === 'funds_available' && type === 'credit') ? null : after(now, seconds)
}

/** @param transfer without one, of a sweep */
export function addEvent(plaid: Plaid, transfer: Kept | undefined, event_type: string, more: Fields = {}): void {
  const { records, now } = plaid
  const event_id = records.transfer_events.count() + 1
  const { id = '', account_id = null, type = null, amount = null, failure_reason = null } = transfer ?? ({} as Fields)
  records.transfer_events.create({
    ...{ id: String(event_id), event_id, timestamp: now.toISOString(), event_type, transfer_id: id, account_id },
    ...{ transfer_type: type, transfer_amount: amount, failure_reason },
    ...{ ...nulls('origination_account_id sweep_id sweep_amount refund_id'), ...IDS, ...more },
  })
  plaid.notifyAt(records.items.get(String(transfer?.item_id))?.webhook, 'TRANSFER', 'TRANSFER_EVENTS_UPDATE')
}

function change(plaid: Plaid, { id, type }: Kept, status: string, failure_reason: Fields | null = null): void {
  const advances_at = advancesAt(status, type, plaid.now)
  const facts = { status, failure_reason, cancellable: false, advances_at }
  addEvent(plaid, plaid.records.transfers.update(id, facts), status)
}

const toRefund = renamed('id', 'advances_at')
const toTransfer = renamed('id', 'item_id', 'advances_at', 'is_available')
const toEvent = ({ id: _, ...event }: Kept): Fields => event

function show({ records }: PlaidRequest, transfer: Kept): Fields {
  return { ...toTransfer(transfer), refunds: records.refunds.where({ transfer_id: transfer.id }).map(toRefund) }
}

/** A refund goes on, as a transfer does. */
function changeRefund(plaid: Plaid, { id, transfer_id }: Kept, status: string, failure_reason: Fields | null = null) {
  const { records, now } = plaid
  const advances_at = advancesAt(status, 'credit', now)
  const refund = records.refunds.update(id, { status, failure_reason, advances_at })
  addEvent(plaid, records.transfers.get(String(transfer_id)), `refund.${status}`, { refund_id: id, failure_reason })
  return refund
}

/** The next status that the sandbox is asked for, if the last one allows it. */
export function eventOf(plaid: PlaidRequest, { status }: Kept): { event: string; failure: Fields | null } {
  const { event_type, failure_reason = null } = plaid.body
  const event = String(event_type).replace(/^(refund|sweep)\./, '')
  const from = FROM[event] ?? plaid.invalid(`event_type must be one of ${Object.keys(FROM).join(', ')}`)
  if (!from.includes(String(status))) plaid.refuse('SANDBOX_TRANSFER_EVENT_TRANSITION_INVALID', String(status))
  const usual = { failure_code: 'R01', ach_return_code: 'R01', description: 'Insufficient funds' }
  const isFailure = event === 'failed' || event === 'returned'
  return { event, failure: isFailure ? { ...usual, ...fieldsOf(failure_reason) } : null }
}

/** The transfer that the request names, or that of the authorization. */
function transferOf(plaid: PlaidRequest): Kept {
  const { transfer_id, authorization_id } = plaid.body
  if (transfer_id != null) return plaid.named('transfers', 'transfer_id')
  if (authorization_id == null) plaid.refuse('MISSING_FIELDS', 'transfer_id')
  return plaid.records.transfers.find({ authorization_id }) ?? plaid.refuse('NOT_FOUND', String(authorization_id))
}

export function amountIn(plaid: PlaidRequest): string {
  const amount = String(plaid.body.amount)
  if (!/^\d+\.\d\d$/.test(amount) || Number(amount) === 0)
    plaid.invalid('amount must be a positive decimal with two places, such as 10.00')
  return amount
}

const LOST = ['cancelled', 'failed', 'returned']
/** Dollars of a new ledger. */
const OPENING = 100

/** What the ledger has: money of debits and deposits is pending until it is available. */
export function balanceOf({ records }: Plaid): { available: number; pending: number } {
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

/** Refuses a transfer of a kind that there is not. */
export function checkKind(plaid: PlaidRequest): void {
  plaid.among('type', 'debit credit')
  plaid.among('network', 'ach same-day-ach rtp wire rfp')
  plaid.among('ach_class', 'ccd ppd tel web')
}

/** What is decided on a transfer: one over the available balance, of the account or the ledger, is declined. */
export function authorize(plaid: PlaidRequest, item: Kept, account: Kept, asked: Fields): Kept {
  const { records, now } = plaid
  const { ach_class = 'ppd', type = null, network = null, amount = null } = asked
  const { legal_name = '', phone_number = null, email_address = null, address = null } = fieldsOf(asked.user)
  const { available } = type === 'credit' ? balanceOf(plaid) : fieldsOf(account.balances)
  const isCovered = Number(available) >= Number(amount)
  const nsf = 'Transaction has an elevated risk of resulting in a return due to insufficient funds.'
  const risk = { code: 'RISK', description: 'Transaction is high-risk.' }
  const declined = available === 0 ? risk : { code: 'NSF', description: nsf }
  const isBlocked = item.needs_login === true
  const user = { legal_name, phone_number, email_address, address }
  const facts = { ach_class, account_id: account.id, type, network, amount, requested_amount: amount, user }
  return records.authorizations.create({
    ...{ item_id: item.id, created: now.toISOString(), ...GUARANTEE, payment_risk: null },
    decision: isBlocked ? 'user_action_required' : isCovered ? 'approved' : 'declined',
    decision_rationale: isBlocked || isCovered ? null : declined,
    proposed_transfer: { ...facts, ...ORIGIN, credit_funds_source: 'sweep', ...IDS },
  })
}

const ORIGIN = { iso_currency_code: 'USD', origination_account_id: '' }
const GUARANTEE = nulls('guarantee_decision guarantee_decision_rationale')

/** Begins a transfer that is authorized. */
export function transfer(plaid: Plaid, authorization: Kept, given: Fields): Kept {
  const { now, records } = plaid
  const { requested_amount: _, ...proposed } = fieldsOf(authorization.proposed_transfer)
  const { item_id, recurring_transfer_id = null } = authorization
  const { description = '', metadata = null } = given
  const made = records.transfers.create({
    ...{ item_id, authorization_id: authorization.id, ...proposed, description, metadata, recurring_transfer_id },
    ...{ created: now.toISOString(), status: 'pending', sweep_status: 'unswept', cancellable: true, ...GUARANTEE },
    ...{ failure_reason: null, network_trace_id: null, advances_at: advancesAt('pending', proposed.type, now) },
    ...{ standard_return_window: dayOf(now, 5), unauthorized_return_window: dayOf(now, 63) },
    expected_settlement_date: dayOf(now, 3),
  })
  addEvent(plaid, made, 'pending')
  takePath(made.amount, made.type === 'credit', (status, failure) => change(plaid, made, status, failure))
  return records.transfers.get(made.id) ?? made
}

/** A person pays an intent in Link, from its account or the item's checking account. */
export function payIntent(plaid: PlaidRequest, intent_id: unknown, item: Kept): void {
  const { records } = plaid
  const intent = records.intents.get(String(intent_id))
  const account =
    records.accounts.get(String(intent?.account_id)) ?? records.accounts.find({ item_id: item.id, subtype: 'checking' })
  if (intent?.status !== 'PENDING' || account === undefined) return
  const type = intent.mode === 'PAYMENT' ? 'debit' : 'credit'
  const found = authorize(plaid, item, account, { ...intent, type })
  const isApproved = found.decision === 'approved'
  records.intents.update(intent.id, {
    status: isApproved ? 'SUCCEEDED' : 'FAILED',
    transfer_id: isApproved ? transfer(plaid, found, intent).id : null,
    authorization_decision: isApproved ? 'APPROVED' : 'DECLINED',
    authorization_decision_rationale: found.decision_rationale ?? null,
  })
}

/** A page of a list, by the span of a request. @param begins the field of the time of each */
export function pageOf(
  plaid: PlaidRequest,
  list: Iterable<Kept>,
  begins = 'created',
  { start_date, end_date }: Fields = plaid.body,
): { page: Kept[]; has_more: boolean } {
  const isIn = (time: string): boolean => time >= String(start_date ?? '') && time <= String(end_date ?? '9')
  const found = [...list].filter((one) => isIn(String(one[begins])))
  const page = plaid.page(found, plaid.body, 25, 25)
  return { page, has_more: Number(plaid.body.offset ?? 0) + page.length < found.length }
}

/** What banks show of a transfer is short. */
function checkDescription(plaid: PlaidRequest): void {
  if (String(plaid.body.description).length > 15) plaid.invalid('description must be at most 15 characters')
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
  'POST /transfer/authorization/create': operation(NEEDED, (plaid) => {
    const { body } = plaid
    const item = plaid.anyItem()
    const account = accountOf(plaid, item)
    const [limit, name] = LIMITS[String(body.network)] ?? LIMITS.ach ?? []
    if (Number(amountIn(plaid)) > Number(limit))
      plaid.refuse('TRANSFER_NETWORK_LIMIT_EXCEEDED', `${name} transaction amount cannot exceed $${limit}`)
    if (!MOVABLE.includes(String(account.subtype))) plaid.refuse('TRANSFER_UNSUPPORTED_ACCOUNT_TYPE')
    checkKind(plaid)
    plaid.need(['legal_name'], fieldsOf(body.user), 'user.')
    const { item_id: _i, ...authorization } = authorize(plaid, item, account, body)
    return { authorization }
  }),
  'POST /transfer/authorization/cancel': operation(['authorization_id'], (plaid) => {
    const { records } = plaid
    const { id } = plaid.named('authorizations', 'authorization_id')
    if (records.transfers.some({ authorization_id: id })) plaid.refuse('INVALID_AUTHORIZATION')
    records.authorizations.update(id, { decision: 'cancelled' })
  }),
  'POST /transfer/create': operation(['access_token', 'account_id', 'authorization_id', 'description'], (plaid) => {
    const { body, records } = plaid
    const item = plaid.item()
    checkDescription(plaid)
    const authorization_id = String(body.authorization_id)
    const made = records.transfers.find({ authorization_id })
    if (made !== undefined) return { transfer: show(plaid, made) }
    const found = plaid.named('authorizations', 'authorization_id')
    const proposed = fieldsOf(found.proposed_transfer)
    const isOver = after(new Date(String(found.created)), AUTHORIZATION_S) < plaid.now.toISOString()
    const isOther = isOver || found.item_id !== item.id || proposed.account_id !== body.account_id
    if (isOther || found.decision !== 'approved' || (body.amount ?? proposed.amount) !== proposed.amount)
      plaid.refuse('INVALID_AUTHORIZATION')
    return { transfer: show(plaid, transfer(plaid, found, body)) }
  }),
  'POST /transfer/get': operation([], (plaid) => ({ transfer: show(plaid, transferOf(plaid)) })),
  'POST /transfer/list': operation([], (plaid) => {
    const { page, has_more } = pageOf(plaid, plaid.records.transfers)
    return { transfers: page.map((one) => show(plaid, one)), has_more }
  }),
  'POST /transfer/cancel': operation(['transfer_id'], (plaid) => {
    const transfer = transferOf(plaid)
    if (transfer.cancellable !== true) plaid.refuse('TRANSFER_NOT_CANCELLABLE')
    change(plaid, transfer, 'cancelled')
  }),
  'POST /transfer/event/sync': operation(['after_id'], (plaid) => {
    const { after_id, count } = plaid.body
    const found = [...plaid.records.transfer_events]
      .filter(({ event_id }) => Number(event_id) > Number(after_id))
      .toReversed()
    const page = found.slice(0, plaid.integer('count', count, 100, 500, 1))
    return { transfer_events: page.map(toEvent), has_more: page.length < found.length }
  }),
  'POST /transfer/event/list': operation([], (plaid) => {
    const types = [plaid.body.event_types ?? []].flat()
    const found = [...plaid.records.transfer_events].filter(
      (event) =>
        fits(event, plaid.body, 'transfer_id', 'account_id', 'transfer_type', 'sweep_id') &&
        (types.length === 0 || types.includes(event.event_type ?? null)),
    )
    const { page, has_more } = pageOf(plaid, found, 'timestamp')
    return { transfer_events: page.map(toEvent), has_more }
  }),
  'POST /sandbox/transfer/simulate': operation(['transfer_id', 'event_type'], (plaid) => {
    const transfer = transferOf(plaid)
    const { event, failure } = eventOf(plaid, transfer)
    change(plaid, transfer, event, failure)
  }),
  'POST /sandbox/transfer/fire_webhook': operation(['webhook'], (plaid) => {
    const { webhook = null } = plaid.body
    plaid.addEndpoint(webhook)
    plaid.notifyAt(webhook, 'TRANSFER', 'TRANSFER_EVENTS_UPDATE', {})
  }),
  'POST /transfer/intent/create': operation(['mode', 'amount', 'description', 'user'], (plaid) => {
    const { body, now, records } = plaid
    const { mode = null, description = null, ach_class = null, network = 'same-day-ach', metadata = null } = body
    plaid.among('mode', 'PAYMENT DISBURSEMENT')
    checkKind(plaid)
    checkDescription(plaid)
    const user = { phone_number: null, email_address: null, address: null, ...fieldsOf(body.user) }
    const facts = {
      account_id: body.account_id ?? null,
      mode,
      amount: amountIn(plaid),
      description,
      ach_class,
      network,
    }
    return {
      transfer_intent: records.intents.create({
        ...{
          created: now.toISOString(),
          status: 'PENDING',
          ...facts,
          user,
          metadata,
          ...ORIGIN,
          funding_account_id: '',
        },
      }),
    }
  }),
  /** An intent is pending until a person pays it in Link. */
  'POST /transfer/intent/get': operation(['transfer_intent_id'], (plaid) => {
    const open = nulls('transfer_id failure_reason authorization_decision authorization_decision_rationale')
    return { transfer_intent: { ...open, ...GUARANTEE, ...plaid.named('intents', 'transfer_intent_id') } }
  }),
  'POST /transfer/refund/create': operation(['transfer_id', 'amount', 'idempotency_key'], (plaid) => {
    const { now, records } = plaid
    const transfer = transferOf(plaid)
    const amount = amountIn(plaid)
    if (transfer.type !== 'debit' || !REFUNDABLE.includes(String(transfer.status)))
      plaid.invalid(`transfer_id must be of a debit that is ${REFUNDABLE.join(' or ')}`)
    const earlier = records.refunds
      .where({ transfer_id: transfer.id })
      .filter(({ status }) => !LOST.includes(String(status)))
    const left = Math.round(earlier.reduce((sum, one) => sum - 100 * Number(one.amount), 100 * Number(transfer.amount)))
    if (Math.round(100 * Number(amount)) > left)
      plaid.invalid(`amount must be at most ${(left / 100).toFixed(2)}, which is not yet refunded`)
    const facts = { transfer_id: transfer.id, amount, created: now.toISOString() }
    const refund = records.refunds.create({ ...facts, ...nulls('failure_reason ledger_id network_trace_id') })
    changeRefund(plaid, refund, 'pending')
    takePath(amount, true, (status, failure) => changeRefund(plaid, refund, status, failure))
    return { refund: toRefund(records.refunds.get(refund.id) ?? refund) }
  }),
  'POST /transfer/refund/get': operation(['refund_id'], (plaid) => ({
    refund: toRefund(plaid.named('refunds', 'refund_id')),
  })),
  'POST /transfer/refund/cancel': operation(['refund_id'], (plaid) => {
    const refund = plaid.named('refunds', 'refund_id')
    if (refund.status !== 'pending') plaid.refuse('TRANSFER_NOT_CANCELLABLE')
    changeRefund(plaid, refund, 'cancelled')
  }),
  'POST /sandbox/transfer/refund/simulate': operation(['refund_id', 'event_type'], (plaid) => {
    const refund = plaid.named('refunds', 'refund_id')
    const { event, failure } = eventOf(plaid, refund)
    changeRefund(plaid, refund, event, failure)
  }),
  advanceRefund: (due: Due) => {
    const [status] = NEXT[String(due.record.status)] ?? []
    if (status !== undefined) changeRefund(new Plaid(due), due.record, status)
  },
  /** A transfer goes on: it is posted, settled, and its money is available. */
  advanceTransfer: (due: Due) => {
    const [status] = NEXT[String(due.record.status)] ?? []
    if (status !== undefined) change(new Plaid(due), due.record, status)
  },
}
