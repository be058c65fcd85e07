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
