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

/**
 * The value of an own field of `object`, such as `constructor`. Inherited properties are functions, except `__proto__`,
 * and no JSON value is a function: this check is cheaper than `Object.hasOwn`.
 */
export function getOwn<T extends Json>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  const value = object[name]
  const mayBeInherited = typeof value === 'function' || name === '__proto__'
  return mayBeInherited && !Object.hasOwn(object, name) ? undefined : value
}

/** Sets an own field of `object`, even `__proto__`. */
export function setOwn<T extends Json>(object: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

/** The value at `field`, or undefined. Does not enter arrays. */
export function readField(record: Json | undefined, field: readonly string[]): Json | undefined {
  let value: Json | undefined = record
  for (let at = 0; at < field.length; at++) {
    if (!isJsonObject(value)) return undefined
    value = getOwn(value, field[at] as string)
  }
  return value
}

/** The value at a path, where numbers are list indexes; undefined without one. */
export function readPath(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value
  for (const name of path) {
    if (Array.isArray(found)) found = /^\d+$/.test(name) ? found[Number(name)] : undefined
    else if (isJsonObject(found)) found = getOwn(found, name)
    else return undefined
  }
  return found
}

/** The value at a path in any value, JSON or not; undefined without one. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<PropertyKey, unknown>)[name]
  }
  return at
}

/** Whether a value has each of these values at its dotted field. */
export function hasFields(value: Json | undefined, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).every(
    ([field, wanted]) => JSON.stringify(readField(value, field.split('.'))) === JSON.stringify(wanted),
  )
}

/** A copy of `record` with `value` at `field`; copies the objects on the path and adds missing ones. */
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

/** The value of a JSON text; undefined for another text. */
export const parseJson = (text: string): Json | undefined => jsonOr(text, undefined)

/** The value of a JSON text; `other` where the text is not JSON. */
export function jsonOr<T>(text: string, other: T): Json | T {
  try {
    return JSON.parse(text) as Json
  } catch {
    return other
  }
}

/** A value as text; empty without a value. `String` would call a client's field named `toString`. */
export function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Length of a text in characters, as JSON Schema counts: a pair of surrogates is one. */
export function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) length--
  }
  return length
}
