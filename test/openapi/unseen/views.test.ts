import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }
const short = { title: 'string', year: 'integer', id: 'string' } as const
const film = object({ ...short, summary: 'string', country: 'string', rating: 'integer', runtime: 'integer' })

it.each([
  ['/films/popular', list(object(short)), (item: { id: string }) => item.id],
  [
    '/films/trending',
    list(object({ watchers: 'integer', film: object(short) })),
    (item: { film: { id: string } }) => item.film.id,
  ],
] as const)('%s shows the films that their own path shows', async (path, schema, toId) => {
  const call = await simulation.of(
    describeApi({ '/films/{id}': { ...id, get: answers(film) }, [path]: { get: answers(schema) } }),
  )

  const shown = (await call(`GET ${path}`)).body

  expect(shown.length).toBeGreaterThan(0)
  for (const item of shown.slice(0, 3)) {
    expect((await call(`GET /films/${toId(item)}`)).body).toMatchObject('film' in item ? item.film : item)
  }
})

it('treats a list of other records below a collection as a separate collection', async () => {
  const call = await simulation.of(
    describeApi({
      '/films/{id}': { ...id, get: answers(film) },
      '/films/aliases': { get: answers(list(object({ title: 'string', country: 'string' }))) },
    }),
  )

  const [first] = (await call('GET /films/aliases')).body
  expect(Object.keys(first)).toEqual(['title', 'country'])
})

it('finds the records of a list among words about its pages', async () => {
  const paged = object({
    total_set_size: 'string',
    start_position: 'string',
    end_position: 'string',
    next_uri: 'string',
    parcels: list(object({ id: 'string', label: 'string' })),
  })
  const call = await simulation.of(
    describeApi({ '/parcels': { get: answers(paged) }, '/parcels/{id}': { ...id, get: answers(paged) } }),
  )

  const [first] = (await call('GET /parcels')).body.parcels

  expect((await call(`GET /parcels/${first.id}`)).body.parcels).toEqual([first])
})

it('lists elsewhere what is only made below a parent', async () => {
  const snapshot: JsonObject = { $ref: '#/components/schemas/Snapshot' }
  const box = object({ id: 'string', name: 'string' })
  const call = await simulation.of(
    describeApi(
      {
        '/boxes': { get: answers({ type: 'array', items: box }), post: { ...takes(box), ...answers(box) } },
        '/boxes/{id}': { get: answers(box) },
        '/boxes/{id}/snapshots': { post: { ...takes(object({ label: 'string' })), ...answers(snapshot) } },
        '/snapshots': { get: answers({ type: 'array', items: snapshot }) },
      },
      { components: { schemas: { Snapshot: object({ id: 'string', label: 'string' }) } } },
    ),
  )
  const [{ id }] = (await call('GET /boxes')).body

  const made = (await call(`POST /boxes/${id}/snapshots`, { label: 'first' })).body

  expect((await call('GET /snapshots')).body).toContainEqual(made)
})
