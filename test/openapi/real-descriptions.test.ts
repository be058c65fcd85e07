import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createStatefulTest } from '../../src/service/openapi/inspect-model.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { DESCRIPTIONS, hasDescriptions } from '../descriptions.ts'

const files = hasDescriptions ? readdirSync(DESCRIPTIONS).filter((file) => /\.(json|ya?ml)$/.test(file)) : []

/** Each is read once, for all tests. */
const models = new Map<string, Promise<ApiModel>>()

function load(file: string): Promise<ApiModel> {
  const model = models.get(file) ?? read(file)
  models.set(file, model)
  return model
}

async function read(file: string): Promise<ApiModel> {
  return readDescription(await parseDescription(readFileSync(join(DESCRIPTIONS, file), 'utf8')))
}

describe.skipIf(!hasDescriptions)('real descriptions', () => {
  it('are all read, most of their operations statefully', async () => {
    const all = await Promise.all(files.map(load))

    const operations = all.reduce((sum, model) => sum + model.operations.length, 0)
    const stateful = all.reduce((sum, model) => sum + model.operations.filter(createStatefulTest(model)).length, 0)
    expect(all).toHaveLength(files.length)
    expect(operations).toBe(3749)
    expect(stateful / operations).toBeGreaterThanOrEqual(0.88)
  })

  it.each(files)('%s holds together: names are unique, and effects name what there is', async (file) => {
    const model = await load(file)

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

  it('petstore has pets, orders and users with the keys that its paths name', async () => {
    const { collections } = await load('petstore3.yaml')

    expect(collections.map(({ name, id, statusField }) => [name, id.field, statusField])).toEqual([
      ['pet', ['id'], ['status']],
      ['order', ['id'], ['status']],
      ['user', ['username'], null],
    ])
  })
})
