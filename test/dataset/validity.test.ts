import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fits } from '../../src/schema/checker.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { realDescriptions } from '../descriptions.ts'
import { datasetOf, EPOCH, schemaOf, tableOf } from './shop.ts'

/** Ajv judges the answers in `npm run fidelity`; here our own check does, which is quick enough for every test run. */
it.each(realDescriptions)('makes valid examples and records, and no filler text: %s', async (_, path) => {
  const model = readDescription(await parseDescription(readFileSync(path, 'utf8')))
  const dataset = createDataset(model, { seed: 'test', epoch: EPOCH, volume: {}, seedRecords: {} })
  let [made, wrong] = [0, 0]

  for (const { id, success } of model.operations) {
    const schema = [...success.content].find(([type]) => type.includes('json'))?.[1].schema
    if (!schema) continue
    const example = dataset.example(schema, id)
    made++
    if (!fits(schema, example)) wrong++
    expect(JSON.stringify(example)).not.toMatch(/lorem ipsum|dolor sit/i)
  }
  for (const { name } of model.collections) {
    const table = tableOf(dataset, name)
    const keys = Array.from({ length: table.size }, (_, index) => table.keyAt(index))
    expect(new Set(keys).size).toBe(table.size)
    expect(keys.map((key) => table.indexOf(key))).toEqual([...keys.keys()])
    if (table.size > 0) expect(table.valueAt(0, model.collections[0]?.id.field ?? ['id'])).not.toBeNaN()
  }

  expect(wrong).toBeLessThanOrEqual(made * 0.02)
})

it.each([
  '^a{99999999999}$',
  '^(?:(?:(?:(?:){1000}){1000}){1000}){1000}$',
  '^(?:(?:(?:(?:a?){1000}){1000}){1000}){1000}$',
])('makes a record for the pattern %s at once', (pattern) => {
  const things = {
    type: 'object',
    required: ['code'],
    properties: { id: { type: 'integer' }, code: { type: 'string', pattern } },
  }

  const record = tableOf(datasetOf({ things }), 'things').recordAt(0)

  expect(record).toHaveProperty('code', expect.any(String))
})

it('stops where schemas go round in a circle', () => {
  const itself = { $ref: '#/paths/~1folders/get/responses/200/content/application~1json/schema/items' }
  const folder = {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      parent: itself,
      children: { type: 'array', items: itself },
    },
  }
  const record = tableOf(datasetOf({ folders: folder }), 'folders').recordAt(0)

  expect(JSON.stringify(record).length).toBeLessThan(4_000)
})

it('matches exactly one variant, with the discriminator of that variant', () => {
  const animal = {
    type: 'object',
    required: ['id', 'pet'],
    properties: {
      id: { type: 'integer' },
      pet: {
        oneOf: [
          {
            type: 'object',
            required: ['kind', 'barks'],
            properties: { kind: { const: 'dog' }, barks: { type: 'boolean' } },
          },
          {
            type: 'object',
            required: ['kind', 'lives'],
            properties: { kind: { const: 'cat' }, lives: { type: 'integer', minimum: 1, maximum: 9 } },
          },
        ],
      },
    },
  }
  const schema = schemaOf('owners', { owners: animal })
  const owners = tableOf(datasetOf({ owners: animal }), 'owners')

  for (let index = 0; index < owners.size; index++) expect(fits(schema, owners.recordAt(index))).toBe(true)
})

it.each([
  ['a tuple', { type: 'array', minItems: 2, prefixItems: [{ type: 'string' }, { enum: ['eu_vat', 'us_ein'] }] }],
  [
    'what follows a tuple',
    { type: 'array', minItems: 3, prefixItems: [{ type: 'string' }, { type: 'integer' }], items: { type: 'boolean' } },
  ],
])('gives each place of %s a value of its own schema', (_, code) => {
  const things = { type: 'object', required: ['code'], properties: { id: { type: 'integer' }, code } }

  const made = Object.values(tableOf(datasetOf({ things }), 'things').recordAt(0).code ?? [])

  expect(made[0]).toBeTypeOf('string')
  if (made.length === 2) expect(['eu_vat', 'us_ein']).toContain(made[1])
  else expect(made.slice(1)).toEqual([expect.any(Number), expect.any(Boolean)])
})

it('gives a map as many entries as it requires', () => {
  const labels = { type: 'object', additionalProperties: { type: 'string' }, minProperties: 5 }
  const things = { type: 'object', required: ['labels'], properties: { id: { type: 'integer' }, labels } }

  const made = tableOf(datasetOf({ things }), 'things').recordAt(0).labels ?? {}

  expect(Object.keys(made)).toHaveLength(5)
})

it('makes texts by the pattern where the example of the description fails it', () => {
  const phone = { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$', example: '11235555555' }
  const things = { type: 'object', required: ['phone'], properties: { id: { type: 'integer' }, phone } }

  const { phone: made } = tableOf(datasetOf({ things }), 'things').recordAt(0)

  expect(made).toMatch(/^\+[1-9]\d{1,14}$/)
})

it('leaves write-only properties out of answers and read-only ones out of requests', () => {
  const user = {
    type: 'object',
    required: ['name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      password: { type: 'string', writeOnly: true },
    },
  }
  const dataset = datasetOf({ users: user })
  const schema = schemaOf('users', { users: user })

  expect(Object.keys(dataset.example(schema, 'k') as object)).toEqual(['id', 'name'])
  expect(Object.keys(dataset.example(schema, 'k', { mode: 'request' }) as object)).toEqual(['name', 'password'])
})

it.each([
  ['those that the description lists', { enum: ['home', 'notifications'] }],
  ['of the form that the description demands', { pattern: '^[A-Z]{3}$' }],
])('gives the entries of a map names %s', (_, propertyNames) => {
  const counts = { type: 'object', propertyNames, additionalProperties: { type: 'integer' } }
  const things = { type: 'object', required: ['counts'], properties: { id: { type: 'integer' }, counts } }
  const schema = schemaOf('things', { things })

  const records = [0, 1, 2].map((index) => tableOf(datasetOf({ things }), 'things').recordAt(index))

  for (const record of records) expect(fits(schema, record)).toBe(true)
  expect(Object.keys(records[0]?.counts ?? {}).length).toBeGreaterThan(0)
  expect(fits(schema, { id: 1, counts: { other: 1 } })).toBe(false)
})

it('adds nothing to an object that requires a field without describing it', () => {
  const source = { type: 'string', enum: ['CARD'] }
  const properties = { id: { type: 'integer' }, source, userId: { type: 'string' }, username: { type: 'string' } }
  const links = { type: 'object', required: ['source', 'provider'], properties }

  const record = tableOf(datasetOf({ links }), 'links').recordAt(0)

  expect(Object.keys(record).toSorted()).toEqual(['id', 'provider', 'source', 'userId', 'username'])
  expect(record.source).toBe('CARD')
})

it('makes an object with as few fields as it may have', () => {
  const plan = {
    type: 'object',
    properties: { code: { type: 'string' }, amount: { type: 'integer' } },
    oneOf: [{ maxProperties: 0 }, { required: ['code', 'amount'], additionalProperties: false }],
  }
  const things = { type: 'object', required: ['plan'], properties: { id: { type: 'integer' }, plan } }
  const table = tableOf(datasetOf({ things }), 'things')

  const plans = [0, 1, 2, 3].map((index) => Object.keys(table.recordAt(index).plan ?? {}).length)

  expect(new Set(plans)).toEqual(new Set([0, 2]))
})
