/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | Json[] | JsonObject

/** A JSON object. Records are kept as these and are never mutated once stored. */
export interface JsonObject {
  [name: string]: Json
}

/** Whether `value` is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
