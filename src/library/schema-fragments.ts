/** Fragments of JSON Schema that the built-in descriptions are written with. */
import type { Json, JsonObject } from '../protocol/json.ts'

/** A string; `examples` are the words that its values are drawn from. */
export function text(description: string, examples: string[] = [], bounds: JsonObject = {}): JsonObject {
  return { type: 'string', description, minLength: 1, ...(examples.length > 0 && { examples }), ...bounds }
}

/** A string of one of these formats. */
export function formatted(
  format: 'uuid' | 'email' | 'uri' | 'date' | 'date-time' | 'hostname',
  description: string,
): JsonObject {
  return { type: 'string', format, description }
}

/** A string of which only these values are allowed. */
export function choice(description: string, values: string[]): JsonObject {
  return { type: 'string', enum: values, description }
}

export function integer(description: string, minimum: number, maximum: number): JsonObject {
  return { type: 'integer', minimum, maximum, description }
}

export function flag(description: string): JsonObject {
  return { type: 'boolean', description }
}

/** An amount of money in the currency's smallest unit: 1999 is 19.99 in EUR. */
export function minorUnits(description: string, maximum: number, minimum = 0): JsonObject {
  return { type: 'integer', format: 'int64', minimum, maximum, description: `${description}, in minor units` }
}

export function listOf(items: JsonObject, description: string, bounds: JsonObject = {}): JsonObject {
  return { type: 'array', items, description, ...bounds }
}

/** An object whose properties are all required, but for those named in `optional`. */
export function object(properties: JsonObject, description?: string, optional: string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', ...(description && { description }), required, properties }
}

/** The same schema, which also allows null. */
export function nullable(schema: JsonObject): JsonObject {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const values = schema.enum
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}

/** The same schema; a record that is created without the property gets `value`. */
export function withDefault(schema: JsonObject, value: Json): JsonObject {
  return { ...schema, default: value }
}

/** When a record reached a status; null before that. Only the service sets it. */
export function momentOf(description: string): JsonObject {
  return readOnly(withDefault(nullable(formatted('date-time', description)), null))
}

/** The same schema, for a property that only the service sets. */
export function readOnly(schema: JsonObject): JsonObject {
  return { ...schema, readOnly: true }
}

/** A reference to a component: `schemas/Task`, `parameters/Limit`. */
export function component(path: string): JsonObject {
  return { $ref: `#/components/${path}` }
}

/**
 * The three schemas of a record: `Task` as it is read, `NewTask` as it is created (with `required`), `TaskChanges` as it is
 * updated. Read-only properties are in the first alone.
 */
export function recordSchemas(
  name: string,
  { description, properties, required }: { description: string; properties: JsonObject; required: string[] },
): JsonObject {
  const writable = Object.fromEntries(Object.entries(properties).filter(([, schema]) => !isReadOnly(schema)))
  return {
    [name]: object(properties, description),
    [`New${name}`]: { type: 'object', required, properties: writable },
    [`${name}Changes`]: { type: 'object', minProperties: 1, properties: writable },
  }
}

function isReadOnly(schema: Json): boolean {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) && schema.readOnly === true
}
