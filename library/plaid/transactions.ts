import { type Fields, fieldsOf, type Kept, listOf } from '../openai/context.ts'
import { after } from '../openai/times.ts'
import { accountsOf, toAccount } from './accounts.ts'
import {
  type Context,
  DAY_S,
  type Due,
  dayOf,
  integerOf,
  itemWith,
  MINUTE_S,
  notify,
  operation,
  refuseWith,
  type Work,
} from './context.ts'
import { toItem } from './item.ts'

/** Days of transactions that the first update brings. */
const INITIAL_DAYS = 30
/** Seconds from the first update to that of the whole history. */
const HISTORY_S = 4 * MINUTE_S

/** A merchant: name, amount (negative: money comes in), category, its detail, the account or, of a brand, another name. */
type Merchant = readonly [name: string, amount: number, primary: string, detailed: string, subtype: string]

const SHOPS: readonly Merchant[] = [
  ['Corner Bakery', 6.4, 'FOOD_AND_DRINK', 'COFFEE', 'credit card'],
  ['Green Grocer', 48.25, 'FOOD_AND_DRINK', 'GROCERIES', 'checking'],
  ['City Metro', 2.9, 'TRANSPORTATION', 'PUBLIC_TRANSIT', 'credit card'],
  ['Paper & Ink', 17.5, 'GENERAL_MERCHANDISE', 'BOOKSTORES_AND_NEWSSTANDS', 'credit card'],
  ['Hill Street Pharmacy', 12.1, 'MEDICAL', 'PHARMACIES_AND_SUPPLEMENTS', 'checking'],
]
const RENT: Merchant = ['Mill Lane Homes', 900, 'RENT_AND_UTILITIES', 'RENT', 'checking']
const FILMS: Merchant = ['Night Films', 11.99, 'ENTERTAINMENT', 'TV_AND_MOVIES', 'credit card']
const WAGES: Merchant = ['Analytical Engines', -2_400, 'INCOME', 'WAGES', 'checking']
/** By the day of the month: what recurs each month. */
const MONTHLY: Readonly<Record<string, Merchant>> = { '01': RENT, '12': FILMS, '25': WAGES }
/** Merchants that descriptors of a test may have. */
const BRANDS: readonly Merchant[] = [
  ['Walmart', 0, 'GENERAL_MERCHANDISE', 'SUPERSTORES', 'wm supercenter'],
  ['Amazon', 0, 'GENERAL_MERCHANDISE', 'ONLINE_MARKETPLACES', 'amzn'],
  ['Target', 0, 'GENERAL_MERCHANDISE', 'SUPERSTORES', 'target'],
  ['Starbucks', 0, 'FOOD_AND_DRINK', 'COFFEE', 'sbux'],
  ["McDonald's", 0, 'FOOD_AND_DRINK', 'FAST_FOOD', 'mcdonalds'],
  ['DoorDash', 0, 'FOOD_AND_DRINK', 'RESTAURANT', 'doordash'],
  ['Uber', 0, 'TRANSPORTATION', 'TAXIS_AND_RIDE_SHARES', 'uber'],
  ['Lyft', 0, 'TRANSPORTATION', 'TAXIS_AND_RIDE_SHARES', 'lyft'],
  ['Netflix', 0, 'ENTERTAINMENT', 'TV_AND_MOVIES', 'netflix'],
  ['Spotify', 0, 'ENTERTAINMENT', 'MUSIC_AND_AUDIO', 'spotify'],
]

/** The merchant that a description names. */
export function merchantOf(description: unknown): Merchant | undefined {
  const text = String(description).toLowerCase()
  const isNamed = (name: string): boolean => text.includes(name.toLowerCase())
  return (
    [...SHOPS, RENT, FILMS, WAGES].find(([name]) => isNamed(name)) ??
    BRANDS.find(([name, , , , alias]) => isNamed(name) || isNamed(alias))
  )
}

const RECURRING = [RENT, FILMS, WAGES].map(([name]) => name)

export const CATEGORIES = [...SHOPS, ...Object.values(MONTHLY)].map(([, , primary, detailed], at) => ({
  category_id: String(10_000_000 + at * 1_000),
  group: 'place',
  hierarchy: [primary, `${primary}_${detailed}`],
}))

export const categoryOf = (primary: string, detailed: string): Fields => ({
  primary,
  detailed: `${primary}_${detailed}`,
  confidence_level: 'VERY_HIGH',
  version: 'v1',
})

export const iconOf = (category: unknown): string =>
  `https://plaid-category-icons.plaid.example/PFC_${fieldsOf(category).primary ?? 'OTHER'}.png`

const numberOf = (item: Kept): number => Number(item.sequence)

/** The next place in the order of an item's changes. */
function advance({ records }: Work, item: Kept): number {
  const { sequence } = records.items.get(item.id) ?? item
  const next = Number(sequence) + 1
  records.items.update(item.id, { sequence: next })
  return next
}

interface Given {
  readonly account_id: string
  readonly amount: number
  readonly name: string
  readonly date: string
  readonly authorized: string
  readonly pending: boolean
  readonly earlier?: string
}

function add(context: Work, item: Kept, given: Given): void {
  const { account_id, amount, name, date, authorized, pending, earlier = null } = given
  const [merchant, , primary = '', detailed = ''] = merchantOf(name) ?? []
  const place = advance(context, item)
  context.records.transactions.create({
    id: `${context.id()}${context.id()}`.slice(0, 37),
    item_id: item.id,
    added_at: place,
    changed_at: place,
    is_gone: false,
    account_id,
    amount,
    name,
    date,
    authorized_date: authorized,
    pending,
    pending_transaction_id: earlier,
    merchant_name: merchant ?? null,
    personal_finance_category: merchant === undefined ? null : categoryOf(primary, detailed),
  })
}

/** What the user `user_custom` has bought. */
function addCustom(context: Work, item: Kept): number {
  let count = 0
  for (const { id, kept } of context.records.accounts.where({ item_id: item.id }))
    for (const { date_posted, date_transacted, amount, description } of listOf(fieldsOf(kept).transactions)) {
      const [date, authorized] = [String(date_posted ?? date_transacted), String(date_transacted ?? date_posted)]
      const pending = date > dayOf(context.now)
      add(context, item, {
        account_id: id,
        amount: Number(amount),
        name: String(description),
        date,
        authorized,
        pending,
      })
      count += 1
    }
  return count
}

/** The purchase of a day, which follows from its date, and what recurs on it. */
function addDay(context: Work, item: Kept, date: string, pending = false): void {
  if (item.kind === 'custom') return
  const day = Math.round(Date.parse(date) / (DAY_S * 1_000))
  const monthly = MONTHLY[date.slice(8)]
  const [shop] = SHOPS.slice(day % SHOPS.length)
  for (const merchant of [shop, monthly]) {
    if (merchant === undefined) continue
    const [name, usual, , , subtype] = merchant
    const amount = merchant === shop ? Math.round(usual * (75 + ((day * 37) % 50))) / 100 : usual
    const account_id = context.records.accounts.find({ item_id: item.id, subtype })?.id ?? ''
    const isPending = pending && merchant === shop
    add(context, item, {
      account_id,
      amount,
      name,
      date,
      authorized: date,
      pending: isPending,
    })
  }
}

export const live = ({ records }: Work, item: Kept): Kept[] =>
  records.transactions.where({ item_id: item.id, is_gone: false })

/** Days of an item's history, the oldest first. @param from days ago, and so is `to` */
export function addDays(context: Work, item: Kept, from: number, to: number): number {
  if (item.kind === 'custom') return to === 0 ? addCustom(context, item) : 0
  const before = numberOf(item)
  const linked = new Date(String(item.created_at))
  const pendingFrom = item.kind === 'dynamic' ? 2 : 0
  for (let ago = from; ago >= to; ago -= 1) addDay(context, item, dayOf(linked, -ago), ago < pendingFrom)
  return numberOf(context.records.items.get(item.id) ?? item) - before
}

/** A day goes by: pending transactions post, and others begin. */
function addToday(context: Work, item: Kept): void {
  const { now, records } = context
  const today = dayOf(now)
  const posted = live(context, item).filter(({ pending, date }) => pending === true && String(date) <= today)
  for (const { id, account_id, amount, name, authorized_date } of posted) {
    records.transactions.update(id, { is_gone: true, changed_at: advance(context, item) })
    const facts = { account_id: String(account_id), amount: Number(amount), name: String(name) }
    add(context, item, { ...facts, date: today, authorized: String(authorized_date), pending: false, earlier: id })
  }
  const earlier = item.kind === 'dynamic' ? live(context, item).findLast(({ pending }) => pending !== true) : undefined
  if (earlier !== undefined)
    records.transactions.update(earlier.id, {
      amount: Number(earlier.amount) + 1,
      changed_at: advance(context, item),
    })
  addDay(context, item, today, true)
  const gone = posted.map(({ id }) => id)
  const left = live(context, item)
  const fresh = left.filter(({ date }) => date === today).length
  notify(context, item, 'TRANSACTIONS', 'DEFAULT_UPDATE', { error: null, new_transactions: fresh })
  if (gone.length > 0)
    notify(context, item, 'TRANSACTIONS', 'TRANSACTIONS_REMOVED', { error: null, removed_transactions: gone })
}

/** For clients of `/transactions/sync`, once they have called it. */
function notifySync(context: Work, item: Kept, isWhole: boolean): void {
  if (item.is_synced !== true) return
  const facts = { initial_update_complete: true, historical_update_complete: isWhole }
  notify(context, item, 'TRANSACTIONS', 'SYNC_UPDATES_AVAILABLE', facts)
}

const STATUS = ['NOT_READY', 'INITIAL_UPDATE_COMPLETE', 'HISTORICAL_UPDATE_COMPLETE']

const toTransaction =
  ({ body }: Context) =>
  (one: Kept): Fields => {
    const {
      id,
      item_id: _i,
      added_at: _a,
      changed_at: _c,
      is_gone: _g,
      name,
      amount,
      pending_transaction_id,
      ...kept
    } = one
    const { merchant_name = null } = one
    return {
      transaction_id: id,
      ...kept,
      name: name ?? '',
      original_description: fieldsOf(body.options).include_original_description === true ? (name ?? null) : null,
      amount: amount ?? 0,
      merchant_entity_id: null,
      pending_transaction_id: pending_transaction_id ?? null,
      iso_currency_code: 'USD',
      unofficial_currency_code: null,
      category: null,
      category_id: null,
      check_number: null,
      authorized_datetime: null,
      datetime: null,
      account_owner: null,
      transaction_code: null,
      transaction_type: 'special',
      payment_channel: 'in store',
      personal_finance_category_icon_url: iconOf(kept.personal_finance_category),
      logo_url: null,
      website: null,
      counterparties:
        merchant_name === null ? [] : [{ name: merchant_name, type: 'merchant', confidence_level: 'VERY_HIGH' }],
      location: {
        address: null,
        city: null,
        region: null,
        postal_code: null,
        country: null,
        lat: null,
        lon: null,
        store_number: null,
      },
      payment_meta: {
        by_order_of: null,
        payee: null,
        payer: null,
        payment_method: null,
        payment_processor: null,
        ppd_id: null,
        reason: null,
        reference_number: null,
      },
    }
  }

const readItem = (context: Context): Kept =>
  itemWith(context, 'transactions', { advances_at: after(context.now, MINUTE_S) })

function readyItem(context: Context): Kept {
  const item = readItem(context)
  return item.step === 0 ? refuseWith(context, 'PRODUCT_NOT_READY') : item
}

/** A cursor: the latest change that the client knows and, between pages, the latest one when their first was read. */
function placeOf(context: Context, item: Kept): { known: number; last: number } {
  const { cursor } = context.body
  const now = numberOf(item)
  if (cursor === undefined || cursor === null || cursor === '') return { known: 0, last: now }
  const [known, last = now, ...rest] = Buffer.from(String(cursor), 'base64').toString().split('.').map(Number)
  if (!Number.isInteger(known) || rest.length > 0 || Number(known) > now)
    refuseWith(context, 'INVALID_FIELD', 'cursor must be the next_cursor of an earlier answer')
  if (last !== now) refuseWith(context, 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
  return { known: Number(known), last }
}

function dateOf(context: Context, name: string, value: unknown): string {
  const date = String(value)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    refuseWith(context, 'INVALID_FIELD', `${name} must be a date such as 2026-01-31`)
  return date
}

/** The first and the last day of a request. */
export function spanOf(context: Context): readonly [start: string, end: string] {
  const start = dateOf(context, 'start_date', context.body.start_date)
  const end = dateOf(context, 'end_date', context.body.end_date)
  return start > end ? refuseWith(context, 'INVALID_FIELD', 'start_date must not be after end_date') : [start, end]
}

export const transactions = {
  'POST /transactions/sync': operation(['access_token'], (context) => {
    const item = readItem(context)
    const { body, records } = context
    const { account_id } = fieldsOf(body.options)
    const { known, last } = placeOf(context, item)
    const count = integerOf(context, 'count', body.count, 100, 500, 1)
    records.items.update(item.id, { is_synced: true })
    const changed = records.transactions
      .where((one) => one.item_id === item.id && Number(one.changed_at) > known)
      .filter((one) => account_id === undefined || account_id === null || one.account_id === account_id)
      .filter((one) => one.is_gone !== true || Number(one.added_at) <= known)
      .toSorted((one, other) => Number(one.changed_at) - Number(other.changed_at))
    const page = changed.slice(0, count)
    const has_more = page.length < changed.length
    const next = has_more ? `${page.at(-1)?.changed_at}.${last}` : String(last)
    const present = page.filter(({ is_gone }) => is_gone !== true)
    return {
      transactions_update_status: STATUS[Math.min(Number(item.step), 2)] ?? null,
      accounts: accountsOf(context, item).map(toAccount),
      added: present.filter(({ added_at }) => Number(added_at) > known).map(toTransaction(context)),
      modified: present.filter(({ added_at }) => Number(added_at) <= known).map(toTransaction(context)),
      removed: page
        .filter(({ is_gone }) => is_gone === true)
        .map((one) => ({ transaction_id: one.id, account_id: one.account_id ?? null })),
      next_cursor: item.step === 0 ? '' : Buffer.from(next).toString('base64'),
      has_more,
    }
  }),
  'POST /transactions/get': operation(['access_token', 'start_date', 'end_date'], (context) => {
    const [start, end] = spanOf(context)
    const item = readyItem(context)
    const { count, offset } = fieldsOf(context.body.options)
    const accounts = accountsOf(context, item)
    const found = live(context, item)
      .filter(
        ({ date, account_id }) =>
          String(date) >= start && String(date) <= end && accounts.some(({ id }) => id === account_id),
      )
      .toSorted(
        (one, other) =>
          String(other.date).localeCompare(String(one.date)) || Number(other.added_at) - Number(one.added_at),
      )
    const from = integerOf(context, 'offset', offset, 0, 1_000_000)
    return {
      accounts: accounts.map(toAccount),
      transactions: found
        .slice(from, from + integerOf(context, 'count', count, 100, 500, 1))
        .map(toTransaction(context)),
      total_transactions: found.length,
      item: toItem(item),
    }
  }),
  'POST /transactions/refresh': operation(['access_token'], (context) => {
    const item = readyItem(context)
    context.records.items.update(item.id, { updated_at: context.now.toISOString() })
    addToday(context, item)
    notifySync(context, item, Number(item.step) > 1)
    return {}
  }),
  'POST /transactions/recurring/get': operation(['access_token'], (context) => {
    const item = readyItem(context)
    const { account_ids } = context.body
    const isWanted = ({ account_id }: Kept) => !Array.isArray(account_ids) || account_ids.includes(account_id ?? null)
    const all = live(context, item).filter(isWanted)
    const streams = RECURRING.flatMap((name) =>
      toStream(
        name,
        all.filter((one) => one.name === name),
      ),
    )
    const isInflow = ({ average_amount }: Fields): boolean => Number(fieldsOf(average_amount).amount) < 0
    return {
      inflow_streams: streams.filter(isInflow),
      outflow_streams: streams.filter((stream) => !isInflow(stream)),
      updated_datetime: String(item.updated_at),
    }
  }),
  'POST /categories/get': operation([], () => ({ categories: CATEGORIES })),
  'POST /sandbox/transactions/create': operation(['access_token', 'transactions'], (context) => {
    const item = readyItem(context)
    const account_id = accountsOf(context, item).find(({ subtype }) => subtype === 'checking')?.id ?? ''
    const given = context.body.transactions
    if (!Array.isArray(given) || given.length === 0 || given.length > 10)
      return refuseWith(context, 'INVALID_FIELD', 'transactions must be a list of 1 to 10')
    for (const one of given.map(fieldsOf)) {
      const { amount, description, date_transacted, date_posted } = one
      if (typeof amount !== 'number') refuseWith(context, 'INVALID_FIELD', 'amount must be a number')
      const date = dateOf(context, 'date_posted', date_posted)
      const dates = { date, authorized: dateOf(context, 'date_transacted', date_transacted) }
      const pending = dates.date > dayOf(context.now)
      add(context, item, {
        ...dates,
        account_id,
        amount: Number(amount),
        name: String(description),
        pending,
      })
    }
    notifySync(context, item, Number(item.step) > 1)
    return {}
  }),
  /** The first update of an item, that of its history, and one each day. */
  advanceItem: (context: Due) => {
    const { record, now, update } = context
    const step = Number(record.step) + 1
    const wait = step === 1 ? HISTORY_S : DAY_S
    update({ step, updated_at: now.toISOString(), advances_at: after(now, wait) })
    if (record.needs_login === true && step > 2) return
    const item = record
    const days = Number(item.days)
    if (step === 1) {
      const count = addDays(context, item, Math.min(days, INITIAL_DAYS) - 1, 0)
      notify(context, item, 'TRANSACTIONS', 'INITIAL_UPDATE', { error: null, new_transactions: count })
    } else if (step === 2) {
      const count = days > INITIAL_DAYS ? addDays(context, item, days - 1, INITIAL_DAYS) : 0
      notify(context, item, 'TRANSACTIONS', 'HISTORICAL_UPDATE', { error: null, new_transactions: count })
    } else addToday(context, item)
    notifySync(context, item, step > 1)
  },
}

/** A stream of transactions of one name; none of fewer than three. */
function toStream(name: string, all: readonly Kept[]): Fields[] {
  const found = all.toSorted((one, other) => String(one.date).localeCompare(String(other.date)))
  const [first, last] = [found.at(0), found.at(-1)]
  if (first === undefined || last === undefined || found.length < 3) return []
  const amount = { amount: last.amount ?? 0, iso_currency_code: 'USD', unofficial_currency_code: null }
  return [
    {
      account_id: first.account_id ?? null,
      stream_id: `${name.replaceAll(' ', '')}${first.account_id}`.slice(0, 37),
      category: null,
      category_id: null,
      description: name,
      merchant_name: name,
      first_date: first.date ?? null,
      last_date: last.date ?? null,
      predicted_next_date: nextMonth(String(last.date)),
      frequency: 'MONTHLY',
      transaction_ids: found.map(({ id }) => id),
      average_amount: amount,
      last_amount: amount,
      is_active: true,
      status: 'MATURE',
      personal_finance_category: last.personal_finance_category ?? null,
      is_user_modified: false,
    },
  ]
}

function nextMonth(date: string): string {
  const next = new Date(date)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return dayOf(next)
}
