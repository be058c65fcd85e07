import { accountOf } from './accounts.ts'
import { fieldsOf, operation } from './plaid.ts'

/** Attributes of an account that nothing has happened to. */
const COUNTED = [
  ...['7d', '30d', '60d', '90d'].flatMap((days) => [
    `unauthorized_transactions_count_${days}`,
    `nsf_overdraft_transactions_count_${days}`,
  ]),
  'days_since_first_plaid_connection',
]

/** How likely payments are to be returned. */
export const signal = {
  /** A payment over the available balance is a high risk, all others are low. */
  'POST /signal/evaluate': operation(['access_token', 'account_id', 'client_transaction_id', 'amount'], (plaid) => {
    const { body, records } = plaid
    const account = accountOf(plaid, plaid.itemWith('signal'))
    const { client_transaction_id, amount, ruleset_key } = body
    if (typeof amount !== 'number' || amount <= 0) plaid.invalid('amount must be a positive number')
    const { available = null, current = null } = fieldsOf(account.balances)
    const isRisky = Number(amount) > Number(available)
    const id = String(client_transaction_id)
    if (records.signals.get(id) === undefined) records.signals.create({ id, amount })
    const result = isRisky ? 'REROUTE' : 'ACCEPT'
    return {
      scores: {
        customer_initiated_return_risk: { score: isRisky ? 75 : 9, risk_tier: isRisky ? 4 : 1 },
        bank_initiated_return_risk: { score: isRisky ? 95 : 12, risk_tier: isRisky ? 8 : 2 },
      },
      core_attributes: {
        ...{ available_balance: available, current_balance: current },
        ...Object.fromEntries(COUNTED.map((name) => [name, 0])),
        ...{ plaid_connections_count_7d: 1, plaid_connections_count_30d: 1, total_plaid_connections_count: 1 },
        is_savings_or_money_market_account: ['savings', 'money market'].includes(String(account.subtype)),
      },
      ruleset:
        ruleset_key == null
          ? null
          : { ruleset_key, result, outcome: result.toLowerCase(), triggered_rule_details: null },
      warnings: [],
    }
  }),
  'POST /signal/decision/report': operation(['client_transaction_id', 'initiated'], (plaid) => {
    const { initiated } = plaid.body
    plaid.records.signals.update(plaid.known('signals', 'client_transaction_id').id, { initiated })
  }),
  'POST /signal/return/report': operation(['client_transaction_id', 'return_code'], (plaid) => {
    const { return_code } = plaid.body
    plaid.records.signals.update(plaid.known('signals', 'client_transaction_id').id, { return_code })
  }),
  'POST /signal/prepare': operation(['access_token'], (plaid) => {
    plaid.itemWith('signal')
    return {}
  }),
}
