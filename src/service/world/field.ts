import { KEY_SUFFIXES } from '../../names/id-names.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../protocol/json.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { CollectionModel } from '../openapi/model.ts'

/** A dotted name of the wire (`metadata.name`), as a path. */
export const toFieldPath = (dotted: string): FieldPath => dotted.split('.')

/** The value at `field` as a key: ids and names as text, an embedded object by its own id. */
export function keyIn(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!isJsonObject(value)) return undefined
  const name = KEY_SUFFIXES.find((own) => (value[own] ?? null) !== null)
  return name && keyIn(value[name])
}

/** Whether a field refers to `key`: directly, by an embedded object's id, or by an item of an array. */
export function refersTo(value: Json | undefined, key: string): boolean {
  return Array.isArray(value) ? value.some((item) => keyIn(item) === key) : keyIn(value) === key
}

/** Key of a record from its id field; undefined without such a field or value. */
export function keyOf(model: CollectionModel, record: JsonObject): string | undefined {
  return model.id.field && keyIn(readField(record, model.id.field))
}

export function schemaAt(schema: Schema | undefined, field: FieldPath): Schema | undefined {
  let found = schema
  for (const name of field) found = found?.properties.get(name) ?? inVariant(found, name)
  return found
}

/** The field of the first alternative that has it. */
const inVariant = (schema: Schema | undefined, name: string): Schema | undefined =>
  schema?.variants?.find(({ properties }) => properties.has(name))?.properties.get(name)

/** Numbers by value, texts by code unit, false before true; absent and null values first; others as JSON text. */
export function compareValues(left: Json | undefined, right: Json | undefined): number {
  if (left === right) return 0
  if (left === undefined || left === null) return right === undefined || right === null ? 0 : -1
  if (right === undefined || right === null) return 1
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const leftText = typeof left === 'string' ? left : JSON.stringify(left)
  const rightText = typeof right === 'string' ? right : JSON.stringify(right)
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0
}
