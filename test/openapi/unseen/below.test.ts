import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }
const server = object({ id: 'string', name: 'string' })
const servers: JsonObject = {
  '/servers': { get: answers(list(server)), post: { ...takes(server), ...answers(server) } },
  '/servers/{id}': { ...id, get: answers(server), delete: { responses: { 204: { description: 'gone' } } } },
}

it.each([
  ['a document', answers(object({ cpu: 'integer', memory: 'integer' }))],
  ['a list', answers(list(object({ at: 'string', text: 'string' })))],
])('has %s below a record only until that is deleted', async (_, get) => {
  const call = await simulation.of(describeApi({ ...servers, '/servers/{id}/more': { ...id, get } }))
  const [generated] = (await call('GET /servers')).body
  const made = (await call('POST /servers', { name: 'web' })).body

  for (const key of [generated.id, made.id]) {
    expect((await call(`GET /servers/${key}/more`)).status).toBe(200)
    await call(`DELETE /servers/${key}`)
    const after = await call(`GET /servers/${key}/more`)
    expect(after.status).toBe(404)
    expect(JSON.stringify(after.body)).toContain('it was deleted')
  }
  expect((await call('GET /servers/another/more')).status).toBe(200)
})

it('says that a deleted record is gone, though its key does not fit the path', async () => {
  const number: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }] }
  const item = object({ id: { type: 'string', format: 'uuid' } })
  const call = await simulation.of(
    describeApi({
      '/servers': { get: answers(list(item)) },
      '/servers/{id}': { ...number, get: answers(item), delete: { responses: { 204: { description: 'gone' } } } },
    }),
  )
  const [first] = (await call('GET /servers')).body
  await call(`DELETE /servers/${first.id}`)

  expect((await call(`GET /servers/${first.id}`)).status).toBe(404)
  expect((await call('GET /servers/never')).status).toBe(400)
})

// BJJ Open Mat shows its answers without components.
it('keeps a record as it is where what is made below it has like fields', async () => {
  const question = object({ id: 'string', title: 'string', body: 'string', authorId: 'string' })
  const answer = object({ id: 'string', questionId: 'string', body: 'string', authorId: 'string' })
  const call = await simulation.of(
    describeApi({
      '/questions': { get: answers(list(question)), post: { ...takes(question), ...answers(question) } },
      '/questions/{id}': { ...id, get: answers(question) },
      '/questions/{id}/answers': { ...id, post: { ...takes(object({ body: 'string' })), ...answers(answer) } },
    }),
  )
  const made = (await call('POST /questions', { title: 'Why?', body: 'I ask.' })).body

  const { body } = await call(`POST /questions/${made.id}/answers`, { body: 'Because.' })

  expect(body).toMatchObject({ questionId: made.id, body: 'Because.' })
  expect((await call(`GET /questions/${made.id}`)).body).toEqual(made)
})

it('makes the records below a new one that it was sent in a list', async () => {
  const line = { $ref: '#/components/schemas/Line' }
  const Line = object({ id: 'string', orderId: 'string', sku: 'string', quantity: 'integer' })
  const order = object(
    { id: 'string', lines: list(line), lineCount: 'integer' },
    { required: ['id', 'lines', 'lineCount'] },
  )
  const sent = object({ lines: list(object({ id: {}, sku: 'string', quantity: 'integer' })) })
  const call = await simulation.of(
    describeApi(
      {
        '/orders': { get: answers(list(order)), post: { ...takes(sent), ...answers(order) } },
        '/orders/{id}': { ...id, get: answers(order) },
        '/orders/{id}/lines': { ...id, get: answers(list(line)), post: { ...takes(line), ...answers(line) } },
        '/orders/{id}/lines/{lineId}': {
          parameters: ['id', 'lineId'].map((name) => ({
            in: 'path',
            name,
            required: true,
            schema: { type: 'string' },
          })),
          get: answers(line),
          delete: { responses: { 204: { description: 'gone' } } },
        },
      },
      { components: { schemas: { Line } } },
    ),
  )
  const lines = [
    { sku: 'A', quantity: 2 },
    { sku: 'B', quantity: 1 },
  ]

  const made = (await call('POST /orders', { lines })).body

  expect(made).toMatchObject({ lines, lineCount: 2 })
  expect((await call(`GET /orders/${made.id}/lines`)).body).toEqual(made.lines)
  await call(`DELETE /orders/${made.id}/lines/${made.lines[0].id}`)
  expect((await call(`GET /orders/${made.id}`)).body).toMatchObject({ lines: [made.lines[1]], lineCount: 1 })

  const other = (await call('POST /orders', { lines: [made.lines[1], made.lines[1], { sku: 'C', id: 0 }] })).body
  expect(other.lines.map((one: { orderId: string }) => one.orderId)).toEqual([other.id, other.id, other.id])
  expect(new Set([...other.lines, made.lines[1]].map(({ id }) => id)).size).toBe(4)
})

// Pick4Me (comments on contents), an investment forum and Isntgram (comments on posts).
it('changes and deletes by their own path the records that are made and listed below others', async () => {
  const comment = object({ id: 'string', text: 'string', likes: 'integer' })
  const post = object({ id: 'string', title: 'string' })
  const ofComments = answers(list(comment))
  const call = await simulation.of(
    describeApi({
      '/posts': { get: answers(list(post)), post: { ...takes(post), ...answers(post) } },
      '/posts/{id}': { ...id, get: answers(post) },
      '/posts/{id}/comments': { ...id, get: ofComments, post: { ...takes(comment), ...answers(comment) } },
      '/comments/{id}': {
        ...id,
        put: { ...takes(comment), ...answers(comment) },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    }),
  )
  const { id: postId } = (await call('POST /posts', { title: 'One' })).body
  const made = (await call(`POST /posts/${postId}/comments`, { text: 'First' })).body

  const changed = (await call(`PUT /comments/${made.id}`, { text: 'Second' })).body

  expect(changed).toMatchObject({ id: made.id, text: 'Second' })
  expect((await call(`GET /posts/${postId}/comments`)).body).toEqual([changed])
  await call(`DELETE /comments/${made.id}`)
  expect((await call(`GET /posts/${postId}/comments`)).body).toEqual([])
  expect((await call(`DELETE /comments/${made.id}`)).status).toBe(404)
})

// BJJ Open Mat (promotions of members, reviews of check-ins), Atlas (assessments and their history) and Figma (files of projects).
it('lists and changes what is made below one record elsewhere, without a path of one', async () => {
  const prescription = { $ref: '#/components/schemas/Prescription' }
  const Prescription = object({
    id: 'string',
    visitId: 'string',
    patientId: 'string',
    drug: 'string',
    status: { type: 'string', enum: ['active', 'revoked'] },
  })
  const visit = object({ id: 'string', patientId: 'string' })
  const patient = object({ id: 'string', name: 'string' })
  const call = await simulation.of(
    describeApi(
      {
        '/patients': { get: answers(list(patient)), post: { ...takes(patient), ...answers(patient) } },
        '/patients/{id}': { ...id, get: answers(patient) },
        '/patients/{id}/prescriptions': { ...id, get: answers(list(prescription)) },
        '/visits': { get: answers(list(visit)), post: { ...takes(visit), ...answers(visit) } },
        '/visits/{id}': { ...id, get: answers(visit) },
        '/visits/{id}/prescriptions': {
          ...id,
          post: { ...takes(object({ drug: 'string' })), ...answers(prescription) },
        },
        '/prescriptions/{id}/revoke': { ...id, post: answers(prescription) },
      },
      { components: { schemas: { Prescription } } },
    ),
  )
  const { id: patientId } = (await call('POST /patients', { name: 'Ada' })).body
  const { id: visitId } = (await call('POST /visits', { patientId })).body

  const made = (await call(`POST /visits/${visitId}/prescriptions`, { drug: 'A' })).body

  expect(made).toMatchObject({ visitId, patientId, drug: 'A', status: 'active' })
  const revoked = { ...made, status: 'revoked' }
  expect((await call(`POST /prescriptions/${made.id}/revoke`)).body).toEqual(revoked)
  expect((await call(`GET /patients/${patientId}/prescriptions`)).body).toEqual([revoked])
})
