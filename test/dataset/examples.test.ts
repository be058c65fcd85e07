import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'

const text = { type: 'string' }
const int = { type: 'integer' }
const health = { type: 'object', properties: { status: text, uptime: int } }
const shown = { status: 'UP', uptime: 7 }
const json = (media: JsonObject, type = 'application/json'): JsonObject => ({
  responses: { 200: { description: 'ok', content: { [type]: media } } },
})
const fields = (properties: JsonObject): JsonObject => json({ schema: { type: 'object', properties } })

it.each<[what: string, get: JsonObject, document: Json]>([
  ['of a media type', json({ schema: health, example: shown }), shown],
  [
    'the first of several',
    json({ schema: health, examples: { up: { value: shown }, down: { value: { status: 'DOWN' } } } }),
    shown,
  ],
  ['that is referred to', json({ schema: health, examples: { up: { $ref: '#/components/examples/Up' } } }), shown],
  ['of JSON of a vendor', json({ schema: health, example: shown }, 'application/vnd.acme+json'), shown],
  ['of a schema', json({ schema: { ...health, example: shown } }), shown],
  ['of a schema of 3.1', json({ schema: { ...health, examples: [shown] } }), shown],
  ['of a schema that is referred to', json({ schema: { $ref: '#/components/schemas/Health' } }), shown],
  [
    'of a media type before that of the schema',
    json({ schema: { ...health, example: { status: 'DOWN' } }, example: shown }),
    shown,
  ],
  [
    'of numbers',
    fields({ amount: { ...int, example: 1999 }, rate: { type: 'number', example: 0.25 } }),
    { amount: 1999, rate: 0.25 },
  ],
  [
    'of texts and lists',
    fields({ code: { ...text, example: 'ABC' }, list: { type: 'array', items: text, example: ['a', 'b'] } }),
    { code: 'ABC', list: ['a', 'b'] },
  ],
  [
    'of fields within an object',
    fields({ limits: { type: 'object', properties: { most: { ...int, example: 5 } } } }),
    { limits: { most: 5 } },
  ],
  [
    'that does not fit, which is ignored',
    json({
      schema: { type: 'object', properties: { n: { ...int, minimum: 1, maximum: 1 } }, required: ['n'] },
      example: { n: 'one' },
    }),
    { n: 1 },
  ],
])('a document begins as the example %s', async (_, get, document) => {
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Examples', version: '1' },
    paths: { '/health': { get } },
    components: { examples: { Up: { value: shown } }, schemas: { Health: { ...health, example: shown } } },
  }
  await using api = await createSimulation({ spec }, { behaviour: [] })

  expect(await (await api.fetch('/health')).json()).toEqual(document)
})

it('changes a document from its example', async () => {
  const patch = { requestBody: { content: { 'application/json': { schema: health } } }, ...json({ schema: health }) }
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Examples', version: '1' },
    paths: { '/health': { get: json({ schema: health, example: shown }), patch } },
  }
  await using api = await createSimulation({ spec }, { behaviour: [] })

  await api.fetch('/health', { method: 'PATCH', body: '{"status":"DOWN"}' })

  expect(await (await api.fetch('/health')).json()).toEqual({ status: 'DOWN', uptime: 7 })
})

const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: int, name: text, weight: { type: 'number' }, ownerId: int, tags: { type: 'array', items: text } },
}
const rex = { id: 42, name: 'Rex', weight: 12.5, tags: ['brown'] }

/** A description of pets with their owners. */
const petsWith = ({
  list = {},
  read = {},
  schema = pet,
  key = {},
}: Record<string, JsonObject>): { spec: JsonObject } => ({
  spec: {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': { get: json({ schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } }, ...list }) },
      '/pets/{id}': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: int, ...key }],
        get: json({ schema: { $ref: '#/components/schemas/Pet' }, ...read }),
      },
      '/owners': { get: json({ schema: { type: 'array', items: { $ref: '#/components/schemas/Owner' } } }) },
      '/owners/{id}': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: int }],
        get: json({ schema: { $ref: '#/components/schemas/Owner' } }),
      },
    },
    components: {
      examples: { Rex: { value: rex } },
      schemas: { Pet: schema, Owner: { type: 'object', properties: { id: { ...int, example: 7 }, name: text } } },
    },
  },
})

it.each<[where: string, parts: Record<string, JsonObject>, first: JsonObject]>([
  ['the answer with one record', { read: { example: rex } }, rex],
  [
    'the first of several',
    { read: { examples: { rex: { value: rex }, tom: { value: { ...rex, name: 'Tom' } } } } },
    rex,
  ],
  ['an example that is referred to', { read: { examples: { rex: { $ref: '#/components/examples/Rex' } } } }, rex],
  ['the answer with a list', { list: { example: [rex] } }, rex],
  ['both, of one record', { list: { example: [{ id: 42, name: 'R' }] }, read: { example: rex } }, rex],
  ['the schema', { schema: { ...pet, example: rex } }, rex],
  ['the schema, in 3.1', { schema: { ...pet, examples: [rex] } }, rex],
  [
    'the fields',
    {
      schema: {
        ...pet,
        properties: { ...pet.properties, id: { ...int, example: 5 }, name: { ...text, example: 'Tom' } },
      },
    },
    { id: 5, name: 'Tom' },
  ],
  ['the parameter of the path', { key: { example: 9 } }, { id: 9 }],
  ['the schema of that parameter', { key: { schema: { ...int, example: 9 } } }, { id: 9 }],
  [
    'fields that fit, of an example that does not',
    { read: { example: { ...rex, weight: 'heavy' } } },
    { id: 42, name: 'Rex' },
  ],
  ['a reference to another example', { read: { example: { ...rex, ownerId: 7 } } }, { ...rex, ownerId: 7 }],
])('the first record is the example of %s', async (_, parts, first) => {
  await using api = await createSimulation(petsWith(parts), { behaviour: [] })

  const pets = (await (await api.fetch('/pets')).json()) as JsonObject[]
  const one = await (await api.fetch(`/pets/${first.id}`)).json()

  expect(pets[0]).toMatchObject(first)
  expect(one).toEqual(pets[0])
})

it('refers to no record that is not there', async () => {
  await using api = await createSimulation(petsWith({ read: { example: { ...rex, ownerId: 123456 } } }), {
    behaviour: [],
  })

  const [first] = (await (await api.fetch('/pets')).json()) as JsonObject[]
  const owners = (await (await api.fetch('/owners')).json()) as JsonObject[]

  expect(first?.id).toBe(42)
  expect(owners.map(({ id }) => id)).toContain(first?.ownerId)
})

it('counts examples as generated records, after those of the test', async () => {
  const options = {
    behaviour: [],
    volume: { pets: 3 },
    seedRecords: {
      pets: [
        { id: 42, name: 'Own' },
        { id: 1, name: 'A' },
      ],
    },
  }
  await using api = await createSimulation(petsWith({ list: { example: [rex, { id: 43, name: 'Tom' }] } }), options)

  const pets = (await (await api.fetch('/pets')).json()) as JsonObject[]

  expect(pets.map(({ name }) => name).slice(0, 3)).toEqual(['Own', 'A', 'Tom'])
  expect(pets).toHaveLength(5)
})

it('uses no example with `examples: false`', async () => {
  const { spec } = petsWith({ read: { example: rex } })
  const paths = { ...Object(spec.paths), '/health': { get: json({ schema: health, example: shown }) } }
  await using api = await createSimulation({ spec: { ...spec, paths } }, { behaviour: [], examples: false })

  const pet42 = await api.fetch('/pets/42')
  const document = await (await api.fetch('/health')).json()

  expect(pet42.status).toBe(404)
  expect(document).not.toEqual(shown)
})
