import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, inPath, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

/** Reviews of which all answers are described by this schema. */
const reviews = (answer: JsonObject): JsonObject =>
  describeApi({
    '/reviews': { get: answers(answer), post: { ...takes(object({ title: 'string' })), ...answers(answer) } },
    '/reviews/{id}': { ...inPath('id'), get: answers(answer), delete: answers(answer) },
  })

const ANY: JsonObject = {}

it.each([
  ['{}', ANY, [], []],
  ['an object of anything', { type: 'object' }, [], ['data']],
])('shows records where the description says nothing about them: %s', async (_, answer, one, many) => {
  const call = await simulation.of(reviews(answer))
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  const at = (body: any, path: readonly string[]) => path.reduce((value, name) => value[name], body)

  const made = at((await call('POST /reviews', { title: 'Five stars' })).body, one)
  expect(made).toMatchObject({ title: 'Five stars' })
  expect(at((await call(`GET /reviews/${made.id}`)).body, one)).toEqual(made)
  expect(at((await call('GET /reviews')).body, many)).toContainEqual(made)

  await call(`DELETE /reviews/${made.id}`)
  expect(at((await call('GET /reviews')).body, many)).not.toContainEqual(made)
})

it('gives the records of an undescribed list the keys that paths of actions name', async () => {
  const done: JsonObject = { responses: { 200: { description: '' } } }
  const call = await simulation.of(
    describeApi({
      '/tips': { get: { ...done, summary: 'List active tips' } },
      '/tips/{id}/dismiss': { ...inPath('id'), post: done },
    }),
  )

  const [first] = (await call('GET /tips')).body
  await call(`POST /tips/${first.id}/dismiss`)

  expect((await call('GET /tips')).body[0]).toMatchObject({ id: first.id, status: 'dismissed' })
  expect((await call('POST /tips/none-such/dismiss')).status).toBe(404)
})

it('gives records that only requests describe an own id, not that of what they refer to', async () => {
  const sent = takes(object({ attachment_id: { type: 'string', format: 'uuid' }, amount: 'number' }))
  const call = await simulation.of(
    describeApi({
      '/expense-items': { get: answers(ANY), post: { ...sent, ...answers(ANY) } },
      '/expense-items/{item_id}': {
        parameters: [{ in: 'path', name: 'item_id', required: true, schema: { type: 'string', format: 'uuid' } }],
        get: answers(ANY),
      },
    }),
  )

  const attachment = '6f1c8c5e-7a43-4b36-9c5b-0d8a3b9a2f10'
  const made = (await call('POST /expense-items', { attachment_id: attachment, amount: 5 })).body

  const id = made.item_id ?? made.id
  expect(id).not.toBe(attachment)
  expect((await call(`GET /expense-items/${id}`)).body).toEqual(made)
})

it('tells the key of a job that is accepted without a described answer', async () => {
  const queued: JsonObject = { responses: { 202: { description: 'queued' } } }
  const rest = object({ format: 'string' })
  const withoutContent: JsonObject = { responses: { 200: { description: 'ok' } } }
  const call = await simulation.of(
    describeApi({
      '/reports': { post: { ...takes(rest), ...queued } },
      '/reports/{id}': { ...inPath('id'), get: withoutContent, delete: queued },
    }),
  )

  const { status, body } = await call('POST /reports', { format: 'pdf' })

  expect([status, body.format]).toEqual([202, 'pdf'])
  expect((await call(`GET /reports/${body.id}`)).body).toMatchObject({ id: body.id })
  expect(await call(`DELETE /reports/${body.id}`)).toMatchObject({ status: 202, body: undefined })
})

it('keeps records of open answers by the id in longer paths, with all they got, as FieldPilot, DocTrack and AsoBooks do', async () => {
  const open: JsonObject = { type: 'object', additionalProperties: true }
  const uuid: JsonObject = { type: 'string', format: 'uuid' }
  const organization: JsonObject = {
    parameters: [{ in: 'path', name: 'organizationId', required: true, schema: uuid }],
  }
  const stream = { 200: { description: 'events', content: { 'text/event-stream': { schema: { type: 'string' } } } } }
  const call = await simulation.of(
    describeApi({
      '/organizations': {
        get: answers({ type: 'array', items: open }),
        post: { ...takes(object({ name: 'string', slug: 'string' })), ...answers(open) },
      },
      '/organizations/{organizationId}/members': {
        ...organization,
        get: answers({ type: 'array', items: open }),
        post: { ...takes(object({ email: 'string', password: 'string' })), ...answers(open) },
      },
      '/organizations/{organizationId}/members/{memberId}/revoke': {
        parameters: [...(organization.parameters as JsonObject[]), ...(inPath('memberId').parameters as JsonObject[])],
        post: answers(open),
      },
      '/organizations/{organizationId}/notifications/stream': { ...organization, get: { responses: stream } },
    }),
  )

  const acme = (await call('POST /organizations', { name: 'Acme', slug: 'acme' })).body
  const below = `/organizations/${acme.id}/members`
  const ada = (await call(`POST ${below}`, { email: 'ada@example.com', password: 'correct horse' })).body
  await call(`POST ${below}/${ada.id}/revoke`)

  expect(acme).toMatchObject({ name: 'Acme', slug: 'acme' })
  expect((await call('GET /organizations')).body).toContainEqual(acme)
  expect((await call(`GET ${below}`)).body).toEqual([{ id: ada.id, email: 'ada@example.com', status: 'revoked' }])
})
