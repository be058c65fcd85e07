import { accountOf } from './accounts.ts'
import type { Fields, Kept, Plaid, PlaidRequest } from './plaid.ts'
import { dayOf, fieldsOf, fits, nulls, operation, renamed } from './plaid.ts'
import { addEvent, amountIn, balanceOf, checkKind, eventOf, pageOf, takePath } from './transfers.ts'

const LEDGER = { ledger_id: '1b8b4e3c-6f0a-4c52-9d5e-0d2c6a7f3e91', name: 'Default', is_default: true }

const toSweep = renamed('id', 'is_available')

/** Money between the ledger and the account of the business: it leaves that account if the amount is negative. */
function sweep(plaid: PlaidRequest, amount: number): Kept {
  const { now, records } = plaid
  const made = records.sweeps.create({
    ...{ id: plaid.id(), funding_account_id: '', ledger_id: LEDGER.ledger_id, created: now.toISOString() },
    ...{ amount: amount.toFixed(2), iso_currency_code: 'USD', trigger: 'manual' },
    ...{ description: plaid.body.description ?? '', ...nulls('settled network_trace_id failure_reason') },
    expected_funds_available_date: amount < 0 ? dayOf(now, 5) : null,
  })
  return change(plaid, made, 'pending')
}

function change(plaid: Plaid, { id, amount = null }: Kept, status: string, failure_reason: Fields | null = null): Kept {
  const settled = status === 'settled' ? { settled: dayOf(plaid.now) } : {}
  addEvent(plaid, undefined, `sweep.${status}`, { sweep_id: id, sweep_amount: amount, failure_reason })
  return plaid.records.sweeps.update(id, { status, failure_reason, ...settled })
}

/** @param sign -1 for money to the ledger, 1 for money from it */
const move = (sign: number) =>
  operation(['amount', 'idempotency_key', 'network'], (plaid) => {
    const amount = amountIn(plaid)
    checkKind(plaid)
    if (sign > 0 && Number(amount) > balanceOf(plaid).available)
      plaid.invalid('amount must be at most the available balance of the ledger')
    const made = sweep(plaid, sign * Number(amount))
    takePath(amount, sign > 0, (status, failure) => change(plaid, made, status, failure))
    return { sweep: toSweep(plaid.records.sweeps.get(made.id) ?? made) }
  })

const simulate = operation(['sweep_id', 'event_type'], (plaid) => {
  const found = plaid.named('sweeps', 'sweep_id')
  const { event, failure } = eventOf(plaid, found)
  change(plaid, found, event, failure)
  return undefined
})

/** The ledger, and sweeps of money to it and from it. */
export const ledgers = {
  'POST /transfer/ledger/get': operation([], (plaid) => {
    const { ledger_id } = plaid.body
    if (ledger_id != null && ledger_id !== LEDGER.ledger_id) plaid.refuse('NOT_FOUND', String(ledger_id))
    const { available, pending } = balanceOf(plaid)
    return { ...LEDGER, balance: { available: available.toFixed(2), pending: pending.toFixed(2) } }
  }),
  'POST /transfer/ledger/deposit': move(-1),
  'POST /transfer/ledger/withdraw': move(1),
  'POST /sandbox/transfer/ledger/deposit/simulate': simulate,
  'POST /sandbox/transfer/ledger/withdraw/simulate': simulate,
  'POST /sandbox/transfer/ledger/simulate_available': operation([], (plaid) => {
    const { body, records } = plaid
    for (const { id, type } of records.transfers)
      if (type === 'debit') records.transfers.update(id, { is_available: true })
    for (const { id } of records.sweeps) records.sweeps.update(id, { is_available: true })
    plaid.addEndpoint(body.webhook)
    plaid.notifyAt(body.webhook, 'TRANSFER', 'TRANSFER_EVENTS_UPDATE')
  }),
  'POST /transfer/sweep/get': operation(['sweep_id'], (plaid) => ({
    sweep: toSweep(plaid.named('sweeps', 'sweep_id')),
  })),
  'POST /transfer/sweep/list': operation([], (plaid) => {
    const found = plaid.records.sweeps.where((one) => fits(one, plaid.body, 'status', 'trigger', 'amount'))
    const { page, has_more } = pageOf(plaid, found)
    return { sweeps: page.map(toSweep), has_more }
  }),
  'POST /transfer/capabilities/get': operation(['access_token', 'account_id'], (plaid) => {
    const item = plaid.item()
    const { mask, kept } = accountOf(plaid, item)
    const isCapable =
      item.kind === 'good' ? mask === '0000' || mask === '1111' : fieldsOf(kept).ach_routing === '322271627'
    return { institution_supported_networks: { rtp: { credit: isCapable }, rfp: { debit: false, max_amount: null } } }
  }),
}
