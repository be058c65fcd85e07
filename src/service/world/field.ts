import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { FieldPath } from '../openapi/schema.ts'

/** The value at `field`, or undefined where the record has none. Arrays on the way are not entered. */
export function readField(record: JsonObject, field: FieldPath): Json | undefined {
  let value: Json | undefined = record
  for (let at = 0; at < field.length; at++) {
    if (!isJsonObject(value)) return undefined
    value = ownValue(value, field[at] as string)
  }
  return value
}

/** What every object inherits is a function, `__proto__` aside, and no value of JSON is one: cheaper to tell than by asking. */
function ownValue(object: JsonObject, name: string): Json | undefined {
  const value = object[name]
  const mayBeInherited = typeof value === 'function' || name === '__proto__'
  return mayBeInherited && !Object.hasOwn(object, name) ? undefined : value
}

/** A copy of `record` with `value` at `field`; objects on the way are copied, missing ones made. */
export function writeField(record: JsonObject, field: FieldPath, value: Json): JsonObject {
  const name = field[0]
  if (name === undefined) return record
  if (field.length === 1) return { ...record, [name]: value }
  const rest = field.slice(1)
  const below = record[name]
  return { ...record, [name]: writeField(isJsonObject(below) ? below : {}, rest, value) }
}

/** A copy of `record` without what stands at `field`. */
export function removeField(record: JsonObject, field: FieldPath): JsonObject {
  const [name, ...rest] = field
  if (name === undefined) return record
  const { [name]: below, ...others } = record
  return rest.length > 0 && isJsonObject(below) ? { ...record, [name]: removeField(below, rest) } : others
}

/** A dotted name as it is written on the wire (`metadata.name`), as a path. */
export const toFieldPath = (dotted: string): FieldPath => dotted.split('.')

/** The value at `field` as a key: ids and names as text, an embedded object by its own id. */
export function keyIn(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isJsonObject(value)) return keyIn(value.id ?? value.gid ?? value.uuid ?? value.sid ?? value.key)
  return undefined
}

/** Whether a field refers to `key`: by itself, by an embedded object's id, or by one item of an array of either. */
export function refersTo(value: Json | undefined, key: string): boolean {
  return Array.isArray(value) ? value.some((item) => keyIn(item) === key) : keyIn(value) === key
}
