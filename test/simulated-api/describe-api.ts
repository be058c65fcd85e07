import type { JsonObject } from '../../src/protocol/json.ts'

type Schemas = Readonly<Record<string, JsonObject>>

/** A description of 3.0 with the given paths; `$Name` anywhere stands for a reference to that schema. */
export function describeApi(paths: JsonObject, schemas: Schemas = {}, more: JsonObject = {}): JsonObject {
  return withReferences({
    openapi: '3.0.3',
    info: { title: 'Style', version: '1' },
    paths,
    ...more,
    components: { ...(more.components as JsonObject), schemas },
  }) as JsonObject
}

function withReferences(value: unknown): unknown {
  if (typeof value === 'string' && /^\$[A-Z]\w*$/.test(value)) return { $ref: `#/components/schemas/${value.slice(1)}` }
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withReferences(item)]))
}

export const string = (more: JsonObject = {}): JsonObject => ({ type: 'string', ...more })
export const integer = (more: JsonObject = {}): JsonObject => ({ type: 'integer', ...more })
export const boolean: JsonObject = { type: 'boolean' }
export const list = (items: unknown): JsonObject => ({ type: 'array', items: items as JsonObject })
export const object = (properties: Record<string, unknown>, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  ...(required.length > 0 && { required: [...required] }),
  properties: properties as JsonObject,
})
export const query = (name: string, schema: JsonObject = string()): JsonObject => ({ name, in: 'query', schema })
export const path = (name: string, schema: JsonObject = string()): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema,
})
export const body = (schema: unknown, mediaType = 'application/json'): JsonObject => ({
  required: true,
  content: { [mediaType]: { schema: schema as JsonObject } },
})
export const answers = (schema: unknown, status = 200, more: JsonObject = {}): JsonObject => ({
  [status]: { description: 'ok', content: { 'application/json': { schema: schema as JsonObject } }, ...more },
})
export const empty = (status = 204): JsonObject => ({ [status]: { description: 'empty' } })
