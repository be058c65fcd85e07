import { after } from '../shared/times.ts'
import { accountsOf, toAccount } from './accounts.ts'
import { categoryOf, counterpartiesOf, iconOf, MONTHLY, merchantOf, NOWHERE, RECURRING, SHOPS } from './merchants.ts'
import type { Due, Fields, Kept, PlaidRequest } from './plaid.ts'
import { DAY_S, dayOf, fieldsOf, listOf, MINUTE_S, nulls, operation, Plaid, renamed, toItem, USD } from './plaid.ts'

/** Days of transactions that the first update brings. */
const INITIAL_DAYS = 30
/** Seconds from the first update to that of the whole history. */
const HISTORY_S = 4 * MINUTE_S

const numberOf = (item: Kept): number => Number(item.sequence)

/** The next place in the order of an item's changes. */
function advance({ records }: Plaid, item: Kept): number {
  const { sequence } = records.items.get(item.id) ?? item
  const next = Number(sequence) + 1
  records.items.update(item.id, { sequence: next })
  return next
}

/** @param purchase account, amount, name, days, and whether it is pending */
function add(plaid: Plaid, item: Kept, purchase: Fields): void {
  const [merchant, , primary = '', detailed = ''] = merchantOf(purchase.name) ?? []
  const place = advance(plaid, item)
  plaid.records.transactions.create({
    ...{ id: plaid.longId(), item_id: item.id, added_at: place, changed_at: place, is_gone: false },
    ...{ pending_transaction_id: null, ...purchase, merchant_name: merchant ?? null },
    personal_finance_category: merchant === undefined ? null : categoryOf(primary, detailed),
  })
}

/** What the user `user_custom` has bought. */
function addCustom(plaid: Plaid, item: Kept): number {
  let count = 0
  for (const { id, kept } of plaid.records.accounts.where({ item_id: item.id }))
    for (const { date_posted, date_transacted, amount, description } of listOf(fieldsOf(kept).transactions)) {
      const [date, authorized_date] = [String(date_posted ?? date_transacted), String(date_transacted ?? date_posted)]
      const times = { date, authorized_date, pending: date > dayOf(plaid.now) }
      add(plaid, item, { account_id: id, amount: Number(amount), name: String(description), ...times })
      count += 1
    }
  return count
}

/** The purchase of a day, which follows from its date, and what recurs on it. */
function addDay(plaid: Plaid, item: Kept, date: string, pending = false): void {
  if (item.kind === 'custom') return
  const day = Math.round(Date.parse(date) / (DAY_S * 1_000))
  const monthly = MONTHLY[date.slice(8)]
  const [shop] = SHOPS.slice(day % SHOPS.length)
  for (const merchant of [shop, monthly]) {
    if (merchant === undefined) continue
    const [name, usual, , , subtype] = merchant
    const amount = merchant === shop ? Math.round(usual * (75 + ((day * 37) % 50))) / 100 : usual
    const account_id = plaid.records.accounts.find({ item_id: item.id, subtype })?.id ?? ''
    const times = { date, authorized_date: date, pending: pending && merchant === shop }
    add(plaid, item, { account_id, amount, name, ...times })
  }
}

export const live = ({ records }: Plaid, item: Kept): Kept[] =>
  records.transactions.where({ item_id: item.id, is_gone: false })

/** Days of an item's history, the oldest first. @param from days ago, and so is `to` */
export function addDays(plaid: Plaid, item: Kept, from: number, to: number): number {
  if (item.kind === 'custom') return to === 0 ? addCustom(plaid, item) : 0
  const before = numberOf(item)
  const linked = new Date(String(item.created_at))
  const pendingFrom = item.kind === 'dynamic' ? 2 : 0
  for (let ago = from; ago >= to; ago -= 1) addDay(plaid, item, dayOf(linked, -ago), ago < pendingFrom)
  return numberOf(plaid.records.items.get(item.id) ?? item) - before
}

/** A day goes by: pending transactions post, and others begin. */
function addToday(plaid: Plaid, item: Kept): void {
  const { now, records } = plaid
  const today = dayOf(now)
  const posted = live(plaid, item).filter(({ pending, date }) => pending === true && String(date) <= today)
  for (const { id, account_id = null, amount = 0, name = '', authorized_date = null } of posted) {
    records.transactions.update(id, { is_gone: true, changed_at: advance(plaid, item) })
    const times = { date: today, authorized_date, pending: false, pending_transaction_id: id }
    add(plaid, item, { account_id, amount, name, ...times })
  }
  const earlier = item.kind === 'dynamic' ? live(plaid, item).findLast(({ pending }) => pending !== true) : undefined
  if (earlier !== undefined) {
    const change = { amount: Number(earlier.amount) + 1, changed_at: advance(plaid, item) }
    records.transactions.update(earlier.id, change)
  }
  addDay(plaid, item, today, true)
  const removed_transactions = posted.map(({ id }) => id)
  const new_transactions = live(plaid, item).filter(({ date }) => date === today).length
  plaid.notify(item, 'TRANSACTIONS', 'DEFAULT_UPDATE', { error: null, new_transactions })
  if (removed_transactions.length > 0)
    plaid.notify(item, 'TRANSACTIONS', 'TRANSACTIONS_REMOVED', { error: null, removed_transactions })
}

/** For clients of `/transactions/sync`, once they have called it. */
function notifySync(plaid: Plaid, item: Kept, isWhole: boolean): void {
  if (item.is_synced !== true) return
  const facts = { initial_update_complete: true, historical_update_complete: isWhole }
  plaid.notify(item, 'TRANSACTIONS', 'SYNC_UPDATES_AVAILABLE', facts)
}

const STATUS = ['NOT_READY', 'INITIAL_UPDATE_COMPLETE', 'HISTORICAL_UPDATE_COMPLETE']

const UNKNOWN =
  'merchant_entity_id category category_id check_number authorized_datetime datetime account_owner transaction_code logo_url website'
const NO_META = nulls('by_order_of payee payer payment_method payment_processor ppd_id reason reference_number')
const ownFields = renamed('transaction_id', 'item_id', 'added_at', 'changed_at', 'is_gone')

const toTransaction =
  ({ body }: PlaidRequest) =>
  (one: Kept): Fields => {
    const { name = '', amount = 0, merchant_name = null, pending_transaction_id = null } = one
    const isOriginal = fieldsOf(body.options).include_original_description === true
    return {
      ...{ ...ownFields(one), name, amount, pending_transaction_id, ...nulls(UNKNOWN), ...USD },
      original_description: isOriginal ? name || null : null,
      ...{ transaction_type: 'special', payment_channel: 'in store', location: NOWHERE, payment_meta: NO_META },
      personal_finance_category_icon_url: iconOf(one.personal_finance_category),
      counterparties: counterpartiesOf(merchant_name),
    }
  }

const readItem = (plaid: PlaidRequest): Kept =>
  plaid.itemWith('transactions', { advances_at: after(plaid.now, MINUTE_S) })

function readyItem(plaid: PlaidRequest): Kept {
  const item = readItem(plaid)
  return item.step === 0 ? plaid.refuse('PRODUCT_NOT_READY') : item
}

/** A cursor: the latest change that the client knows and, between pages, the latest one when their first was read. */
function placeOf(plaid: PlaidRequest, item: Kept): { known: number; last: number } {
  const { cursor } = plaid.body
  const now = numberOf(item)
  if (cursor === undefined || cursor === null || cursor === '') return { known: 0, last: now }
  const [known, last = now, ...rest] = Buffer.from(String(cursor), 'base64').toString().split('.').map(Number)
  if (!Number.isInteger(known) || rest.length > 0 || Number(known) > now)
    plaid.invalid('cursor not associated with access_token')
  if (last !== now) plaid.refuse('TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
  return { known: Number(known), last }
}

function dateOf(plaid: PlaidRequest, name: string, value: unknown): string {
  const date = String(value)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    plaid.invalid(`${name} must be a date such as 2026-01-31`)
  return date
}

/** The first and the last day of a request. */
export function spanOf(plaid: PlaidRequest): readonly [start: string, end: string] {
  const start = dateOf(plaid, 'start_date', plaid.body.start_date)
  const end = dateOf(plaid, 'end_date', plaid.body.end_date)
  return start > end ? plaid.invalid('start_date must not be after end_date') : [start, end]
}

export const transactions = {
  'POST /transactions/sync': operation(['access_token'], (plaid) => {
    const item = readItem(plaid)
    const { body, records } = plaid
    const { account_id } = fieldsOf(body.options)
    const { known, last } = placeOf(plaid, item)
    const count = plaid.integer('count', body.count, 100, 500, 1)
    records.items.update(item.id, { is_synced: true })
    const changed = records.transactions
      .where((one) => one.item_id === item.id && Number(one.changed_at) > known)
      .filter((one) => account_id == null || one.account_id === account_id)
      .filter((one) => one.is_gone !== true || Number(one.added_at) <= known)
      .toSorted((one, other) => Number(one.changed_at) - Number(other.changed_at))
    const page = changed.slice(0, count)
    const has_more = page.length < changed.length
    const next = has_more ? `${page.at(-1)?.changed_at}.${last}` : String(last)
    const present = page.filter(({ is_gone }) => is_gone !== true)
    return {
      transactions_update_status: STATUS[Math.min(Number(item.step), 2)] ?? null,
      accounts: accountsOf(plaid, item).map(toAccount),
      added: present.filter(({ added_at }) => Number(added_at) > known).map(toTransaction(plaid)),
      modified: present.filter(({ added_at }) => Number(added_at) <= known).map(toTransaction(plaid)),
      removed: page
        .filter(({ is_gone }) => is_gone === true)
        .map((one) => ({ transaction_id: one.id, account_id: one.account_id ?? null })),
      next_cursor: item.step === 0 ? '' : Buffer.from(next).toString('base64'),
      has_more,
    }
  }),
  'POST /transactions/get': operation(['access_token', 'start_date', 'end_date'], (plaid) => {
    const [start, end] = spanOf(plaid)
    const item = readyItem(plaid)
    const accounts = accountsOf(plaid, item)
    const found = live(plaid, item)
      .filter(({ date }) => String(date) >= start && String(date) <= end)
      .filter(({ account_id }) => accounts.some(({ id }) => id === account_id))
      .toSorted((a, b) => String(b.date).localeCompare(String(a.date)) || Number(b.added_at) - Number(a.added_at))
    return {
      ...{ accounts: accounts.map(toAccount), total_transactions: found.length, item: toItem(item) },
      transactions: plaid.page(found, fieldsOf(plaid.body.options)).map(toTransaction(plaid)),
    }
  }),
  'POST /transactions/refresh': operation(['access_token'], (plaid) => {
    const item = readyItem(plaid)
    plaid.records.items.update(item.id, { updated_at: plaid.now.toISOString() })
    addToday(plaid, item)
    notifySync(plaid, item, Number(item.step) > 1)
  }),
  'POST /transactions/recurring/get': operation(['access_token'], (plaid) => {
    const item = readyItem(plaid)
    const { account_ids } = plaid.body
    const isWanted = ({ account_id }: Kept) => !Array.isArray(account_ids) || account_ids.includes(account_id ?? null)
    const all = live(plaid, item).filter(isWanted)
    const streams = RECURRING.flatMap((name) => toStream(name, all))
    const isInflow = ({ average_amount }: Fields): boolean => Number(fieldsOf(average_amount).amount) < 0
    return {
      inflow_streams: streams.filter(isInflow),
      outflow_streams: streams.filter((stream) => !isInflow(stream)),
      updated_datetime: String(item.updated_at),
    }
  }),
  'POST /sandbox/transactions/create': operation(['access_token', 'transactions'], (plaid) => {
    const item = readyItem(plaid)
    const account_id = accountsOf(plaid, item).find(({ subtype }) => subtype === 'checking')?.id ?? ''
    const given = plaid.body.transactions
    if (!Array.isArray(given) || given.length === 0 || given.length > 10)
      return plaid.invalid('transactions must be a list of 1 to 10')
    for (const { amount, description, date_transacted, date_posted } of given.map(fieldsOf)) {
      if (typeof amount !== 'number') plaid.invalid('amount must be a number')
      const date = dateOf(plaid, 'date_posted', date_posted)
      const authorized_date = dateOf(plaid, 'date_transacted', date_transacted)
      const times = { date, authorized_date, pending: date > dayOf(plaid.now) }
      add(plaid, item, { ...times, account_id, amount: Number(amount), name: String(description) })
    }
    notifySync(plaid, item, Number(item.step) > 1)
  }),
  /** The first update of an item, that of its history, and one each day. */
  advanceItem: (due: Due) => {
    const [plaid, { record: item, now }] = [new Plaid(due), due]
    const [step, days] = [Number(item.step) + 1, Number(item.days)]
    due.update({ step, updated_at: now.toISOString(), advances_at: after(now, step === 1 ? HISTORY_S : DAY_S) })
    if (item.needs_login === true && step > 2) return
    if (step > 2) addToday(plaid, item)
    else {
      const count = step === 1 ? addDays(plaid, item, Math.min(days, INITIAL_DAYS) - 1, 0) : addOlder(plaid, item, days)
      const facts = { error: null, new_transactions: count }
      plaid.notify(item, 'TRANSACTIONS', step === 1 ? 'INITIAL_UPDATE' : 'HISTORICAL_UPDATE', facts)
    }
    notifySync(plaid, item, step > 1)
  },
}

/** The days of the history that the first update did not bring. */
const addOlder = (plaid: Plaid, item: Kept, days: number): number =>
  days > INITIAL_DAYS ? addDays(plaid, item, days - 1, INITIAL_DAYS) : 0

/** A stream of the transactions of one name; none of fewer than three. */
function toStream(name: string, all: readonly Kept[]): Fields[] {
  const found = all
    .filter((one) => one.name === name)
    .sort((one, other) => String(one.date).localeCompare(String(other.date)))
  const [first, last] = [found.at(0), found.at(-1)]
  if (first === undefined || last === undefined || found.length < 3) return []
  const { account_id = null, date: first_date = null } = first
  const { date: last_date = null, personal_finance_category = null } = last
  const amount = { amount: last.amount ?? 0, ...USD }
  const stream_id = `${name.replaceAll(' ', '')}${account_id}`.slice(0, 37)
  return [
    {
      ...{ account_id, stream_id, category: null, category_id: null, description: name, merchant_name: name },
      ...{ first_date, last_date, predicted_next_date: nextMonth(String(last_date)), frequency: 'MONTHLY' },
      ...{ transaction_ids: found.map(({ id }) => id), average_amount: amount, last_amount: amount },
      ...{ is_active: true, status: 'MATURE', personal_finance_category, is_user_modified: false },
    },
  ]
}

function nextMonth(date: string): string {
  const next = new Date(date)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return dayOf(next)
}
