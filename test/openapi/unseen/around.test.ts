import { expect, it } from 'vitest'
import { createStatefulTest } from '../../../bench/fidelity/stateful.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, modelOf, object, operationAt, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const id = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] }

it('sets a status document with actions next to it', async () => {
  const call = await simulation.of(
    describeApi({
      '/recordings/status': {
        get: answers(object({ status: { type: 'string', enum: ['Stopped', 'Recording', 'Started'] } })),
      },
      '/recordings/start': { post: answers(object({ message: 'string' })) },
      '/recordings/stop': { post: answers(object({ message: 'string' })) },
    }),
  )

  await call('POST /recordings/start')
  expect((await call('GET /recordings/status')).body.status).toBe('Started')
  await call('POST /recordings/stop')
  expect((await call('GET /recordings/status')).body.status).toBe('Stopped')
})

it('does what the body says to the records that it names', async () => {
  const client = object({ id: 'string', name: 'string', archived_at: { type: 'string', format: 'date-time' } })
  const call = await simulation.of(
    describeApi({
      '/clients': { get: answers(list(client)) },
      '/clients/{id}': { ...id, get: answers(client) },
      '/clients/bulk': {
        post: { ...takes(object({ action: 'string', ids: list({ type: 'string' }) })), ...answers(list(client)) },
      },
    }),
  )
  const [first, second] = (await call('GET /clients')).body

  await call('POST /clients/bulk', { action: 'archive', ids: [first.id] })
  await call('POST /clients/bulk', { action: 'delete', ids: [second.id] })

  expect((await call(`GET /clients/${first.id}`)).body.archived_at).toMatch(/^20/)
  expect((await call(`GET /clients/${second.id}`)).status).toBe(404)
})

it('prefers a body’s own media type to a range', async () => {
  const call = await simulation.of(
    describeApi({
      '/artifacts': {
        post: {
          requestBody: {
            content: {
              '*/*': { schema: { type: 'string' } },
              'application/vnd.create+json': { schema: object({ content: 'string' }) },
            },
          },
          ...answers(object({ id: 'string', content: 'string' })),
        },
      },
    }),
  )

  const made = await call('POST /artifacts', { content: 'x' }, { 'content-type': 'application/vnd.create+json' })

  expect(made).toMatchObject({ status: 200, body: { content: 'x' } })
})

it('leaves free half of the words by which clients name new records', async () => {
  const rule = object(
    { type: { type: 'string', enum: ['A', 'B', 'C', 'D'] }, config: 'string' },
    { required: ['type'] },
  )
  const type = { parameters: [{ name: 'type', in: 'path', required: true, schema: { type: 'string' } }] }
  const call = await simulation.of(
    describeApi({
      '/rules': { get: answers(list(rule)), post: { ...takes(rule), ...answers(rule) } },
      '/rules/{type}': { ...type, get: answers(rule) },
    }),
  )
  const taken = (await call('GET /rules')).body.map((one: JsonObject) => one.type)
  const [free] = ['A', 'B', 'C', 'D'].filter((word) => !taken.includes(word))

  expect(taken).toHaveLength(2)
  expect((await call('POST /rules', { type: free, config: 'x' })).status).toBe(200)
})

it('counts a list as stateful below a record that can be deleted', () => {
  const server = object({ id: 'string', name: 'string' })
  const load = answers(list(object({ value: 'number' })))
  const model = modelOf({
    '/servers/{id}': { ...id, get: answers(server), delete: answers(object({})) },
    '/servers/{id}/load': { ...id, get: load },
    '/zones/{id}': { ...id, get: answers(server) },
    '/zones/{id}/load': { ...id, get: load },
  })
  const isStateful = createStatefulTest(model)

  expect(isStateful(operationAt(model, 'GET /servers/{id}/load'))).toBe(true)
  expect(isStateful(operationAt(model, 'GET /zones/{id}/load'))).toBe(false)
})
