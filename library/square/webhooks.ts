import {
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  isWithin,
  type Json,
  type Kept,
  type Operations,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

const API_VERSION = '2026-09-16'
const SUBSCRIPTION = { name: '', event_types: [], notification_url: '', enabled: true, api_version: '' }
const EVENT_TYPES = [
  ...['customer.created', 'customer.updated', 'customer.deleted', 'card.created', 'card.updated', 'card.disabled'],
  ...['payment.created', 'payment.updated', 'refund.created', 'refund.updated', 'order.created', 'order.updated'],
  ...['order.fulfillment.updated', 'catalog.version.updated', 'inventory.count.updated', 'invoice.created'],
  ...['invoice.updated', 'invoice.published', 'invoice.payment_made', 'invoice.canceled', 'invoice.deleted'],
  ...['invoice.scheduled_charge_failed', 'labor.timecard.created', 'labor.timecard.deleted', 'labor.timecard.updated'],
  ...['subscription.created', 'subscription.updated', 'location.created', 'location.updated', 'team_member.created'],
  ...['team_member.updated', 'gift_card.created', 'gift_card.updated', 'gift_card.activity.created'],
  ...['gift_card.customer_linked', 'gift_card.customer_unlinked', 'loyalty.account.created', 'loyalty.account.updated'],
  ...['loyalty.event.created', 'booking.created', 'booking.updated', 'vendor.created', 'vendor.updated'],
  ...['dispute.created', 'dispute.state.updated', 'dispute.evidence.created', 'dispute.evidence.deleted'],
  ...['payout.sent', 'payout.paid', 'terminal.checkout.created', 'terminal.checkout.updated'],
  'oauth.authorization.revoked',
]

const subscriptionOf = (square: SquareRequest): Kept =>
  square.find('webhook_subscriptions', 'Webhook subscription with ID {id} not found.')

const withoutKey = (subscription: Fields): Fields => without(subscription, 'signature_key')

/** Sends the latest event of a type again. */
function test(square: SquareRequest): Fields {
  const { records, time } = square
  const { id, enabled, event_types, notification_url = null } = subscriptionOf(square)
  const types = idsOf(event_types)
  const type = textOf(square.body.event_type ?? types[0])
  if (enabled !== true) square.refuse('BAD_REQUEST', 'The webhook subscription is disabled.')
  if (!types.includes(type)) {
    const detail = `The webhook subscription does not have the event type ${type}.`
    square.refuse('INVALID_VALUE', detail, 'event_type')
  }
  const payload = {
    ...{ merchant_id: 'MLBACKLOT', data: { type: type.split('.')[0] ?? '', id: 'test' } },
    ...records.events.find({ type }),
    ...{ type, event_id: square.uuid(), created_at: time },
  }
  const made = records.happenings.create({ event_name: 'test', data: { ...payload, test_of: id } })
  const result = { id: made.id, notification_url, status_code: 200, passes_filter: true, payload, ...square.times }
  return { subscription_test_result: result }
}

/** Where an event has happened: at the location of its record. */
const locationOf = ({ data }: Fields): Json | undefined =>
  fieldsOf(Object.values(fieldsOf(fieldsOf(data).object))[0]).location_id

function searchEvents(square: SquareRequest): Fields {
  const { created_at, event_types, location_ids } = fieldsOf(fieldsOf(square.body.query).filter)
  const { start_at, end_at } = fieldsOf(created_at)
  const found = square.records.events.where(
    (event) =>
      isWithin(event.created_at, start_at, end_at) &&
      isAmong(event.type, event_types) &&
      isAmong(locationOf(event), location_ids),
  )
  const { shown, next } = square.cut(found.map((event): Fields => ({ ...event, id: event.event_id ?? null })))
  const metadata = shown.map(({ event_id = null }) => ({ event_id, api_version: API_VERSION }) as Fields)
  return { events: shown.map((event) => filled(without(event, 'id'))), ...next, metadata }
}

const eventTypes = (): Record<string, Json> => ({
  event_types: EVENT_TYPES,
  metadata: EVENT_TYPES.map((event_type) => ({
    ...{ event_type, api_version_introduced: '2018-07-12', release_status: 'PUBLIC' },
  })),
})

export const webhooks: Operations = {
  'GET /v2/webhooks/subscriptions': (square) => {
    const isWhole = String(square.query.include_disabled) === 'true'
    return square.page(
      'subscriptions',
      square.oldest('webhook_subscriptions', isWhole ? {} : { enabled: true }),
      withoutKey,
    )
  },
  'POST /v2/webhooks/subscriptions': (square) => {
    const sent = square.sent(SUBSCRIPTION, 'subscription')
    const { enabled = true, api_version } = sent
    const subscription = square.records.webhook_subscriptions.create({
      ...{
        ...sent,
        enabled,
        api_version: api_version ?? API_VERSION,
        signature_key: square.letters(),
        ...square.times,
      },
    })
    return { subscription }
  },
  'GET /v2/webhooks/subscriptions/{subscription_id}': (square) => ({ subscription: subscriptionOf(square) }),
  'PUT /v2/webhooks/subscriptions/{subscription_id}': (square) => {
    const fields = { ...square.sent(SUBSCRIPTION, 'subscription'), updated_at: square.time }
    return { subscription: withoutKey(square.records.webhook_subscriptions.update(subscriptionOf(square), fields)) }
  },
  'DELETE /v2/webhooks/subscriptions/{subscription_id}': (square) => {
    square.records.webhook_subscriptions.remove(subscriptionOf(square))
    return {}
  },
  'POST /v2/webhooks/subscriptions/{subscription_id}/signature-key': (square) => {
    const signature_key = square.letters()
    const fields = { signature_key, updated_at: square.time }
    square.records.webhook_subscriptions.update(subscriptionOf(square), fields)
    return { signature_key }
  },
  'POST /v2/webhooks/subscriptions/{subscription_id}/test': test,
  'GET /v2/webhooks/event-types': eventTypes,
  'POST /v2/events': searchEvents,
  'GET /v2/events/types': eventTypes,
  'PUT /v2/events/enable': () => ({}),
  'PUT /v2/events/disable': () => ({}),
}
