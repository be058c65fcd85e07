import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const inPath = (...names: string[]): JsonObject => ({
  parameters: names.map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } })),
})
const DONE: JsonObject = { responses: { 204: { description: 'done' } } }
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const withComponents = (paths: JsonObject, schemas: JsonObject): JsonObject =>
  describeApi(paths, { components: { schemas } })

it('reads a verb after the key that says no more than its method', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/teams/create': { post: { ...takes(object({ name: 'string' })), ...answers(ref('Team')) } },
        '/teams/{teamId}/read': { ...inPath('teamId'), get: answers(ref('Team')) },
        '/teams/{teamId}/delete': { ...inPath('teamId'), delete: DONE },
      },
      { Team: object({ id: 'string', name: 'string' }) },
    ),
  )

  const { id } = (await call('POST /teams/create', { name: 'Blue' })).body

  expect((await call(`GET /teams/${id}/read`)).body).toMatchObject({ name: 'Blue' })
  await call(`DELETE /teams/${id}/delete`)
  expect((await call(`GET /teams/${id}/read`)).status).toBe(404)
})

it('lists by the plural what is made by the singular', async () => {
  const call = await simulation.of(
    describeApi({
      '/contact-list': {
        post: { ...takes(object({ title: 'string' })), ...answers(object({ contactListId: 'string' })) },
      },
      '/contact-list/{contactListId}': { ...inPath('contactListId'), delete: DONE },
      '/contact-lists': { get: answers(object({ contactLists: list(object({ id: 'string', title: 'string' })) })) },
    }),
  )

  await call('POST /contact-list', { title: 'Buyers' })

  const { contactLists } = (await call('GET /contact-lists')).body
  expect(contactLists).toContainEqual(expect.objectContaining({ title: 'Buyers' }))
})

it('finds a job by each path that reads such jobs', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/files': { get: answers(list(object({ id: 'string', name: 'string' }))) },
        '/files/{id}/snapshot': { ...inPath('id'), post: { operationId: 'createSnapshotJob', ...answers(ref('Job')) } },
        '/files/request/{id}': { ...inPath('id'), get: answers(ref('Job')) },
        '/hosts/retry': { post: { operationId: 'createRetry', ...answers(ref('Job')) } },
        '/hosts/retry/{id}': { ...inPath('id'), get: answers(ref('Job')) },
      },
      { Job: object({ id: 'string', progress: 'number', status: 'string' }) },
    ),
  )

  const file = (await call('GET /files')).body[0].id
  const { id } = (await call(`POST /files/${file}/snapshot`)).body

  expect((await call(`GET /files/request/${id}`)).body).toMatchObject({ id })
})

it('shows a job by the key of the answer to its creation', async () => {
  const call = await simulation.of(
    describeApi({
      '/scans': {
        post: { ...takes(object({ from: 'integer' })), ...answers(object({ ok: 'boolean', job_id: 'string' })) },
      },
      '/scans/{job_id}': {
        ...inPath('job_id'),
        get: answers(object({ ok: 'boolean', status: 'string', found: 'integer' })),
      },
    }),
  )

  const { job_id: key } = (await call('POST /scans', { from: 1 })).body

  expect((await call(`GET /scans/${key}`)).status).toBe(200)
})

it('takes away by an action what the action that it undoes gave', async () => {
  const VOLUME = object({ id: 'string', label: 'string', server_id: 'string' }, { required: ['id', 'label'] })
  const call = await simulation.of(
    withComponents(
      {
        '/volumes': { get: answers(list(ref('Volume'))) },
        '/volumes/{id}': { ...inPath('id'), get: answers(ref('Volume')) },
        '/volumes/{id}/attach': { ...inPath('id'), post: { ...takes(object({ server_id: 'string' })), ...DONE } },
        '/volumes/{id}/detach': { ...inPath('id'), post: DONE },
      },
      { Volume: VOLUME },
    ),
  )
  const { id } = (await call('GET /volumes')).body[0]

  await call(`POST /volumes/${id}/attach`, { server_id: 's-1' })
  const attached = (await call(`GET /volumes/${id}`)).body
  await call(`POST /volumes/${id}/detach`)

  expect(attached.server_id).toBe('s-1')
  expect((await call(`GET /volumes/${id}`)).body.server_id).toBeUndefined()
})

it('sets the flag that a verb and its noun in one word name', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/domains': {
          get: answers(list(ref('Domain'))),
          post: { ...takes(object({ name: 'string' })), ...answers(ref('Domain')) },
        },
        '/domains/{id}': { ...inPath('id'), get: answers(ref('Domain')) },
        '/domains/{id}/verifyspf': { ...inPath('id'), post: DONE },
      },
      { Domain: object({ id: 'integer', name: 'string', SPFVerified: 'boolean', DKIMVerified: 'boolean' }) },
    ),
  )
  const { id } = (await call('POST /domains', { name: 'example.org', SPFVerified: false })).body

  await call(`POST /domains/${id}/verifyspf`)

  expect((await call(`GET /domains/${id}`)).body.SPFVerified).toBe(true)
})

it('finds a record by each field that the parameter names', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/plan': {
          post: { ...takes(object({ name: 'string' })), ...answers(ref('Plan')) },
          get: answers(list(ref('Plan'))),
        },
        '/plan/{id_or_code}': { ...inPath('id_or_code'), get: answers(ref('Plan')) },
      },
      { Plan: object({ id: 'integer', name: 'string', plan_code: 'string' }, { required: ['id', 'plan_code'] }) },
    ),
  )

  const { id, plan_code: code } = (await call('POST /plan', { name: 'Bold' })).body

  expect((await call(`GET /plan/${code}`)).body).toMatchObject({ id })
  expect((await call(`GET /plan/${id}`)).body).toMatchObject({ plan_code: code })
})

it('answers null where an action answers null, and adds an attachment that no body describes', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/notes': {
          get: answers(list(ref('Note'))),
          post: { ...takes(object({ title: 'string' })), ...answers(ref('Note')) },
        },
        '/notes/{id}': { ...inPath('id'), get: answers(ref('Note')) },
        '/notes/{id}/restart': { ...inPath('id'), post: answers({ type: 'null' }) },
        '/notes/{id}/attachment': { ...inPath('id'), post: DONE },
      },
      {
        Note: object({ id: 'string', title: 'string', attachments: list(object({ name: 'string', size: 'integer' })) }),
      },
    ),
  )
  const { id } = (await call('POST /notes', { title: 'A', attachments: [] })).body
  const before = (await call(`GET /notes/${id}`)).body.attachments ?? []

  const restarted = await call(`POST /notes/${id}/restart`)
  await call(`POST /notes/${id}/attachment`)

  expect(restarted.body).toBeNull()
  expect((await call(`GET /notes/${id}`)).body.attachments).toHaveLength(before.length + 1)
})

it('leads to the next page by a header where the links of the answer have no place for it', async () => {
  const paged = answers(
    object({ _links: object({ self: 'string' }), _results: list(object({ id: 'string', name: 'string' })) }),
  )
  const call = await simulation.of(
    describeApi({
      '/tags': {
        get: {
          parameters: ['limit', 'page_token'].map((name) => ({
            in: 'query',
            name,
            schema: { type: name === 'limit' ? 'integer' : 'string' },
          })),
          ...paged,
        },
      },
    }),
    { tags: 5 },
  )

  const first = await call('GET /tags?limit=2')
  const next = /<([^<>]+)>;\s*rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''

  expect((await call(`GET ${next}`)).body._results).toHaveLength(2)
})

it('counts below a path that OData has, and lists in bulk what the collection lists', async () => {
  const call = await simulation.of(
    withComponents(
      {
        '/rooms': {
          get: answers(list(ref('Room'))),
          post: { ...takes(object({ name: 'string' })), ...answers(ref('Room')) },
        },
        '/rooms/{id}': { ...inPath('id'), get: answers(ref('Room')) },
        '/rooms/$count': { get: answers(object({ count: 'integer' })) },
        '/rooms/bulk-export': { get: answers(object({ resources: list(ref('ExportedRoom')) })) },
      },
      {
        Room: object({ id: 'string', name: 'string', floor: 'integer' }),
        ExportedRoom: object({ id: 'string', name: 'string', floor: 'integer' }),
      },
    ),
    { rooms: 2 },
  )

  await call('POST /rooms', { name: 'Attic' })

  expect((await call('GET /rooms/$count')).body).toMatchObject({ count: 3 })
  const { resources } = (await call('GET /rooms/bulk-export')).body
  expect(resources).toContainEqual(expect.objectContaining({ name: 'Attic' }))
})

it('leads on in what the answer says to paginate', async () => {
  const meta = object({ paginate: object({ next_page: 'string' }) }, { required: ['paginate'] })
  const call = await simulation.of(
    describeApi({
      '/chats': {
        get: {
          parameters: ['limit', 'cursor'].map((name) => ({
            in: 'query',
            name,
            schema: { type: name === 'limit' ? 'integer' : 'string' },
          })),
          ...answers(object({ data: list(object({ id: 'integer', name: 'string' })), meta })),
        },
      },
    }),
    { chats: 3 },
  )

  const first = (await call('GET /chats?limit=2')).body
  const second = (await call(`GET /chats?limit=2&cursor=${first.meta.paginate.next_page}`)).body

  expect(first.data).toHaveLength(2)
  expect(second.data).toHaveLength(1)
})
