import { expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { DatasetOptions } from '../../src/service/dataset/dataset.ts'
import { KeptCodecs } from '../../src/service/dataset/keys/kept-codecs.ts'
import { datasetOf, EPOCH, tableOf } from './shop.ts'

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

it('gives the same ids, be they chosen before for another dataset of the description or not', () => {
  const schemas = {
    people: recordWith({ type: 'string', format: 'uuid' }),
    // Such ids are made one by one, by the time of their dataset.
    days: recordWith({ type: 'string', format: 'date-time' }),
  }
  const codecs = new KeptCodecs()
  const variants: Partial<DatasetOptions>[] = [
    { seed: 'one' },
    { seed: 'two' },
    { seed: 'one', volume: { people: 7 } },
    { seed: 'one', epoch: EPOCH + 90 * 86_400_000 },
    { seed: 'one', seedRecords: { people: [{ id: '0d3bd9a1-6c1e-4d59-9a55-0c2a1a6b7e10' }] } },
    { seed: 'one' },
  ]
  const idsOf = (options: Partial<DatasetOptions>) => {
    const dataset = datasetOf(schemas, options)
    return Object.keys(schemas).map((name) => {
      const table = tableOf(dataset, name)
      return Array.from({ length: Math.min(table.size, 50) }, (_, index) => table.keyAt(index))
    })
  }

  const alone = variants.map((options) => idsOf(options))
  const shared = variants.map((options) => idsOf({ ...options, codecs }))

  expect(shared).toEqual(alone)
  expect(alone[1]?.[0]).not.toEqual(alone[0]?.[0])
  expect(alone[3]?.[1]).not.toEqual(alone[0]?.[1])
})

it('chooses the ids of a description once for one seed', () => {
  const schemas = { people: recordWith({ type: 'string', format: 'uuid' }) }
  const codecs = new KeptCodecs()
  const keep = vi.spyOn(codecs, 'keep')

  const first = [1, 2, 3].map(() => tableOf(datasetOf(schemas, { codecs }), 'people').keyAt(0))

  expect(new Set(first).size).toBe(1)
  expect(keep).toHaveBeenCalledTimes(1)
})

it('counts records without choosing ids where there are enough for any volume', () => {
  const schemas = {
    people: recordWith({ type: 'string' }),
    words: recordWith({ type: 'string', enum: ['a', 'b', 'c'] }),
  }
  const codecs = new KeptCodecs()
  const keep = vi.spyOn(codecs, 'keep')
  const dataset = datasetOf(schemas, { codecs })

  const people = tableOf(dataset, 'people').size
  const kept = keep.mock.calls.length
  const words = tableOf(dataset, 'words').size

  expect(people).toBe(tableOf(datasetOf({ people: recordWith({ type: 'integer' }) }), 'people').size)
  expect(kept).toBe(0)
  expect(words).toBe(2)
})
