import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { accounts, numbersOf, toAccount } from './accounts.ts'
import { addEndpoint, type Context, notify, operation, refuseWith } from './context.ts'
import { products } from './products.ts'
import { reports } from './reports.ts'
import { transactions } from './transactions.ts'

function tokenOf({ body, records }: Context): Kept | undefined {
  return records.processor_tokens.get(String(body.processor_token))
}

/** The account of a processor's token, and its item. */
function processed(context: Context): { account: Kept; item: Kept } {
  const { records } = context
  const account = records.accounts.get(String(tokenOf(context)?.account_id))
  const item = records.items.get(String(account?.item_id))
  return account === undefined || item === undefined
    ? refuseWith(context, 'INVALID_PROCESSOR_TOKEN')
    : { account, item }
}

/** What another operation answers of the account of a processor's token. */
const asProcessor = (answer: (context: Context) => Fields) =>
  operation(['processor_token'], (context) => {
    const { account, item } = processed(context)
    const [account_id, account_ids] = [account.id, [account.id]]
    const options = { ...fieldsOf(context.body.options), account_id, account_ids }
    const body = { ...context.body, access_token: item.access_token ?? null, account_id, account_ids, options }
    const inner = new Proxy(context, { get: (of, name) => (name === 'body' ? body : Reflect.get(of, name)) })
    const { accounts: all, item: _i, ...rest } = answer(inner)
    return Array.isArray(all) ? { account: all[0] ?? null, ...rest } : rest
  })

export const processors = {
  'POST /processor/auth/get': operation(['processor_token'], (context) => {
    const { account, item } = processed(context)
    const numbers = Object.entries(numbersOf(item, [account])).map(([kind, [first = null]]) => [kind, first])
    return { account: toAccount(account), numbers: Object.fromEntries(numbers) }
  }),
  'POST /processor/account/get': operation(['processor_token'], (context) => {
    const { account, item } = processed(context)
    return { account: toAccount(account), institution_id: item.institution_id ?? null }
  }),
  'POST /processor/token/permissions/get': operation(['processor_token'], (context) => {
    processed(context)
    return { products: tokenOf(context)?.permissions ?? [] }
  }),
  'POST /processor/token/permissions/set': operation(['processor_token', 'products'], (context) => {
    processed(context)
    context.records.processor_tokens.update(String(context.body.processor_token), {
      permissions: context.body.products ?? [],
    })
    return {}
  }),
  'POST /processor/token/webhook/update': operation(['processor_token'], (context) => {
    const { webhook = null } = context.body
    addEndpoint(context, webhook)
    const item = { ...processed(context).item, webhook }
    notify(context, item, 'PROCESSOR_TOKEN', 'WEBHOOK_UPDATE_ACKNOWLEDGED', { new_webhook_url: webhook, error: null })
    return {}
  }),
  'POST /processor/balance/get': asProcessor(accounts['POST /accounts/balance/get']),
  'POST /processor/identity/get': asProcessor(accounts['POST /identity/get']),
  'POST /processor/identity/match': asProcessor(products['POST /identity/match']),
  'POST /processor/liabilities/get': asProcessor(products['POST /liabilities/get']),
  'POST /processor/investments/holdings/get': asProcessor(products['POST /investments/holdings/get']),
  'POST /processor/investments/transactions/get': asProcessor(products['POST /investments/transactions/get']),
  'POST /processor/transactions/get': asProcessor(transactions['POST /transactions/get']),
  'POST /processor/transactions/sync': asProcessor(transactions['POST /transactions/sync']),
  'POST /processor/transactions/refresh': asProcessor(transactions['POST /transactions/refresh']),
  'POST /processor/transactions/recurring/get': asProcessor(transactions['POST /transactions/recurring/get']),
  'POST /processor/signal/evaluate': asProcessor(reports['POST /signal/evaluate']),
  'POST /processor/signal/prepare': asProcessor(reports['POST /signal/prepare']),
  'POST /processor/signal/decision/report': asProcessor(reports['POST /signal/decision/report']),
  'POST /processor/signal/return/report': asProcessor(reports['POST /signal/return/report']),
}
