import { after } from '../shared/times.ts'
import { ownersOf, withMargin } from './accounts.ts'
import type { Due, Fields, Json, Kept, PlaidRequest } from './plaid.ts'
import { dayOf, fieldsOf, MINUTE_S, nulls, operation, Plaid, rawOperation, USD } from './plaid.ts'
import { addDays, live } from './transactions.ts'

/** Begins an asset report, which is ready a minute later. */
function begin(
  plaid: PlaidRequest,
  items: readonly Kept[],
  days: number,
  options: Fields,
  excluded: Json = [],
): Fields {
  const { id, now, records } = plaid
  plaid.addEndpoint(options.webhook)
  for (const item of items)
    if (item.step === 0) {
      addDays(plaid, item, days - 1, 0)
      records.items.update(item.id, { step: 2, updated_at: now.toISOString() })
    }
  const { id: asset_report_token, asset_report_id = null } = records.asset_reports.create({
    ...{ id: `assets-sandbox-${id()}`, asset_report_id: id(), items: items.map((item) => item.id), days, options },
    ...{ excluded, generated_at: null, advances_at: after(now, MINUTE_S) },
  })
  return { asset_report_token, asset_report_id }
}

const itemsOf = ({ records }: PlaidRequest, { items }: Kept): Kept[] =>
  (items as string[]).flatMap((id) => records.items.get(id) ?? [])

/** The report of a token. */
function reportOf(plaid: PlaidRequest): Kept {
  const token = String(plaid.body.asset_report_token)
  return plaid.records.asset_reports.get(token) ?? plaid.refuse('INVALID_ASSET_REPORT_TOKEN')
}

/** The same, once it is ready. */
function readyReport(plaid: PlaidRequest): Kept {
  const report = reportOf(plaid)
  return report.generated_at === null ? plaid.refuse('PRODUCT_NOT_READY of assets') : report
}

/** The report of an audit copy. */
const copied = (plaid: PlaidRequest): Kept =>
  plaid.records.asset_reports.find({ audit_copy_token: String(plaid.body.audit_copy_token) }) ??
  plaid.refuse('INVALID_AUDIT_COPY_TOKEN')

/** A report of as many days as the request wants, of those that it has. */
function withDays(plaid: PlaidRequest, report: Kept): Kept {
  const { days_to_include } = fieldsOf(plaid.body.options)
  const days = plaid.integer('options.days_to_include', days_to_include, Number(report.days), 731)
  return { ...report, shown_days: Math.min(days, Number(report.days)) }
}

/** @param isWhole whether each transaction has its merchant and category */
function toReport(plaid: PlaidRequest, report: Kept, isWhole: boolean): Fields {
  const { asset_report_id = null, generated_at = null, days = null, shown_days = days, options } = report
  const { client_report_id = null, user } = fieldsOf(options)
  const excluded = [report.excluded ?? []].flat()
  const dates = Array.from({ length: Number(shown_days) }, (_, ago) => dayOf(plaid.now, -ago))
  const showTransaction = ({ id, amount = 0, date = '', name = '', pending = false, ...one }: Kept): Fields => {
    const { account_id = null, merchant_name = null, personal_finance_category = null } = one
    const facts = { transaction_id: id, account_id, amount, date, original_description: name, pending, ...USD }
    return { ...facts, ...(isWhole && { name, merchant_name, personal_finance_category }) }
  }
  const showAccount = (item: Kept, account: Kept): Fields => {
    const { current = null } = fieldsOf(account.balances)
    const isIn = (one: Kept): boolean => one.account_id === account.id && dates.includes(String(one.date))
    return {
      ...{ ...withMargin(account), days_available: shown_days, owners: ownersOf(account), ownership_type: null },
      historical_balances: dates.map((date) => ({ date, current, ...USD })),
      transactions: live(plaid, item).filter(isIn).map(showTransaction),
    }
  }
  const items = itemsOf(plaid, report).map((item) => {
    const { id: item_id, institution_id = null, institution_name = null } = item
    const left = plaid.records.accounts.where({ item_id }).filter(({ id }) => !excluded.includes(id))
    const accounts = left.map((one) => showAccount(item, one))
    return { item_id, institution_id, institution_name, date_last_updated: generated_at, accounts }
  })
  const person = {
    ...nulls('client_user_id first_name middle_name last_name ssn phone_number email'),
    ...fieldsOf(user),
  }
  const facts = { asset_report_id, client_report_id, date_generated: generated_at, days_requested: days }
  return { ...facts, user: person, items }
}

export const assetReports = {
  'POST /asset_report/create': operation(['access_tokens', 'days_requested'], (plaid) => {
    const { access_tokens, days_requested, options } = plaid.body
    const tokens = Array.isArray(access_tokens) ? access_tokens : []
    if (tokens.length === 0) plaid.invalid('access_tokens must be a list of 1 or more')
    const days = plaid.integer('days_requested', days_requested, 60, 731)
    const items = tokens.map((access_token) => plaid.itemWith('assets', {}, access_token))
    return begin(plaid, items, days, fieldsOf(options))
  }),
  'POST /asset_report/refresh': operation(['asset_report_token'], (plaid) => {
    const report = reportOf(plaid)
    const days = plaid.integer('days_requested', plaid.body.days_requested, Number(report.days), 731)
    return begin(plaid, itemsOf(plaid, report), days, { ...fieldsOf(report.options), ...fieldsOf(plaid.body.options) })
  }),
  'POST /asset_report/get': operation(['asset_report_token'], (plaid) => ({
    report: toReport(plaid, withDays(plaid, readyReport(plaid)), plaid.body.include_insights === true),
    warnings: [],
  })),
  /** The same report without some accounts. */
  'POST /asset_report/filter': operation(['asset_report_token', 'account_ids_to_exclude'], (plaid) => {
    const report = reportOf(plaid)
    const { account_ids_to_exclude = [] } = plaid.body
    const options = fieldsOf(report.options)
    return begin(plaid, itemsOf(plaid, report), Number(report.days), options, account_ids_to_exclude)
  }),
  'POST /asset_report/audit_copy/create': operation(['asset_report_token'], (plaid) => {
    const audit_copy_token = `a-sandbox-${plaid.id()}`
    plaid.records.asset_reports.update(reportOf(plaid).id, { audit_copy_token })
    return { audit_copy_token }
  }),
  'POST /asset_report/audit_copy/get': operation(['audit_copy_token'], (plaid) => ({
    report: toReport(plaid, copied(plaid), true),
    warnings: [],
  })),
  'POST /asset_report/audit_copy/remove': operation(['audit_copy_token'], (plaid) => {
    plaid.records.asset_reports.update(copied(plaid).id, { audit_copy_token: null })
    return { removed: true }
  }),
  'POST /asset_report/pdf/get': rawOperation((plaid) =>
    plaid.pdf(`Asset report ${readyReport(plaid).asset_report_id}`),
  ),
  'POST /asset_report/remove': operation(['asset_report_token'], (plaid) => {
    plaid.records.asset_reports.remove(reportOf(plaid).id)
    return { removed: true }
  }),
  advanceReport: (due: Due) => {
    due.update({ generated_at: due.now.toISOString(), advances_at: null })
    const { asset_report_id = null, options } = due.record
    const facts = { asset_report_id, report_type: 'FULL' }
    new Plaid(due).notifyAt(fieldsOf(options).webhook, 'ASSETS', 'PRODUCT_READY', facts)
  },
}
