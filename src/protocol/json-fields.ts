import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** The value at `field`, or undefined where the record has none. Arrays on the way are not entered. */
export function readField(record: Json | undefined, field: readonly string[]): Json | undefined {
  let value: Json | undefined = record
  for (let at = 0; at < field.length; at++) {
    if (!isJsonObject(value)) return undefined
    value = ownValue(value, field[at] as string)
  }
  return value
}

/**
 * Inherited properties are functions, `__proto__` aside, and no JSON value is a function: that is cheaper to check than
 * `Object.hasOwn`.
 */
function ownValue(object: JsonObject, name: string): Json | undefined {
  const value = object[name]
  const mayBeInherited = typeof value === 'function' || name === '__proto__'
  return mayBeInherited && !Object.hasOwn(object, name) ? undefined : value
}

/** A copy of `record` with `value` at `field`; objects on the way are copied, missing ones made. */
export function writeField(record: JsonObject, field: readonly string[], value: Json): JsonObject {
  const name = field[0]
  if (name === undefined) return record
  if (field.length === 1) return { ...record, [name]: value }
  const rest = field.slice(1)
  const below = record[name]
  return { ...record, [name]: writeField(isJsonObject(below) ? below : {}, rest, value) }
}

/** A copy of `record` without the value at `field`. */
export function removeField(record: JsonObject, field: readonly string[]): JsonObject {
  const [name, ...rest] = field
  if (name === undefined) return record
  const { [name]: below, ...others } = record
  return rest.length > 0 && isJsonObject(below) ? { ...record, [name]: removeField(below, rest) } : others
}
