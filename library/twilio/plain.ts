import { ACCOUNT, type Fields, type Json, type Operations, operationsOf, snake, viewOf } from './twilio.ts'

/** A resource that Twilio keeps as it is sent: its sid's prefix, its name in lists, and what it begins with. */
type Plain = readonly [prefix: string, list: string, initial: Fields]

const SERVICE = '/verify/v2/Services/{ServiceSid}'
const ENABLED = { status: 'enabled', version: 'v2', webhook_method: 'POST' }
const MONTHLY = { recurring: null, trigger_by: 'usage', current_value: '0', date_fired: null, callback_method: 'POST' }
const RESOURCES: Readonly<Record<string, Plain>> = {
  [`${SERVICE}/RateLimits`]: ['RK', 'rate_limits', { description: '' }],
  [`${SERVICE}/RateLimits/{RateLimitSid}/Buckets`]: ['BL', 'buckets', {}],
  [`${SERVICE}/Webhooks`]: ['YW', 'webhooks', ENABLED],
  '/verify/v2/SafeList/Numbers': ['GN', 'numbers', { phone_number: '' }],
  [`${ACCOUNT}/Usage/Triggers`]: ['UT', 'usage_triggers', MONTHLY],
  [`${ACCOUNT}/Calls/{CallSid}/Streams`]: ['MZ', 'streams', { status: 'in-progress', name: null }],
}

const named = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, Json] => [
      snake(name),
      /^(?:Max|Interval)$/.test(name) ? Number(value) : value,
    ]),
  )

const operations = Object.entries(RESOURCES).map(([path, [prefix, list, initial]]) =>
  operationsOf({
    ...{ collection: 'resources', path, list, show: viewOf(path, '', 'kind') },
    ...('phone_number' in initial && { name: 'phone_number' }),
    above: ({ account, path: { Sid: _, ...parents } }) => ({ ...named(parents), account_sid: account, kind: prefix }),
    made: (twilio) => ({ sid: twilio.sid(prefix), ...initial }),
    sent: ({ body }) => named(body),
  }),
)

export const plain: Operations = Object.assign({}, ...operations)
