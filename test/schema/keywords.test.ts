import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'

const text = { type: 'string' }
const int = { type: 'integer' }

/** A keyword in the field `it` of a record, and values that it refuses. */
const KEYWORDS: [keyword: string, schema: JsonObject, refused: Json[]][] = [
  ['not', { type: 'string', enum: ['good', 'fine', 'bad'], not: { enum: ['bad'] } }, ['bad']],
  ['not of a bound', { type: 'integer', minimum: 1, maximum: 9, not: { minimum: 4, maximum: 6 } }, [5]],
  [
    'if and then',
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['card', 'bank'] }, iban: text },
      if: { properties: { kind: { const: 'bank' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['iban'] },
    },
    [{ kind: 'bank' }],
  ],
  [
    'if and else',
    {
      type: 'object',
      required: ['country'],
      properties: { country: { enum: ['US', 'CA'] }, postal: text },
      if: { properties: { country: { const: 'US' } } },
      else: { required: ['postal'], properties: { postal: { pattern: '^[A-Z]\\d[A-Z]$' } } },
    },
    [{ country: 'CA' }, { country: 'CA', postal: '12345' }],
  ],
  [
    'conditions of allOf',
    {
      type: 'object',
      required: ['a'],
      properties: { a: { enum: [1, 2, 3] }, b: int, c: int },
      allOf: [
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        { if: { properties: { a: { const: 2 } } }, then: { required: ['c'] } },
      ],
    },
    [{ a: 1 }, { a: 2, b: 1 }],
  ],
  [
    'dependentRequired',
    { type: 'object', properties: { number: text, cvc: text }, dependentRequired: { number: ['cvc'] } },
    [{ number: '1' }],
  ],
  [
    'dependentSchemas',
    {
      type: 'object',
      properties: { card: text, limit: int },
      dependentSchemas: { card: { required: ['limit'], properties: { limit: { minimum: 100 } } } },
    },
    [{ card: '1' }, { card: '1', limit: 5 }],
  ],
  ['contains', { type: 'array', items: int, contains: { const: 3 } }, [[1], []]],
  ['minContains', { type: 'array', items: int, contains: { minimum: 50 }, minContains: 2 }, [[60, 1]]],
  ['maxContains', { type: 'array', items: { enum: [1, 2] }, contains: { const: 1 }, maxContains: 2 }, [[1, 1, 1], [2]]],
  ['contentEncoding', { type: 'string', contentEncoding: 'base64' }, ['late-lily', 'abc']],
  ['contentEncoding of addresses', { type: 'string', contentEncoding: 'base64url' }, ['a/b+']],
  [
    'patternProperties',
    { type: 'object', patternProperties: { '^x_[a-z]{3}$': int }, additionalProperties: false },
    [{ x_abc: 'a' }, { y: 1 }],
  ],
  [
    'propertyNames',
    { type: 'object', propertyNames: { pattern: '^[a-z]{2}$' }, additionalProperties: text },
    [{ abc: 'a' }],
  ],
  [
    'prefixItems',
    { type: 'array', prefixItems: [text, int], items: false, minItems: 2 },
    [
      ['a', 'b'],
      ['a', 1, 2],
    ],
  ],
  [
    'unevaluatedProperties',
    { type: 'object', allOf: [{ properties: { a: text } }], properties: { b: int }, unevaluatedProperties: false },
    [{ c: 1 }],
  ],
  [
    'unevaluatedProperties of alternatives',
    {
      type: 'object',
      oneOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: int }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    },
    [{ a: 'x', c: 1 }, { c: 1 }],
  ],
  [
    'unevaluatedItems after a condition',
    {
      type: 'array',
      minItems: 1,
      prefixItems: [int],
      if: { minItems: 2 },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { prefixItems: [int, text] },
      unevaluatedItems: false,
    },
    [[1, 'a', 'b'], ['a']],
  ],
  [
    'two choices',
    {
      anyOf: [int, { type: 'string' }],
      oneOf: [
        { type: 'string', maxLength: 3 },
        { type: 'integer', minimum: 5 },
      ],
    },
    ['long', 3],
  ],
  [
    'a reference by $id',
    {
      $id: 'https://a.example/tree',
      type: 'object',
      required: ['leaf'],
      properties: { leaf: { $ref: 'leaf' } },
      $defs: { leaf: { $id: 'leaf', type: 'integer', minimum: 1 } },
    },
    [{ leaf: 0 }, {}],
  ],
  [
    'a reference by $anchor',
    { type: 'array', minItems: 1, items: { $ref: '#size' }, $defs: { size: { $anchor: 'size', enum: ['s', 'm'] } } },
    [['l']],
  ],
  ['a boolean in allOf', { type: 'object', properties: { a: text, b: false }, allOf: [true] }, [{ b: 1 }]],
  [
    'uniqueItems of objects',
    { type: 'array', uniqueItems: true, items: { type: 'object', properties: { a: int, b: int } } },
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['a pattern that looks ahead', { type: 'string', pattern: '^(?=.*[A-Z])(?=.*\\d).{8,12}$' }, ['abcdefgh']],
  [
    'a pattern that looks ahead thrice',
    { type: 'string', pattern: '^(?=.*[a-z])(?=.*[A-Z])(?=.*[@$!%])[A-Za-z\\d@$!%]{10,}$' },
    ['abcdefghij'],
  ],
  ['a pattern that looks ahead for none', { type: 'string', pattern: '^(?!admin)[a-z]{5,8}$' }, ['adminx']],
]

it.each(KEYWORDS)('%s is checked and generated', async (_, schema, refused) => {
  const record = { type: 'object', required: ['id', 'it'], properties: { id: { ...int, readOnly: true }, it: schema } }
  const content = { 'application/json': { schema: record } }
  const list = { 'application/json': { schema: { type: 'array', items: record } } }
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Keywords', version: '1' },
    paths: {
      '/things': {
        get: { responses: { 200: { description: 'ok', content: list } } },
        post: { requestBody: { required: true, content }, responses: { 201: { description: 'ok', content } } },
      },
    },
  }
  await using api = await createSimulation({ spec }, { behaviour: [] })
  const isValid = new Ajv2020({ strict: false }).compile(schema)
  const post = async (value: Json) =>
    (await api.fetch('/things', { method: 'POST', body: JSON.stringify({ it: value }) })).status

  const things = (await (await api.fetch('/things')).json()) as { it: Json }[]
  const wrong = things.filter((thing) => !isValid(thing.it) || refused.includes(thing.it))

  expect(things.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
  expect(await Promise.all(refused.map(post))).toEqual(refused.map(() => 400))
  expect(await post(things[0]?.it as Json)).toBe(201)
})

it.each<[what: string, schema: JsonObject, made: Json]>([
  ['a list', { type: 'array', items: text, default: ['a'] }, ['a']],
  ['an empty list', { type: 'array', items: text, default: [] }, []],
  ['an object', { type: 'object', properties: { theme: text }, default: { theme: 'dark' } }, { theme: 'dark' }],
  ['a map', { type: 'object', additionalProperties: int, default: { a: 1 } }, { a: 1 }],
  [
    'a list of objects',
    { type: 'array', items: { type: 'object', properties: { a: int } }, default: [{ a: 1 }] },
    [{ a: 1 }],
  ],
  ['a text', { ...text, default: 'a' }, 'a'],
  ['a number', { ...int, default: 3 }, 3],
  ['a flag', { type: 'boolean', default: true }, true],
  ['a value of an enum', { enum: ['x', 'y'], default: 'y' }, 'y'],
  ['null', { type: ['string', 'null'], default: null }, null],
])('the default of %s is that of a new record', async (_, schema, made) => {
  const record = { type: 'object', required: ['id'], properties: { id: { ...int, readOnly: true }, it: schema } }
  const content = { 'application/json': { schema: record } }
  const post = { requestBody: { content }, responses: { 201: { description: 'ok', content } } }
  const spec = { openapi: '3.1.0', info: { title: 'Defaults', version: '1' }, paths: { '/things': { post } } }
  await using api = await createSimulation({ spec }, { behaviour: [] })

  const thing = (await (await api.fetch('/things', { method: 'POST', body: '{}' })).json()) as { it?: Json }

  expect(thing.it).toEqual(made)
})
