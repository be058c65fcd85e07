import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { datasetOf, tableOf } from './shop.ts'

const KINDS: Record<string, JsonObject> = {
  uuid: { type: 'string', format: 'uuid' },
  integer: { type: 'integer' },
  'integer with bounds': { type: 'integer', minimum: 1_000, maximum: 9_000_000 },
  'integer on steps': { type: 'integer', multipleOf: 5 },
  'numeric text': { type: 'string', example: '12' },
  'prefixed by example': { type: 'string', example: 'cus_9s6XKzkNRLz8i3' },
  'prefixed by pattern': { type: 'string', pattern: '^(fldt_)[a-zA-Z0-9]+$' },
  sid: { type: 'string', pattern: '^AC[0-9a-fA-F]{32}$', minLength: 34, maxLength: 34 },
  'object id': { type: 'string', pattern: '^[0-9a-f]{24}$' },
  'crockford base 32': { type: 'string', pattern: '^ord_[0-9abcdefghjkmnpqrstvwxyz]{26}$' },
  'short text': { type: 'string', minLength: 6, maxLength: 6 },
  'long number': { type: 'string', pattern: '^[0-9]{16}$' },
  'plain text': { type: 'string' },
}

for (const [kind, id] of Object.entries(KINDS)) {
  it(`turns a key back into its index: ${kind}`, () => {
    const table = tableOf(datasetOf({ things: recordWith(id) }, { volume: { things: 1_000_000 } }), 'things')

    const wrong = spread(table.size).filter((index) => table.indexOf(table.keyAt(index)) !== index)

    expect(table.size).toBe(1_000_000)
    expect(wrong).toEqual([])
  })

  it(`gives no two records one key: ${kind}`, () => {
    const table = tableOf(datasetOf({ things: recordWith(id) }, { volume: { things: 30_000 } }), 'things')

    const keys = new Set(Array.from({ length: table.size }, (_, index) => table.keyAt(index)))

    expect(keys.size).toBe(30_000)
  })

  it(`fits the schema of the id: ${kind}`, () => {
    const table = tableOf(datasetOf({ things: recordWith(id) }), 'things')

    for (let index = 0; index < table.size; index++) {
      const key = table.recordAt(index).id
      expect(typeof key).toBe(id.type === 'integer' ? 'number' : 'string')
      if (typeof id.pattern === 'string') expect(key).toMatch(new RegExp(id.pattern, 'u'))
      if (typeof id.minimum === 'number') expect(key).toBeGreaterThanOrEqual(id.minimum)
      if (typeof id.maxLength === 'number') expect(String(key).length).toBeLessThanOrEqual(id.maxLength)
    }
  })
}

it('finds no index for keys that no record has', () => {
  const table = tableOf(datasetOf({ things: recordWith({ type: 'integer' }) }, { volume: { things: 10 } }), 'things')

  expect(['0', '11', '1.5', '01', 'x', '', '-1', '1e0'].map((key) => table.indexOf(key))).toEqual(
    Array.from({ length: 8 }, () => undefined),
  )
})

it('counts integer ids down from the newest record', () => {
  const table = tableOf(datasetOf({ things: recordWith({ type: 'integer' }) }, { volume: { things: 3 } }), 'things')

  expect([0, 1, 2].map((index) => table.keyAt(index))).toEqual(['3', '2', '1'])
})

it('holds no more records than an enum of ids has values', () => {
  const id = { type: 'string', enum: ['eu', 'us', 'ap'] }
  const table = tableOf(datasetOf({ regions: recordWith(id) }, { volume: { regions: 8 } }), 'regions')

  expect(Array.from({ length: table.size }, (_, index) => table.keyAt(index)).toSorted()).toEqual(['ap', 'eu', 'us'])
})

it('tables ids where the schema leaves no room', () => {
  const id = { type: 'string', pattern: '^[a-c]{2}$' }
  const table = tableOf(datasetOf({ things: recordWith(id) }, { volume: { things: 9 } }), 'things')

  const keys = Array.from({ length: table.size }, (_, index) => table.keyAt(index))

  expect(new Set(keys).size).toBe(9)
  expect(keys.map((key) => table.indexOf(key))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

it('makes names for keys that clients choose, a million of them', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, state: { type: 'string' } },
    'x-key': 'name',
  }
  const table = tableOf(datasetOf({ clusters: schema }, { volume: { clusters: 1_000_000 } }), 'clusters')

  const indexes = spread(table.size)

  expect(table.keyAt(0)).toMatch(/^[a-z]+-[a-z]+(-\d+)?$/)
  expect(indexes.filter((index) => table.indexOf(table.keyAt(index)) !== index)).toEqual([])
})

function recordWith(id: JsonObject): JsonObject {
  return { type: 'object', required: ['id'], properties: { id, name: { type: 'string' } } }
}

/** Some 4,000 indexes over the whole of a table. */
function spread(size: number): number[] {
  const step = Math.max(1, Math.floor(size / 4_000))
  return Array.from({ length: Math.floor((size - 1) / step) + 1 }, (_, at) => at * step)
}

it('counts records whose ids are enough for any volume, and those with few ids', () => {
  const schemas = {
    people: recordWith({ type: 'string' }),
    words: recordWith({ type: 'string', enum: ['a', 'b', 'c'] }),
  }
  const dataset = datasetOf(schemas)

  const people = tableOf(dataset, 'people').size

  expect(people).toBe(tableOf(datasetOf({ people: recordWith({ type: 'integer' }) }), 'people').size)
  expect(tableOf(dataset, 'words').size).toBe(2)
})
