import { type Context, fieldsOf, listOf, refused, textOf } from './context.ts'

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 }
const MONTHS: Readonly<Record<string, number>> = { month: 1, year: 12 }

/** An advance goes at most two periods of the shortest subscription, or two years: https://docs.stripe.com/api/test_clocks/advance */
export const clocks = {
  'POST /v1/test_helpers/test_clocks/{test_clock}/advance': (context: Context) => {
    const { records, path, body } = context
    const clock = records.test_clocks.get(path.test_clock)
    if (clock === undefined) return undefined
    const owners = new Set(records.customers.where({ test_clock: clock.id }).map(({ id }) => id))
    const periods = records.subscriptions
      .where(({ customer, status }) => owners.has(textOf(customer)) && status !== 'canceled')
      .flatMap(({ items }) => listOf(fieldsOf(items).data))
      .map(({ price }) => fieldsOf(fieldsOf(price).recurring))
    const ends = (periods.length > 0 ? periods : [{ interval: 'year' }]).map(({ interval, interval_count = 1 }) => {
      const count = 2 * Number(interval_count)
      const end = new Date(Number(clock.frozen_time) * 1_000)
      end.setUTCMonth(end.getUTCMonth() + count * (MONTHS[textOf(interval)] ?? 0))
      end.setUTCDate(end.getUTCDate() + count * (DAYS[textOf(interval)] ?? 0))
      return end.getTime() / 1_000
    })
    if (Number(body.frozen_time) <= Math.min(...ends)) return undefined
    const most = periods.length > 0 ? 'two intervals of the shortest subscription' : 'two years'
    return refused(context, 'frozen_time', `The frozen_time cannot be more than ${most} after that of the clock.`)
  },
}
