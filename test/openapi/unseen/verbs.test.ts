import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const inPath = (name: string): JsonObject => ({
  parameters: [{ in: 'path', name, required: true, schema: { type: 'string' } }],
})
const DONE: JsonObject = { responses: { 204: { description: 'done' } } }
it.each([
  ['/start_transcription', { transcribing: 'boolean' }, undefined, { transcribing: true }],
  ['/disable_comments', { comments_enabled: 'boolean' }, undefined, { comments_enabled: false }],
] as const)('POST %s sets what its words name', async (path, fields, body, shown) => {
  const article = object({ id: 'string', title: 'string', ...fields })
  const call = await simulation.of(
    describeApi({
      '/articles': {
        get: answers(list(article)),
        post: { ...takes(object({ title: 'string' })), ...answers(article) },
      },
      '/articles/{id}': { ...inPath('id'), get: answers(article) },
      [`/articles/{id}${path}`]: { ...inPath('id'), post: { ...takes(object({ user_id: 'string' })), ...DONE } },
    }),
  )
  const { id } = (await call('POST /articles', { title: 'New' })).body

  await call(`POST /articles/${id}${path}`, body)

  expect((await call(`GET /articles/${id}`)).body).toMatchObject(shown)
})

it.each([
  ['pickup', 'picked_up', 'pickedUpAt'],
  ['drop-off', 'dropped_off', 'droppedOffAt'],
])('POST /parcels/{id}/%s leads to %s, and sets its time', async (path, status, moment) => {
  const states = { type: 'string', enum: ['waiting', status] }
  const parcel = object({ id: 'string', status: states, [moment]: { type: ['string', 'null'], format: 'date-time' } })
  const call = await simulation.of(
    describeApi({
      '/parcels': { get: answers(list(parcel)), post: { ...takes(object({})), ...answers(parcel) } },
      '/parcels/{id}': { ...inPath('id'), get: answers(parcel) },
      [`/parcels/{id}/${path}`]: { ...inPath('id'), post: answers(parcel) },
    }),
  )
  const { id } = (await call('POST /parcels', {})).body

  const { body } = await call(`POST /parcels/${id}/${path}`)

  expect(body).toMatchObject({ status, [moment]: expect.any(String) })
})

// `PUT /task/status/{id}` of Kaneo, `POST /api/friends/accept/{id}` of Reverb, `DELETE /api/v1/car/delete/{car_id}` and
// `PUT /api/v1/car/edit/{car_id}` of a car rental: routers of Express and Laravel often have the verb before the key.
it('takes a word before the key of a record as though it came after it', async () => {
  const status = { type: 'string', enum: ['open', 'closed'] }
  const task = object({ id: 'string', title: 'string', status, priority: 'string' })
  const item = { ...inPath('id') }
  const call = await simulation.of(
    describeApi({
      '/tasks': { get: answers(list(task)), post: { ...takes(object({ title: 'string' })), ...answers(task) } },
      '/tasks/{id}': { ...item, get: answers(task), delete: DONE },
      '/tasks/close/{id}': { ...item, post: DONE },
      '/tasks/priority/{id}': { ...item, put: { ...takes(object({ priority: 'string' })), ...answers(task) } },
      '/tasks/edit/{id}': { ...item, patch: { ...takes(object({ title: 'string' })), ...answers(task) } },
      '/tasks/delete/{id}': { ...item, delete: DONE },
      '/tasks/labels/{id}': { ...item, get: answers(object({ id: 'string', color: 'string' })), delete: DONE },
    }),
  )
  const { id } = (await call('POST /tasks', { title: 'New' })).body

  await call(`POST /tasks/close/${id}`)
  await call(`PUT /tasks/priority/${id}`, { priority: 'high' })
  await call(`PATCH /tasks/edit/${id}`, { title: 'Better' })
  const changed = await call(`GET /tasks/${id}`)
  const label = await call(`DELETE /tasks/labels/${id}`)
  const kept = await call(`GET /tasks/${id}`)
  await call(`DELETE /tasks/delete/${id}`)

  expect(changed.body).toMatchObject({ title: 'Better', status: 'closed', priority: 'high' })
  expect([label.status, kept.status]).toEqual([404, 200])
  expect((await call(`GET /tasks/${id}`)).status).toBe(404)
})

it('searches where a key follows the word for it', async () => {
  const task = object({ id: 'string', title: 'string' })
  const call = await simulation.of(
    describeApi({
      '/tasks': { get: answers(list(task)) },
      '/tasks/{id}': { ...inPath('id'), get: answers(task) },
      '/tasks/search/{id}': {
        ...inPath('id'),
        post: { ...takes(object({ title: 'string' })), ...answers(list(task)) },
      },
    }),
    { tasks: 3 },
  )
  const [{ id }] = (await call('GET /tasks')).body

  expect((await call(`POST /tasks/search/${id}`, {})).body).toHaveLength(3)
})
