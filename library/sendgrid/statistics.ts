import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'

/** The metrics of SendGrid, with the events that each counts. */
const METRICS: Readonly<Record<string, (event: JsonObject) => boolean>> = {
  blocks: ({ event, type }) => event === 'bounce' && type === 'blocked',
  bounce_drops: ({ reason }) => reason === 'Bounced Address',
  bounces: ({ event, type }) => event === 'bounce' && type !== 'blocked',
  clicks: ({ event }) => event === 'click',
  deferred: ({ event }) => event === 'deferred',
  delivered: ({ event }) => event === 'delivered',
  invalid_emails: ({ reason }) => reason === 'Invalid',
  opens: ({ event }) => event === 'open',
  processed: ({ event }) => event === 'processed',
  requests: ({ event }) => event === 'processed' || event === 'dropped',
  spam_report_drops: ({ reason }) => reason === 'Spam Reporting Address',
  spam_reports: ({ event }) => event === 'spamreport',
  unique_clicks: ({ event }) => event === 'click',
  unique_opens: ({ event }) => event === 'open',
  unsubscribe_drops: ({ reason }) => reason === 'Unsubscribed Address',
  unsubscribes: ({ event }) => event === 'unsubscribe',
}
const DAY = 86_400_000

/** Statistics of each day, week or month from one day to another: of all mail, or of each category. */
export function statistics(given: Json): JsonObject[] {
  const { of, from, to, by, categories } = given as JsonObject
  const start = (time: number): string => {
    const day = new Date(time)
    if (by === 'month') day.setUTCDate(1)
    if (by === 'week') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
    return day.toISOString().slice(0, 10)
  }
  const events = Map.groupBy(
    (Array.isArray(of) ? of : []).flatMap((one) =>
      isJsonObject(one) && isJsonObject(one.payload) ? [one.payload] : [],
    ),
    ({ timestamp }) => start(Number(timestamp) * 1000),
  )
  const [first, last] = [from, to].map((day) => Date.parse(String(day)))
  const dates = new Set<string>()
  for (let time = first ?? 0; time <= (last ?? 0); time += DAY) dates.add(start(time))
  return [...dates].map((date) => {
    const own = events.get(date) ?? []
    if (!Array.isArray(categories)) return { date, stats: [{ metrics: metricsOf(own) }] }
    const stats = categories.map((name) => ({
      type: 'category',
      name,
      metrics: metricsOf(own.filter(({ category }) => [category].flat().includes(name))),
    }))
    return { date, stats }
  })
}

const metricsOf = (events: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(Object.entries(METRICS).map(([name, counts]) => [name, events.filter(counts).length]))
