import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { CreationContext, Dataset } from '../../src/service/dataset/dataset.ts'
import { datasetOf, SHOP, tableOf } from './shop.ts'

const AT = Date.UTC(2026, 6, 1, 8, 30)

function contextOf(context: Partial<CreationContext> = {}): CreationContext {
  return {
    ordinal: 0,
    at: AT,
    scope: {},
    pickKey: () => undefined,
    taken: { has: () => false, hasCreated: () => false },
    ...context,
  }
}

function complete(name: string, given: JsonObject, context: Partial<CreationContext> = {}): JsonObject {
  return made(datasetOf(SHOP), name, given, context)
}

function made(dataset: Dataset, name: string, given: JsonObject, context: Partial<CreationContext> = {}): JsonObject {
  const completed = dataset.complete(name, given, contextOf(context))
  if (completed === undefined) throw new Error(`Expected "${name}" to have an id left.`)
  return completed.record
}

/** Of a collection where `keys` are in use, all of them created. */
const taking = (keys: ReadonlySet<string>) => ({
  taken: { has: (key: string) => keys.has(key), hasCreated: (key: string) => keys.has(key) },
})

it('gives a new record the initial values that its silent fields have by nature', () => {
  const task = complete('tasks', { title: 'Buy milk' }, { scope: { projects: '3' } })

  expect(task).toEqual({
    id: expect.any(Number),
    project_id: 3,
    title: 'Buy milk',
    status: 'todo',
    archived: false,
    comments_count: 0,
    tags: [],
    created_at: '2026-07-01T08:30:00Z',
    updated_at: '2026-07-01T08:30:00Z',
    completed_at: null,
  })
})

it('keeps everything that was given, known to the schema or not', () => {
  const given = {
    title: 'Buy milk',
    status: 'done',
    archived: true,
    tags: ['home'],
    colour: 'red',
    nested: { deep: [1] },
  }

  expect(complete('tasks', given)).toMatchObject(given)
})

it('fills in what is missing inside given lines, and sums them', () => {
  const order = complete('orders', {
    customer_id: 'cus_1',
    lines: [
      { quantity: 2, unit_price: 500 },
      { quantity: 1, unit_price: 99 },
    ],
  })

  expect(order).toMatchObject({
    customer_id: 'cus_1',
    lines: [
      { quantity: 2, unit_price: 500, amount: 1000 },
      { quantity: 1, unit_price: 99, amount: 99 },
    ],
    subtotal: 1099,
    tax: 209,
    total: 1308,
  })
})

it('makes ids that neither generated nor created records have', () => {
  const dataset = datasetOf(SHOP)
  const taken = new Set<string>()
  for (let ordinal = 0; ordinal < 200; ordinal++) {
    const key = String(made(dataset, 'orders', {}, { ordinal, ...taking(taken) }).id)
    expect(taken.has(key)).toBe(false)
    expect(tableOf(dataset, 'orders').indexOf(key)).toBeUndefined()
    taken.add(key)
  }
})

it('continues counting where the generated ids end', () => {
  const dataset = datasetOf(SHOP, { volume: { projects: 5 } })

  expect(made(dataset, 'projects', { name: 'Move' }).id).toBe(6)
  expect(made(dataset, 'projects', { name: 'Move' }, { ordinal: 1 }).id).toBe(7)
  expect(made(dataset, 'projects', { name: 'Move' }, taking(new Set(['6']))).id).toBe(7)
})

it('prefers the id of the path or of the body to a generated one', () => {
  expect(complete('projects', { name: 'Move' }, { id: '77' }).id).toBe(77)
  expect(complete('projects', { id: 78, name: 'Move' }).id).toBe(78)
})

it('refers to living records where a required relation was left out', () => {
  const order = complete(
    'orders',
    {},
    { pickKey: (collection) => (collection === 'customers' ? 'cus_living' : undefined) },
  )

  expect(order.customer_id).toBe('cus_living')
})

it('keeps given records inside a record, with further fields of the record with that id', () => {
  const label = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' }, color: { type: 'string' } },
  }
  const issue = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, label, labels: { type: 'array', items: label } },
  }
  const dataset = datasetOf({ labels: label, issues: issue }, { volume: { labels: 3 } })
  const known = tableOf(dataset, 'labels').recordAt(0)

  const issueMade = made(dataset, 'issues', {
    label: { id: 3 },
    labels: [
      { id: 99, name: 'home' },
      { id: 3, name: 'mine' },
    ],
  })

  expect(issueMade.label).toEqual(known)
  expect(issueMade.labels).toEqual([
    { id: 99, name: 'home' },
    { ...known, name: 'mine' },
  ])
})

it('keeps a given null', () => {
  expect(complete('tasks', { title: null }).title).toBeNull()
})

it('survives the names of prototypes', () => {
  const given = JSON.parse('{ "title": "x", "__proto__": { "polluted": true }, "constructor": "y" }') as JsonObject

  const task = complete('tasks', given)

  expect(Object.hasOwn(task, '__proto__')).toBe(true)
  expect(({} as JsonObject).polluted).toBeUndefined()
  expect(task.constructor).toBe('y')
})
