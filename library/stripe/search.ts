import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, refused, textOf } from './context.ts'

/** The fields that each search knows, besides `metadata["key"]`. */
const FIELDS: Readonly<Record<string, string>> = {
  charges:
    'amount billing_details.address.postal_code created currency customer disputed refunded status payment_method_details.card.brand payment_method_details.card.exp_month payment_method_details.card.exp_year payment_method_details.card.fingerprint payment_method_details.card.last4',
  customers: 'created email name phone',
  invoices: 'created currency customer number receipt_number status subscription total',
  payment_intents: 'amount created currency customer status',
  prices: 'active currency lookup_key product type',
  products: 'active created description name shippable url',
  subscriptions: 'canceled_at created status',
}
const NUMBERS = /^(?:amount|created|total|canceled_at)$/
const CLAUSE =
  /^-?([\w.]+|metadata\[(?:"[^"]*"|'[^']*')\])\s*(:|~|>=|<=|>|<)\s*("(?:\\.|[^"])*"|'(?:\\.|[^'])*'|[\w.-]+)/

/** Why Stripe refuses a query; undefined for one that it understands. */
function faultOf(query: string, resource: string): string | undefined {
  const unread =
    'We were unable to parse your search query. Try using the format `metadata["key"]:"value"` to query for metadata or key:"value" to query for other fields.'
  const joints = new Set<string>()
  for (let rest = query.trim(); ; ) {
    const clause = CLAUSE.exec(rest)
    if (clause === null) return unread
    const [text, field = '', operator = '', value = ''] = clause
    const isMetadata = field.startsWith('metadata[')
    if (!isMetadata && !FIELDS[resource]?.split(' ').includes(field))
      return `Field \`${field}\` is an unsupported search field for resource \`${resource}\`. See http://stripe.com/docs/search#query-fields-for-${resource.replaceAll('_', '-')} for a list of supported fields.`
    if (/[<>]/.test(operator) && !NUMBERS.test(field))
      return `The operator ${operator} is not supported for \`${field}\`.`
    if (operator === '~' && (isMetadata || NUMBERS.test(field) || value.length < 5))
      return `The substring operator ~ needs at least three characters, and is not supported for every field: \`${field}\`.`
    rest = rest.slice(text.length)
    if (rest.trim() === '') return joints.size > 1 ? 'A query cannot have both AND and OR.' : undefined
    const joint = /^\s+(?:(AND|OR)\s+)?/i.exec(rest)
    if (joint === null) return unread
    joints.add((joint[1] ?? 'AND').toUpperCase())
    rest = rest.slice(joint[0].length)
  }
}

function search(context: Context, resource: string): object | undefined {
  const query = textOf(context.query.query)
  const fault = faultOf(query, resource)
  if (fault !== undefined) return refused(context, 'query', fault)
  const subscription = /^subscription\s*:\s*["']([^"']*)["']$/.exec(query.trim())?.[1]
  if (resource === 'invoices' && subscription === undefined && /\bsubscription\s*[:~]/.test(query))
    return refused(context, 'query', 'Only a query of `subscription` alone is simulated here.')
  const isOf = ({ parent }: JsonObject) => fieldsOf(fieldsOf(parent).subscription_details).subscription === subscription
  const { total_count, ...page } = context.next(subscription === undefined ? {} : { ignore: ['query'], where: isOf })
  const asked = Object.values(Object(context.query.expand))
  return asked.includes('total_count') ? { ...page, total_count } : page
}

export const searches = Object.fromEntries(
  Object.keys(FIELDS).map((name) => [`GET /v1/${name}/search`, (context: Context) => search(context, name)]),
)
