import { dayOf, fieldsOf, type Kept, operation, type PlaidRequest, rawOperation } from './plaid.ts'

/** A statement of each month in the span of the item, or of the last three. */
function statementsOf({ records, now }: PlaidRequest, { id, statements: span }: Kept) {
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

export const statements = {
  'POST /statements/list': operation(['access_token'], (plaid) => {
    const item = plaid.itemWith('statements')
    const accounts = statementsOf(plaid, item).map(({ account, statements }) => {
      const { id: account_id, mask = null, name = null, official_name = null, subtype = null, type = null } = account
      const names = { account_mask: mask, account_name: name, account_official_name: official_name }
      return { account_id, ...names, account_subtype: subtype, account_type: type, statements }
    })
    const { institution_id = null, institution_name = null } = item
    return { accounts, institution_id, institution_name, item_id: item.id }
  }),
  'POST /statements/download': rawOperation((plaid) => {
    const id = String(plaid.body.statement_id)
    const all = statementsOf(plaid, plaid.itemWith('statements')).flatMap(({ statements }) => statements)
    if (!all.some(({ statement_id }) => statement_id === id))
      plaid.invalid('statement_id must be of a statement of the item')
    return plaid.pdf(`Statement ${id}`)
  }),
}
