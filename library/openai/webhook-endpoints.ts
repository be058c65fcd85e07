import { toUnix } from '../shared/times.ts'
import { type Fields, type Kept, newSecret } from '../shared/values.ts'
import { type Context, find } from './context.ts'
import { plainOperations } from './lists.ts'

const EVENT_TYPES = [
  ...['batch.cancelled', 'batch.completed', 'batch.expired', 'batch.failed'],
  ...['fine_tuning.job.cancelled', 'fine_tuning.job.failed', 'fine_tuning.job.succeeded'],
  ...['response.cancelled', 'response.completed', 'response.failed', 'response.incomplete'],
]

const shown = ({ signing_secret, enabled: _, ...endpoint }: Fields): Fields => ({
  ...endpoint,
  signing_secret_hint: `whsec_...${String(signing_secret).slice(-4)}`,
})
const withSecret = (endpoint: Kept): Fields => ({ ...shown(endpoint), signing_secret: endpoint.signing_secret ?? null })
const findOne = (context: Context): Kept => find(context, 'webhook_endpoints', 'webhook_endpoint_id')

export const webhookEndpoints = {
  ...plainOperations('webhook_endpoints', {
    path: '/webhook_endpoints',
    name: 'webhook_endpoint_id',
    show: shown,
    deleted: 'webhook_endpoint.deleted',
  }),
  'POST /webhook_endpoints': (context: Context) => {
    const { name = '', description = null, url, event_types } = context.body
    const object = 'webhook_endpoint'
    const facts = { object, created_at: toUnix(context.now), name, description, url, event_types, enabled: true }
    return withSecret(context.records.webhook_endpoints.create({ ...facts, signing_secret: newSecret(context) }))
  },
  'POST /webhook_endpoints/{webhook_endpoint_id}': (context: Context) => {
    const updated_at = toUnix(context.now)
    return shown(context.records.webhook_endpoints.update(findOne(context).id, { ...context.body, updated_at }))
  },
  'POST /webhook_endpoints/{webhook_endpoint_id}/rotate_secret': (context: Context) => {
    const { id } = findOne(context)
    const change = { signing_secret: newSecret(context), updated_at: toUnix(context.now) }
    return withSecret(context.records.webhook_endpoints.update(id, change))
  },
  'POST /webhook_endpoints/{webhook_endpoint_id}/test': (context: Context) => {
    const endpoint = findOne(context)
    const event_type = String(context.body.event_type ?? (endpoint.event_types as string[])[0])
    context.emit(event_type, endpoint)
    const facts = { webhook_endpoint_id: endpoint.id, event_type, status_code: 200, success: true }
    return { object: 'webhook_endpoint.test', ...facts }
  },
  'GET /webhook_event_types': () => ({ object: 'list', data: EVENT_TYPES }),
}
