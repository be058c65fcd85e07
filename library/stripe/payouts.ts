import type { DueContext, HandlerRecords } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, find, type Kept, listOf, refused, secondsOf, textOf } from './context.ts'
import { currencyOf } from './countries.ts'
import type { Operations, Steps, Stripe } from './stripe.ts'
import { checkFunds } from './transfers.ts'

/** What happens to payouts to the bank accounts of tests, by their last digits. */
const FAILURES: Readonly<Record<string, string>> = {
  1116: 'no_account',
  1113: 'account_closed',
  2227: 'insufficient_funds',
  3335: 'debit_not_authorized',
  4440: 'invalid_currency',
}
const MESSAGES: Readonly<Record<string, string>> = {
  no_account: 'The bank account could not be located.',
  account_closed: 'The bank account has been closed.',
  insufficient_funds: 'Your Stripe account has insufficient funds to cover the payout.',
  debit_not_authorized: 'Debit transactions are not approved on your bank account.',
  invalid_currency: 'The bank was unable to process this payout because of its currency.',
}

type Transactions = HandlerRecords<Kept> | undefined

const sums = (transactions: Transactions, test: (one: Kept) => boolean): Map<string, number> => {
  const found = transactions?.where(test) ?? []
  const total = new Map<string, number>()
  for (const { currency, net } of found) total.set(textOf(currency), (total.get(textOf(currency)) ?? 0) + Number(net))
  return total
}

const available = (transactions: Transactions): Map<string, number> =>
  sums(transactions, ({ status, balance_type }) => status === 'available' && balance_type !== 'issuing')

function balance({ records }: Context): object {
  const { balance_transactions } = records
  const shown = (amounts: Map<string, number>) =>
    [...(amounts.size === 0 ? [['usd', 0] as const] : amounts)].map(([currency, amount]) => ({
      amount,
      currency,
      source_types: { card: amount },
    }))
  const issued = sums(balance_transactions, ({ balance_type }) => balance_type === 'issuing')
  const pending = sums(balance_transactions, ({ status }) => status === 'pending')
  return {
    object: 'balance',
    available: shown(available(balance_transactions)),
    ...(issued.size > 0 && { issuing: { available: [...issued].map(([currency, amount]) => ({ amount, currency })) } }),
    livemode: false,
    pending: shown(pending),
  }
}

const BOOKED = { available_on: 0, fee: 0, status: 'available' }

/** The money of a payout that does not arrive. */
function giveBack(transactions: Transactions, { id, amount, currency }: Kept, type: string): Kept | undefined {
  const back = { amount: Number(amount), currency: textOf(currency), net: Number(amount), source: id }
  return transactions?.create({ ...BOOKED, ...back, reporting_category: `${type}_reversal`, type })
}

function createPayout(stripe: Stripe): Kept {
  const { body, records } = stripe
  const made = stripe.next()
  const currency = currencyOf(stripe)
  stripe.positive('amount')
  checkFunds(stripe, made)
  const account = records.accounts.get(stripe.account)
  const banks = listOf(fieldsOf(account?.external_accounts).data)
  const bank = banks.find((one) => one.id === body.destination) ?? banks.find((one) => one.currency === body.currency)
  if (body.destination !== undefined && bank?.id !== body.destination)
    stripe.absent('external account', body.destination, 'destination')
  const amount = 0 - Number(made.amount)
  const taken = records.balance_transactions.create({
    ...{ ...BOOKED, amount, net: amount, currency: made.currency, source: made.id },
    ...{ reporting_category: 'payout', type: 'payout', description: made.description ?? 'STRIPE PAYOUT' },
  })
  return records.payouts.update(made.id, {
    ...{ ...currency, status: 'pending', automatic: false, reconciliation_status: 'not_applicable' },
    arrival_date: body.method === 'instant' ? stripe.unix + 1_800 : stripe.later(2),
    destination: textOf(bank?.id) || stripe.id('ba_'),
    ...(bank && { fails_with: FAILURES[textOf(bank.last4)] ?? null }),
    balance_transaction: taken.id,
  })
}

/** A payout arrives or fails. */
function payOut({ record, records, update }: DueContext): void {
  const code = textOf(record.fails_with)
  if (code === '') {
    update({ status: 'paid' })
    return
  }
  const back = giveBack(records.balance_transactions as Transactions, record as Kept, 'payout_failure')
  update({
    status: 'failed',
    failure_balance_transaction: back?.id,
    failure_code: code,
    failure_message: MESSAGES[code],
  })
}

function reverse(context: Context): object {
  const { body, records } = context
  const payout = find(context, 'payouts', context.path.payout, 'payout')
  if (payout.status !== 'paid' || payout.reversed_by !== null || payout.original_payout !== null)
    return refused(context, null, 'Only paid payouts that are no reversals and were not reversed can be reversed.')
  const back = giveBack(records.balance_transactions, payout, 'payout')
  const made = records.payouts.create({
    amount: 0 - Number(payout.amount),
    arrival_date: secondsOf(context) + 172_800,
    balance_transaction: back?.id,
    currency: textOf(payout.currency),
    destination: textOf(payout.destination),
    metadata: fieldsOf(body.metadata),
    original_payout: payout.id,
    reconciliation_status: 'not_applicable',
    status: 'pending',
  })
  records.payouts.update(payout.id, { reversed_by: made.id })
  return made
}

const DAY_S = 86_400
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** The start of the next day of a schedule, in seconds; null for payouts by hand. */
function nextAt(schedule: JsonObject, from: number): number | null {
  const { interval, weekly_payout_days, monthly_payout_days } = schedule
  const days = (list: unknown, usual: unknown): unknown[] => (Array.isArray(list) && list.length > 0 ? list : [usual])
  for (let at = (Math.floor(from / DAY_S) + 1) * DAY_S; at < from + 62 * DAY_S; at += DAY_S) {
    const day = new Date(at * 1_000)
    if (interval === 'daily') return at
    if (interval === 'weekly' && days(weekly_payout_days, 'monday').includes(DAYS[day.getUTCDay()])) return at
    if (interval === 'monthly' && days(monthly_payout_days, 1).includes(day.getUTCDate())) return at
  }
  return null
}

/** Settings without those of currencies that a request empties. */
const filled = (value: unknown): JsonObject | null => {
  const kept = Object.entries(fieldsOf(value)).filter(([, amount]) => amount !== '')
  return kept.length === 0 ? null : Object.fromEntries(kept.map(([currency, amount]) => [currency, Number(amount)]))
}

function settings(context: Context): object {
  const [found] = context.records.payout_schedules
  const kept = fieldsOf(found?.settings)
  const sent = fieldsOf(context.body.payments)
  const payouts = { ...fieldsOf(kept.payouts), ...fieldsOf(sent.payouts) }
  const minimum = {
    ...fieldsOf(fieldsOf(kept.payouts).minimum_balance_by_currency),
    ...fieldsOf(fieldsOf(sent.payouts).minimum_balance_by_currency),
  }
  const schedule = { interval: 'manual', ...fieldsOf(payouts.schedule) }
  const { delay_days_override: delay } = { ...fieldsOf(kept.settlement_timing), ...fieldsOf(sent.settlement_timing) }
  const timing = {
    delay_days: Number(delay || 2),
    start_of_day: null,
    ...(delay && { delay_days_override: Number(delay) }),
  }
  const payments = {
    debit_negative_balances: sent.debit_negative_balances ?? kept.debit_negative_balances ?? false,
    payouts: {
      automatic_transfer_rules_by_currency: null,
      minimum_balance_by_currency: filled(minimum),
      schedule,
      statement_descriptor: payouts.statement_descriptor ?? null,
      status: 'enabled',
    },
    settlement_timing: timing,
  }
  if (Object.keys(sent).length > 0) {
    const fields = {
      interval: textOf(schedule.interval),
      next_at: nextAt(schedule, secondsOf(context)),
      settings: payments,
    }
    if (found === undefined) context.records.payout_schedules.create(fields)
    else context.records.payout_schedules.update(found.id, fields)
  }
  return { object: 'balance_settings', payments }
}

/** Pays out what is available of each currency. */
function payBySchedule({ record, records, update, now }: DueContext): void {
  const at = Math.floor(now.getTime() / 1_000)
  const {
    schedule,
    minimum_balance_by_currency,
    statement_descriptor = null,
  } = fieldsOf(fieldsOf(record.settings).payouts)
  const transactions = records.balance_transactions as Transactions
  for (const [currency, amount] of available(transactions)) {
    const paid = amount - Number(fieldsOf(minimum_balance_by_currency)[currency] ?? 0)
    if (paid <= 0) continue
    const made = records.payouts?.create({
      amount: paid,
      arrival_date: at + 2 * DAY_S,
      automatic: true,
      currency,
      description: 'STRIPE PAYOUT',
      reconciliation_status: 'completed',
      statement_descriptor,
      status: 'pending',
    })
    const taken = { amount: 0 - paid, currency, net: 0 - paid, source: textOf(made?.id) }
    const booked = transactions?.create({ ...BOOKED, ...taken, reporting_category: 'payout', type: 'payout' })
    records.payouts?.update(textOf(made?.id), { balance_transaction: booked?.id })
  }
  update({ next_at: nextAt(fieldsOf(schedule), at) })
}

/** The balance, and what leaves it for a bank. */
export const payouts = {
  'GET /v1/balance': balance,
  'GET /v1/balance_settings': settings,
  'POST /v1/balance_settings': settings,
  'POST /v1/payouts/{payout}/reverse': reverse,
  payOut,
  payBySchedule,
}

/** Payouts by hand, and top-ups. */
export const payoutOperations: Operations = {
  'POST /v1/payouts': createPayout,
  'POST /v1/payouts/{payout}/cancel': (stripe) => {
    const payout = stripe.own('payouts')
    if (payout.status !== 'pending') stripe.refuse('Payouts can only be canceled while they are pending.')
    const back = giveBack(stripe.of.records.balance_transactions, payout, 'payout_cancel')
    return stripe.records.payouts.update(payout.id, { status: 'canceled', failure_balance_transaction: back?.id })
  },
  'POST /v1/topups': (stripe) => {
    const { id } = stripe.next()
    stripe.positive('amount')
    const at = stripe.later(1)
    return stripe.records.topups.update(id, {
      ...{ ...currencyOf(stripe), arrives_at: at, expected_availability_date: at },
    })
  },
  'POST /v1/topups/{topup}/cancel': (stripe) => {
    const { id, status } = stripe.own('topups')
    if (status !== 'pending') stripe.refuse('This top-up can no longer be canceled.')
    return stripe.records.topups.update(id, { status: 'canceled', arrives_at: null })
  },
}

export const payoutSteps: Steps = {
  clearFunds: ({ records }, { id }) => records.balance_transactions.update(id, { status: 'available' }),
  arriveTopup: ({ records }, { id, amount, currency, description }) => {
    const booked = { amount, net: amount, currency, source: id, type: 'topup', reporting_category: 'topup' }
    const got = records.balance_transactions.create({ ...booked, description, status: 'available', fee: 0 })
    records.topups.update(id, { status: 'succeeded', balance_transaction: got.id, arrives_at: null })
  },
}
