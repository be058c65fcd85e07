import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }
const DONE: JsonObject = { responses: { 204: { description: 'done' } } }

/** Notes with these operations beside them. */
function notes(beside: Readonly<Record<string, JsonObject>>): JsonObject {
  const note = object({
    id: 'string',
    text: 'string',
    read: 'boolean',
    status: { type: 'string', enum: ['on', 'paused'] },
  })
  return describeApi({
    '/notes': { get: answers(list(note)), post: { ...takes(object({ text: 'string' })), ...answers(note) } },
    '/notes/{id}': { ...id, get: answers(note) },
    ...beside,
  })
}

it.each([
  ['{ ids }', object({ ids: list({ type: 'string' }) }), (ids: string[]) => ({ ids })],
  ['{ note_ids }', object({ note_ids: list({ type: 'string' }) }), (ids: string[]) => ({ note_ids: ids })],
  ['an array of ids', list({ type: 'string' }), (ids: string[]) => ids],
  [
    '{ notes: [{ id }] }',
    object({ notes: list(object({ id: 'string' })) }),
    (ids: string[]) => ({ notes: ids.map((one) => ({ id: one })) }),
  ],
] as const)('does an action to the records that a body names: %s', async (_, schema, toBody) => {
  const call = await simulation.of(notes({ '/notes/read': { post: { ...takes(schema), ...DONE } } }))
  for (const text of ['a', 'b', 'c']) await call('POST /notes', { text })
  const all = (await call('GET /notes')).body
  const [first, second, third] = all
  expect([first.read, second.read, third.read]).toEqual([false, false, false])

  expect((await call('POST /notes/read', toBody([first.id, third.id]))).status).toBe(204)

  const read = (await call('GET /notes')).body.filter((note: { read: boolean }) => note.read)
  expect(read.map((note: { id: string }) => note.id)).toEqual(expect.arrayContaining([first.id, third.id]))
  expect(read.map((note: { id: string }) => note.id)).not.toContain(second.id)
})

it.each(['/notes/pause', '/notes/actions/pause', '/notes:pause'])(
  '%s without a body is done to all records',
  async (path) => {
    const call = await simulation.of(notes({ [path]: { post: DONE } }))
    await call('POST /notes', { text: 'a' })

    await call(`POST ${path}`)

    const statuses = (await call('GET /notes')).body.map((note: { status: string }) => note.status)
    expect(new Set(statuses)).toEqual(new Set(['paused']))
  },
)

it('deletes the record that the path of a POST names', async () => {
  const call = await simulation.of(notes({ '/notes/{id}/delete': { ...id, post: DONE } }))
  const [first] = (await call('GET /notes')).body

  await call(`POST /notes/${first.id}/delete`)

  expect((await call(`GET /notes/${first.id}`)).status).toBe(404)
})

it('changes the record by a POST to its update, also in the parts where it keeps the fields', async () => {
  const note = object({ id: 'string', spec: object({ image: 'string', replicas: 'integer' }) })
  const call = await simulation.of(
    describeApi({
      '/services': { get: answers(list(note)) },
      '/services/{id}': { ...id, get: answers(note) },
      '/services/{id}/update': { ...id, post: { ...takes(object({ image: 'string' })), ...DONE } },
    }),
  )
  const [first] = (await call('GET /services')).body

  await call(`POST /services/${first.id}/update`, { image: 'next' })

  const changed = (await call(`GET /services/${first.id}`)).body
  expect(changed).toEqual({ ...first, spec: { ...first.spec, image: 'next' } })
})

it.each(['/notes/bulkPause', '/notes/pause_multiple', '/notes/bulk/pause'])(
  '%s does to several what a path of one record does to one',
  async (path) => {
    const ids = object({ ids: list({ type: 'string' }) })
    const call = await simulation.of(notes({ [path]: { post: { ...takes(ids), ...DONE } } }))
    const made = (await call('POST /notes', { text: 'a' })).body
    const count = (await call('GET /notes')).body.length

    await call(`POST ${path}`, { ids: [made.id] })

    expect((await call(`GET /notes/${made.id}`)).body.status).toBe('paused')
    expect((await call('GET /notes')).body).toHaveLength(count)
  },
)

it('makes or changes the one record that a collection is put to by its name', async () => {
  const target = object({ id: 'string', name: 'string', url: 'string' })
  const call = await simulation.of(
    describeApi({
      '/targets': {
        get: answers({ type: 'array', items: target }),
        put: { ...takes(object({ name: 'string', url: 'string' })), ...answers(target) },
      },
      '/targets/{id}': { get: answers(target) },
    }),
  )

  const made = (await call('PUT /targets', { name: 'orders', url: 'https://a.example.com' })).body
  const changed = (await call('PUT /targets', { name: 'orders', url: 'https://b.example.com' })).body

  expect(changed.id).toBe(made.id)
  expect((await call(`GET /targets/${made.id}`)).body).toMatchObject({ name: 'orders', url: 'https://b.example.com' })
})

it('changes and deletes the record that a body without ids tells by its fields', async () => {
  const variable = object({ id: 'string', key: 'string', value: 'string' })
  const call = await simulation.of(
    describeApi({
      '/envs': {
        get: answers({ type: 'array', items: variable }),
        post: { ...takes(object({ key: 'string', value: 'string' })), ...answers(variable) },
        patch: { ...takes(object({ key: 'string', value: 'string' })), ...answers(variable) },
        delete: { ...takes(object({ key: 'string' })), responses: { 204: { description: 'done' } } },
      },
      '/envs/{id}': { get: answers(variable) },
    }),
  )
  const { id } = (await call('POST /envs', { key: 'REGION', value: 'eu' })).body
  const { length } = (await call('GET /envs')).body

  await call('PATCH /envs', { key: 'REGION', value: 'us' })
  expect((await call(`GET /envs/${id}`)).body.value).toBe('us')
  await call('DELETE /envs', { key: 'REGION' })
  expect((await call(`GET /envs/${id}`)).status).toBe(404)
  expect((await call('GET /envs')).body).toHaveLength(length - 1)
})

// Dawarich (`updated_count` of visits), Karakeep and Immich say how many records a change of several has changed.
it('says how many of the named records were changed', async () => {
  const several = object({ note_ids: list({ type: 'string' }), text: 'string' })
  const call = await simulation.of(
    notes({ '/notes/bulk_update': { post: { ...takes(several), ...answers(object({ updated_count: 'integer' })) } } }),
  )
  const ids = (await call('GET /notes')).body.slice(0, 2).map(({ id }: { id: string }) => id)

  const { body } = await call('POST /notes/bulk_update', { note_ids: ids, text: 'same' })

  expect(body).toEqual({ updated_count: 2 })
})
