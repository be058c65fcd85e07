import { valueText } from '../../src/protocol/json.ts'
import { given, listOf, type Operations, only, type ResendRequest, shown } from './resend.ts'

const ACCESS = ['full_access', 'sending_access']

const keys: Operations = {
  'POST /api-keys': (resend) => {
    const { name, permission = null } = resend.body
    if (name === undefined) resend.need('name')
    if (valueText(name).length > 50) resend.refuse({ message: 'API key name must be at most 50 characters.' })
    if (permission !== null && !ACCESS.includes(String(permission)))
      resend.refuse({
        name: 'invalid_access',
        message: `Access must be ${ACCESS.map((one) => `"${one}"`).join(' | ')}`,
      })
    const token = `re_${resend.id()}${resend.id()}`.slice(0, 36)
    const key = resend.create('api_keys', { ...given(resend.body, 'name permission domain_id'), token })
    return { ...resend.named('api_keys', key), token }
  },
  'GET /api-keys': (resend) =>
    resend.list(resend.records.api_keys, (key) => shown(key, 'id name created_at last_used_at'), Infinity),
  'PATCH /api-keys/{api_key_id}': (resend) => {
    resend.need('name')
    return resend.change('api_keys', given(resend.body, 'name'))
  },
  'DELETE /api-keys/{api_key_id}': (resend) => resend.remove('api_keys'),
}

const HOOK = 'id endpoint status events created_at'

/** The event of a webhook that it has received. */
const SUCCESS = { status: 'success' }

const webhooks: Operations = {
  'POST /webhooks': (resend) => {
    resend.need('endpoint', 'events')
    const signing_secret = resend.newSecret()
    const hook = resend.create('webhooks', { ...given(resend.body, 'endpoint events'), signing_secret })
    return { ...resend.named('webhooks', hook), signing_secret }
  },
  'GET /webhooks': (resend) => resend.list(resend.records.webhooks, (hook) => shown(hook, HOOK)),
  'GET /webhooks/{webhook_id}': (resend) => {
    const hook = resend.find('webhooks')
    return { object: 'webhook', ...shown(hook, HOOK), ...only(hook, 'signing_secret') }
  },
  'PATCH /webhooks/{webhook_id}': (resend) => resend.change('webhooks', given(resend.body, 'endpoint events status')),
  'DELETE /webhooks/{webhook_id}': (resend) => resend.remove('webhooks'),
  'POST /webhooks/{webhook_id}/signing-secret/rotate': (resend) => {
    const signing_secret = resend.newSecret()
    return { ...resend.change('webhooks', { signing_secret }), signing_secret }
  },
  'GET /webhooks/{webhook_id}/events': (resend) => {
    const { events, created_at } = resend.find('webhooks')
    const types = Array.isArray(events) ? events : []
    const sent = resend.records.happenings.where(
      (one) => types.includes(String(one.type)) && String(one.created_at) >= String(created_at),
    )
    return resend.list(sent, (one) => ({ ...only(one, 'id type created_at'), ...SUCCESS }))
  },
  'GET /webhooks/{webhook_id}/events/{event_id}': (resend) => {
    resend.find('webhooks', resend.of.path.webhook_id)
    const event = resend.records.happenings.get(resend.of.path.event_id) ?? resend.gone('Event')
    const payload = only(event, 'type created_at data')
    const fields = { ...only(event, 'id type created_at'), ...SUCCESS, next_attempt_at: null }
    return { object: 'webhook_event', ...fields, payload }
  },
}

const AUTOMATION = 'id name status created_at updated_at'
const FLOW = 'name status steps connections'

const automations: Operations = {
  'POST /automations': (resend) => {
    resend.need('name', 'steps')
    return resend.named('automations', resend.create('automations', given(resend.body, FLOW)))
  },
  'GET /automations': (resend) => {
    const { status } = resend.of.query
    const { automations } = resend.records
    return resend.list(status ? automations.where({ status }) : automations, (one) => shown(one, AUTOMATION))
  },
  'GET /automations/{automation_id}': (resend) => {
    const automation = resend.find('automations')
    const connections = listOf(automation.connections).map((one) => ({ type: 'default', ...one }))
    return { object: 'automation', ...shown(automation, AUTOMATION), ...only(automation, 'steps'), connections }
  },
  'PATCH /automations/{automation_id}': (resend) =>
    resend.change('automations', { ...given(resend.body, FLOW), updated_at: resend.time }),
  'DELETE /automations/{automation_id}': (resend) => resend.remove('automations'),
  'POST /automations/{automation_id}/duplicate': (resend) => {
    const automation = resend.find('automations')
    const fields = { ...only(automation, 'steps connections'), name: `${automation.name} (Copy)` }
    return resend.named('automations', resend.create('automations', fields))
  },
  'POST /automations/{automation_id}/stop': (resend) => ({
    ...resend.change('automations', { status: 'disabled', updated_at: resend.time }),
    status: 'disabled',
  }),
  'GET /automations/{automation_id}/runs': (resend) => {
    resend.find('automations')
    return resend.list([], (run) => run)
  },
}

const EVENT = 'id name schema created_at updated_at'

const events: Operations = {
  'POST /events': (resend) => {
    resend.need('name')
    const { name } = resend.body
    if (resend.records.events.some({ name }))
      resend.refuse({ status: 409, message: `The event ${name} exists already.` })
    return resend.named('events', resend.create('events', given(resend.body, 'name schema')))
  },
  'GET /events': (resend) => resend.list(resend.records.events, (event) => shown(event, EVENT)),
  'POST /events/send': (resend) => {
    const { event, contact_id, email } = resend.body
    resend.need('event')
    if (!email) resend.need('contact_id')
    if (contact_id && !resend.records.contacts.get(String(contact_id))) resend.gone('Contact')
    return { object: 'event', event }
  },
  'GET /events/{occasion}': (resend) => ({ object: 'event', ...shown(resend.find('events'), EVENT) }),
  'PATCH /events/{occasion}': (resend) =>
    resend.change('events', { ...given(resend.body, 'schema'), updated_at: resend.time }),
  'DELETE /events/{occasion}': (resend) => resend.remove('events'),
}

/** Emails that were sent and received since a time that begins so: `2026-11`. */
function countSince({ records }: ResendRequest, start: string) {
  const isSince = (time: unknown) => String(time) >= start
  const sent = records.emails.where(
    ({ happened, created_at }) => isSince(created_at) && Array.isArray(happened) && happened.includes('sent'),
  ).length
  const received = records.received_emails.where(({ created_at }) => isSince(created_at)).length
  return { used: sent + received, sent, received }
}

const logs: Operations = {
  'GET /logs': (resend) => resend.list(resend.records.logs, ({ request_body: _, ...log }) => log),
  'GET /logs/{log_id}': (resend) => {
    const log = resend.records.logs.get(resend.of.path.log_id) ?? resend.gone('Log')
    return { object: 'log', response_body: null, ...log }
  },
  'GET /usage': (resend) => {
    const { now, time, records } = resend
    const nextDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
    return {
      object: 'usage',
      emails: {
        daily: { ...countSince(resend, time.slice(0, 10)), limit: 100, resets_at: nextDay },
        monthly: { ...countSince(resend, time.slice(0, 7)), limit: 3_000, resets_at: nextMonth },
      },
      contacts: { used: records.contacts.count(), limit: 1_000 },
      segments: { used: records.segments.count(), limit: 3 },
      broadcasts: { used: records.broadcasts.count(), limit: null },
      ai_credits: { used: 0, limit: null, next_increase_at: null },
      automation_runs: { used: 0, limit: 1_000, resets_at: nextMonth },
      domains: { used: records.domains.count(), limit: 1 },
      rate_limit: { limit: 5, duration: '1s' },
    }
  },
}

export const account: Operations = { ...keys, ...webhooks, ...automations, ...events, ...logs }
