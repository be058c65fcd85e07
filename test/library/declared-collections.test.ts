import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const texts = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
const body = (...required: string[]) => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', required } } },
})
const record = (fields: JsonObject): JsonObject => ({
  type: 'object',
  required: ['id', ...Object.keys(fields)],
  properties: { id: { type: 'integer', readOnly: true }, ...fields },
})
/** Jars stand on racks, which a house and a room name together; they are numbered on each rack. */
const entry: LibraryEntry = {
  slug: 'racks',
  name: 'Racks',
  provider: 'Racks',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Racks', version: '1' },
    paths: {
      '/racks/{house}/{room}/jars': {
        parameters: texts('house', 'room'),
        post: { requestBody: body('label'), responses: { 201: ok[200] } },
      },
      '/racks/{house}/{room}/jars/{number}': {
        parameters: texts('house', 'room', 'number'),
        get: { responses: ok },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
    'x-backlot-collections': {
      racks: {
        record: record({ house: { type: 'string' }, room: { type: 'string' }, last: { type: 'integer', default: 0 } }),
      },
      jars: {
        record: record({
          rack_id: { type: 'integer' },
          number: { type: 'integer' },
          label: { type: 'string' },
          colours: { type: 'array', items: { type: 'string' }, default: [] },
          made_at: { type: 'string', default: '' },
        }),
      },
    },
  },
  volume: { racks: 0, jars: 0 },
  behaviour: [],
  seed: {
    racks: [
      { id: 1, house: 'red', room: 'cellar' },
      { id: 2, house: 'blue', room: 'cellar' },
    ],
    jars: [
      {
        id: 1,
        rack_id: 2,
        number: 7,
        label: 'Figs',
        made_at: { $time: { plus: { count: -1, unit: 'day' }, as: 'isoSeconds' } },
      },
    ],
  },
  effects: {
    fromAnswer: { lastModified: 'made_at' },
    rows: [{ on: 'POST /racks/{house}/{room}/jars', facts: { what: 'Jar' } }],
  },
  handlers: new URL('../support/entry-handlers/racks.ts', import.meta.url).href,
  errors: [
    { code: 'not_found', status: 404, body: { problem: 'none' } },
    { code: 'invalid_request', fault: 'missing', status: 422, body: { problem: '{what} without {field}' } },
  ],
}

async function open(own: LibraryEntry = entry, options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ library: [own], ...options })
  return simulate(own.slug, { webhooks: false })
}
const read = async (answer: Response) => [answer.status, await answer.json()]

it('finds records by several parts of a path, numbers them below their parent, and answers what a handler says', async () => {
  await using racks = await open()
  const fill = (place: string, ...labels: string[]) =>
    labels.map((label) => racks.fetch(`/racks/${place}/jars`, { method: 'POST', body: JSON.stringify({ label }) }))

  const made = await Promise.all([...fill('red/cellar', 'Plums', 'Pears'), ...fill('blue/cellar', 'Nuts')])

  expect(await Promise.all(made.map(read))).toMatchObject([
    [201, { number: 1, rack: 'red' }],
    [201, { number: 2, rack: 'red' }],
    [201, { number: 1, rack: 'blue' }],
  ])
  expect(made[2]?.headers.get('x-rack')).toBe('2')
  expect(await read(await racks.fetch('/racks/blue/cellar/jars/1'))).toMatchObject([200, { label: 'Nuts' }])
  expect(await read(await racks.fetch('/racks/green/cellar/jars/1'))).toEqual([404, { problem: 'none' }])
  expect(await read(await racks.fetch('/racks/red/cellar/jars', { method: 'POST' }))).toEqual([
    422,
    { problem: 'Jar without label' },
  ])
  expect(await racks.records('jars')).toContainEqual(expect.objectContaining({ label: 'Plums', rack_id: 1 }))
})

it('answers 304 to a caller who has the record as it is, and without a body where the answer is none', async () => {
  await using racks = await open()
  const place = '/racks/blue/cellar/jars/7'
  const tag = String((await racks.fetch(place)).headers.get('etag'))

  const again = await racks.fetch(place, { headers: { 'If-None-Match': tag } })
  const gone = await racks.fetch(place, { method: 'DELETE' })

  expect(again.status).toBe(304)
  expect([gone.status, await gone.text()]).toEqual([204, ''])
  expect((await racks.fetch(place)).status).toBe(404)
})

it('counts times of seed records from the start of the simulation, and fills what their schemas have as default', async () => {
  await using racks = await open()

  const [, figs] = await read(await racks.fetch('/racks/blue/cellar/jars/7'))

  expect(figs).toMatchObject({ colours: [], made_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) })
  const age = Date.now() - Date.parse((figs as { made_at: string }).made_at)
  expect(Math.round(age / 3_600_000)).toBe(24)
})

it('counts the times of seed records anew for each simulation of an entry, and keeps what has none as it is', async () => {
  const { call } = await startForTest({ library: [entry] })
  const records = async (collection: string, epoch: string) => {
    const { body } = await call('POST', '/v1/simulations', { library: 'racks', epoch })
    return (await call('GET', `/v1/simulations/${body.id}/records/${collection}`)).body.data
  }
  const racks = await records('racks', '2026-01-01T00:00:00Z')

  expect(await records('jars', '2026-01-01T00:00:00Z')).toMatchObject([{ made_at: '2025-12-31T00:00:00Z' }])
  expect(await records('jars', '2026-03-01T00:00:00Z')).toMatchObject([
    { made_at: '2026-02-28T00:00:00Z', colours: [] },
  ])
  expect(await records('racks', '2026-03-01T00:00:00Z')).toEqual(racks)
  expect(racks).toMatchObject([{ last: 0 }, { last: 0 }])
})

it('says what is wrong with declared collections', async () => {
  const openapi = { ...entry.openapi, 'x-backlot-collections': { jars: { record: { type: 'object' } } } }

  await expect(open({ ...entry, slug: 'broken', openapi })).rejects.toThrow(
    'Expected `/x-backlot-collections/jars/record` to be the schema of an object with the property `id`',
  )
})
