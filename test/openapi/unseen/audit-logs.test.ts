import { expect, it } from 'vitest'
import { createSimulation } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const DONE = { responses: { 204: { description: 'done' } } }
const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }

const order = object({ id: 'string', title: 'string' })
const action = { type: 'string', enum: ['CREATED', 'DELETED', 'UPDATED'] }
const SHOP = describeApi({
  '/orders': { get: answers(list(order)), post: { ...takes(object({ title: 'string' })), ...answers(order) } },
  '/orders/{id}': { ...id, get: answers(order), delete: DONE },
  '/orders/{id}/refresh': { ...id, post: DONE },
  '/orders/{id}/history': { ...id, get: answers(list(object({ event_type: 'string', occurred_at: 'string' }))) },
  '/audit-logs': { get: answers(list(object({ id: 'string', action, resource_id: 'string', created_at: 'string' }))) },
  '/events': { get: answers(list(object({ id: 'string', type: 'string', start_time: 'string', venue: 'string' }))) },
})

it('adds to the history of a record and to the audit log what requests change', async () => {
  const call = await simulation.of(SHOP)
  const [first] = (await call('GET /orders')).body
  const of = async (path: string) => (await call(`GET ${path}`)).body.length
  const before = [await of(`/orders/${first.id}/history`), await of('/audit-logs'), await of('/events')]

  const made = (await call('POST /orders', { title: 'Shoes' })).body

  expect(await of(`/orders/${made.id}/history`)).toBe(1)
  expect((await call(`GET /orders/${made.id}/history`)).body[0].event_type).toBe('order.created')
  expect((await call('GET /audit-logs?limit=1')).body[0]).toMatchObject({ action: 'CREATED', resource_id: made.id })
  expect([await of(`/orders/${first.id}/history`), await of('/audit-logs'), await of('/events')]).toEqual([
    before[0],
    (before[1] ?? 0) + 1,
    before[2],
  ])

  await call(`POST /orders/${made.id}/refresh`)

  expect((await call('GET /audit-logs')).body[0]).toMatchObject({ action: 'UPDATED', resource_id: made.id })

  await call(`DELETE /orders/${made.id}`)

  expect((await call('GET /audit-logs')).body[0]).toMatchObject({ action: 'DELETED', resource_id: made.id })
})

it('tells no webhook of an entry', async () => {
  await using shop = await createSimulation({ spec: SHOP })

  await shop.fetch('/orders', { method: 'POST', body: JSON.stringify({ title: 'Shoes' }) })

  await shop.expectWebhook('order.created')
  await shop.expectNoWebhook('*', { withinMs: 0 })
})
