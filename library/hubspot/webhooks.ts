/** Webhooks of an app: its settings, and its subscriptions. */
import { valueText } from '../../src/protocol/json.ts'
import { present } from './derived.ts'
import { type Fields, type HubspotRequest, isMissing, type Kept, type Operations, without } from './hubspot.ts'

const USUAL = 'creation deletion propertyChange merge restore associationChange'
/** Events by the first part of their names. */
const EVENTS = {
  contact: `${USUAL} privacyDeletion`,
  company: USUAL,
  deal: USUAL,
  ticket: USUAL,
  product: 'creation deletion propertyChange merge restore',
  line_item: USUAL,
  object: USUAL,
  conversation: 'creation deletion newMessage privacyDeletion propertyChange',
}

const TYPES = new Set(Object.entries(EVENTS).flatMap(([of, all]) => all.split(' ').map((what) => `${of}.${what}`)))

const toSettings = (settings: Kept): Fields => without(settings, 'id')
const toSubscription = (subscription: Kept): Fields => present(without(subscription, 'app_id'))

const settingsOf = ({ records, path }: HubspotRequest): Kept | undefined => records.webhook_settings.get(path.appId)

/** The subscription of the app with this id. */
const subscriptionOf = (hubspot: HubspotRequest, id: string): Kept | undefined =>
  hubspot.records.webhook_subscriptions.find({ app_id: hubspot.path.appId ?? '', id })

const named = (hubspot: HubspotRequest): Kept =>
  subscriptionOf(hubspot, hubspot.path.subscriptionId ?? '') ?? hubspot.missing()

/** Delivers the events of a subscription to the address of its app, while it is active. */
function deliver(hubspot: HubspotRequest, subscription: Kept): void {
  const { hooks } = hubspot.records
  const { id, app_id, eventType = '', propertyName = null, active = false } = subscription
  if (hooks.get(id) !== undefined) hooks.remove(id)
  const url = settingsOf(hubspot)?.targetUrl
  const secret = hubspot.of.key ?? ''
  if (url && active) hooks.create({ id, app_id, url, events: [eventType], secret, active, propertyName })
}

function activate(hubspot: HubspotRequest, subscription: Kept, body: Fields): Fields {
  const fields = { ...hubspot.sent({ active: 'flag' }, body), updatedAt: hubspot.iso }
  const changed = hubspot.records.webhook_subscriptions.update(subscription, fields)
  deliver(hubspot, changed)
  return toSubscription(changed)
}

export const webhooks: Operations = {
  'GET /webhooks/v3/{appId}/settings': (hubspot) => toSettings(settingsOf(hubspot) ?? hubspot.missing()),
  'PUT /webhooks/v3/{appId}/settings': (hubspot) => {
    const { records, iso, path } = hubspot
    hubspot.need('targetUrl')
    const given = { ...hubspot.sent({ targetUrl: 'text', throttling: 'object' }), updatedAt: iso }
    const before = settingsOf(hubspot)
    const throttling = { maxConcurrentRequests: 10, period: 'SECONDLY' }
    const settings =
      before === undefined
        ? records.webhook_settings.create({ id: path.appId, throttling, createdAt: iso, ...given })
        : records.webhook_settings.update(before, given)
    for (const one of hubspot.having('webhook_subscriptions', { app_id: path.appId })) deliver(hubspot, one)
    return toSettings(settings)
  },
  'DELETE /webhooks/v3/{appId}/settings': (hubspot) => {
    const { hooks, webhook_settings } = hubspot.records
    for (const hook of hooks.where({ app_id: hubspot.path.appId })) hooks.remove(hook)
    const settings = settingsOf(hubspot)
    if (settings !== undefined) webhook_settings.remove(settings)
  },
  'GET /webhooks/v3/{appId}/subscriptions': (hubspot) => ({
    results: hubspot.having('webhook_subscriptions', { app_id: hubspot.path.appId ?? '' }).map(toSubscription),
  }),
  'POST /webhooks/v3/{appId}/subscriptions': (hubspot) => {
    const { records, iso } = hubspot
    const form = { eventType: 'text', propertyName: 'text', objectTypeId: 'text', active: 'flag' } as const
    const given = hubspot.sent(form)
    const eventType = valueText(given.eventType ?? '')
    if (!TYPES.has(eventType)) hubspot.invalid(`${eventType} is not a known event type`)
    if (eventType.endsWith('.propertyChange') && isMissing(given.propertyName))
      hubspot.invalid(`propertyName is required for ${eventType}`)
    const { propertyName = null } = given
    const app_id = hubspot.path.appId ?? ''
    if (records.webhook_subscriptions.some({ app_id, eventType, propertyName }))
      hubspot.conflict(`A subscription for ${eventType} exists already`)
    const made = records.webhook_subscriptions.create({ ...given, app_id, createdAt: iso, updatedAt: iso })
    deliver(hubspot, made)
    return toSubscription(made)
  },
  'GET /webhooks/v3/{appId}/subscriptions/{subscriptionId}': (hubspot) => toSubscription(named(hubspot)),
  'PATCH /webhooks/v3/{appId}/subscriptions/{subscriptionId}': (hubspot) =>
    activate(hubspot, named(hubspot), hubspot.body),
  'DELETE /webhooks/v3/{appId}/subscriptions/{subscriptionId}': (hubspot) => {
    const { hooks, webhook_subscriptions } = hubspot.records
    const { id } = named(hubspot)
    if (hooks.get(id) !== undefined) hooks.remove(id)
    webhook_subscriptions.remove(id)
  },
  'POST /webhooks/v3/{appId}/subscriptions/batch/update': (hubspot) =>
    hubspot.batch(
      hubspot.parts().flatMap((input) => {
        const subscription = subscriptionOf(hubspot, valueText(input.id ?? ''))
        return subscription === undefined ? [] : [activate(hubspot, subscription, input)]
      }),
    ),
}
