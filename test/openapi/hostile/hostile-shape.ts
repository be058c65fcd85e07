import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'

/** The text of a description that costs much more than its size says. `size` is how often the shape repeats itself. */
export type HostileShape = (size: number, seed: number) => string

/** Shapes by name, with the sizes that are tried. */
export type HostileShapes = Readonly<
  Record<string, { readonly sizes: readonly number[]; readonly write: HostileShape }>
>

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
export const named = <T>(count: number, name: string, make: (at: number) => T): Record<string, T> =>
  Object.fromEntries(times(count, (at) => [`${name}${at}`, make(at)]))

/** A list, a read, a creation, an update and a document, all of the component X. */
export function about(schemas: Record<string, JsonObject>, rest: JsonObject = {}): string {
  const list = { type: 'array', items: ref('X') }
  const paths: JsonObject = {
    '/things': { get: answers(list), post: { ...takes(ref('X')), ...answers(ref('X')) } },
    '/things/{id}': {
      get: answers(ref('X')),
      patch: { ...takes(ref('X')), ...answers(ref('X')) },
      delete: { responses: { 204: { description: 'gone' }, 400: answers(ref('X')).responses as JsonObject } },
    },
    '/account': { get: answers(ref('X')), put: { ...takes(ref('X')), ...answers(ref('X')) } },
    '/compute': { post: { ...takes(ref('X')), ...answers(object({ result: ref('X') })) } },
  }
  return JSON.stringify(describeApi(paths, { components: { schemas }, ...rest } as JsonObject))
}

export const thing = (properties: Record<string, JsonObject | string>, rest: JsonObject = {}): JsonObject =>
  object({ id: 'string', ...properties }, { required: ['id', ...Object.keys(properties)], ...rest })

/** `size` schemas, each of which is made of the next; the last is a text. */
function tower(size: number, level: (next: JsonObject, at: number) => JsonObject): Record<string, JsonObject> {
  const schemas: Record<string, JsonObject> = { [`L${size}`]: { type: 'string' } }
  for (let at = 0; at < size; at++) schemas[`L${at}`] = level(ref(`L${at + 1}`), at)
  return schemas
}

export const towerOf =
  (level: (next: JsonObject, at: number) => JsonObject): HostileShape =>
  (size) =>
    about({ X: thing({ value: ref('L0') }), ...tower(size, level) })

/** The same with the schemas written inside each other. */
export const nestedOf =
  (level: (next: JsonObject, at: number) => JsonObject): HostileShape =>
  (size) => {
    let schema: JsonObject = { type: 'string' }
    for (let at = 0; at < size; at++) schema = level(schema, at)
    return about({ X: thing({ value: schema }) })
  }

export const both = (next: JsonObject): JsonObject => object({ a: next, b: next }, { required: ['a', 'b'] })

/** `paths` beside plain ones, all over one schema `X` of 500 references. */
export function overSharedSchema(paths: object): string {
  const schemas = {
    X: thing(named(500, 'ref_', (at) => ref(`S${at}`))),
    ...named(500, 'S', () => both({ type: 'string' })),
  }
  const plain = JSON.parse(about({ X: schemas.X as JsonObject })).paths as JsonObject
  return JSON.stringify(describeApi({ ...plain, ...paths }, { components: { schemas } } as JsonObject))
}
