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
const OWNERS = ['booking', 'customer', 'location', 'merchant', 'order']
const ATTRIBUTE_EVENTS = OWNERS.flatMap((owner) =>
  ['owned', 'visible'].flatMap((to) => [
    `${owner}.custom_attribute_definition.${to}: created updated deleted`,
    `${owner}.custom_attribute.${to}: updated deleted`,
  ]),
)
/** Square's events; of those that no operation causes, none is sent. */
const EVENT_TYPES = [
  ...['bank_account: created disabled verified', 'booking: created updated', 'catalog.version: updated'],
  ...['card: automatically_updated created disabled forgotten updated', 'customer: created updated deleted'],
  ...['device: created', 'device.code: paired', 'dispute: created', 'dispute.evidence: created deleted added removed'],
  ...['dispute.state: updated changed', 'gift_card: created updated customer_linked customer_unlinked'],
  ...['gift_card.activity: created updated', 'inventory.count: updated', 'job: created updated'],
  'invoice: created updated published payment_made scheduled_charge_failed canceled refunded deleted',
  ...['labor.scheduled_shift: created updated published deleted', 'labor.shift: created updated deleted'],
  ...[
    'labor.timecard: created updated deleted',
    'location: created updated',
    'loyalty.account: created updated deleted',
  ],
  ...['loyalty.event: created', 'loyalty.program: created updated', 'loyalty.promotion: created updated'],
  ...['oauth.authorization: revoked', 'online_checkout.location_settings: updated', 'order: created updated'],
  ...['online_checkout.merchant_settings: updated', 'order.fulfillment: updated', 'payment: created updated'],
  ...['payout: sent paid failed', 'refund: created updated', 'subscription: created updated'],
  ...['team_member: created updated', 'team_member.wage_setting: updated', 'terminal.action: created updated'],
  ...['terminal.checkout: created updated', 'terminal.refund: created updated', 'vendor: created updated'],
  ...['transfer_order: created updated deleted', 'customer.custom_attribute: updated deleted'],
  ...[
    'customer.custom_attribute.public: updated deleted',
    'customer.custom_attribute_definition: created updated deleted',
  ],
  ...['customer.custom_attribute_definition.public: created updated deleted', ...ATTRIBUTE_EVENTS],
].flatMap((family) => {
  const [subject, actions = ''] = family.split(': ')
  return actions.split(' ').map((action) => `${subject}.${action}`)
})

/** Refuses a type that no event has. */
function checkTypes(square: SquareRequest, { event_types }: Fields): void {
  const unknown = idsOf(event_types).find((type) => !EVENT_TYPES.includes(type))
  if (unknown === undefined) return
  const detail = `There is no event type \`${unknown}\`: GET /v2/webhooks/event-types lists all.`
  square.refuse('INVALID_VALUE', detail, 'subscription.event_types')
}

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
    checkTypes(square, sent)
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
    checkTypes(square, fields)
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
