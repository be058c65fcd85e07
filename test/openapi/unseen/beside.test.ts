import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const DONE: JsonObject = { responses: { 204: { description: 'done' } } }

it('tells the key of a new record by the name that the path has for it', async () => {
  const call = await simulation.of(
    describeApi({
      '/documents': {
        get: answers(list(object({ id: 'integer', title: 'string' }))),
        post: { ...takes(object({ title: 'string' })), ...answers(object({ docId: 'integer', task: 'string' })) },
      },
      '/documents/{docId}': { ...inPath('docId'), get: answers(object({ id: 'integer', title: 'string' })) },
    }),
  )

  const { docId } = (await call('POST /documents', { title: 'Offer' })).body

  expect((await call(`GET /documents/${docId}`)).body).toMatchObject({ id: docId, title: 'Offer' })
})

it('gives a record an id of its own where the client sends an empty one', async () => {
  const task = object({ id: 'string', title: 'string' })
  const call = await simulation.of(
    describeApi({
      '/tasks': { get: answers(list(task)), post: { ...takes(task), ...answers(task) } },
      '/tasks/{id}': { ...inPath('id'), get: answers(task) },
    }),
  )

  const { id } = (await call('POST /tasks', { id: '', title: 'Pay' })).body

  expect(id).not.toBe('')
  expect((await call(`GET /tasks/${id}`)).body).toMatchObject({ title: 'Pay' })
})

it('lists records by their place, beside the read by their key', async () => {
  const gene = object({ rgdId: 'integer', symbol: 'string', key: 'integer' })
  const call = await simulation.of(
    describeApi({
      '/genes/{rgdId}': { ...inPath('rgdId'), get: answers(gene) },
      '/genes/{chr}/{start}/{stop}/{mapKey}': { ...inPath('chr', 'start', 'stop', 'mapKey'), get: answers(list(gene)) },
    }),
  )

  const found = await call('GET /genes/1/100/900/360')

  expect(found.status).toBe(200)
  expect(found.body).toBeInstanceOf(Array)
})

it('reads the records that a batch retrieves, and makes none', async () => {
  const order = object({ id: 'string', note: 'string' })
  const orders = { type: 'object', properties: { orders: list(order) } }
  const call = await simulation.of(
    describeApi({
      '/orders': { post: { ...takes(object({ note: 'string' })), ...answers(order) }, get: answers(orders) },
      '/orders/{order_id}': { ...inPath('order_id'), get: answers(order) },
      '/orders/batch-retrieve': {
        post: {
          operationId: 'BatchRetrieveOrders',
          ...takes(object({ order_ids: list({ type: 'string' }) })),
          ...answers(orders),
        },
      },
    }),
    { orders: 3 },
  )
  const { id } = (await call('POST /orders', { note: 'first' })).body

  const { body } = await call('POST /orders/batch-retrieve', { order_ids: [id] })

  expect(body.orders).toEqual([expect.objectContaining({ id, note: 'first' })])
  expect((await call('GET /orders')).body.orders).toHaveLength(4)
})

it('counts pages from 0 where the first one is the text 0', async () => {
  const page = { in: 'query', name: 'page', schema: { type: 'string', format: 'int32', default: '0' } }
  const limit = { in: 'query', name: 'limit', schema: { type: 'integer', default: 100 } }
  const device = object({ id: 'integer', name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/devices': {
        get: {
          parameters: [page, limit],
          ...answers({ type: 'object', properties: { items: list(device), total: { type: 'integer' } } }),
        },
      },
      '/devices/{id}': { ...inPath('id'), get: answers(device) },
    }),
    { devices: 5 },
  )

  const pages = await Promise.all([0, 1, 2].map((number) => call(`GET /devices?limit=2&page=${number}`)))

  expect(pages.map(({ body }) => body.items.length)).toEqual([2, 2, 1])
})

it('disables what is active', async () => {
  const campaign = object({ id: 'string', name: 'string', active: 'boolean' })
  const call = await simulation.of(
    describeApi({
      '/campaigns': {
        post: { ...takes(object({ name: 'string' })), ...answers(campaign) },
        get: answers(list(campaign)),
      },
      '/campaigns/{id}': { ...inPath('id'), get: answers(campaign) },
      '/campaigns/{id}/enable': { ...inPath('id'), post: DONE },
      '/campaigns/{id}/disable': { ...inPath('id'), post: DONE },
    }),
  )
  const { id } = (await call('POST /campaigns', { name: 'Spring' })).body

  await call(`POST /campaigns/${id}/disable`)
  expect((await call(`GET /campaigns/${id}`)).body).toMatchObject({ active: false })

  await call(`POST /campaigns/${id}/enable`)
  expect((await call(`GET /campaigns/${id}`)).body).toMatchObject({ active: true })
})

it('reads objects in a query as they are written, with their commas', async () => {
  const filter = object({ field: 'string', value: 'string' })
  const device = object({ id: 'integer', name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/devices': { get: { parameters: [inQuery('filters', list(filter))], ...answers(list(device)) } },
      '/devices/{id}': { ...inPath('id'), get: answers(device) },
    }),
  )
  const filters = encodeURIComponent('{"field":"name","value":"a"},{"field":"id","value":"1"}')

  expect((await call(`GET /devices?filters=${filters}`)).status).toBe(200)
  expect((await call(`GET /devices?filters=${encodeURIComponent('{"field":1')}`)).status).toBe(400)
})
