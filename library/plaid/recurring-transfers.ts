import { accountOf } from './accounts.ts'
import { DAY_S, type Due, dayOf, type Fields, fieldsOf, type Kept, operation, Plaid, renamed } from './plaid.ts'
import { amountIn, authorize, checkKind, pageOf, transfer } from './transfers.ts'

/** What each transfer of a schedule has from it. */
const PROPOSED =
  'ach_class account_id type network amount user iso_currency_code origination_account_id funding_account_id ledger_id originator_client_id'.split(
    ' ',
  )

const toRecurring = renamed('recurring_transfer_id', 'item_id', 'advances_at')

/** The day of a schedule on or after another; null after its end. */
function nextOn(schedule: Fields, from: string): string | null {
  const { interval_unit, interval_count, interval_execution_day, start_date, end_date } = schedule
  const [wanted, every] = [Number(interval_execution_day), Number(interval_count)]
  const start = new Date(String(start_date))
  const monthsOf = (day: Date): number => 12 * day.getUTCFullYear() + day.getUTCMonth()
  const isExecuted = (day: Date): boolean => {
    if (interval_unit === 'week') {
      const weeks = Math.floor((day.getTime() - start.getTime()) / (7 * DAY_S * 1_000))
      return day.getUTCDay() === wanted && weeks % every === 0
    }
    const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
    const isDay = day.getUTCDate() === (wanted < 0 ? last + 1 + wanted : wanted)
    return isDay && (monthsOf(day) - monthsOf(start)) % every === 0
  }
  const first = new Date(from > String(start_date) ? from : start)
  for (let at = 0; at < 370 * every; at += 1) {
    const date = dayOf(first, at)
    if (end_date != null && date > String(end_date)) return null
    if (isExecuted(new Date(date))) return date
  }
  return null
}

/** Makes the transfers of a schedule up to a day. */
function originate(plaid: Plaid, recurring: Kept, until: string): void {
  const { records } = plaid
  const { id: recurring_transfer_id, item_id = null, description = '', schedule, test_clock_id } = recurring
  const proposed_transfer = Object.fromEntries(PROPOSED.map((name) => [name, recurring[name] ?? null]))
  const transfer_ids = [...(recurring.transfer_ids as string[])]
  let next = recurring.next_origination_date == null ? null : String(recurring.next_origination_date)
  while (next !== null && next <= until) {
    const authorization = { id: plaid.id(), item_id, recurring_transfer_id, proposed_transfer }
    const { id: transfer_id } = transfer(plaid, authorization, { description })
    transfer_ids.push(transfer_id)
    const facts = { recurring_transfer_id, transfer_id }
    plaid.notifyAt(records.items.get(String(item_id))?.webhook, 'TRANSFER', 'RECURRING_NEW_TRANSFER', facts)
    next = nextOn(fieldsOf(schedule), dayOf(new Date(next), 1))
  }
  records.recurring_transfers.update(recurring.id, {
    ...{ transfer_ids, next_origination_date: next, status: next === null ? 'expired' : 'active' },
    advances_at: next === null || test_clock_id != null ? null : `${next}T12:00:00.000Z`,
  })
}

const toClock = renamed('test_clock_id')

/** Transfers that recur, and the clocks of their tests. */
export const recurringTransfers = {
  'POST /transfer/recurring/create': operation(
    ['access_token', 'idempotency_key', 'account_id', 'type', 'network', 'amount', 'description', 'schedule', 'user'],
    (plaid) => {
      const { body, now, records } = plaid
      const item = plaid.item()
      const account = accountOf(plaid, item)
      amountIn(plaid)
      checkKind(plaid)
      const schedule = fieldsOf(body.schedule)
      plaid.need(['interval_unit', 'interval_count', 'interval_execution_day', 'start_date'], schedule, 'schedule.')
      const clock = body.test_clock_id == null ? undefined : plaid.named('test_clocks', 'test_clock_id')
      const next = nextOn(schedule, clock === undefined ? dayOf(now) : String(clock.virtual_time).slice(0, 10))
      if (next === null) plaid.invalid('schedule must have an execution day from start_date to end_date')
      const { decision = null, decision_rationale = null, proposed_transfer } = authorize(plaid, item, account, body)
      if (decision !== 'approved') return { recurring_transfer: null, decision, decision_rationale }
      const { requested_amount: _r, credit_funds_source: _f, ...proposed } = fieldsOf(proposed_transfer)
      const made = records.recurring_transfers.create({
        ...{ item_id: item.id, created: now.toISOString(), ...proposed, description: body.description ?? '' },
        ...{ schedule: { end_date: null, ...schedule }, next_origination_date: next, transfer_ids: [] },
        ...{ test_clock_id: clock?.id ?? null, status: 'active' },
        advances_at: clock === undefined ? `${next}T12:00:00.000Z` : null,
      })
      return { recurring_transfer: toRecurring(made), decision, decision_rationale }
    },
  ),
  'POST /transfer/recurring/get': operation(['recurring_transfer_id'], (plaid) => ({
    recurring_transfer: toRecurring(plaid.named('recurring_transfers', 'recurring_transfer_id')),
  })),
  'POST /transfer/recurring/list': operation([], (plaid) => {
    const { start_time: start_date = null, end_time: end_date = null } = plaid.body
    const { page, has_more } = pageOf(plaid, plaid.records.recurring_transfers, 'created', { start_date, end_date })
    return { recurring_transfers: page.map(toRecurring), has_more }
  }),
  'POST /transfer/recurring/cancel': operation(['recurring_transfer_id'], (plaid) => {
    const { id, status } = plaid.named('recurring_transfers', 'recurring_transfer_id')
    if (status !== 'active') plaid.refuse('TRANSFER_NOT_CANCELLABLE')
    const change = { status: 'cancelled', next_origination_date: null, advances_at: null }
    plaid.records.recurring_transfers.update(id, change)
  }),
  'POST /sandbox/transfer/test_clock/create': operation([], (plaid) => {
    const { body, now, records } = plaid
    const virtual_time = String(body.virtual_time ?? now.toISOString())
    return { test_clock: toClock(records.test_clocks.create({ id: plaid.id(), virtual_time })) }
  }),
  'POST /sandbox/transfer/test_clock/get': operation(['test_clock_id'], (plaid) => ({
    test_clock: toClock(plaid.named('test_clocks', 'test_clock_id')),
  })),
  'POST /sandbox/transfer/test_clock/advance': operation(['test_clock_id', 'new_virtual_time'], (plaid) => {
    const { body, records } = plaid
    const { id, virtual_time } = plaid.named('test_clocks', 'test_clock_id')
    const next = String(body.new_virtual_time)
    if (!(Date.parse(next) >= Date.parse(String(virtual_time))))
      plaid.invalid(`new_virtual_time must be a time from ${virtual_time} on`)
    records.test_clocks.update(id, { virtual_time: next })
    for (const one of records.recurring_transfers.where({ test_clock_id: id, status: 'active' }))
      originate(plaid, one, next.slice(0, 10))
  }),
  advanceRecurring: (due: Due) => originate(new Plaid(due), due.record, dayOf(due.now)),
}
