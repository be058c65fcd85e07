import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'

const pet = (ref: string, mapping?: Record<string, string>, more: object = {}) => ({
  type: 'object',
  required: ['kind'],
  properties: { id: { type: 'integer', readOnly: true }, kind: { type: 'string', ...more } },
  discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
  'x-place': ref,
})
const child = (parent: string, field: string, more: object = {}) => ({
  allOf: [{ $ref: parent }, { type: 'object', required: [field], properties: { [field]: { type: 'boolean' } } }],
  ...more,
})
const components = '#/components/schemas/'
const inOne = (mapping?: Record<string, string>, more: object = {}) => ({
  Pet: pet('here', mapping, more),
  Cat: child(`${components}Pet`, 'purr'),
  Dog: child(`${components}Pet`, 'bark'),
})
const definitions = (mapping?: Record<string, string>) => ({
  definitions: {
    Pet: pet('there', mapping),
    Cat: child('#/definitions/Pet', 'purr'),
    Dog: child('#/definitions/Pet', 'bark'),
  },
})

const openapi = (schemas: object, ref = `${components}Pet`) => {
  const content = { 'application/json': { schema: { $ref: ref } } }
  const all = { 'application/json': { schema: { type: 'array', items: { $ref: ref } } } }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  return {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': {
        get: { responses: { 200: { description: 'ok', content: all } } },
        post: { requestBody: { required: true, content }, responses: { 201: { description: 'ok', content } } },
      },
      '/pets/{id}': { get: { parameters: [id], responses: { 200: { description: 'ok', content } } } },
    },
    components: { schemas },
  }
}

const alone = {
  allOf: [
    { $ref: 'models.json#/definitions/Pet' },
    { type: 'object', required: ['purr'], properties: { purr: { type: 'boolean' } } },
  ],
}

it.each<[what: string, files: Record<string, object>, kinds: [cat: string, dog: string]]>([
  ['children without a mapping', { 'openapi.json': openapi(inOne()) }, ['Cat', 'Dog']],
  [
    'a mapping of references',
    { 'openapi.json': openapi(inOne({ cat: `${components}Cat`, dog: `${components}Dog` })) },
    ['cat', 'dog'],
  ],
  ['a mapping of names', { 'openapi.json': openapi(inOne({ cat: 'Cat', dog: 'Dog' })) }, ['cat', 'dog']],
  [
    'a child of a child',
    { 'openapi.json': openapi({ ...inOne(), Dog: child(`${components}Cat`, 'bark') }) },
    ['Cat', 'Dog'],
  ],
  [
    'values of Microsoft',
    {
      'openapi.json': openapi({
        Pet: pet('here'),
        Cat: child(`${components}Pet`, 'purr', { 'x-ms-discriminator-value': 'c' }),
        Dog: child(`${components}Pet`, 'bark', { 'x-ms-discriminator-value': 'd' }),
      }),
    },
    ['c', 'd'],
  ],
  [
    'a mapping within another file',
    {
      'openapi.json': openapi({}, 'models.json#/definitions/Pet'),
      'models.json': definitions({ cat: '#/definitions/Cat', dog: '#/definitions/Dog' }),
    },
    ['cat', 'dog'],
  ],
  [
    'a mapping by the name of the file',
    {
      'openapi.json': openapi({}, 'models.json#/definitions/Pet'),
      'models.json': definitions({ cat: './models.json#/definitions/Cat', dog: 'models.json#/definitions/Dog' }),
    },
    ['cat', 'dog'],
  ],
  [
    'a mapping of names within another file',
    {
      'openapi.json': openapi({}, 'models.json#/definitions/Pet'),
      'models.json': definitions({ cat: 'Cat', dog: 'Dog' }),
    },
    ['cat', 'dog'],
  ],
  [
    'children without a mapping in another file',
    { 'openapi.json': openapi({}, 'models.json#/definitions/Pet'), 'models.json': definitions() },
    ['Cat', 'Dog'],
  ],
  [
    'a mapping to a file that nothing else names',
    {
      'openapi.json': openapi({}, 'models.json#/definitions/Pet'),
      'models.json': definitions({ cat: 'cat.json', dog: '#/definitions/Dog' }),
      'cat.json': alone,
    },
    ['cat', 'dog'],
  ],
])('%s: children keep their fields', async (_, files, [cat, dog]) => {
  const folder = await mkdtemp(join(tmpdir(), 'discriminators-'))
  for (const [name, value] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(value))
  await using api = await createSimulation({ spec: join(folder, 'openapi.json') }, { behaviour: [] })
  await rm(folder, { recursive: true })
  type Pet = Record<string, unknown>
  const post = (body: object) => api.fetch('/pets', { method: 'POST', body: JSON.stringify(body) })

  const generated = (await (await api.fetch('/pets')).json()) as Pet[]
  const made = (await (await post({ kind: cat, purr: true })).json()) as Pet
  const read = await (await api.fetch(`/pets/${made.id}`)).json()
  const wrong = await post({ kind: cat, purr: 'loud' })

  expect(new Set(generated.map(({ kind }) => kind))).toEqual(new Set([cat, dog]))
  expect(generated.every((one) => (one.kind === cat ? 'purr' : 'bark') in one)).toBe(true)
  expect([made, read]).toMatchObject([
    { kind: cat, purr: true },
    { kind: cat, purr: true },
  ])
  expect(wrong.status).toBe(400)
})

it('takes another word for a child where no mapping says them', async () => {
  await using api = await createSimulation({ spec: openapi(inOne()) }, { behaviour: [] })

  const made = await api.fetch('/pets', { method: 'POST', body: '{"kind":"bird"}' })

  expect([made.status, await made.json()]).toMatchObject([201, { kind: 'bird' }])
})
