import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { datasetOf, tableOf } from './shop.ts'

const id = { type: 'integer' }
const currency = { type: 'string', enum: ['EUR', 'USD', 'GBP', 'SEK'] }
const BILLING: Record<string, JsonObject> = {
  customers: {
    type: 'object',
    required: ['id', 'name', 'email'],
    properties: {
      id,
      name: { type: 'string' },
      email: { type: 'string' },
      created_at: { type: 'string', format: 'date-time' },
    },
  },
  invoices: {
    type: 'object',
    required: ['id', 'customer_id'],
    properties: {
      id,
      customer_id: id,
      total: { type: 'integer' },
      currency,
      created_at: { type: 'string', format: 'date-time' },
    },
  },
  payments: {
    type: 'object',
    required: ['id', 'customer_id', 'invoice_id'],
    properties: {
      id,
      customer_id: id,
      customer_email: { type: 'string' },
      invoice_id: id,
      amount: { type: 'integer' },
      currency,
      created_at: { type: 'string', format: 'date-time' },
    },
  },
}

it('gives a payment the amount, currency and customer of its invoice', () => {
  const dataset = datasetOf(BILLING)
  const [customers, invoices, payments] = ['customers', 'invoices', 'payments'].map((name) => tableOf(dataset, name))

  for (let index = 0; index < (payments?.size ?? 0); index++) {
    const payment = payments?.recordAt(index) as JsonObject
    const invoice = invoices?.recordAt(invoices.indexOf(String(payment.invoice_id)) as number)
    const customer = customers?.recordAt(customers.indexOf(String(payment.customer_id)) as number)
    expect(payment).toMatchObject({
      amount: invoice?.total,
      currency: invoice?.currency,
      customer_id: invoice?.customer_id,
    })
    expect(payment.customer_email).toBe(customer?.email)
  }
})

it('refers to records that were made earlier, as far as there are any', () => {
  const dataset = datasetOf(BILLING, { volume: { customers: 50, invoices: 200 } })
  const [customers, invoices] = [tableOf(dataset, 'customers'), tableOf(dataset, 'invoices')]

  const early = Array.from({ length: 200 }, (_, index) => invoices.recordAt(index)).filter((invoice) => {
    const customer = customers.recordAt(customers.indexOf(String(invoice.customer_id)) as number)
    return String(customer.created_at) > String(invoice.created_at)
  })

  expect(early.length).toBeLessThan(4)
})

it('draws from hinted values where they fit', () => {
  const hints = { customers: { name: ['Polar Bakery', 'Northern Ovens', 7] } }
  const customers = tableOf(datasetOf(BILLING, { hints }), 'customers')

  const names = new Set(Array.from({ length: customers.size }, (_, index) => customers.recordAt(index).name))

  expect([...names].toSorted()).toEqual(['Northern Ovens', 'Polar Bakery'])
})

it('follows the titles of records in their slugs', () => {
  const schema = {
    type: 'object',
    required: ['slug', 'title'],
    properties: { slug: { type: 'string' }, title: { type: 'string' } },
    'x-key': 'slug',
  }
  const articles = tableOf(datasetOf({ articles: schema }, { volume: { articles: 40 } }), 'articles')

  for (let index = 0; index < 40; index++) {
    const { slug, title } = articles.recordAt(index)
    expect(slug).toBe(
      String(title)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-'),
    )
    expect(articles.indexOf(String(slug))).toBe(index)
  }
})

it('ships nothing that is not shipped, and delivers it later', () => {
  const moment = { type: ['string', 'null'], format: 'date-time' }
  const parcel = {
    type: 'object',
    required: ['id', 'status', 'tracking_number', 'shipped_at', 'delivered_at'],
    properties: {
      id,
      status: { type: 'string', enum: ['pending', 'shipped', 'delivered', 'cancelled'] },
      tracking_number: { type: ['string', 'null'] },
      shipped_at: moment,
      delivered_at: moment,
    },
  }
  const parcels = tableOf(datasetOf({ parcels: parcel }, { volume: { parcels: 200 } }), 'parcels')

  for (let index = 0; index < 200; index++) {
    const { status, tracking_number, shipped_at, delivered_at } = parcels.recordAt(index)
    const isUnderway = status === 'shipped' || status === 'delivered'
    expect([tracking_number !== null, shipped_at !== null, delivered_at !== null]).toEqual([
      isUnderway,
      isUnderway,
      status === 'delivered',
    ])
    if (status === 'delivered') expect(String(delivered_at) >= String(shipped_at)).toBe(true)
  }
})

it('reaches the statuses of a record in their order', () => {
  const statuses = ['reserved', 'deposited', 'picked_up']
  const moment = { type: 'string', format: 'date-time' }
  const properties = { id, status: { type: 'string', enum: statuses }, depositedAt: moment, pickedUpAt: moment }
  const holding = { type: 'object', required: ['id', 'status'], properties }
  const holdings = tableOf(datasetOf({ holdings: holding }, { volume: { holdings: 200 } }), 'holdings')

  const reached = Array.from({ length: 200 }, (_, index) => holdings.recordAt(index)).filter((one) => one.pickedUpAt)

  expect(reached.length).toBeGreaterThan(20)
  expect(reached.filter((one) => String(one.depositedAt) > String(one.pickedUpAt))).toEqual([])
})

it.each([
  { tags: 3_000, minItems: 20_000, refers: 1_000 },
  { tags: 14, minItems: 10, refers: 10 },
  { tags: 3, minItems: 10, refers: 3 },
])(
  'refers to as many of $tags records as a list asks for with $minItems, up to 1,000',
  ({ tags, minItems, refers }) => {
    const schemas = {
      tags: { type: 'object', required: ['id'], properties: { id } },
      posts: {
        type: 'object',
        required: ['id', 'tag_ids'],
        properties: { id, tag_ids: { type: 'array', items: id, minItems } },
      },
    }

    const posts = tableOf(datasetOf(schemas, { volume: { tags, posts: 5 } }), 'posts')

    const sizes = [0, 1, 2, 3, 4].map((index) => new Set(posts.recordAt(index).tag_ids as number[]).size)
    expect(sizes).toEqual([refers, refers, refers, refers, refers])
  },
)

it.each([
  ['the id that they show beside it', 'id', 'organization_id'],
  ['the id with the name of their vendor', 'acme_id', 'acme_organization_id'],
])('refers to records that are found by a name by %s', (_, shown, field) => {
  const dataset = datasetOf({
    organizations: {
      type: 'object',
      'x-key': 'username',
      required: [shown, 'username'],
      properties: { [shown]: id, username: { type: 'string' } },
    },
    posts: { type: 'object', required: ['id', field], properties: { id, [field]: id } },
  })
  const all = (name: string) => {
    const table = tableOf(dataset, name)
    return Array.from({ length: table.size }, (_, index) => table.recordAt(index))
  }

  const known = all('organizations').map((organization) => organization[shown])
  const referred = all('posts').map((post) => post[field])

  expect(referred.length).toBeGreaterThan(0)
  for (const value of referred) expect(known).toContain(value)
})
