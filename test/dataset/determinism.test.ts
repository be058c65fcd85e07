import { expect, it } from 'vitest'
import { datasetOf, SHOP, schemaOf, tableOf } from './shop.ts'

const NAMES = ['customers', 'orders', 'projects', 'tasks']

it('gives equal bytes for equal seed, epoch and volume', () => {
  const everything = () =>
    JSON.stringify(
      NAMES.map((name) => Array.from({ length: 20 }, (_, at) => tableOf(datasetOf(SHOP), name).recordAt(at % 8))),
    )

  expect(everything()).toBe(everything())
})

it('gives other records for another seed', () => {
  const first = tableOf(datasetOf(SHOP, { seed: 'a' }), 'customers').recordAt(0)
  const second = tableOf(datasetOf(SHOP, { seed: 'b' }), 'customers').recordAt(0)

  expect(first).not.toEqual(second)
})

it('gives the same values in whatever order they are asked for', () => {
  const forwards = datasetOf(SHOP)
  const backwards = datasetOf(SHOP)
  const inOrder = NAMES.map((name) => Array.from({ length: 8 }, (_, at) => tableOf(forwards, name).recordAt(at)))

  const reversed = NAMES.toReversed()
    .map((name) => Array.from({ length: 8 }, (_, at) => tableOf(backwards, name).recordAt(7 - at)).toReversed())
    .toReversed()

  expect(reversed).toEqual(inOrder)
})

it('gives one value of a record as the whole record shows it', () => {
  for (const name of NAMES) {
    const table = tableOf(datasetOf(SHOP), name)
    const record = table.recordAt(3)

    const values = Object.keys(record).map((field) => [field, table.valueAt(3, [field])])

    expect(Object.fromEntries(values)).toEqual(record)
  }
})

it('gives the same example for the same schema and key, another for another key', () => {
  const schema = schemaOf('orders', SHOP)

  const [first, again, other] = ['a', 'a', 'b'].map((key) => datasetOf(SHOP).example(schema, key))

  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})

it('makes a regenerated value another one, the same for the same key', () => {
  const dataset = datasetOf(SHOP)
  const record = tableOf(dataset, 'tasks').recordAt(0)

  const [first, again] = ['k', 'k'].map((key) => dataset.regenerate('tasks', record, ['title'], key))

  expect(first).toBe(again)
  expect(first).not.toBe(record.title)
})
