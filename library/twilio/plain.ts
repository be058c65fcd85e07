import { jsonOr } from '../../src/protocol/json.ts'
import { channelOf, channelsFor, checkTask, followTask, placeOf, route, routing, stayIn } from './routing.ts'
import { MAPS, sipMappings } from './sip.ts'
import { statistics } from './statistics.ts'
import { typed } from './sync-and-video.ts'
import {
  ACCOUNT,
  API_VERSION,
  type Fields,
  type Json,
  type Kept,
  type Operations,
  operationsOf,
  snake,
  type TwilioRequest,
  textOf,
  USUAL_SERVICE,
  type View,
  viewOf,
} from './twilio.ts'

/** A resource that Twilio keeps as it is sent: its sid's prefix, its name in lists, what it begins with and needs. */
type Plain = readonly [prefix: string, list: string, initial: Fields, needed?: string]

const SERVICE = '/verify/v2/Services/{ServiceSid}'
const ENABLED = { status: 'enabled', version: 'v2', webhook_method: 'POST' }
const MONTHLY = {
  ...{ api_version: API_VERSION, friendly_name: '', usage_record_uri: null },
  ...{ recurring: null, trigger_by: 'usage', current_value: '0', date_fired: null, callback_method: 'POST' },
}
const SIP = `${ACCOUNT}/SIP`
const DOMAIN = {
  ...{ api_version: API_VERSION, auth_type: '', friendly_name: '', domain_name: '', byoc_trunk_sid: null },
  ...{ voice_url: '', voice_method: 'POST', voice_fallback_url: null, voice_fallback_method: 'POST' },
  ...{ voice_status_callback_url: null, voice_status_callback_method: 'POST', sip_registration: false, secure: false },
  ...{ emergency_calling_enabled: false, emergency_caller_sid: null },
}
const SPACE = {
  ...{ prioritize_queue_order: 'FIFO', default_activity_name: 'Offline', timeout_activity_name: 'Offline' },
  ...{ multi_task_enabled: true, event_callback_url: '', events_filter: null },
}
const QUEUE = {
  ...{ target_workers: '1==1', max_reserved_workers: 1, task_order: 'FIFO' },
  ...{ assignment_activity_name: null, assignment_activity_sid: null },
  ...{ reservation_activity_name: null, reservation_activity_sid: null },
}
const ROLE = { chat_service_sid: USUAL_SERVICE, permissions: [] }
/** Nobody reviews brands, campaigns and numbers: what is sent stays pending. */
const BRAND = {
  ...{ brand_type: 'STANDARD', status: 'PENDING', identity_status: null, tcr_id: null, failure_reason: null },
  ...{ brand_score: null, brand_feedback: null, russell_3000: null, government_entity: null, tax_exempt_status: null },
  ...{ skip_automatic_sec_vet: false, mock: false, errors: [] },
}
const CAMPAIGN = {
  ...{ campaign_status: 'PENDING', campaign_id: null, is_externally_registered: false, rate_limits: null, mock: false },
  ...{ has_embedded_links: false, has_embedded_phone: false, subscriber_opt_in: false, age_gated: false },
  ...{ direct_lending: false, opt_in_message: null, opt_out_message: null, help_message: null, errors: [] },
  ...{ message_samples: [], opt_in_keywords: [], opt_out_keywords: [], help_keywords: [] },
}
const CAMPAIGN_NEEDS =
  'BrandRegistrationSid Description MessageFlow MessageSamples UsAppToPersonUsecase HasEmbeddedLinks HasEmbeddedPhone'
const TOLL_FREE = {
  ...{ status: 'PENDING_REVIEW', regulated_item_sid: null, customer_profile_sid: null, trust_product_sid: null },
  ...{ rejection_reason: null, rejection_reasons: null, error_code: null, edit_expiration: null, edit_allowed: null },
  ...{ resource_links: {}, external_reference_id: null, additional_information: null },
  ...{ use_case_categories: [], opt_in_image_urls: [], opt_in_keywords: [] },
}
const TOLL_FREE_NEEDS =
  'BusinessName BusinessWebsite NotificationEmail UseCaseCategories UseCaseSummary ProductionMessageSample OptInImageUrls OptInType MessageVolume TollfreePhoneNumberSid'
/** Fields whose names are not those of their parameters. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ Permission: 'permissions', A2PProfileBundleSid: 'a2p_profile_bundle_sid' },
}
/** What is below a resource, as its `links` name it. */
const LINKS: Readonly<Record<string, string>> = {
  WS: 'Activities Statistics RealTimeStatistics CumulativeStatistics TaskQueues Tasks Workers Workflows TaskChannels',
  WK: 'Channels Statistics Reservations',
  WQ: 'Statistics RealTimeStatistics CumulativeStatistics',
  WW: 'Statistics RealTimeStatistics CumulativeStatistics',
  WT: 'Reservations',
}
/** Parameters that are no fields. */
const ORDERS = ['Template', 'TaskChannel', 'ReEvaluateTasks', 'RejectPendingReservations']
const WORKSPACES = '/taskrouter/v1/Workspaces'
const BELOW = `${WORKSPACES}/{WorkspaceSid}`
const WORKER = { attributes: '{}', available: false, activity_name: 'Offline', activity_sid: null }
const WORKFLOW = {
  fallback_assignment_callback_url: null,
  assignment_callback_url: null,
  task_reservation_timeout: 120,
  document_content_type: 'application/json',
}
const TASK = {
  ...{ assignment_status: 'pending', attributes: '{}', priority: 0, age: 0, reason: null, timeout: 86_400 },
  ...{ task_channel_unique_name: 'default', workflow_sid: null, task_queue_sid: null, addons: '{}' },
  ...{ workflow_friendly_name: null, task_queue_friendly_name: null, task_queue_entered_date: null },
  ...{ ignore_capacity: false, routing_target: null },
}
/** The task channels of each workspace. */
const CHANNELS = [
  ...[['Default', 'default'] as const, ['Voice', 'voice'] as const, ['Programmable Chat', 'chat'] as const],
  ...[['SMS', 'sms'] as const, ['Video', 'video'] as const, ['Email', 'email'] as const],
]
const FILTERS =
  'Status TollfreePhoneNumberSid FriendlyName Available ActivityName ActivitySid AssignmentStatus WorkflowSid TaskQueueSid'
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
  '/conversations/v1/Roles': ['RL', 'roles', ROLE, 'FriendlyName Type Permission'],
  '/conversations/v1/Services/{ChatServiceSid}/Roles': ['RL', 'roles', ROLE, 'FriendlyName Type Permission'],
  '/messaging/v1/a2p/BrandRegistrations': ['BN', 'data', BRAND, 'CustomerProfileBundleSid A2PProfileBundleSid'],
  '/messaging/v1/Services/{MessagingServiceSid}/Compliance/Usa2p': ['QE', 'compliance', CAMPAIGN, CAMPAIGN_NEEDS],
  '/messaging/v1/Tollfree/Verifications': ['HH', 'verifications', TOLL_FREE, TOLL_FREE_NEEDS],
  [WORKSPACES]: ['WS', 'workspaces', SPACE, 'FriendlyName'],
  [`${BELOW}/Activities`]: ['WA', 'activities', { available: false }, 'FriendlyName'],
  [`${BELOW}/Workers`]: ['WK', 'workers', WORKER, 'FriendlyName'],
  [`${BELOW}/TaskQueues`]: ['WQ', 'task_queues', QUEUE, 'FriendlyName'],
  [`${BELOW}/Workflows`]: ['WW', 'workflows', WORKFLOW, 'FriendlyName Configuration'],
  [`${BELOW}/Tasks`]: ['WT', 'tasks', TASK],
  [`${BELOW}/TaskChannels`]: [
    'TC',
    'channels',
    { unique_name: '', channel_optimized_routing: false },
    'FriendlyName UniqueName',
  ],
}

/** What a worker does: its activity says whether tasks may come. A new one has that of its workspace. */
const activityOf = (twilio: TwilioRequest, { activity_sid }: Fields): Fields => {
  const { resources } = twilio.records
  const worker = resources.get(twilio.path.Sid)
  const usual = worker ? '' : (resources.get(twilio.path.WorkspaceSid)?.default_activity_sid ?? '')
  const activity = resources.get(textOf(activity_sid ?? usual))
  return activity ? stayIn(twilio, activity, worker) : {}
}

/** The activities that a workspace names by their sids. */
const activitiesOf = ({ records }: TwilioRequest, fields: Fields): Fields => {
  const nameOf = (field: string): Fields => {
    const activity = records.resources.get(textOf(fields[`${field}_sid`]))
    return activity ? { [`${field}_name`]: activity.friendly_name ?? '' } : {}
  }
  return { ...nameOf('default_activity'), ...nameOf('timeout_activity') }
}

/** What a new workspace has: activities, task channels, and by the template `FIFO` a queue and its workflow. */
function furnish(twilio: TwilioRequest, { sid, account_sid = '' }: Kept): void {
  const add = (kind: string, fields: Fields): Kept =>
    twilio.create('resources', { account_sid, workspace_sid: sid, kind, sid: twilio.sid(kind), ...fields })
  const activities = ['Available', 'Unavailable', 'Offline'].map((friendly_name) =>
    add('WA', { friendly_name, available: friendly_name === 'Available' }),
  )
  const offline = activities[2]?.sid ?? ''
  twilio.records.resources.update(sid, { default_activity_sid: offline, timeout_activity_sid: offline })
  for (const [friendly_name, unique_name] of CHANNELS)
    add('TC', { friendly_name, unique_name, channel_optimized_routing: false })
  if (twilio.body.Template !== 'FIFO') return
  const queue = add('WQ', { ...QUEUE, friendly_name: 'Sample Queue' })
  const configuration = JSON.stringify({ task_routing: { filters: [], default_filter: { queue: queue.sid } } })
  add('WW', { ...WORKFLOW, friendly_name: 'Default Fifo Workflow', configuration })
}

const named = (fields: Fields, initial: Fields = {}): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Json][] => {
      const field = NAMES[name] ?? snake(name)
      if (ORDERS.includes(name)) return []
      return [[field, /^(?:Max|Interval)$/.test(name) ? Number(value) : typed(initial[field], value)]]
    }),
  )

const showOf = (path: string, prefix: string): View => {
  const show = viewOf(path, LINKS[prefix], `kind password stays ${MAPS}`)
  // A new workspace is shown with the activities that it was given.
  if (prefix === 'WS') return (one, twilio) => show(twilio.records.resources.get(one.sid) ?? one, twilio)
  if (prefix !== 'WT') return show
  return (task, twilio) => {
    const age = Math.max(0, Math.floor((twilio.now.getTime() - Date.parse(textOf(task.date_created))) / 1_000))
    return { virtual_start_time: task.date_created ?? null, ...show(task, twilio), age }
  }
}

const operations = Object.entries(RESOURCES).map(([path, [prefix, list, initial, needed = '']]) =>
  operationsOf({
    ...{ collection: 'resources', path, list, needed, show: showOf(path, prefix) },
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
      for (const field of path.startsWith(BELOW) ? ['Attributes', 'Configuration'] : [])
        if (twilio.has(field) && jsonOr(twilio.text(field), undefined) === undefined)
          twilio.refuse(20001, `${field} must be valid JSON`)
    },
    filters: FILTERS,
    sent: (twilio) => {
      const fields = named(twilio.body, initial)
      if (prefix === 'WS') return { ...fields, ...activitiesOf(twilio, fields) }
      return { ...fields, ...(prefix === 'WK' && activityOf(twilio, fields)) }
    },
    changed: (twilio, record) => {
      if (prefix === 'WT') followTask(twilio, record)
      if (path.startsWith(BELOW)) route(twilio, textOf(record.workspace_sid))
    },
    added: (twilio, record) => {
      twilio.listen(record.assignment_callback_url, twilio.of.key)
      if (prefix === 'WS') furnish(twilio, record)
      if (prefix === 'WK' || prefix === 'TC') channelsFor(twilio, record)
      if (path.startsWith(BELOW)) route(twilio, textOf(record.workspace_sid))
    },
  }),
)

export const plain: Operations = Object.assign({}, ...operations, routing, sipMappings, statistics)
