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
