import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { readDescription } from '../../../src/service/openapi/read-description.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, TEXT } from './resource.ts'

const simulation = simulations()

const ok = (schema: JsonObject): JsonObject => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})
const param = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: TEXT })

/** Records with a list of texts, whose items have paths of their own. */
function describe(plural: string, list: string, lines: (item: string) => JsonObject): JsonObject {
  const texts: JsonObject = { type: 'array', items: TEXT }
  const shown = ok({ type: 'object', required: [list], properties: { [list]: texts } })
  const described = describeResources({ [plural]: { fields: { name: TEXT, [list]: texts } } })
  const item = `/${plural}/{id}/${list}/{word}`
  return {
    ...described,
    'x-backlot': { operations: { [`GET /${plural}/{id}/${list}`]: { read: plural }, ...lines(item) } },
    paths: {
      ...(described.paths as JsonObject),
      [`/${plural}/{id}/${list}`]: { get: { ...shown, parameters: [param('id')] } },
      [item]: { parameters: [param('id'), param('word')], put: shown, delete: shown },
    },
  }
}

it.each([
  ['recipes', 'labels'],
  ['channels', 'topics'],
  ['players', 'badges'],
])('model.yaml adds to a list of %s, and removes from it', async (plural, list) => {
  const lines = (item: string) => ({
    [`PUT ${item}`]: { act: plural, add: { [list]: 'path.word' } },
    [`DELETE ${item}`]: { act: plural, remove: { [list]: 'path.word' } },
  })
  const call = await simulation.of(describe(plural, list, lines))
  const { body } = await call(`POST /${plural}`, { name: 'a', [list]: ['old'] })
  const path = `/${plural}/${body.id}/${list}`

  const once = await call(`PUT ${path}/new`)
  await call(`PUT ${path}/new`)
  const both = await call(`GET ${path}`)
  await call(`DELETE ${path}/old`)

  expect([once.body, both.body]).toEqual([{ [list]: ['old', 'new'] }, { [list]: ['old', 'new'] }])
  expect((await call(`GET /${plural}/${body.id}`)).body[list]).toEqual(['new'])
})

it('names lines about lists that are none', () => {
  const lines = (item: string) => ({
    [`PUT ${item}`]: { act: 'recipes', add: { name: 'path.word' } },
    [`DELETE ${item}`]: { act: 'recipes', remove: { lables: 'path.wrod' } },
  })

  const read = () => readDescription(describe('recipes', 'labels', lines))

  expect(read).toThrow('add > name: Expected `name` to be a list, got string.')
  expect(read).toThrow('remove > lables: recipes have no field "lables". Did you mean "labels"?')
  expect(read).toThrow('remove > lables: the path has no parameter "wrod". Did you mean "word"?')
})
