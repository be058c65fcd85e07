import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { checkerOf } from '../../src/schema/checker.ts'
import { datasetOf, schemaOf, tableOf } from './shop.ts'

const bounds = (max: number) => fc.tuple(fc.nat(max), fc.nat(max)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)])

/** Schemas that some value fits: bounds are in order, and no two constraints exclude each other. */
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    bounds(60).map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength }) as JsonObject),
    fc
      .constantFrom('date-time', 'date', 'time', 'duration', 'email', 'uri', 'url', 'hostname', 'ipv4', 'ipv6', 'uuid')
      .map((format) => ({ type: 'string', format })),
    fc
      .constantFrom('^[A-Z]{3}-\\d{4}$', '^(a|b)+$', '^(?!x)[a-z]{2,9}$', '^#[0-9a-f]{6}$')
      .map((pattern) => ({ type: 'string', pattern })),
    bounds(5_000).map(([minimum, maximum]) => ({ type: 'integer', minimum, maximum }) as JsonObject),
    fc.constantFrom(0.01, 0.5, 5).map((multipleOf) => ({ type: 'number', minimum: -50, multipleOf })),
    fc.constant({ type: 'boolean' }),
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }).map((values) => ({ enum: values })),
    fc
      .tuple(tie('schema'), bounds(6))
      .map(([items, [minItems, maxItems]]) => ({ type: 'array', items, minItems, maxItems }) as JsonObject),
    fc
      .dictionary(fc.constantFrom('name', 'status', 'amount', 'owner_id', 'created_at', 'tags'), tie('schema'))
      .map((properties) => ({ type: 'object', properties, required: Object.keys(properties).slice(0, 2) })),
  ),
}))

it('makes records and examples that pass the check of their own schema', () => {
  fc.assert(
    fc.property(schema, fc.nat(1_000), (value, seed) => {
      const things = { type: 'object', required: ['id', 'value'], properties: { id: { type: 'integer' }, value } }
      const dataset = datasetOf({ things } as never, { seed: String(seed) })
      const table = tableOf(dataset, 'things')
      const check = checkerOf(schemaOf('things', { things } as never), { direction: 'response' })

      const made = [0, 1, table.size - 1].map((index) => table.recordAt(index))
      const example = dataset.example(schemaOf('things', { things } as never), String(seed))

      expect([...made, example].map((each) => check(each))).toEqual([undefined, undefined, undefined, undefined])
    }),
    { numRuns: 150 },
  )
})
