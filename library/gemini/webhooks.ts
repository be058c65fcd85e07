import { type Fields, type Kept, newSecret } from '../shared/values.ts'
import { type Context, invalid, refuseWith, removing, toPage } from './context.ts'

const shown = ({ secret, ...webhook }: Fields): Fields => ({
  ...webhook,
  signing_secrets: [{ truncated_secret: `...${String(secret).slice(-4)}` }],
})

const findOne = (context: Context): Kept =>
  context.records.webhooks.get(context.path.id) ??
  refuseWith(context, { status: 404, message: `Webhook ${context.path.id} was not found.` })

export const webhooks = {
  'POST /webhooks': (context: Context) => {
    const { body, now, records } = context
    const { uri, name = '', subscribed_events } = body
    if (typeof uri !== 'string' || !Array.isArray(subscribed_events) || subscribed_events.length === 0)
      refuseWith(context, invalid('uri and subscribed_events are required.'))
    const secret = newSecret(context)
    const time = now.toISOString()
    const facts = { name, uri, subscribed_events, state: 'enabled', create_time: time, update_time: time, secret }
    return { ...shown(records.webhooks.create(facts)), new_signing_secret: secret }
  },
  'GET /webhooks': (context: Context) =>
    toPage(context, 'webhooks', [...context.records.webhooks].map(shown), 'next_page_token'),
  'GET /webhooks/{id}': (context: Context) => shown(findOne(context)),
  'PATCH /webhooks/{id}': (context: Context) => {
    const { name, uri, subscribed_events, state } = context.body
    const change = { name, uri, subscribed_events, state, update_time: context.now.toISOString() }
    return shown(context.records.webhooks.update(findOne(context).id, change))
  },
  'DELETE /webhooks/{id}': removing('webhooks', findOne),
  'POST /webhooks/{id}:ping': (context: Context) => {
    const webhook = findOne(context)
    const [type] = webhook.subscribed_events as string[]
    context.emit(String(type), webhook)
    return {}
  },
  'POST /webhooks/{id}:rotateSigningSecret': (context: Context) => {
    const secret = newSecret(context)
    context.records.webhooks.update(findOne(context).id, { secret, update_time: context.now.toISOString() })
    return { secret }
  },
}
