import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { readText } from '../../src/description/read-text.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { LocalReferences } from '../../src/service/openapi/references.ts'
import { SchemaReader } from '../../src/service/openapi/schemas/schema-reader.ts'

const text = { type: 'string' }
const int = { type: 'integer' }
const a = { properties: { a: int }, required: ['a'] }
const b = { properties: { b: text }, required: ['b'] }
const ifA = { if: a }
const closed = { unevaluatedProperties: false }
const ended = { unevaluatedItems: false }

/** Schemas of draft 2020-12, by the keyword that they are about. */
const SCHEMAS: Readonly<Record<string, readonly JsonObject[]>> = {
  'no type': [{ minLength: 2 }, { pattern: '^a' }, { minimum: 2 }, { multipleOf: 2 }, { minItems: 2 }, { items: int }],
  'no type, of objects': [
    a,
    { required: ['a'] },
    { minProperties: 2 },
    { properties: { a: int } },
    { maxProperties: 1 },
  ],
  'no type, closed': [{ properties: { a: {} }, additionalProperties: false }, { additionalProperties: int }],
  type: [{ type: ['integer', 'null'] }, { type: 'object' }, { type: 'number' }, { type: ['array', 'boolean'] }],
  'enum and const': [
    { enum: [1, 'a', null, [1], { a: 1 }] },
    { const: { a: 1, b: 'a' } },
    { const: false },
    { const: 0 },
  ],
  'booleans as schemas': [
    { properties: { a: true, b: false } },
    { prefixItems: [true, false] },
    { propertyNames: false },
    { allOf: [true, int] },
    { anyOf: [false, text] },
    { not: true },
    { $ref: '#/$defs/none', $defs: { none: false } },
  ],
  propertyNames: [{ propertyNames: { maxLength: 1 } }, { propertyNames: { pattern: '^a' }, type: 'object' }],
  'allOf, anyOf, oneOf': [
    { allOf: [a, b] },
    { anyOf: [a, b] },
    { oneOf: [a, b] },
    { oneOf: [int, { minimum: 2 }] },
    { oneOf: [a, b], anyOf: [{ maxProperties: 1 }, { required: ['c'] }] },
    { anyOf: [text, int], oneOf: [{ type: 'integer' }, { maxLength: 1 }] },
    { oneOf: [{ type: 'null' }, text], anyOf: [{ type: 'null' }, { minLength: 2 }] },
  ],
  'not and if': [
    { not: text },
    { not: a },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { ...ifA, then: b },
    { ...ifA, else: b },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: text, then: { minLength: 2 }, else: int },
  ],
  dependencies: [{ dependentRequired: { a: ['b'] } }, { dependentSchemas: { a: { minProperties: 2 } } }],
  items: [
    { prefixItems: [int, text] },
    { prefixItems: [int], items: text },
    { prefixItems: [int], items: false },
    { contains: text },
    { contains: int, minContains: 2 },
    { contains: int, maxContains: 1 },
    { uniqueItems: true },
  ],
  unevaluatedProperties: [
    closed,
    { unevaluatedProperties: int },
    { ...closed, ...a, anyOf: [b, { properties: { c: true }, required: ['c'] }, true] },
    { ...closed, oneOf: [a, b] },
    { ...closed, allOf: [{ properties: { a: true } }, { oneOf: [b, { required: ['c'], properties: { c: true } }] }] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { ...closed, ...ifA, then: { properties: { b: true } }, else: { properties: { c: true } } },
    { ...closed, properties: { a: true }, dependentSchemas: { a: { properties: { b: true } } } },
    { ...closed, properties: { a: true }, additionalProperties: true },
    { ...closed, patternProperties: { '^[ab]': true } },
    { allOf: [{ properties: { a: true } }, closed] },
    { allOf: [{ properties: { a: true }, ...closed }], anyOf: [{ properties: { b: true } }] },
    { ...closed, allOf: [{ properties: { a: true }, unevaluatedProperties: true }] },
    { ...closed, $ref: '#/$defs/b', properties: { a: true }, $defs: { b } },
    { unevaluatedProperties: text, properties: { a: int } },
    { ...closed, not: { not: { properties: { a: true } } } },
  ],
  unevaluatedItems: [
    ended,
    { unevaluatedItems: int },
    { ...ended, prefixItems: [int] },
    { ...ended, prefixItems: [int], items: true },
    { ...ended, prefixItems: [int], anyOf: [{ prefixItems: [true, text] }, { prefixItems: [true, true, text] }] },
    { ...ended, oneOf: [{ prefixItems: [int] }, { prefixItems: [text, text] }] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { ...ended, if: { prefixItems: [int] }, then: { prefixItems: [true, text] }, else: { prefixItems: [text] } },
    { ...ended, $ref: '#/$defs/pair', $defs: { pair: { prefixItems: [int, text] } } },
    { allOf: [{ prefixItems: [true] }, ended] },
  ],
  '$ref, $id and $anchor': [
    { properties: { a: { $ref: '#' } }, additionalProperties: false },
    { $ref: '#whole', $defs: { whole: { $anchor: 'whole', type: 'integer' } } },
    {
      $ref: 'node',
      $defs: { node: { $id: 'node', type: 'object', properties: { a: { $ref: '#/$defs/n' } }, $defs: { n: int } } },
    },
    {
      $id: 'https://a.example/tree',
      $ref: 'leaf#top',
      $defs: { leaf: { $id: 'leaf', $defs: { top: { $anchor: 'top', ...text } } } },
    },
    {
      $id: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed',
      properties: { a: { $ref: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed#/$defs/n' } },
      $defs: { n: int },
    },
    { properties: { a: { $id: 'inner', additionalProperties: { $ref: '#/$defs/n' }, $defs: { n: int } } } },
    { properties: { a: { $ref: '#/properties/b/items' }, b: { items: text } } },
  ],
}

const VALUES: readonly Json[] = [
  ...[null, true, false, 0, 1, 2, 3, -3, 2.5, 10, '', 'a', 'ab', 'abc', 'b', '2'],
  ...[
    [],
    [1],
    ['a'],
    [1, 'a'],
    ['a', 1],
    [1, 1],
    ['a', 'b'],
    [1, 'a', 'b'],
    [1, 2, 'c'],
    [2, 4],
    [null],
    [[1]],
    [{ a: 1 }],
  ],
  ...[
    {},
    { a: 1 },
    { a: 'x' },
    { b: 'x' },
    { b: 1 },
    { c: true },
    { a: 1, b: 'a' },
    { b: 'a', a: 1 },
    { a: 'x', b: 'y' },
  ],
  ...[
    { a: 1, c: 1 },
    { b: 'x', c: 1 },
    { a: 1, b: 'x', c: 1 },
    { a: { a: 1 } },
    { a: { b: 1 } },
    { ab: 1 },
    { d: 1 },
    { a: null },
  ],
]

it.each(Object.entries(SCHEMAS))('agrees with ajv about every value: %s', async (_, schemas) => {
  const differing: unknown[] = []
  for (const schema of schemas) {
    const isValid = new Ajv2020({ strict: false, logger: false }).compile(schema)
    const { value: document } = await readText(JSON.stringify(schema))
    const own = new SchemaReader(new LocalReferences(document as JsonObject), { knowsNullable: false }).read(
      document,
    ) as Schema
    for (const value of VALUES) if (fits(own, value) !== isValid(value)) differing.push({ schema, value })
  }

  expect(differing).toEqual([])
})
