import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { simulate } from './simulate.ts'

const text = { type: 'string' }
const uri = { type: 'string', format: 'uri' }
const link = { type: 'object', required: ['href'], properties: { href: uri } }
const linksOf = (...names: string[]) => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, link])),
})
const Customer = {
  type: 'object',
  required: ['id', 'name', '_links'],
  properties: { id: text, name: text, _links: linksOf('self', 'orders', 'documentation') },
}
const Order = {
  type: 'object',
  required: ['id', 'customer_id', 'url', 'links', 'lines_url', 'customer_url'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    customer_id: text,
    url: uri,
    lines_url: uri,
    customer_url: uri,
    links: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['href', 'rel', 'method'],
        properties: { href: uri, rel: text, method: { type: 'string', enum: ['DELETE', 'GET', 'POST'] } },
      },
    },
  },
}
const answer = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const listOf = (name: string) => answer({ type: 'array', items: ref(name) })
const body = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })
const spec = {
  openapi: '3.0.3',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://orders.test/api/v2' }],
  paths: {
    '/crm/customers': {
      get: { responses: { 200: listOf('Customer') } },
      post: { requestBody: body('NewCustomer'), responses: { 201: answer(ref('Customer')) } },
    },
    '/crm/customers/{customerId}': { get: { responses: { 200: answer(ref('Customer')) } } },
    '/crm/customers/{customerId}/orders': { get: { responses: { 200: listOf('Order') } } },
    '/crm/customers/{customerId}/orders/{orderId}': { get: { responses: { 200: answer(ref('Order')) } } },
    '/crm/customers/{customerId}/orders/{orderId}/lines': {
      get: { responses: { 200: answer({ type: 'array', items: { type: 'object', properties: { sku: text } } }) } },
    },
  },
  components: { schemas: { Customer, Order, NewCustomer: { type: 'object', properties: { id: text, name: text } } } },
}

type Links = Record<string, { href: string }>

function open() {
  const { send } = simulate(spec as unknown as JsonObject, { volume: { customers: 3, orders: 12 } })
  const follow = (address: string) => send('GET', new URL(address).pathname)
  return { send, follow }
}

it('links a record to itself, to what lies below it, and to its parent', () => {
  const { send, follow } = open()
  const [customer] = send('GET', '/crm/customers').body
  const { self, orders } = customer._links as Links
  expect(self?.href).toBe(`https://api.example.com/api/v2/crm/customers/${customer.id}`)
  expect(follow(self?.href ?? '').body).toEqual(customer)

  const [order] = follow(orders?.href ?? '').body
  expect(follow(order.url).body).toEqual(order)
  expect(follow(order.customer_url).body.id).toBe(order.customer_id)
  expect(follow(order.lines_url).status).toBe(200)
})

it('gives a list of links one, to the record itself', () => {
  const { send } = open()
  const [customer] = send('GET', '/crm/customers').body
  const [order] = send('GET', `/crm/customers/${customer.id}/orders`).body
  expect(order.links).toEqual([{ href: order.url, rel: 'self', method: 'GET' }])
})

it.each([{ name: 'Ada' }, { id: 'ada-1', name: 'Ada' }])('links a record that a client creates: %j', (json) => {
  const { send, follow } = open()
  const made = send('POST', '/crm/customers', { json }).body
  expect(made._links.self.href).toContain('/crm/customers/')
  expect(follow(made._links.self.href).body).toEqual(made)
})
