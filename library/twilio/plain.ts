import { channelOf, checkTask, followTask, placeOf, route, routing } from './routing.ts'
import { typed } from './sync-and-video.ts'
import {
  ACCOUNT,
  type Fields,
  type Json,
  type Operations,
  operationsOf,
  snake,
  type TwilioRequest,
  textOf,
  viewOf,
} from './twilio.ts'

/** A resource that Twilio keeps as it is sent: its sid's prefix, its name in lists, and what it begins with. */
type Plain = readonly [prefix: string, list: string, initial: Fields]

const SERVICE = '/verify/v2/Services/{ServiceSid}'
const ENABLED = { status: 'enabled', version: 'v2', webhook_method: 'POST' }
const MONTHLY = { recurring: null, trigger_by: 'usage', current_value: '0', date_fired: null, callback_method: 'POST' }
const SIP = `${ACCOUNT}/SIP`
const DOMAIN = { voice_method: 'POST', sip_registration: false, secure: false, emergency_calling_enabled: false }
const WORKSPACES = '/taskrouter/v1/Workspaces'
const BELOW = `${WORKSPACES}/{WorkspaceSid}`
const WORKER = { attributes: '{}', available: false, activity_name: 'Offline', activity_sid: null }
const WORKFLOW = {
  assignment_callback_url: null,
  task_reservation_timeout: 120,
  document_content_type: 'application/json',
}
const TASK = {
  ...{ assignment_status: 'pending', attributes: '{}', priority: 0, age: 0, reason: null, timeout: 86_400 },
  ...{ task_channel_unique_name: 'default', workflow_sid: null, task_queue_sid: null, addons: '{}' },
}
/** The task channels of each workspace. */
const CHANNELS = [
  ...[['Default', 'default'] as const, ['Voice', 'voice'] as const, ['Programmable Chat', 'chat'] as const],
  ...[['SMS', 'sms'] as const, ['Video', 'video'] as const, ['Email', 'email'] as const],
]
const FILTERS = 'FriendlyName Available ActivityName ActivitySid AssignmentStatus WorkflowSid TaskQueueSid'
const RESOURCES: Readonly<Record<string, Plain>> = {
  [`${SERVICE}/RateLimits`]: ['RK', 'rate_limits', { description: '' }],
  [`${SERVICE}/RateLimits/{RateLimitSid}/Buckets`]: ['BL', 'buckets', {}],
  [`${SERVICE}/Webhooks`]: ['YW', 'webhooks', ENABLED],
  '/verify/v2/SafeList/Numbers': ['GN', 'numbers', { phone_number: '' }],
  [`${ACCOUNT}/Usage/Triggers`]: ['UT', 'usage_triggers', MONTHLY],
  [`${ACCOUNT}/Calls/{CallSid}/Streams`]: ['MZ', 'streams', { status: 'in-progress', name: null }],
  [`${SIP}/CredentialLists`]: ['CL', 'credential_lists', {}],
  [`${SIP}/CredentialLists/{CredentialListSid}/Credentials`]: ['CR', 'credentials', {}],
  [`${SIP}/IpAccessControlLists`]: ['AL', 'ip_access_control_lists', {}],
  [`${SIP}/IpAccessControlLists/{IpAccessControlListSid}/IpAddresses`]: [
    'IP',
    'ip_addresses',
    { cidr_prefix_length: 32 },
  ],
  [`${SIP}/Domains`]: ['SD', 'domains', DOMAIN],
  '/conversations/v1/Services': ['IS', 'services', {}],
  [WORKSPACES]: ['WS', 'workspaces', { prioritize_queue_order: 'FIFO', default_activity_name: 'Offline' }],
  [`${BELOW}/Activities`]: ['WA', 'activities', { available: false }],
  [`${BELOW}/Workers`]: ['WK', 'workers', WORKER],
  [`${BELOW}/TaskQueues`]: [
    'WQ',
    'task_queues',
    { target_workers: '1==1', max_reserved_workers: 1, task_order: 'FIFO' },
  ],
  [`${BELOW}/Workflows`]: ['WW', 'workflows', WORKFLOW],
  [`${BELOW}/Tasks`]: ['WT', 'tasks', TASK],
  [`${BELOW}/TaskChannels`]: ['TC', 'channels', { unique_name: '', channel_optimized_routing: false }],
}

/** What a worker does: its activity says whether tasks may come. */
const activityOf = ({ records }: TwilioRequest, { activity_sid }: Fields): Fields => {
  const activity = records.resources.get(String(activity_sid ?? ''))
  return activity ? { activity_name: activity.friendly_name ?? '', available: activity.available ?? false } : {}
}

const named = (fields: Fields, initial: Fields = {}): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, Json] => [
      snake(name),
      /^(?:Max|Interval)$/.test(name) ? Number(value) : typed(initial[snake(name)], value),
    ]),
  )

const operations = Object.entries(RESOURCES).map(([path, [prefix, list, initial]]) =>
  operationsOf({
    ...{ collection: 'resources', path, list, show: viewOf(path, '', 'kind password') },
    ...('phone_number' in initial && { name: 'phone_number' }),
    ...(prefix === 'TC' && { name: 'unique_name' }),
    above: ({ account, path: { Sid: _, ...parents } }) => ({ ...named(parents), account_sid: account, kind: prefix }),
    made: (twilio) => ({
      sid: twilio.sid(prefix),
      ...initial,
      ...(prefix === 'WT' && { ...placeOf(twilio), ...channelOf(twilio) }),
    }),
    check: (twilio) => {
      if (prefix === 'WT') checkTask(twilio)
    },
    filters: FILTERS,
    sent: (twilio) => {
      const fields = named(twilio.body, initial)
      return { ...fields, ...activityOf(twilio, fields) }
    },
    changed: (twilio, record) => {
      if (prefix === 'WT') followTask(twilio, record)
      if (path.startsWith(BELOW)) route(twilio, textOf(record.workspace_sid))
    },
    added: (twilio, { sid, ...record }) => {
      twilio.listen(record.assignment_callback_url, twilio.of.key)
      if (path.startsWith(BELOW)) route(twilio, textOf(record.workspace_sid))
      if (prefix !== 'WS') return
      const above = { account_sid: twilio.account, workspace_sid: sid }
      for (const friendly_name of ['Available', 'Unavailable', 'Offline'])
        twilio.create('resources', {
          ...{ ...above, kind: 'WA', sid: twilio.sid('WA'), friendly_name, available: friendly_name === 'Available' },
        })
      for (const [friendly_name, unique_name] of CHANNELS)
        twilio.create('resources', {
          ...{ ...above, kind: 'TC', sid: twilio.sid('TC'), friendly_name, unique_name },
          channel_optimized_routing: false,
        })
    },
  }),
)

export const plain: Operations = Object.assign({}, ...operations, routing)
