import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { LazySchema } from '../../src/service/openapi/schemas/lazy-schema.ts'
import { toModelDocument } from '../../src/service/openapi/write-model.ts'
import { realDescriptions } from '../descriptions.ts'
import { createCore, requestOf, run, START } from '../simulation/core-session.ts'
import { answers, describeApi, list, object } from './describe-api.ts'
import { parseModelDocument } from './parse-model-document.ts'

const LIBRARY = new URL('../../library/', import.meta.url).pathname
const files = [...globSync(`${LIBRARY}*/openapi.{json,yaml}`), ...realDescriptions.map(([, path]) => path)]

describe('a model that is written and read back', () => {
  it.each(files)('is the same, and answers the same: %s', async (file) => {
    const description = await parseDescription(readFileSync(file, 'utf8'))
    const model = readDescription(description)

    const read = readBack(model, description)

    expect(new Comparison().differences(model, read)).toEqual([])
    expect(answersOf(read)).toEqual(answersOf(model))
  })
})

describe('a model document that anyone may have written', () => {
  const task = { $ref: '#/components/schemas/Task' }
  const description = describeApi(
    { '/tasks/{id}': { get: answers(task) }, '/tasks': { get: answers(list(task)) } },
    { components: { schemas: { Task: object({ id: 'string', status: 'string' }) } } },
  )
  const document = JSON.stringify(toModelDocument(readDescription(description)))
  const changed = (written: string, other: string) => {
    expect(document).toContain(written)
    return () => parseModelDocument(JSON.parse(document.replaceAll(written, other)), description)
  }

  it.each([
    ['"format":1', '"format":2', 'Expected `format` to be `1`, got 2.'],
    ['"kind":"read"', '"kind":"reads"', 'to be one of `list`'],
    ['"upsert":false', '"upsert":0', 'upsert` to be a boolean, got 0.'],
    ['"firstPage":', '"first":0,"firstPage":', 'to have no field "first", got one.'],
    ['"GET /tasks/{id}"', '"GET /tasks/{key}"', 'its operation `GET /tasks/{key}` is not in the description'],
    ['schemas/Task"', 'schemas/Tusk"', 'it refers to `#/components/schemas/Tusk`, where there is no schema'],
    ['"collection":"tasks"', '"collection":"task"', 'names `task`, which is neither under `collections`'],
  ])('is refused where %s is %s', (written, other, message) => {
    expect(changed(written, other)).toThrow(message)
  })

  it.each([[null], [[]], ['{}'], [{}]])('is refused where it is %j', (value) => {
    expect(() => parseModelDocument(value, description)).toThrow('Expected')
  })
})

/** The model after a journey through text. */
function readBack(model: ApiModel, description: JsonObject): ApiModel {
  return parseModelDocument(JSON.parse(JSON.stringify(toModelDocument(model))), structuredClone(description))
}

/** The answers to requests for most kinds of operations. */
function answersOf(model: ApiModel): unknown[] {
  const core = createCore({ of: model, volume: {}, plan: { rules: [] } })
  const operations = model.operations.filter((_, at) => at % Math.ceil(model.operations.length / 25) === 0)
  return operations.map(({ method, segments, effect }, at) => {
    const key = 'collection' in effect ? core.world.collection(effect.collection).pickKey(7) : undefined
    const path = segments.map((one) => (one.kind === 'static' ? one.text : (key ?? 'x')))
    const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'New', status: 'active' }
    // As JSON: the plan of a stream has a function.
    return JSON.parse(JSON.stringify(run(core, requestOf(START + at, { method, path: `/${path.join('/')}`, body }))))
  })
}

const SCHEMA_FIELDS = [
  'name,types,nullable,nullableByLetter,isContradictory,enum,format,pattern,minLength,maxLength,minimum,maximum',
  'exclusiveMinimum,exclusiveMaximum,multipleOf,properties,required,additionalProperties,propertyNames',
  'minProperties,maxProperties,items,places,rest,minItems,maxItems,uniqueItems,variants,hasMoreVariants',
  'variantRule,discriminator,readOnly,writeOnly,example,default,title,description',
].flatMap((names) => names.split(',') as (keyof Schema)[])

const OPERATION_FIELDS = [
  'id',
  'method',
  'path',
  'segments',
  'summary',
  'parameters',
  'requestBody',
  'responses',
  'success',
  'security',
  'effect',
  'reason',
] as const satisfies (keyof Operation)[]

/** Most schemas that are compared of one model. */
const MOST_SCHEMAS = 20_000

/** Compares models by what can be seen of them: one schema that stands in one of them is one schema in the other. */
class Comparison {
  readonly #found: string[] = []
  readonly #pairs = new Map<Schema, Set<Schema>>()
  readonly #standing = new Set<Schema>()
  readonly #open: [Schema, Schema, string][] = []

  differences(left: ApiModel, right: ApiModel): string[] {
    const { reader: _, ...mine } = left
    const { reader: __, ...others } = right
    this.#compare(mine, others, '')
    for (const schema of this.#pairs.keys()) this.#standing.add(schema)
    for (let at = 0; at < Math.min(this.#open.length, MOST_SCHEMAS); at++) {
      const [schema, other, place] = this.#open[at] as [Schema, Schema, string]
      for (const field of SCHEMA_FIELDS) this.#compare(schema[field], other[field], `${place}/${field}`)
    }
    return this.#found.slice(0, 10)
  }

  #compare(left: unknown, right: unknown, place: string): void {
    if (left === right || typeof left === 'function') return
    if (left instanceof LazySchema && right instanceof LazySchema) this.#pair(left, right, place)
    else if (isObject(left) && isObject(right)) this.#compareFields(entriesOf(left), entriesOf(right), place)
    else this.#found.push(`${place}: ${JSON.stringify(left)} is ${JSON.stringify(right)}`)
  }

  #compareFields(mine: Map<string, unknown>, others: Map<string, unknown>, place: string): void {
    if ([...mine.keys()].join() !== [...others.keys()].join())
      this.#found.push(`${place}: ${[...mine.keys()]} are ${[...others.keys()]}`)
    else for (const [name, value] of mine) this.#compare(value, others.get(name), `${place}/${name}`)
  }

  #pair(left: Schema, right: Schema, place: string): void {
    const known = this.#pairs.get(left) ?? new Set()
    if (known.has(right)) return
    if (known.size > 0 && (this.#standing.size === 0 || this.#standing.has(left)))
      this.#found.push(`${place}: one schema became two`)
    this.#pairs.set(left, known.add(right))
    this.#open.push([left, right, place])
  }
}

/** The fields of an operation, of which the read one computes some. */
const operationFields = (operation: Operation): Map<string, unknown> =>
  new Map(OPERATION_FIELDS.map((name) => [name, operation[name]]))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The entries of a map, a set, a list or an object, but undefined ones. Those of objects are in the order of their names. */
function entriesOf(value: object): Map<string, unknown> {
  if (value instanceof Map) return value
  if ('effect' in value && 'success' in value) return operationFields(value as Operation)
  if (value instanceof Set) return new Map([...value].map((item) => [String(item), item]))
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return new Map(Array.isArray(value) ? entries : entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
