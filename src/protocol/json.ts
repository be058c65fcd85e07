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

/** The value of a field that `object` has itself: a name like `constructor` is a name like any other. */
export function getOwn(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Sets a field of `object`, with any name: `__proto__` is a name like any other. */
export function setOwn(object: JsonObject, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

/** Length of a text in characters, as JSON Schema counts: a pair of surrogates is one. */
export function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) length--
  }
  return length
}
