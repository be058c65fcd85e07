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
