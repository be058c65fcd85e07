import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { CheckEffort } from '../../src/schema/check-effort.ts'
import { fits } from '../../src/schema/checker.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { answers, describeApi, modelOf, object, operationAt, schemaOf } from './describe-api.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A read, a list and a document, all of the component X. */
const everywhere: JsonObject = {
  '/things': { get: answers(ref('X')), post: answers(ref('X')) },
  '/things/{id}': { get: answers(ref('X')) },
  '/account': { get: answers(ref('X')) },
}

it.each<[string, Record<string, JsonObject>]>([
  [
    'variants that go round in a circle',
    { X: { oneOf: [ref('Y'), { type: 'string' }] }, Y: { anyOf: [ref('X'), { type: 'object' }] } },
  ],
  ['a wrapper that wraps itself', { X: object({ data: ref('X'), result: ref('X') }) }],
  ['a list of itself', { X: { type: 'array', items: ref('X') } }],
  ['parts that include each other', { X: { allOf: [ref('Y')] }, Y: { allOf: [ref('X'), object({ id: 'string' })] } }],
  [
    'a discriminator that names its own schema',
    {
      X: {
        oneOf: [ref('X'), ref('Y')],
        discriminator: { propertyName: 'x', mapping: { x: '#/components/schemas/X' } },
      },
      Y: {},
    },
  ],
  [
    'what is no schema at all',
    { X: { properties: [], required: 'id', allOf: {}, enum: 'x', type: 7, items: true } as unknown as JsonObject },
  ],
])('survives %s', (_, schemas) => {
  const model = modelOf(everywhere, { components: { schemas } })

  expect(model.operations).toHaveLength(4)
})

it('survives a pointer that leads through itself', () => {
  const model = modelOf({ '/a': { get: answers({ $ref: '#/x-a/b' }) } }, { 'x-a': { $ref: '#/x-a/b' } })

  expect(model.operations).toHaveLength(1)
})

it('survives a chain of ten thousand schemas that include each other', () => {
  const schemas: Record<string, JsonObject> = {}
  for (let at = 0; at < 10_000; at++) schemas[`S${at}`] = { allOf: [ref(`S${at + 1}`)] }
  schemas.X = ref('S0')
  const model = modelOf(everywhere, { components: { schemas } })

  expect(operationAt(model, 'GET /things/{id}').effect.kind).toBe('read')
})

it('compares long lists of values', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `v${at}`)

  const schema = schemaOf({ allOf: [{ enum: many }, { enum: many.toReversed() }] })

  expect(schema.enum).toHaveLength(100_000)
})

it('reads names of a hundred thousand capitals in no time', () => {
  const name = 'A'.repeat(100_000)

  modelOf({ '/a': { get: { operationId: name, summary: name, ...answers(object({ [name]: 'string' })) } } })
})

it('skips paths without end', () => {
  const model = modelOf({
    [`/${'a/'.repeat(100)}`]: { get: answers({}) },
    [`/${'a'.repeat(3000)}`]: { get: answers({}) },
    '/b': { get: answers({}) },
  })

  expect(model.operations).toHaveLength(1)
  expect(model.warnings).toHaveLength(2)
})

it('refuses more operations than anyone can want', () => {
  const paths = Object.fromEntries(Array.from({ length: 15_001 }, (_, at) => [`/p${at}`, { get: {} }]))

  expect(() => readDescription(describeApi(paths))).toThrow('it has more than 15000 operations')
})

it('names thousands of collections of one name', () => {
  const item = object({ id: 'string' })
  const paths = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at) => [
      `/{p${at}}/v${at % 9}/${'a/'.repeat(at % 50)}items/{id}`,
      { get: answers(item) },
    ]),
  )
  const model = modelOf(paths)

  const names = model.collections.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

it('keeps prototypes out of reach of names in a description', async () => {
  const text = JSON.stringify(
    describeApi({
      '/things/{id}': {
        get: answers({
          type: 'object',
          properties: JSON.parse(
            '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"id":{"type":"string"}}',
          ),
        }),
      },
    }),
  )
  const model = readDescription(await parseDescription(text))

  expect([...(model.collections[0]?.schema?.properties.keys() ?? [])]).toEqual(['constructor', 'id'])
})

it('warns of texts that are too long to be made', () => {
  const model = modelOf(everywhere, {
    components: { schemas: { X: object({ id: 'string', body: { type: 'string', minLength: 100_000 } }) } },
  })

  expect(model.warnings).toEqual([
    '/components/schemas/X/properties/body asks for texts of at least 100,000 characters; those that are made have 65,536 at most.',
  ])
})

it('warns of a list that requires more values than are made', () => {
  const value: JsonObject = { type: 'array', minItems: 20_000, items: { type: 'string' } }
  const model = modelOf(everywhere, {
    components: { schemas: { X: object({ id: 'string', value }) } },
  })

  expect(model.cuts).toEqual([
    '/components/schemas/X/properties/value requires more than 10,000 values; records and answers that are made have 10,000 at most, and are cut there.',
  ])
  expect(model.warnings).toEqual(model.cuts)
})

it('warns of patterns that are too large to be compiled', () => {
  const schema = { type: 'string', pattern: `^(${'ab?'.repeat(10_000)})*$` }
  const model = modelOf(everywhere, { components: { schemas: { X: object({ id: 'string', value: schema }) } } })

  expect(model.cuts).toEqual([
    '/components/schemas/X/properties/value has a pattern that is too large to be compiled, by itself or with those before it; it is not enforced.',
  ])
})

it('checks a value against a lattice of alternatives, each once', () => {
  const schemas: Record<string, JsonObject> = { L60: { type: 'string' } }
  for (let at = 0; at < 60; at++) schemas[`L${at}`] = { oneOf: [ref(`L${at + 1}`), { allOf: [ref(`L${at + 1}`)] }] }

  expect(fits(schemaOf(ref('L0'), schemas), 5)).toBe(false)
})

it('reads the parts that operations share once', () => {
  const shared = {
    parameters: Array.from({ length: 600 }, (_, at) => ({ name: `q${at}`, in: 'query' })),
    get: { security: [{ a: [] }], ...answers(ref('X')) },
  }
  const paths = Object.fromEntries(['/a', '/b', '/c/{id}'].map((path) => [path, { $ref: '#/x-shared' }]))
  const model = modelOf(paths, { 'x-shared': shared, components: { schemas: { X: object({ id: 'string' }) } } })

  const [a, b, c] = model.operations
  expect(b?.responses).toBe(a?.responses)
  expect(b?.parameters).toBe(a?.parameters)
  expect(b?.security).toBe(a?.security)
  expect(c?.parameters[0]).toBe(a?.parameters[0])
  expect(model.warnings[0]).toBe('/paths/~1a/get has 500 parameters or more; the first 500 are read.')
})

it('takes no base path that is longer than a request can be, and 200 at most', () => {
  const variables = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`v${at}`, { default: `{v${at + 1}}{v${at + 1}}` }]),
  )
  const doubling = {
    url: `https://api.example/${'{v0}'}`,
    variables: { v0: { default: 'x'.repeat(3_000) }, ...variables },
  }
  const servers = [doubling, ...Array.from({ length: 500 }, (_, at) => ({ url: `https://api.example/v${at}` }))]
  const model = modelOf(everywhere, { servers, components: { schemas: { X: object({ id: 'string' }) } } })

  expect(model.basePaths).toHaveLength(200)
  expect(Math.max(...model.basePaths.map(({ length }) => length))).toBeLessThanOrEqual(2_000)
})

it('checks values against a few hundred alternatives of alternatives with a bounded effort', () => {
  const schemas: Record<string, JsonObject> = {}
  for (let at = 0; at < 300; at++) schemas[`V${at}`] = object({ [`p${at}`]: ref('X'), other: ref('X') })
  schemas.X = { oneOf: Object.keys(schemas).map(ref) }
  const value = { other: { other: { other: { other: { other: 5 } } } } }
  const effort = new CheckEffort(10_000)

  for (let time = 0; time < 100; time++) fits(schemaOf(ref('X'), schemas), value, effort)

  expect(effort.take()).toBe(false)
})

it('reads 5,000 properties and required names of a schema, and tells where there are more', () => {
  const wide = object(Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`p${at}`, 'string'])))
  const demanding = { required: Array.from({ length: 6_000 }, (_, at) => `r${at}`) }
  const model = modelOf(everywhere, { components: { schemas: { X: { allOf: [wide, demanding] } } } })

  const schema = model.collections[0]?.schema
  expect([schema?.properties.size, schema?.required.size]).toEqual([5_000, 5_000])
  expect(model.cuts).toEqual(
    ['0', '1'].map(
      (at) =>
        `/components/schemas/X/allOf/${at} has more than 5,000 properties or required names; the first 5,000 are read.`,
    ),
  )
})

it('reads the first thousand of many alternatives, says so, and takes what fits none of them to fit another', () => {
  const names = Array.from({ length: 4_000 }, (_, at) => `D${at}`)
  const kind = (name: string) => object({ kind: { type: 'string', enum: [name] } }, { required: ['kind'] })
  const X = { ...object({ id: 'string' }), oneOf: names.map(ref) }
  const schemas = { X, ...Object.fromEntries(names.map((name) => [name, { allOf: [ref('X'), kind(name)] }])) }

  const model = modelOf(everywhere, { components: { schemas } })
  const schema = schemaOf(ref('X'), schemas)
  expect(schema.variants).toHaveLength(1_000)
  expect(fits(schema, { id: 'a', kind: 'D3999' })).toBe(true)
  expect(fits(schema, { id: 7, kind: 'D3999' })).toBe(false)
  expect(model.warnings).toContain(
    '/components/schemas/X has more than 1,000 alternatives; the first 1,000 are read, and what fits none of them is taken to fit.',
  )
})
