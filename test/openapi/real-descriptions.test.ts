import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createStatefulTest } from '../../bench/fidelity/stateful.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { hasDescriptions, installedDescription, realDescriptions } from '../descriptions.ts'

/** Each is read once, for all tests. */
const models = new Map<string, Promise<ApiModel>>()

function load(path: string): Promise<ApiModel> {
  const model = models.get(path) ?? read(path)
  models.set(path, model)
  return model
}

async function read(path: string): Promise<ApiModel> {
  return readDescription(await parseDescription(readFileSync(path, 'utf8')))
}

it('reads all real descriptions, most of their operations statefully', async () => {
  const all = await Promise.all(realDescriptions.map(([, path]) => load(path)))

  const operations = all.reduce((sum, model) => sum + model.operations.length, 0)
  const stateful = all.reduce((sum, model) => sum + model.operations.filter(createStatefulTest(model)).length, 0)
  expect(operations).toBe(hasDescriptions ? 4120 : 310)
  expect(stateful / operations).toBeGreaterThanOrEqual(0.88)
})

it.each(realDescriptions)('%s holds together: names are unique, and effects name what there is', async (_, path) => {
  const model = await load(path)

  const names = [...model.collections, ...model.singletons].map(({ name }) => name)
  const ids = model.operations.map(({ id }) => id)
  const known = new Set(names)
  const strangers = model.operations.flatMap(({ effect, id }) => {
    const named = 'collection' in effect ? [effect.collection] : 'singleton' in effect ? [effect.singleton] : []
    const scope = 'scope' in effect ? effect.scope.flatMap(({ collection }) => collection ?? []) : []
    return [...named, ...scope].filter((name) => !known.has(name)).map((name) => `${id}: ${name}`)
  })
  const parents = model.collections.flatMap(({ parent }) => parent?.collection ?? [])
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(ids).size).toBe(ids.length)
  expect(strangers).toEqual([])
  expect(parents.filter((name) => !known.has(name))).toEqual([])
})

it('infers for petstore pets, orders and users with the keys that its paths name', async () => {
  const { collections } = await load(installedDescription('3.0/json/petstore.json'))

  expect(collections.map(({ name, id, statusField }) => [name, id.field, statusField])).toEqual([
    ['pet', ['id'], ['status']],
    ['order', ['id'], ['status']],
    ['user', ['username'], null],
  ])
})
