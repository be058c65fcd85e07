import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { after } from '../openai/times.ts'
import { accountOf, ownersOf, toAccount } from './accounts.ts'
import {
  addEndpoint,
  type Context,
  type Due,
  dayOf,
  integerOf,
  itemWith,
  MINUTE_S,
  notifyAt,
  operation,
  refuseWith,
} from './context.ts'
import { addDays, live } from './transactions.ts'

/** Begins an asset report, which is ready a minute later. */
function begin(context: Context, asked: { items: readonly Kept[]; days: number; options: Fields }): Fields {
  const { id, now, records } = context
  const { items, days, options } = asked
  addEndpoint(context, options.webhook)
  for (const item of items)
    if (item.step === 0) {
      addDays(context, item, days - 1, 0)
      records.items.update(item.id, { step: 2, updated_at: now.toISOString() })
    }
  const { id: asset_report_token, asset_report_id = null } = records.asset_reports.create({
    id: `assets-sandbox-${id()}`,
    asset_report_id: id(),
    items: items.map((item) => item.id),
    days,
    options,
    generated_at: null,
    advances_at: after(now, MINUTE_S),
  })
  return { asset_report_token, asset_report_id }
}

function reportOf(context: Context, token = String(context.body.asset_report_token)): Kept {
  return context.records.asset_reports.get(token) ?? refuseWith(context, 'INVALID_ASSET_REPORT_TOKEN')
}

/** The report of an audit copy. */
const copied = (context: Context): Kept =>
  context.records.asset_reports.find({ audit_copy_token: String(context.body.audit_copy_token) }) ??
  refuseWith(context, 'INVALID_AUDIT_COPY_TOKEN')

/** @param isWhole whether each transaction has its merchant and category */
function toReport(context: Context, kept: Kept, isWhole: boolean): Fields {
  const { asset_report_id = null, generated_at = null, days, options } = kept
  const { records, now } = context
  const { client_report_id = null, user } = fieldsOf(options)
  const excluded = [kept.excluded ?? []].flat()
  const dates = Array.from({ length: Number(days) }, (_, ago) => dayOf(now, -ago))
  const accountIn = (item: Kept, account: Kept): Fields => {
    const bought = live(context, item).filter(
      (one) => one.account_id === account.id && dates.includes(String(one.date)),
    )
    const currency = { iso_currency_code: 'USD', unofficial_currency_code: null }
    return {
      ...toAccount(account),
      days_available: days ?? null,
      owners: ownersOf(account),
      ownership_type: null,
      historical_balances: dates.map((date) => ({
        date,
        current: fieldsOf(account.balances).current ?? null,
        ...currency,
      })),
      transactions: bought.map(
        ({ id, amount = 0, date = '', name = '', pending = false, merchant_name = null, ...one }) => ({
          transaction_id: id,
          account_id: account.id,
          amount,
          date,
          original_description: name,
          pending,
          ...currency,
          ...(isWhole && { name, merchant_name, personal_finance_category: one.personal_finance_category ?? null }),
        }),
      ),
    }
  }
  const items = (kept.items as string[]).flatMap((id) => {
    const item = records.items.get(id)
    if (item === undefined) return []
    const { institution_id = null, institution_name = null } = item
    const left = records.accounts.where((one) => one.item_id === id && !excluded.includes(one.id))
    const accounts = left.map((one) => accountIn(item, one))
    return [{ item_id: id, institution_id, institution_name, date_last_updated: generated_at, accounts }]
  })
  return {
    asset_report_id,
    client_report_id,
    date_generated: generated_at,
    days_requested: days ?? null,
    user: {
      client_user_id: null,
      first_name: null,
      middle_name: null,
      last_name: null,
      ssn: null,
      phone_number: null,
      email: null,
      ...fieldsOf(user),
    },
    items,
  }
}

/** A statement of each month in the span of the item, or of the last three. */
function statementsOf({ records, now }: Context, { id, statements: span }: Kept) {
  const { start_date = '', end_date } = fieldsOf(span)
  const until = typeof end_date === 'string' && end_date < dayOf(now) ? new Date(end_date) : now
  const ends = Array.from(
    { length: 25 },
    (_, before) => new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() + 1 - before, 0)),
  ).filter((end) => dayOf(end) <= dayOf(until) && dayOf(end) >= String(start_date))
  const accounts = records.accounts.where({ item_id: id }).filter(({ type }) => type === 'depository')
  return accounts.map((account) => ({
    account,
    statements: ends.slice(0, start_date === '' ? 3 : ends.length).map((end) => {
      const [month, year] = [end.getUTCMonth() + 1, end.getUTCFullYear()]
      return { statement_id: `${account.id}-${year}-${month}`, date_posted: dayOf(end), month, year }
    }),
  }))
}

/** A small PDF with one line. */
function pdf(context: Context, line: string) {
  const text = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
  const body = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length ${text.length}>>stream
${text}
endstream endobj
trailer<</Root 1 0 R>>
%%EOF
`
  return context.respond({ headers: { 'Content-Type': 'application/pdf' }, body })
}

/** The evaluated payment of a client's id. */
function signalOf(context: Context): Kept {
  const id = String(context.body.client_transaction_id)
  return (
    context.records.signals.get(id) ??
    refuseWith(context, 'INVALID_FIELD', 'client_transaction_id must be that of an evaluated transaction')
  )
}

export const reports = {
  'POST /asset_report/create': operation(['access_tokens', 'days_requested'], (context) => {
    const { access_tokens, days_requested, options } = context.body
    const tokens = Array.isArray(access_tokens) ? access_tokens : []
    if (tokens.length === 0) refuseWith(context, 'INVALID_FIELD', 'access_tokens must be a list of 1 or more')
    const days = integerOf(context, 'days_requested', days_requested, 60, 731)
    const items = tokens.map((access_token) => itemWith(context, 'assets', {}, access_token))
    return begin(context, { items, days, options: fieldsOf(options) })
  }),
  'POST /asset_report/refresh': operation(['asset_report_token'], (context) => {
    const { items, days, options } = reportOf(context)
    const wanted = integerOf(context, 'days_requested', context.body.days_requested, Number(days), 731)
    const found = (items as string[]).flatMap((id) => context.records.items.get(id) ?? [])
    return begin(context, {
      items: found,
      days: wanted,
      options: { ...fieldsOf(options), ...fieldsOf(context.body.options) },
    })
  }),
  'POST /asset_report/get': operation(['asset_report_token'], (context) => {
    const kept = reportOf(context)
    if (kept.generated_at === null) refuseWith(context, 'PRODUCT_NOT_READY of assets')
    return { report: toReport(context, kept, context.body.include_insights === true), warnings: [] }
  }),
  /** The same report without some accounts. */
  'POST /asset_report/filter': operation(['asset_report_token', 'account_ids_to_exclude'], (context) => {
    const { items, days, options } = reportOf(context)
    const found = (items as string[]).flatMap((id) => context.records.items.get(id) ?? [])
    const made = begin(context, { items: found, days: Number(days), options: fieldsOf(options) })
    const excluded = context.body.account_ids_to_exclude ?? []
    context.records.asset_reports.update(String(made.asset_report_token), { excluded })
    return made
  }),
  'POST /asset_report/audit_copy/create': operation(['asset_report_token'], (context) => {
    const audit_copy_token = `a-sandbox-${context.id()}`
    context.records.asset_reports.update(reportOf(context).id, { audit_copy_token })
    return { audit_copy_token }
  }),
  'POST /asset_report/audit_copy/get': operation(['audit_copy_token'], (context) => ({
    report: toReport(context, copied(context), true),
    warnings: [],
  })),
  'POST /asset_report/audit_copy/remove': operation(['audit_copy_token'], (context) => {
    context.records.asset_reports.update(copied(context).id, { audit_copy_token: null })
    return { removed: true }
  }),
  'POST /asset_report/pdf/get': (context: Context) => {
    const kept = reportOf(context)
    if (kept.generated_at === null) refuseWith(context, 'PRODUCT_NOT_READY of assets')
    return pdf(context, `Asset report ${kept.asset_report_id}`)
  },
  'POST /statements/list': operation(['access_token'], (context) => {
    const item = itemWith(context, 'statements')
    const accounts = statementsOf(context, item).map(({ account, statements }) => ({
      account_id: account.id,
      account_mask: account.mask ?? null,
      account_name: account.name ?? null,
      account_official_name: account.official_name ?? null,
      account_subtype: account.subtype ?? null,
      account_type: account.type ?? null,
      statements,
    }))
    const { institution_id = null, institution_name = null } = item
    return { accounts, institution_id, institution_name, item_id: item.id }
  }),
  'POST /statements/download': (context: Context) => {
    const id = String(context.body.statement_id)
    const all = statementsOf(context, itemWith(context, 'statements')).flatMap(({ statements }) => statements)
    if (!all.some(({ statement_id }) => statement_id === id))
      refuseWith(context, 'INVALID_FIELD', 'statement_id must be of a statement of the item')
    return pdf(context, `Statement ${id}`)
  },
  'POST /asset_report/remove': operation(['asset_report_token'], (context) => {
    context.records.asset_reports.remove(reportOf(context).id)
    return { removed: true }
  }),
  advanceReport: (context: Due) => {
    const { record, update, now } = context
    update({ generated_at: now.toISOString(), advances_at: null })
    const { asset_report_id = null } = record
    notifyAt(context, fieldsOf(record.options).webhook, 'ASSETS', 'PRODUCT_READY', {
      asset_report_id,
      report_type: 'FULL',
    })
  },
  /** A payment over the available balance is a high risk, all others are low. */
  'POST /signal/evaluate': operation(['access_token', 'account_id', 'client_transaction_id', 'amount'], (context) => {
    const { body, records } = context
    const account = accountOf(context, itemWith(context, 'signal'))
    const { client_transaction_id, amount, ruleset_key } = body
    if (typeof amount !== 'number' || amount <= 0)
      refuseWith(context, 'INVALID_FIELD', 'amount must be a positive number')
    const isRisky = Number(amount) > Number(fieldsOf(account.balances).available)
    const id = String(client_transaction_id)
    if (records.signals.get(id) === undefined) records.signals.create({ id, amount, is_risky: isRisky })
    const result = isRisky ? 'REROUTE' : 'ACCEPT'
    return {
      scores: {
        customer_initiated_return_risk: { score: isRisky ? 75 : 9, risk_tier: isRisky ? 4 : 1 },
        bank_initiated_return_risk: { score: isRisky ? 95 : 12, risk_tier: isRisky ? 8 : 2 },
      },
      core_attributes: {
        available_balance: fieldsOf(account.balances).available ?? null,
        current_balance: fieldsOf(account.balances).current ?? null,
        unauthorized_transactions_count_7d: 0,
        unauthorized_transactions_count_30d: 0,
        unauthorized_transactions_count_60d: 0,
        unauthorized_transactions_count_90d: 0,
        nsf_overdraft_transactions_count_7d: 0,
        nsf_overdraft_transactions_count_30d: 0,
        nsf_overdraft_transactions_count_60d: 0,
        nsf_overdraft_transactions_count_90d: 0,
        days_since_first_plaid_connection: 0,
        plaid_connections_count_7d: 1,
        plaid_connections_count_30d: 1,
        total_plaid_connections_count: 1,
        is_savings_or_money_market_account: ['savings', 'money market'].includes(String(account.subtype)),
      },
      ruleset:
        ruleset_key == null
          ? null
          : { ruleset_key, result, outcome: result.toLowerCase(), triggered_rule_details: null },
      warnings: [],
    }
  }),
  'POST /signal/decision/report': operation(['client_transaction_id', 'initiated'], (context) => {
    const { initiated } = context.body
    context.records.signals.update(signalOf(context).id, { initiated })
    return {}
  }),
  'POST /signal/return/report': operation(['client_transaction_id', 'return_code'], (context) => {
    const { return_code } = context.body
    context.records.signals.update(signalOf(context).id, { return_code })
    return {}
  }),
  'POST /signal/prepare': operation(['access_token'], (context) => {
    itemWith(context, 'signal')
    return {}
  }),
}
