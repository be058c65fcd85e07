import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { errorOf } from './checks.ts'

type Kept = JsonObject & { readonly sid: string }
type Context = OperationContext<
  AnyOperation,
  { resources: Kept; verifications: JsonObject; verify_services: JsonObject }
>
/** A resource that Twilio keeps as it is sent: its sid's prefix, its name in lists, and what it begins with. */
type Plain = readonly [prefix: string, list: string, initial: JsonObject]

const SERVICE = '/verify/v2/Services/{ServiceSid}'
const ACCOUNT = '/2010-04-01/Accounts/{AccountSid}'
const ENABLED = { status: 'enabled', version: 'v2', webhook_method: 'POST' }
const MONTHLY = { recurring: null, trigger_by: 'usage', current_value: '0', date_fired: null, callback_method: 'POST' }
const RESOURCES: Readonly<Record<string, Plain>> = {
  [`${SERVICE}/RateLimits`]: ['RK', 'rate_limits', { description: '' }],
  [`${SERVICE}/RateLimits/{RateLimitSid}/Buckets`]: ['BL', 'buckets', {}],
  [`${SERVICE}/Webhooks`]: ['YW', 'webhooks', ENABLED],
  '/verify/v2/SafeList/Numbers': ['GN', 'numbers', {}],
  [`${ACCOUNT}/Usage/Triggers`]: ['UT', 'usage_triggers', MONTHLY],
  [`${ACCOUNT}/Calls/{CallSid}/Streams`]: ['MZ', 'streams', { status: 'in-progress', name: null }],
}

const snake = (name: string): string => name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
const named = (fields: object): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, Json] => [
      snake(name),
      /^(?:Max|Interval)$/.test(name) ? Number(value) : (value as Json),
    ]),
  )

/** The operations of a resource, by method and path. */
function operationsOf(path: string, [prefix, list, initial]: Plain) {
  const isOld = path.startsWith(ACCOUNT)
  const end = isOld ? '.json' : ''
  const time = ({ now }: Context) =>
    isOld ? now.toUTCString().replace('GMT', '+0000') : now.toISOString().replace(/\.\d+/, '')
  const above = (context: Context): JsonObject => {
    const { Sid: _, ...parents } = context.path
    return { account_sid: `AC${'0'.repeat(32)}`, ...named(parents) }
  }
  const all = (context: Context): Kept[] => {
    const parents = Object.entries(above(context))
    return [...context.records.resources].filter(
      (one) => one.sid.startsWith(prefix) && parents.every(([name, value]) => one[name] === value),
    )
  }
  const find = (context: Context): Kept =>
    all(context).find(({ sid, phone_number: number }) => [sid, number].includes(String(context.path.Sid))) ??
    context.refuse(404, { code: 'not_found' })
  return {
    [`POST ${path}${end}`]: (context: Context) => {
      const times = { date_created: time(context), date_updated: time(context) }
      const sid = `${prefix}${Array.from({ length: 32 }, () => Math.floor(context.random() * 16).toString(16)).join('')}`
      return context.records.resources.create({ sid, ...initial, ...above(context), ...named(context.body), ...times })
    },
    [`GET ${path}${end}`]: (context: Context) => {
      const items = { [list]: all(context) }
      const page = { page: 0, page_size: 50 }
      return isOld
        ? { ...items, ...page, next_page_uri: null }
        : { ...items, meta: { ...page, key: list, next_page_url: null } }
    },
    [`GET ${path}/{Sid}${end}`]: find,
    [`POST ${path}/{Sid}${end}`]: (context: Context) =>
      context.records.resources.update(find(context), { ...named(context.body), date_updated: time(context) }),
    [`DELETE ${path}/{Sid}${end}`]: (context: Context) => {
      context.records.resources.remove(find(context))
      return context.respond({ status: 204 })
    },
  }
}

/** Counts a verification against the rate limits of its service, and refuses one too many. */
export function verification(context: Context): object | undefined {
  const { RateLimits } = context.body
  const given: unknown = typeof RateLimits === 'string' ? JSON.parse(RateLimits) : RateLimits
  const { resources } = context.records
  const now = context.now.getTime()
  for (const [name, value] of Object.entries(isJsonObject(given as Json) ? (given as JsonObject) : {})) {
    const limit = resources.find({ service_sid: String(context.path.ServiceSid), unique_name: name })
    if (limit === undefined) return errorOf(context, 400, 60200, `Invalid parameter \`RateLimits\`: ${name}`)
    const key = valueText(value)
    const sent = resources.where({ limit: limit.sid, key })
    const isFull = ({ max, interval }: JsonObject) =>
      sent.filter(({ at }) => Number(at) > now - Number(interval) * 1_000).length >= Number(max)
    if (resources.where({ rate_limit_sid: limit.sid }).some(isFull))
      return errorOf(context, 429, 20429, 'Too many requests')
    resources.create({ sid: `XX${context.id()}`, limit: limit.sid, key, at: now })
  }
  return
}

export const plain = {
  ...Object.assign({}, ...Object.entries(RESOURCES).map(([path, of]) => operationsOf(path, of))),
  'POST /verify/v2/Services/{ServiceSid}/Verifications': verification,
}
