import { accounts, numbersOf, toAccount } from './accounts.ts'
import { investments } from './investments.ts'
import { liabilities } from './liabilities.ts'
import { type Fields, fieldsOf, type Kept, type Operation, operation, type PlaidRequest } from './plaid.ts'
import { signal } from './signal.ts'
import { transactions } from './transactions.ts'

/** A processor's token, its account and its item. */
function processed(plaid: PlaidRequest): { token: Kept; account: Kept; item: Kept } {
  const { body, records } = plaid
  const token = records.processor_tokens.get(String(body.processor_token))
  const account = records.accounts.get(String(token?.account_id))
  const item = records.items.get(String(account?.item_id))
  if (!token || !account || !item) return plaid.refuse('INVALID_PROCESSOR_TOKEN')
  return { token, account, item }
}

/** What another operation answers of the account of a processor's token. */
const asProcessor = (answer: Operation) =>
  operation(['processor_token'], (plaid) => {
    const { account, item } = processed(plaid)
    const [account_id, account_ids] = [account.id, [account.id]]
    const options = { ...fieldsOf(plaid.body.options), account_id, account_ids }
    const body = { ...plaid.body, access_token: item.access_token ?? null, account_id, account_ids, options }
    const inner = new Proxy(plaid.of, { get: (of, name) => (name === 'body' ? body : Reflect.get(of, name)) })
    const { accounts: all, item: _, ...rest }: Fields = answer(inner)
    return Array.isArray(all) ? { account: all[0] ?? null, ...rest } : rest
  })

const { advanceItem: _, 'POST /sandbox/transactions/create': __, ...ofTransactions } = transactions
/** Operations that processors have too, of one account. */
const SAME: Readonly<Record<string, Operation>> = {
  'POST /identity/get': accounts['POST /identity/get'],
  'POST /identity/match': accounts['POST /identity/match'],
  'POST /investments/holdings/get': investments['POST /investments/holdings/get'],
  'POST /investments/transactions/get': investments['POST /investments/transactions/get'],
  ...{ ...liabilities, ...ofTransactions, ...signal },
}

export const processors = {
  'POST /processor/auth/get': operation(['processor_token'], (plaid) => {
    const { account, item } = processed(plaid)
    const numbers = Object.entries(numbersOf(plaid, item, [account])).map(([kind, [first = null]]) => [kind, first])
    return { account: toAccount(account), numbers: Object.fromEntries(numbers) }
  }),
  'POST /processor/account/get': operation(['processor_token'], (plaid) => {
    const { account, item } = processed(plaid)
    return { account: toAccount(account), institution_id: item.institution_id ?? null }
  }),
  'POST /processor/token/permissions/get': operation(['processor_token'], (plaid) => ({
    products: processed(plaid).token.permissions ?? [],
  })),
  'POST /processor/token/permissions/set': operation(['processor_token', 'products'], (plaid) => {
    const { products: permissions = [] } = plaid.body
    plaid.records.processor_tokens.update(processed(plaid).token, { permissions })
  }),
  'POST /processor/token/webhook/update': operation(['processor_token'], (plaid) => {
    const { webhook = null } = plaid.body
    plaid.addEndpoint(webhook)
    const item = { ...processed(plaid).item, webhook }
    plaid.notify(item, 'PROCESSOR_TOKEN', 'WEBHOOK_UPDATE_ACKNOWLEDGED', { new_webhook_url: webhook, error: null })
  }),
  'POST /processor/balance/get': asProcessor(accounts['POST /accounts/balance/get']),
  ...Object.fromEntries(
    Object.entries(SAME).map(([name, answer]) => [name.replace('/', '/processor/'), asProcessor(answer)]),
  ),
}
