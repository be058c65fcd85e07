import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const texts = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
const query = ['page', 'size', 'colour'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
const ok = { 200: { description: 'ok', content: { 'application/json': {}, 'text/vnd.shelves.plain': {} } } }
const body = (...required: string[]) => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', required } } },
})
const record = (fields: JsonObject): JsonObject => ({
  type: 'object',
  required: ['id', ...Object.keys(fields)],
  properties: { id: { type: 'integer', readOnly: true }, ...fields },
})
const jarAt = { house: { $request: 'path.house' }, room: { $request: 'path.room' } }
const shown = (value: JsonObject): JsonObject => ({ $shown: { as: 'jars', value } })

/** Jars stand on shelves, which a house and a room name together; they are numbered on each shelf. */
const entry: LibraryEntry = {
  slug: 'shelves',
  name: 'Shelves',
  provider: 'Shelves',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Shelves', version: '1' },
    paths: {
      '/shelves/{house}/{room}/jars': {
        parameters: texts('house', 'room'),
        get: { parameters: query, responses: ok },
        post: { requestBody: body('label'), responses: { 201: ok[200] } },
      },
      '/shelves/{house}/{room}/jars/{number}': {
        parameters: texts('house', 'room', 'number'),
        get: { responses: ok },
        delete: { responses: { 204: { description: 'gone' } } },
      },
      '/shelves/{house}/{room}/hooks': {
        parameters: texts('house', 'room'),
        post: { requestBody: body('url'), responses: { 201: ok[200] } },
      },
    },
    'x-backlot-collections': {
      shelves: {
        record: record({ house: { type: 'string' }, room: { type: 'string' }, last: { type: 'integer', default: 0 } }),
      },
      jars: {
        record: record({
          shelf_id: { type: 'integer' },
          number: { type: 'integer' },
          label: { type: 'string' },
          colours: { type: 'array', items: { type: 'string' }, default: [] },
          made_at: { type: 'string', default: '' },
        }),
      },
      hooks: {
        record: record({
          shelf_id: { type: 'integer' },
          url: { type: 'string' },
          secret: { type: 'string' },
          events: { type: 'array', items: { type: 'string' }, default: [] },
        }),
      },
    },
  },
  volume: { shelves: 0, jars: 0, hooks: 0 },
  behaviour: [],
  seed: {
    shelves: [
      { id: 1, house: 'red', room: 'cellar' },
      { id: 2, house: 'blue', room: 'cellar' },
    ],
    jars: [
      {
        id: 1,
        shelf_id: 2,
        number: 7,
        label: 'Figs',
        made_at: { $time: { plus: { count: -1, unit: 'day' }, as: 'isoSeconds' } },
      },
    ],
  },
  effects: {
    paging: { number: 'page', size: 'size', most: 3 },
    views: {
      jars: {
        number: { $record: 'number' },
        label: { $record: 'label' },
        colours: { $record: 'colours' },
        made_at: { $record: 'made_at' },
        shelf: { $field: { of: { $get: { of: 'shelves', id: { $record: 'shelf_id' } } }, path: 'house' } },
      },
    },
    rows: [
      {
        name: 'onShelf',
        let: { shelf: { of: 'shelves', where: jarAt } },
        refuse: { when: { $shelf: { present: false } }, status: 404, error: 'not_found' },
      },
      {
        name: 'ofJar',
        use: ['onShelf'],
        let: {
          jar: { of: 'jars', where: { shelf_id: { $shelf: 'id' }, number: { $sum: [{ $request: 'path.number' }] } } },
        },
        refuse: { when: { $jar: { present: false } }, status: 404, error: 'not_found' },
      },
      {
        on: 'POST /shelves/{house}/{room}/jars',
        use: ['onShelf'],
        facts: { what: 'Jar' },
        also: [
          { record: { of: 'shelves', id: { $shelf: 'id' } }, set: { last: { $sum: [{ $shelf: 'last' }, 1] } } },
          {
            create: 'jars',
            values: {
              shelf_id: { $shelf: 'id' },
              number: { $sum: [{ $shelf: 'last' }, 1] },
              label: { $request: 'body.label' },
              colours: { $first: [{ $request: 'body.colours' }, []] },
              made_at: { $first: [{ $time: { of: { $request: 'body.made' }, as: 'isoSeconds' } }, ''] },
            },
          },
        ],
        headers: { 'X-Shelf': { $shelf: 'id' } },
        answer: shown({ $newest: { of: 'jars', where: {} } }),
      },
      {
        on: 'GET /shelves/{house}/{room}/jars',
        use: ['onShelf'],
        page: 'jars',
        let: {
          kept: {
            value: {
              $all: {
                of: 'jars',
                where: { shelf_id: { $shelf: 'id' }, colours: { has: { $request: 'query.colour' } } },
              },
            },
          },
        },
        answer: {
          count: { $count: { $kept: '.' } },
          jars: { $sorted: { of: { $kept: '.' }, by: 'label', descending: true } },
        },
        each: shown({ $item: '.' }),
      },
      {
        on: 'GET /shelves/{house}/{room}/jars/{number}',
        use: ['ofJar'],
        media: [{ word: 'plain', body: { $text: 'A jar of {$jar.label}' } }],
        answer: shown({ $jar: '.' }),
      },
      {
        on: 'DELETE /shelves/{house}/{room}/jars/{number}',
        use: ['ofJar'],
        also: [{ delete: { of: 'jars', id: { $jar: 'id' } } }],
        answer: null,
      },
      {
        on: 'POST /shelves/{house}/{room}/hooks',
        use: ['onShelf'],
        also: [
          {
            create: 'hooks',
            values: {
              shelf_id: { $shelf: 'id' },
              url: { $request: 'body.url' },
              secret: 'secret',
              events: { $request: 'body.events' },
            },
          },
        ],
        answer: {},
      },
    ],
  },
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

it('finds records by several parts of a path, numbers them below their parent, and shows them by a view', async () => {
  await using shelves = await open()
  const fill = (place: string, ...labels: string[]) =>
    labels.map((label) => shelves.fetch(`/shelves/${place}/jars`, { method: 'POST', body: JSON.stringify({ label }) }))

  const made = await Promise.all([...fill('red/cellar', 'Plums', 'Pears'), ...fill('blue/cellar', 'Nuts')])

  expect(await Promise.all(made.map(read))).toMatchObject([
    [201, { number: 1, shelf: 'red' }],
    [201, { number: 2, shelf: 'red' }],
    [201, { number: 1, shelf: 'blue' }],
  ])
  expect(made[2]?.headers.get('x-shelf')).toBe('2')
  expect(await read(await shelves.fetch('/shelves/blue/cellar/jars/1'))).toMatchObject([200, { label: 'Nuts' }])
  expect(await read(await shelves.fetch('/shelves/green/cellar/jars'))).toEqual([404, { problem: 'none' }])
  expect(await read(await shelves.fetch('/shelves/red/cellar/jars', { method: 'POST' }))).toEqual([
    422,
    { problem: 'Jar without label' },
  ])
  expect(await shelves.records('jars')).toContainEqual(expect.objectContaining({ label: 'Plums', shelf_id: 1 }))
})

it('gives pages of a list with links to the others, and tells a caller who has one as it is', async () => {
  await using shelves = await open()
  for (const label of ['Ash', 'Bay', 'Cob', 'Dill', 'Elm'])
    await shelves.fetch('/shelves/red/cellar/jars', {
      method: 'POST',
      body: JSON.stringify({ label, colours: [label[0]] }),
    })

  const first = await shelves.fetch('/shelves/red/cellar/jars?size=100')
  const second = await shelves.fetch('/shelves/red/cellar/jars?size=2&page=2')
  const narrowed = await shelves.fetch('/shelves/red/cellar/jars?colour=D')
  const again = await shelves.fetch('/shelves/red/cellar/jars?size=2&page=2', {
    headers: { 'If-None-Match': String(second.headers.get('etag')) },
  })

  expect(await read(first)).toMatchObject([
    200,
    { count: 5, jars: [{ label: 'Elm' }, { label: 'Dill' }, { label: 'Cob' }] },
  ])
  expect(await read(second)).toMatchObject([200, { count: 5, jars: [{ label: 'Cob' }, { label: 'Bay' }] }])
  const links = String(second.headers.get('link')).replaceAll(`${shelves.url}/shelves/red/cellar/jars`, '')
  expect(links).toBe(
    '<?size=2&page=1>; rel="prev", <?size=2&page=3>; rel="next", <?size=2&page=3>; rel="last", <?size=2&page=1>; rel="first"',
  )
  expect(await read(narrowed)).toMatchObject([200, { jars: [{ label: 'Dill' }] }])
  expect(again.status).toBe(304)
})

it('answers in the form that a word of Accept asks for, and without a body where the answer is none', async () => {
  await using shelves = await open()
  const place = '/shelves/blue/cellar/jars/7'

  const plain = await shelves.fetch(place, { headers: { Accept: 'text/vnd.shelves.plain' } })
  const gone = await shelves.fetch(place, { method: 'DELETE' })

  expect([plain.headers.get('content-type'), await plain.text()]).toEqual([
    'text/vnd.shelves.plain; charset=utf-8',
    'A jar of Figs',
  ])
  expect([gone.status, await gone.text()]).toEqual([204, ''])
  expect((await shelves.fetch(place)).status).toBe(404)
})

it('counts times of seed records from the start of the simulation, and fills what their schemas have as default', async () => {
  await using shelves = await open()

  const [, figs] = await read(await shelves.fetch('/shelves/blue/cellar/jars/7'))

  expect(figs).toMatchObject({ colours: [], made_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) })
  const age = Date.now() - Date.parse((figs as { made_at: string }).made_at)
  expect(Math.round(age / 3_600_000)).toBe(24)
})

it.each([1e300, -1e300, '+275760-09-13T00:00:00.001Z'])(
  'makes no time of %s, which is past the end of time',
  async (made) => {
    await using shelves = await open()

    const answer = await shelves.fetch('/shelves/red/cellar/jars', {
      method: 'POST',
      body: JSON.stringify({ label: 'Figs', made }),
    })

    expect(await read(answer)).toMatchObject([201, { made_at: '' }])
  },
)

it('counts the times of seed records anew for each simulation of an entry, and keeps what has none as it is', async () => {
  const { call } = await startForTest({ library: [entry] })
  const records = async (collection: string, epoch: string) => {
    const { body } = await call('POST', '/v1/simulations', { library: 'shelves', epoch })
    return (await call('GET', `/v1/simulations/${body.id}/records/${collection}`)).body.data
  }
  const shelves = await records('shelves', '2026-01-01T00:00:00Z')

  expect(await records('jars', '2026-01-01T00:00:00Z')).toMatchObject([{ made_at: '2025-12-31T00:00:00Z' }])
  expect(await records('jars', '2026-03-01T00:00:00Z')).toMatchObject([
    { made_at: '2026-02-28T00:00:00Z', colours: [] },
  ])
  expect(await records('shelves', '2026-03-01T00:00:00Z')).toEqual(shelves)
  expect(shelves).toMatchObject([{ last: 0 }, { last: 0 }])
})

it('says what is wrong with declared collections', async () => {
  const openapi = { ...entry.openapi, 'x-backlot-collections': { jars: { record: { type: 'object' } } } }

  await expect(open({ ...entry, slug: 'broken', openapi })).rejects.toThrow(
    'Expected `/x-backlot-collections/jars/record` to be the schema of an object with the property `id`',
  )
})

it('refuses a value that is named as an expression is', async () => {
  const rows = [{ name: 'count', let: { count: { value: 1 } } }]

  await expect(open({ ...entry, slug: 'clash', effects: { rows } })).rejects.toThrow(
    'a value is named "count", which $count does not read: it is an expression. Name it otherwise.',
  )
})

it('refuses a step whose condition reads what the step itself names after it', async () => {
  const step = { let: { first: { of: 'jars', where: {} } }, when: { '$first.label': 'Figs' }, set: { label: 'Jam' } }
  const rows = [{ name: 'preserve', also: [step] }]

  await expect(open({ ...entry, slug: 'early', effects: { rows } })).rejects.toThrow(
    'the `when` of this step reads "first" of its `let`, which runs after it. Name it in a step before.',
  )
})
