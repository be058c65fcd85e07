import { type Fields, fieldsOf, type Kept, listOf } from '../openai/context.ts'
import { accountsOf, OWNER, ownersOf, toAccount } from './accounts.ts'
import { type Context, dayOf, integerOf, itemOf, itemWith, notify, operation, refuseWith } from './context.ts'
import { toItem } from './item.ts'
import { categoryOf, iconOf, merchantOf, spanOf } from './transactions.ts'

const USD = { iso_currency_code: 'USD', unofficial_currency_code: null }

/** Securities of every item: ticker, name, type, price; what is bought of it, and for how much a piece. */
const SECURITIES = [
  ['BKLT', 'Backlot Industries', 'equity', 120.5, 10, 100],
  ['MILL', 'Mill Lane Index Fund', 'mutual fund', 34.15, 50, 30],
  ['CUR:USD', 'U S Dollar', 'cash', 1, 25.5, 1],
] as const

const idOf = (account: Kept, ticker: string): string =>
  Buffer.from(`${ticker}${account.item_id}`).toString('hex').slice(0, 37)

interface Held {
  readonly security: Fields
  readonly holding: Fields
}

/** What an account has of each security: the usual ones, or those of the user `user_custom`. */
function heldIn({ now }: Context, account: Kept): Held[] {
  const { holdings } = fieldsOf(account.kept)
  const yesterday = dayOf(now, -1)
  const usual = SECURITIES.map(([ticker_symbol, name, type, institution_price, quantity, cost]) => ({
    institution_price,
    quantity,
    cost_basis: dollars(quantity * cost),
    security: { ticker_symbol, name, type },
  }))
  return (holdings === undefined ? usual : listOf(holdings)).map((given: Fields): Held => {
    const { currency, ...own } = fieldsOf(given.security)
    const {
      quantity = 0,
      institution_price: price = 0,
      cost_basis = null,
      institution_price_as_of: at = yesterday,
    } = given
    const security_id = idOf(account, String(own.ticker_symbol ?? own.cusip ?? own.isin ?? own.name))
    const money = { ...USD, ...(currency !== undefined && { iso_currency_code: currency }) }
    const institution_value = dollars(Number(quantity) * Number(price))
    const security = {
      name: null,
      ticker_symbol: null,
      type: 'equity',
      close_price: price,
      close_price_as_of: at,
      is_cash_equivalent: own.type === 'cash',
      isin: null,
      cusip: null,
      sedol: null,
      institution_security_id: null,
      institution_id: null,
      proxy_security_id: null,
      update_datetime: null,
      market_identifier_code: null,
      sector: null,
      industry: null,
      option_contract: null,
      fixed_income: null,
      ...money,
      ...own,
      security_id,
    }
    const holding = {
      account_id: account.id,
      security_id,
      quantity,
      cost_basis,
      institution_price: price,
      institution_price_as_of: at,
      institution_price_datetime: null,
      institution_value,
      vested_quantity: quantity,
      vested_value: institution_value,
      ...money,
    }
    return { security, holding }
  })
}

function investmentsOf(context: Context) {
  const item = itemWith(context, 'investments')
  const accounts = accountsOf(context, item).filter(({ type }) => type === 'investment')
  const [first] = accounts
  if (first === undefined) return refuseWith(context, 'NO_INVESTMENT_ACCOUNTS')
  const held = accounts.flatMap((account) => heldIn(context, account))
  const securities = [...new Map(held.map(({ security }) => [security.security_id, security])).values()]
  const facts = { accounts: accounts.map(toAccount), securities, item: toItem(item) }
  return { accounts, held, facts: { ...facts, is_investments_fallback_item: false } }
}

const dollars = (amount: number): number => Math.round(amount * 100) / 100

function liabilitiesOf(context: Context, all: readonly Kept[]): Fields {
  const day = (days: number): string => dayOf(context.now, days)
  const ofType = (subtype: string) => all.filter((one) => one.subtype === subtype)
  const due = { last_payment_date: day(-20), next_payment_due_date: day(10) }
  const statement = { last_statement_issue_date: day(-28), is_overdue: false }
  const owed = (account: Kept): number => Number(fieldsOf(account.balances).current)
  return {
    credit: ofType('credit card').map((one) => ({
      account_id: one.id,
      aprs: [
        {
          apr_percentage: 15.24,
          apr_type: 'purchase_apr',
          balance_subject_to_apr: owed(one),
          interest_charge_amount: dollars((owed(one) * 0.1524) / 12),
        },
      ],
      last_payment_amount: 168.25,
      last_statement_balance: owed(one),
      minimum_payment_amount: 20,
      ...statement,
      ...due,
    })),
    mortgage: ofType('mortgage').map((one) => ({
      account_id: one.id,
      account_number: `3120194${one.mask}`,
      current_late_fee: 25,
      escrow_balance: 3_141.54,
      has_pmi: true,
      has_prepayment_penalty: true,
      interest_rate: { percentage: 3.99, type: 'fixed' },
      last_payment_amount: 3_141.54,
      loan_type_description: 'conventional',
      loan_term: '30 year',
      maturity_date: day(365 * 20),
      next_monthly_payment: 3_141.54,
      origination_date: day(-365 * 10),
      origination_principal_amount: 425_000,
      past_due_amount: 0,
      property_address: OWNER.addresses[0]?.data ?? null,
      ytd_interest_paid: 12_300.4,
      ytd_principal_paid: 12_340.5,
      ...due,
    })),
    student: ofType('student').map((one) => ({
      account_id: one.id,
      account_number: `4277075${one.mask}`,
      disbursement_dates: [day(-365 * 5)],
      expected_payoff_date: day(365 * 8),
      guarantor: 'DEPT OF ED',
      interest_rate_percentage: 5.25,
      last_payment_amount: 138.05,
      last_statement_balance: owed(one),
      loan_name: 'Consolidation',
      loan_status: { end_date: day(365 * 8), type: 'repayment' },
      minimum_payment_amount: 25,
      origination_date: day(-365 * 5),
      origination_principal_amount: 25_000,
      outstanding_interest_amount: 6_227.36,
      payment_reference_number: `4277075${one.mask}`,
      repayment_plan: { description: 'Standard Repayment', type: 'standard' },
      sequence_number: '1',
      servicer_address: OWNER.addresses[0]?.data ?? null,
      ytd_interest_paid: 280.55,
      ytd_principal_paid: 271.65,
      ...statement,
      ...due,
    })),
  }
}

/** Of a hundred: how many words two texts share. Null for one that was not sent. */
function likeness(sent: unknown, kept: string): number | null {
  if (typeof sent !== 'string') return null
  const isPhone = /^[+\d ().-]+$/.test(kept)
  const plain = (text: string): string => (isPhone ? text.replace(/^\+1|\D/g, '') : text.toLowerCase())
  const [words, others] = [sent, kept].map((text) => new Set(plain(text).match(/[\p{L}\p{N}@.]+/gu)))
  const shared = [...(words ?? [])].filter((word) => others?.has(word)).length
  return Math.round((200 * shared) / Math.max((words?.size ?? 0) + (others?.size ?? 0), 1))
}

export const products = {
  'POST /liabilities/get': operation(['access_token'], (context) => {
    const item = itemWith(context, 'liabilities')
    const all = accountsOf(context, item)
    if (!all.some(({ type }) => type === 'credit' || type === 'loan')) refuseWith(context, 'NO_LIABILITY_ACCOUNTS')
    return { accounts: all.map(toAccount), item: toItem(item), liabilities: liabilitiesOf(context, all) }
  }),
  'POST /investments/holdings/get': operation(['access_token'], (context) => {
    const { held, facts } = investmentsOf(context)
    return { ...facts, holdings: held.map(({ holding }) => holding) }
  }),
  'POST /investments/refresh': operation(['access_token'], (context) => {
    const item = itemWith(context, 'investments')
    notify(context, item, 'HOLDINGS', 'DEFAULT_UPDATE', { error: null, new_holdings: 0, updated_holdings: 0 })
    return {}
  }),
  'POST /investments/transactions/get': operation(['access_token', 'start_date', 'end_date'], (context) => {
    const { accounts, facts } = investmentsOf(context)
    const { count, offset } = fieldsOf(context.body.options)
    const [start, end] = spanOf(context)
    const linked = new Date(String(itemOf(context).created_at))
    const usual = accounts.filter(({ kept }) => fieldsOf(kept).investment_transactions === undefined)
    const custom = accounts.flatMap((account) =>
      listOf(fieldsOf(account.kept).investment_transactions).map((given, at): Fields & { date: string } => {
        const { security, currency: _, date, ...one } = given
        const { ticker_symbol, cusip, isin, name } = fieldsOf(security)
        return {
          investment_transaction_id: idOf(account, `${at}${date}${account.mask}`),
          account_id: account.id,
          security_id: idOf(account, String(ticker_symbol ?? cusip ?? isin ?? name)),
          amount: dollars(Number(one.quantity) * Number(one.price)),
          cancel_transaction_id: null,
          ...USD,
          ...one,
          date: String(date),
        }
      }),
    )
    const all = usual.flatMap((account) =>
      SECURITIES.filter(([, , type]) => type !== 'cash').map(([ticker, name, , , quantity, cost], at) => ({
        investment_transaction_id: idOf(account, `${ticker}${account.mask}`),
        account_id: account.id,
        security_id: idOf(account, ticker),
        date: dayOf(linked, -30 * (at + 1)),
        name: `BUY ${name}`,
        quantity,
        price: cost,
        amount: dollars(quantity * cost),
        fees: 0,
        type: 'buy',
        subtype: 'buy',
        cancel_transaction_id: null,
        ...USD,
      })),
    )
    const found = [...all, ...custom]
      .filter(({ date }) => date >= start && date <= end)
      .toSorted((one, other) => other.date.localeCompare(one.date))
    const from = integerOf(context, 'offset', offset, 0, 1_000_000)
    const page = found.slice(from, from + integerOf(context, 'count', count, 100, 500, 1))
    return { ...facts, investment_transactions: page, total_investment_transactions: found.length }
  }),
  /** Knows the merchants of the sandbox's own transactions and some brands: of others it says nothing. */
  'POST /transactions/enrich': operation(['account_type', 'transactions'], (context) => {
    const { account_type, transactions } = context.body
    if (account_type !== 'depository' && account_type !== 'credit')
      refuseWith(context, 'INVALID_FIELD', 'account_type must be depository or credit')
    const given = listOf(transactions)
    if (given.length === 0 || given.length > 100)
      refuseWith(context, 'INVALID_FIELD', 'transactions must be a list of 1 to 100')
    const enriched_transactions = given.map((one) => {
      const lacks = ['id', 'description', 'amount', 'direction', 'iso_currency_code'].filter(
        (name) => one[name] === undefined,
      )
      if (lacks.length > 0)
        refuseWith(context, 'MISSING_FIELDS', lacks.map((name) => `transactions.${name}`).join(', '))
      const [name = null, , primary = 'OTHER', detailed = 'OTHER'] = merchantOf(one.description) ?? []
      const category = categoryOf(primary, detailed)
      return {
        ...one,
        enrichments: {
          merchant_name: name,
          personal_finance_category: name === null ? { ...category, confidence_level: 'UNKNOWN' } : category,
          personal_finance_category_icon_url: iconOf(category),
          payment_channel: name === null ? 'other' : 'in store',
          counterparties: name === null ? [] : [{ name, type: 'merchant', confidence_level: 'VERY_HIGH' }],
          entity_id: null,
          legacy_category: null,
          legacy_category_id: null,
          location: {},
          logo_url: null,
          phone_number: null,
          recurrence: null,
          website: null,
        },
      }
    })
    return { enriched_transactions }
  }),
  'POST /identity/match': operation(['access_token', 'user'], (context) => {
    const item = itemOf(context)
    const { legal_name, phone_number, email_address, address } = fieldsOf(context.body.user)
    const sent = fieldsOf(address)
    const score = (text: unknown, kept: unknown, more: Fields = {}) => {
      const score = likeness(text, String(kept))
      return score === null ? null : { score, ...more }
    }
    const scoresOf = (account: Kept): Fields => {
      const [owner = {}] = ownersOf(account)
      const [name = ''] = [owner.names ?? []].flat()
      const primary = (list: unknown) => (listOf(list).find((one) => one.primary === true) ?? listOf(list)[0])?.data
      const home = fieldsOf(primary(owner.addresses))
      return {
        legal_name: score(legal_name, name, {
          is_nickname_match: false,
          is_first_name_or_last_name_match: likeness(legal_name, String(name)) !== 0,
          is_business_name_detected: false,
        }),
        phone_number: score(phone_number, primary(owner.phone_numbers)),
        email_address: score(email_address, primary(owner.emails)),
        address: score(address && Object.values(sent).join(' '), Object.values(home).join(' '), {
          is_postal_code_match: sent.postal_code === home.postal_code,
        }),
      }
    }
    const matched = accountsOf(context, item).map((one) => ({ ...toAccount(one), ...scoresOf(one) }))
    return { accounts: matched, item: toItem(item) }
  }),
}
