import { isJsonObject, type Json } from '../../protocol/json.ts'
import type { FieldPath } from '../openapi/schema.ts'

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
