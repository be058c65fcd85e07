import { isJsonObject, type Json, type JsonObject, setOwn } from '../../protocol/json.ts'
import type { FieldPath } from '../openapi/schema.ts'

/** The value at `path` below `value`. */
export function descend(value: Json | undefined, path: FieldPath): Json | undefined {
  let found = value
  for (const name of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return undefined
    found = found[name]
  }
  return found
}

/** Keeps what a client sent beyond the schema. */
export function addMissing(object: JsonObject, given: JsonObject): void {
  for (const name in given) if (!Object.hasOwn(object, name)) setOwn(object, name, given[name] as Json)
}

/** A copy of `record` with `value` at `path`. */
export function writeAt(record: JsonObject, path: FieldPath, value: Json): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return record
  const copy = { ...record }
  const inner = record[name]
  setOwn(copy, name, rest.length === 0 ? value : writeAt(isJsonObject(inner) ? inner : {}, rest, value))
  return copy
}
