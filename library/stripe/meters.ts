import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, find, refused, secondsOf, textOf, toPage } from './context.ts'

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
