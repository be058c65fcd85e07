import type { Json, JsonObject } from '../../protocol/json.ts'

/** Whether a value is an object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; the text itself if it is not JSON. */
export function valueIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

export function nestedValue(record: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, step) => (isObject(value) ? value[step] : undefined), record)
}

/** A field with another value than before. */
export interface FieldDifference {
  readonly field: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Fields that change with every write, without information. */
const NOISE = /^(updated|modified|last_?modified|version|etag)(_?at|_?on|_?date)?$/i

/** The different fields, the informative ones first. */
export function differencesOf(before: Json | undefined, after: Json | undefined): FieldDifference[] {
  const [old = {}, now = {}] = [before, after].map(
    (value): Record<string, Json | undefined> => (isObject(value) ? value : {}),
  )
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const differing = fields.filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
  return differing
    .map((field) => ({ field, before: old[field], after: now[field] }))
    .toSorted((left, right) => Number(NOISE.test(left.field)) - Number(NOISE.test(right.field)))
}
