import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { accountOf } from './accounts.ts'
import {
  addEndpoint,
  type Context,
  DAY_S,
  type Due,
  dayOf,
  itemOf,
  notify,
  notifyAt,
  operation,
  refuseWith,
  type Work,
} from './context.ts'
import { addEvent, amountIn, authorize, balanceOf, eventOf, pageOf, takePath, transfer } from './transfers.ts'

const LEDGER = { ledger_id: '1b8b4e3c-6f0a-4c52-9d5e-0d2c6a7f3e91', name: 'Default', is_default: true }

const shown = ({ is_available: _a, ...sweep }: Kept): Fields => sweep

/** Money between the ledger and the account of the business: it leaves that account if the amount is negative. */
function sweep(context: Context, amount: number): Kept {
  const { now, records } = context
  const made = records.sweeps.create({
    id: context.id(),
    funding_account_id: '',
    ledger_id: LEDGER.ledger_id,
    created: now.toISOString(),
    amount: amount.toFixed(2),
    iso_currency_code: 'USD',
    settled: null,
    expected_funds_available_date: amount < 0 ? dayOf(now, 5) : null,
    description: context.body.description ?? '',
    network_trace_id: null,
    failure_reason: null,
    trigger: 'manual',
  })
  return change(context, made, 'pending')
}

function change(
  context: Work,
  { id, amount = null }: Kept,
  status: string,
  failure_reason: Fields | null = null,
): Kept {
  const settled = status === 'settled' ? { settled: dayOf(context.now) } : {}
  addEvent(context, undefined, `sweep.${status}`, { sweep_id: id, sweep_amount: amount, failure_reason })
  return context.records.sweeps.update(id, { status, failure_reason, ...settled })
}

/** @param sign -1 for money to the ledger, 1 for money from it */
const move = (sign: number) =>
  operation(['amount', 'idempotency_key', 'network'], (context) => {
    const amount = amountIn(context)
    if (sign > 0 && Number(amount) > balanceOf(context).available)
      refuseWith(context, 'INVALID_FIELD', 'amount must be at most the available balance of the ledger')
    const made = sweep(context, sign * Number(amount))
    takePath(amount, sign > 0, (status, failure) => {
      change(context, made, status, failure)
    })
    return { sweep: shown(context.records.sweeps.get(made.id) ?? made) }
  })

function sweepOf(context: Context): Kept {
  const id = String(context.body.sweep_id)
  return context.records.sweeps.get(id) ?? refuseWith(context, 'NOT_FOUND', id)
}

const simulate = operation(['sweep_id', 'event_type'], (context) => {
  const found = sweepOf(context)
  const { event, failure } = eventOf(context, found)
  change(context, found, event, failure)
  return {}
})

function recurringOf(context: Context): Kept {
  const id = String(context.body.recurring_transfer_id)
  return context.records.recurring_transfers.get(id) ?? refuseWith(context, 'NOT_FOUND', id)
}

const toRecurring = ({ id, item_id: _i, advances_at: _a, ...recurring }: Kept): Fields => ({
  recurring_transfer_id: id,
  ...recurring,
})

/** The day of a schedule on or after another; null after its end. */
function nextOn({ interval_unit, interval_count, interval_execution_day, start_date, end_date }: Fields, from: string) {
  const [wanted, every] = [Number(interval_execution_day), Number(interval_count)]
  const start = new Date(String(start_date))
  for (let day = new Date(from > String(start_date) ? from : start), at = 0; at < 370 * every; at += 1) {
    const date = dayOf(day, at)
    if (end_date != null && date > String(end_date)) return null
    const that = new Date(date)
    const last = new Date(Date.UTC(that.getUTCFullYear(), that.getUTCMonth() + 1, 0)).getUTCDate()
    const isDay =
      interval_unit === 'week'
        ? that.getUTCDay() === wanted
        : that.getUTCDate() === (wanted < 0 ? last + 1 + wanted : wanted)
    const between =
      interval_unit === 'week'
        ? Math.floor((that.getTime() - start.getTime()) / (7 * DAY_S * 1_000))
        : 12 * (that.getUTCFullYear() - start.getUTCFullYear()) + that.getUTCMonth() - start.getUTCMonth()
    if (isDay && between % every === 0) return date
  }
  return null
}

/** Makes the transfers of a schedule up to a day. */
function originate(context: Work, found: Kept, until: string): void {
  const { records } = context
  const { item_id, description = '', schedule, next_origination_date: _n, transfer_ids, ...proposed } = found
  const ids = [...(transfer_ids as string[])]
  let next = found.next_origination_date == null ? null : String(found.next_origination_date)
  while (next !== null && next <= until) {
    const {
      id: recurring_transfer_id,
      status: _s,
      created: _c,
      test_clock_id: _t,
      advances_at: _a,
      ...facts
    } = proposed
    const authorization = {
      id: context.id(),
      item_id: item_id ?? null,
      recurring_transfer_id,
      proposed_transfer: facts,
    }
    const { id: transfer_id } = transfer(context, authorization, { description })
    ids.push(transfer_id)
    const item = records.items.get(String(item_id))
    if (item !== undefined)
      notify(context, item, 'TRANSFER', 'RECURRING_NEW_TRANSFER', { recurring_transfer_id, transfer_id })
    next = nextOn(fieldsOf(schedule), dayOf(new Date(next), 1))
  }
  records.recurring_transfers.update(found.id, {
    transfer_ids: ids,
    next_origination_date: next,
    status: next === null ? 'expired' : 'active',
    advances_at: next === null || found.test_clock_id != null ? null : `${next}T12:00:00.000Z`,
  })
}

function clockOf(context: Context): Kept {
  const id = String(context.body.test_clock_id)
  return context.records.test_clocks.get(id) ?? refuseWith(context, 'NOT_FOUND', id)
}

const toClock = ({ id, virtual_time = null }: Kept): Fields => ({ test_clock_id: id, virtual_time })

/** The ledger, sweeps, and transfers that recur. */
export const ledgers = {
  'POST /transfer/ledger/get': operation([], (context) => {
    const { ledger_id } = context.body
    if (ledger_id != null && ledger_id !== LEDGER.ledger_id) refuseWith(context, 'NOT_FOUND', String(ledger_id))
    const { available, pending } = balanceOf(context)
    return { ...LEDGER, balance: { available: available.toFixed(2), pending: pending.toFixed(2) } }
  }),
  'POST /transfer/ledger/deposit': move(-1),
  'POST /transfer/ledger/withdraw': move(1),
  'POST /sandbox/transfer/ledger/deposit/simulate': simulate,
  'POST /sandbox/transfer/ledger/withdraw/simulate': simulate,
  'POST /sandbox/transfer/ledger/simulate_available': operation([], (context) => {
    const { body, records } = context
    for (const { id, type } of records.transfers)
      if (type === 'debit') records.transfers.update(id, { is_available: true })
    for (const { id } of records.sweeps) records.sweeps.update(id, { is_available: true })
    addEndpoint(context, body.webhook)
    notifyAt(context, body.webhook, 'TRANSFER', 'TRANSFER_EVENTS_UPDATE', {})
    return {}
  }),
  'POST /transfer/sweep/get': operation(['sweep_id'], (context) => ({ sweep: shown(sweepOf(context)) })),
  'POST /transfer/sweep/list': operation([], (context) => {
    const { status, trigger, amount } = context.body
    const isWanted = (one: Kept) =>
      Object.entries({ status, trigger, amount }).every(([name, value]) => value == null || one[name] === value)
    const { page, has_more } = pageOf(context, [...context.records.sweeps].filter(isWanted))
    return { sweeps: page.map(shown), has_more }
  }),
  'POST /transfer/capabilities/get': operation(['access_token', 'account_id'], (context) => {
    const item = itemOf(context)
    const { mask, kept } = accountOf(context, item)
    const isCapable =
      item.kind === 'good' ? mask === '0000' || mask === '1111' : fieldsOf(kept).ach_routing === '322271627'
    return { institution_supported_networks: { rtp: { credit: isCapable }, rfp: { debit: false, max_amount: null } } }
  }),
  'POST /transfer/recurring/create': operation(
    ['access_token', 'idempotency_key', 'account_id', 'type', 'network', 'amount', 'description', 'schedule', 'user'],
    (context) => {
      const { body, now, records } = context
      const item = itemOf(context)
      const account = accountOf(context, item)
      amountIn(context)
      const schedule = fieldsOf(body.schedule)
      const lacks = ['interval_unit', 'interval_count', 'interval_execution_day', 'start_date'].filter(
        (name) => schedule[name] === undefined,
      )
      if (lacks.length > 0) refuseWith(context, 'MISSING_FIELDS', lacks.map((name) => `schedule.${name}`).join(', '))
      const clock = body.test_clock_id == null ? undefined : clockOf(context)
      const next = nextOn(schedule, clock === undefined ? dayOf(now) : String(clock.virtual_time).slice(0, 10))
      if (next === null)
        refuseWith(context, 'INVALID_FIELD', 'schedule must have an execution day from start_date to end_date')
      const { decision = null, decision_rationale = null, proposed_transfer } = authorize(context, item, account, body)
      if (decision !== 'approved') return { recurring_transfer: null, decision, decision_rationale }
      const { requested_amount: _r, credit_funds_source: _f, ...proposed } = fieldsOf(proposed_transfer)
      const made = records.recurring_transfers.create({
        item_id: item.id,
        created: now.toISOString(),
        ...proposed,
        description: body.description ?? '',
        schedule: { end_date: null, ...schedule },
        next_origination_date: next,
        test_clock_id: clock?.id ?? null,
        status: 'active',
        transfer_ids: [],
        advances_at: clock === undefined ? `${next}T12:00:00.000Z` : null,
      })
      return { recurring_transfer: toRecurring(made), decision, decision_rationale }
    },
  ),
  'POST /transfer/recurring/get': operation(['recurring_transfer_id'], (context) => ({
    recurring_transfer: toRecurring(recurringOf(context)),
  })),
  'POST /transfer/recurring/list': operation([], (context) => {
    const { start_time, end_time } = context.body
    const span = { start_date: start_time, end_date: end_time }
    const { page, has_more } = pageOf(context, context.records.recurring_transfers, 'created', span)
    return { recurring_transfers: page.map(toRecurring), has_more }
  }),
  'POST /transfer/recurring/cancel': operation(['recurring_transfer_id'], (context) => {
    const { id, status } = recurringOf(context)
    if (status !== 'active') refuseWith(context, 'TRANSFER_NOT_CANCELLABLE')
    context.records.recurring_transfers.update(id, {
      status: 'cancelled',
      next_origination_date: null,
      advances_at: null,
    })
    return {}
  }),
  'POST /sandbox/transfer/test_clock/create': operation([], (context) => {
    const { body, now, records } = context
    const virtual_time = String(body.virtual_time ?? now.toISOString())
    return { test_clock: toClock(records.test_clocks.create({ id: context.id(), virtual_time })) }
  }),
  'POST /sandbox/transfer/test_clock/get': operation(['test_clock_id'], (context) => ({
    test_clock: toClock(clockOf(context)),
  })),
  'POST /sandbox/transfer/test_clock/advance': operation(['test_clock_id', 'new_virtual_time'], (context) => {
    const { body, records } = context
    const { id, virtual_time } = clockOf(context)
    const next = String(body.new_virtual_time)
    if (!(Date.parse(next) >= Date.parse(String(virtual_time))))
      refuseWith(context, 'INVALID_FIELD', `new_virtual_time must be a time from ${virtual_time} on`)
    records.test_clocks.update(id, { virtual_time: next })
    for (const one of records.recurring_transfers.where({ test_clock_id: id, status: 'active' }))
      originate(context, one, next.slice(0, 10))
    return {}
  }),
  advanceRecurring: (context: Due) => {
    originate(context, context.record, dayOf(context.now))
  },
}
