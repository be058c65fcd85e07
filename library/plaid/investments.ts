import { accountsOf, withMargin } from './accounts.ts'
import type { Fields, Kept, PlaidRequest } from './plaid.ts'
import { cents, dayOf, fieldsOf, listOf, nulls, operation, toItem, USD } from './plaid.ts'
import { spanOf } from './transactions.ts'

/** Securities of every item: ticker, name, type, price; what is bought of it, and for how much a piece. */
const SECURITIES = [
  ['BKLT', 'Backlot Industries', 'equity', 120.5, 10, 100],
  ['MILL', 'Mill Lane Index Fund', 'mutual fund', 34.15, 50, 30],
  ['CUR:USD', 'U S Dollar', 'cash', 1, 25.5, 1],
] as const

/** Facts of a security that are null unless it is given them. */
const UNKNOWN =
  'name ticker_symbol isin cusip sedol institution_security_id institution_id proxy_security_id update_datetime market_identifier_code sector industry option_contract fixed_income cfi_code figi'

const idOf = (account: Kept, ticker: string): string =>
  Buffer.from(`${ticker}${account.item_id}`).toString('hex').slice(0, 37)
const securityOf = (account: Kept, { ticker_symbol, cusip, isin, name }: Fields): string =>
  idOf(account, String(ticker_symbol ?? cusip ?? isin ?? name))

/** What an account has of each security: the usual ones, or those of the user `user_custom`. */
function holdingsIn({ now }: PlaidRequest, account: Kept): { security: Fields; holding: Fields }[] {
  const { holdings } = fieldsOf(account.kept)
  const yesterday = dayOf(now, -1)
  const usual = SECURITIES.map(([ticker_symbol, name, type, institution_price, quantity, cost]) => {
    return { institution_price, quantity, cost_basis: cents(quantity * cost), security: { ticker_symbol, name, type } }
  })
  return (holdings === undefined ? usual : listOf(holdings)).map((given: Fields) => {
    const { currency, ...own } = fieldsOf(given.security)
    const { quantity = 0, institution_price = 0, cost_basis = null, institution_price_as_of = yesterday } = given
    const security_id = securityOf(account, own)
    const money = { ...USD, ...(currency !== undefined && { iso_currency_code: currency }) }
    const institution_value = cents(Number(quantity) * Number(institution_price))
    const security = {
      ...{ ...nulls(UNKNOWN), type: 'equity', is_cash_equivalent: own.type === 'cash' },
      ...{ close_price: institution_price, close_price_as_of: institution_price_as_of, ...money, ...own, security_id },
    }
    const holding = {
      ...{ account_id: account.id, security_id, quantity, cost_basis, institution_price, institution_price_as_of },
      ...{ institution_price_datetime: null, institution_value, vested_quantity: quantity },
      ...{ vested_value: institution_value, ...money },
    }
    return { security, holding }
  })
}

function investmentsOf(plaid: PlaidRequest) {
  const item = plaid.itemWith('investments')
  const accounts = accountsOf(plaid, item).filter(({ type }) => type === 'investment')
  const [first] = accounts
  if (first === undefined) return plaid.refuse('NO_INVESTMENT_ACCOUNTS')
  const owned = accounts.flatMap((account) => holdingsIn(plaid, account))
  const securities = [...new Map(owned.map(({ security }) => [security.security_id, security])).values()]
  const facts = { accounts: accounts.map(withMargin), securities, item: toItem(item) }
  return { accounts, owned, facts: { ...facts, is_investments_fallback_item: false } }
}

export const investments = {
  'POST /investments/holdings/get': operation(['access_token'], (plaid) => {
    const { owned, facts } = investmentsOf(plaid)
    return { ...facts, holdings: owned.map(({ holding }) => holding) }
  }),
  'POST /investments/refresh': operation(['access_token'], (plaid) => {
    const item = plaid.itemWith('investments')
    plaid.notify(item, 'HOLDINGS', 'DEFAULT_UPDATE', { error: null, new_holdings: 0, updated_holdings: 0 })
    return {}
  }),
  'POST /investments/transactions/get': operation(['access_token', 'start_date', 'end_date'], (plaid) => {
    const { accounts, facts } = investmentsOf(plaid)
    const [start, end] = spanOf(plaid)
    const found = accounts
      .flatMap((account) => transactionsOf(plaid, account))
      .filter(({ date }) => String(date) >= start && String(date) <= end)
      .toSorted((one, other) => String(other.date).localeCompare(String(one.date)))
    const investment_transactions = plaid.page(found, fieldsOf(plaid.body.options))
    return { ...facts, investment_transactions, total_investment_transactions: found.length }
  }),
}

/** What an account has bought: the usual securities, or what the user `user_custom` has. */
function transactionsOf(plaid: PlaidRequest, account: Kept): Fields[] {
  const { investment_transactions: custom } = fieldsOf(account.kept)
  const facts = { account_id: account.id, cancel_transaction_id: null, ...USD }
  if (custom !== undefined)
    return listOf(custom).map(({ security, currency: _, ...one }, at) => ({
      investment_transaction_id: idOf(account, `${at}${one.date}${account.mask}`),
      ...{ ...facts, security_id: securityOf(account, fieldsOf(security)) },
      ...{ amount: cents(Number(one.quantity) * Number(one.price)), fees: null, ...one },
    }))
  const linked = new Date(String(plaid.item().created_at))
  return SECURITIES.filter(([, , type]) => type !== 'cash').map(([ticker, name, , , quantity, price], at) => ({
    investment_transaction_id: idOf(account, `${ticker}${account.mask}`),
    ...{ ...facts, security_id: idOf(account, ticker), date: dayOf(linked, -30 * (at + 1)), name: `BUY ${name}` },
    ...{ quantity, price, amount: cents(quantity * price), fees: 0, type: 'buy', subtype: 'buy' },
  }))
}
