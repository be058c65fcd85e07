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
const withComponents = (paths: JsonObject, schemas: JsonObject): JsonObject =>
  describeApi(paths, { components: { schemas } })
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

const REQUEST = object({ id: 'string', title: 'string', status: { type: 'string', enum: ['open', 'canceled'] } })

it('reads a path that names the verb before the key as one that names it after the key', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/request/list': { get: answers(list(ref('Request'))) },
        '/request/{id}': { ...inPath('id'), get: answers(ref('Request')) },
        '/request/cancel/{id}': { ...inPath('id'), post: DONE },
        '/request/delete/{id}': { ...inPath('id'), post: DONE },
        '/request/send': { post: { ...takes(object({ title: 'string' })), ...answers(ref('Request')) } },
      },
      { Request: REQUEST },
    ),
  )

  const { id } = (await call('POST /request/send', { title: 'Lease' })).body
  await call(`POST /request/cancel/${id}`)

  expect((await call(`GET /request/${id}`)).body).toMatchObject({ title: 'Lease', status: 'canceled' })
  await call(`POST /request/delete/${id}`)
  expect((await call(`GET /request/${id}`)).status).toBe(404)
})

it('reads one record where the path says so before the key', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/saved_searches/list': { get: answers(list(ref('SavedSearch'))) },
        '/saved_searches/create': { post: { ...takes(object({ query: 'string' })), ...answers(ref('SavedSearch')) } },
        '/saved_searches/show/{id}': { ...inPath('id'), get: answers(ref('SavedSearch')) },
        '/saved_searches/destroy/{id}': { ...inPath('id'), post: DONE },
      },
      { SavedSearch: object({ id: 'string', query: 'string' }) },
    ),
  )

  const { id } = (await call('POST /saved_searches/create', { query: 'news' })).body

  expect((await call(`GET /saved_searches/show/${id}`)).body).toMatchObject({ query: 'news' })
  await call(`POST /saved_searches/destroy/${id}`)
  expect((await call(`GET /saved_searches/show/${id}`)).status).toBe(404)
})

it('changes and deletes the records that a body names, whatever the last word of the path', async () => {
  const movie = object({ id: 'integer', title: 'string', monitored: 'boolean' })
  const several = object({ movieIds: list({ type: 'integer' }), monitored: 'boolean' })
  const call = await simulation.of(
    withComponents(
      {
        '/movie': { get: answers(list(ref('Movie'))) },
        '/movie/{id}': { ...inPath('id'), get: answers(ref('Movie')) },
        '/movie/editor': { put: { ...takes(several), ...DONE }, delete: { ...takes(several), ...DONE } },
      },
      { Movie: movie },
    ),
  )
  const [first, second] = (await call('GET /movie')).body
  const monitored = !first.monitored

  await call('PUT /movie/editor', { movieIds: [first.id], monitored })
  await call('DELETE /movie/editor', { movieIds: [second.id] })

  expect((await call(`GET /movie/${first.id}`)).body).toMatchObject({ monitored })
  expect((await call(`GET /movie/${second.id}`)).status).toBe(404)
})

it.each([
  ['/start_transcription', { transcribing: 'boolean' }, undefined, { transcribing: true }],
  ['/disable_comments', { comments_enabled: 'boolean' }, undefined, { comments_enabled: false }],
  ['/block', { blocked_user_ids: list({ type: 'string' }) }, { user_id: 'u1' }, { blocked_user_ids: ['u1'] }],
] as const)('POST %s sets what its words and its body name', async (path, fields, body, shown) => {
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
