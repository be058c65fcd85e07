import { expect, it } from 'vitest'
import { answers, describeApi, inPath, list, object } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, MOMENT, oneOf, type Resource, TEXT } from './resource.ts'

const simulation = simulations()

/** A generated record of any fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Shown = any

const day = { type: 'string', format: 'date' }
const time = { type: 'string', format: 'date-time' }
const money = { type: 'integer', minimum: 0 }

async function generated(plural: string, resource: Resource): Promise<Shown[]> {
  const call = await simulation.of(describeResources({ [plural]: resource }), { [plural]: 60 })
  const { body } = await call(`GET /${plural}?limit=60`)
  expect(body).toHaveLength(60)
  return body
}

it.each([
  ['rentals', { pickup_date: day, return_date: day }, 'pickup_date', 'return_date'],
  ['stays', { arrival: day, departure: day }, 'arrival', 'departure'],
  ['trips', { departure: time, arrival: time }, 'departure', 'arrival'],
  ['lessons', { startsAt: time, endsAt: time }, 'startsAt', 'endsAt'],
])('generated %s begin before they end, and some lie ahead', async (plural, fields, begin, end) => {
  const records = await generated(plural, { fields, required: Object.keys(fields) })

  expect(records.filter((record) => Date.parse(record[begin]) >= Date.parse(record[end]))).toEqual([])
  expect(records.some((record) => Date.parse(record[begin]) > Date.now())).toBe(true)
  expect(records.some((record) => Date.parse(record[begin]) < Date.now())).toBe(true)
})

it.each([
  ['parcels', oneOf('draft', 'packed', 'dispatched', 'delivered', 'cancelled'), 'dispatched', MOMENT],
  ['tickets', oneOf('new', 'pending', 'solved', 'closed'), 'solved', time],
  ['visits', oneOf('booked', 'checked_in', 'checked_out', 'cancelled'), 'checked_in', MOMENT],
] as const)('generated %s have the times that their status has reached', async (plural, status, stage, moment) => {
  const records = await generated(plural, { fields: { status, [`${stage}_at`]: moment }, required: ['status'] })

  const values = status.enum as string[]
  const early = records.filter((record) => values.indexOf(record.status) < values.indexOf(stage))
  const late = records.filter((record) => record.status === stage)
  expect(early.filter((record) => (record[`${stage}_at`] ?? null) !== null)).toEqual([])
  expect(late.filter((record) => typeof record[`${stage}_at`] !== 'string')).toEqual([])
})

it.each([
  ['payments', { status: oneOf('succeeded', 'refunded', 'partially_refunded'), amount: money, amountRefunded: money }],
  ['orders', { state: oneOf('open', 'paid', 'refunded'), total: money, refunded_amount: money }],
  ['claims', { status: oneOf('filed', 'captured'), amount: money, amount_captured: money }],
])('generated %s have no part larger than its whole', async (plural, fields) => {
  const records = await generated(plural, { fields, required: Object.keys(fields) })

  const [, whole = '', part = ''] = Object.keys(fields)
  expect(records.filter((record) => record[part] > record[whole])).toEqual([])
  expect(new Set(records.map((record) => record[part] === 0)).size).toBe(2)
})

it.each([
  ['desks', { day_rate: { type: 'integer', minimum: 1_000 } }],
  ['boats', { rating: { type: 'number', minimum: 6, maximum: 10 } }],
  ['halls', { name: TEXT, capacity: { type: 'integer', minimum: 1_000, maximum: 5_000 } }],
])('generated %s vary within their bounds', async (plural, fields) => {
  const records = await generated(plural, { fields, required: Object.keys(fields) })

  const name = Object.keys(fields).at(-1) ?? ''
  expect(new Set(records.map((record) => record[name])).size).toBeGreaterThan(5)
})

it.each([
  ['usd', 'Medusa', ['usd', 'eur', 'gbp']],
  ['USD', 'Firefly III', ['USD', 'EUR', 'GBP']],
  [undefined, 'Coinbase Exchange', ['USD', 'EUR', 'GBP']],
])('currencies are known by their codes, written as the example %s of %s', async (example, _, codes) => {
  const code = { type: 'string', ...(example !== undefined && { example }) }
  const currency = object({ code, name: 'string' }, { required: ['code', 'name'] })
  const call = await simulation.of(
    describeApi({
      '/currencies': { get: answers(list(currency)) },
      '/currencies/{code}': { ...inPath('code'), get: answers(currency) },
    }),
  )

  const all = (await call('GET /currencies')).body.map((one: { code: string }) => one.code)

  expect(all).toEqual(expect.arrayContaining(codes))
})
