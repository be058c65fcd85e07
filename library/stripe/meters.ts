import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, find, refused, secondsOf, toPage } from './context.ts'
import {
  type Fields,
  fieldsOf,
  isGiven,
  type Json,
  type Kept,
  merged,
  type Operations,
  type Stripe,
  textOf,
} from './stripe.ts'

const WINDOWS_S: Readonly<Record<string, number>> = { hour: 3_600, day: 86_400 }

/** Usage of a meter: what was counted, by window, and what is taken back. */
export const meters = {
  'GET /v1/billing/meters/{id}/event_summaries': (context: Context) => {
    const meter = find(context, 'meters', context.path.id)
    const { customer, start_time, end_time, value_grouping_window } = context.query
    const [from, to] = [Number(start_time), Number(end_time)]
    const window = WINDOWS_S[textOf(value_grouping_window)]
    if ([from, to].some((time) => time % (window ?? 60) !== 0))
      return refused(context, 'start_time', 'The start_time and end_time must be at the boundary of the window.')
    const own = context.records.meter_events
      .where((event) => event.meter === meter.id && event.customer === customer)
      .filter(({ timestamp }) => Number(timestamp) >= from && Number(timestamp) < to)
      .toSorted((one, other) => Number(other.timestamp) - Number(one.timestamp))
    const starts = own.map(({ timestamp }) =>
      window ? Number(timestamp) - ((Number(timestamp) - from) % window) : from,
    )
    const { formula } = fieldsOf(meter.default_aggregation)
    const data = [...new Set(starts)]
      .sort((one, other) => other - one)
      .map((start): JsonObject => {
        const counted = own.filter((_, at) => starts[at] === start).map(({ counted }) => Number(counted))
        return {
          id: context.id('mtrusg_'),
          object: 'billing.meter_event_summary',
          aggregated_value: formula === 'last' ? Number(counted[0]) : counted.reduce((sum, one) => sum + one, 0),
          start_time: start,
          end_time: window ? start + window : to,
          livemode: false,
          meter: meter.id,
        }
      })
    return toPage(context, `/v1/billing/meters/${meter.id}/event_summaries`, data)
  },
  'POST /v1/billing/meter_event_adjustments': (context: Context) => {
    const { event_name, type, cancel } = context.body
    const { identifier } = fieldsOf(cancel)
    const event = context.records.meter_events.find({ identifier: textOf(identifier), event_name: textOf(event_name) })
    if (event === undefined)
      return refused(
        context,
        'cancel[identifier]',
        `No meter event found with identifier ${identifier}.`,
        'resource_missing',
      )
    if (secondsOf(context) - Number(event.created) > 86_400)
      return refused(context, 'cancel[identifier]', 'Meter events can only be cancelled within 24 hours.')
    context.records.meter_events.remove(event.id)
    return {
      object: 'billing.meter_event_adjustment',
      cancel: { identifier: textOf(identifier) },
      event_name: textOf(event_name),
      livemode: false,
      status: 'pending',
      type: textOf(type),
    }
  },
}

const nameOf = (field: Json | undefined): string => textOf(fieldsOf(field).event_payload_key)

/** Counts what a meter event says. `identifier` and `timestamp` may be left to Stripe. */
function countUsage(stripe: Stripe, timestamp: Json | undefined): Kept {
  const { body, records, unix } = stripe
  const payload = fieldsOf(body.payload)
  const missing = (param: string, message: string) => stripe.refuse(message, { param, reason: 'resource_missing' })
  const meter =
    records.meters.find({ event_name: body.event_name, status: 'active' }) ??
    missing('event_name', `No active meter found for event name ${body.event_name}.`)
  const payer =
    records.customers.get(payload[nameOf(meter.customer_mapping)]) ??
    missing('payload', 'No such customer in the payload of the meter event.')
  const isCount = fieldsOf(meter.default_aggregation).formula === 'count'
  const sent = payload[nameOf(meter.value_settings)]
  const value = Number(isGiven(sent) ? sent : Number.NaN)
  if (!isCount && Number.isNaN(value))
    stripe.refuse('The value in the payload of the meter event must be a number.', { param: 'payload' })
  const { identifier } = body
  if (isGiven(identifier) && records.meter_events.some({ identifier }))
    stripe.refuse(`An event already exists with identifier ${identifier}.`, { param: 'identifier' })
  const event = records.meter_events.create({
    ...{ event_name: body.event_name, payload, timestamp: timestamp ?? unix, meter: meter.id, customer: payer.id },
    counted: isCount ? 1 : value,
  })
  return records.meter_events.update(event.id, { identifier: identifier ?? event.id })
}

const shown = ({ event_name, identifier, payload }: Kept): Fields => ({
  ...{ event_name: event_name ?? null, identifier: identifier ?? null, livemode: false, payload: payload ?? null },
})

/** Meters, and the events that they count. */
export const metering: Operations = {
  'POST /v1/billing/meters': (stripe) => {
    const { body, records, unix } = stripe
    const { event_name } = body
    if (records.meters.some({ event_name, status: 'active' }))
      stripe.refuse(`There is already an active meter with the event_name ${event_name}.`, { param: 'event_name' })
    return records.meters.update(stripe.next().id, {
      updated: unix,
      customer_mapping: merged({ type: 'by_id', event_payload_key: 'stripe_customer_id' }, body.customer_mapping),
      value_settings: merged({ event_payload_key: 'value' }, body.value_settings),
    })
  },
  'POST /v1/billing/meters/{id}': (stripe) => stripe.records.meters.update(stripe.next().id, { updated: stripe.unix }),
  'POST /v1/billing/meters/{id}/deactivate': (stripe) => {
    const { records, unix } = stripe
    const { id, status } = stripe.own('meters', stripe.path.id)
    if (status === 'inactive') stripe.refuse('This meter is already inactive.')
    const status_transitions = { deactivated_at: unix }
    return records.meters.update(id, { status: 'inactive', updated: unix, status_transitions })
  },
  'POST /v1/billing/meters/{id}/reactivate': (stripe) => {
    const { id } = stripe.own('meters', stripe.path.id)
    const status_transitions = { deactivated_at: null }
    return stripe.records.meters.update(id, { status: 'active', updated: stripe.unix, status_transitions })
  },
  'POST /v1/billing/meter_events': (stripe) => {
    const event = countUsage(stripe, stripe.body.timestamp)
    const { created = null, timestamp = null } = event
    return stripe.of.respond({ body: { object: 'billing.meter_event', created, ...shown(event), timestamp } })
  },
  'POST /v2/billing/meter_events': (stripe) => {
    const { timestamp } = stripe.body
    const at = isGiven(timestamp) ? new Date(textOf(timestamp)) : stripe.of.now
    if (Number.isNaN(at.getTime())) stripe.refuse('Invalid timestamp.', { param: 'timestamp' })
    const event = countUsage(stripe, Math.floor(at.getTime() / 1_000))
    const created = stripe.of.now.toISOString()
    return { object: 'v2.billing.meter_event', created, ...shown(event), timestamp: at.toISOString() }
  },
}
