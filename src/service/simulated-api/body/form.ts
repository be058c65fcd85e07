import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'

/** Deepest nesting of brackets and most fields that are read; what lies beyond is left out. */
const MAX_DEPTH = 20
const MAX_FIELDS = 10_000
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

/** The names and texts of a form or a query, in order and decoded. */
export function parsePairs(text: string): [name: string, value: string][] {
  return [...new URLSearchParams(text)].slice(0, MAX_FIELDS)
}

/**
 * A form as an object: `a[b][0]=x` nests, `a[]=x&a[]=y` and `a=x&a=y` give arrays. All values are texts; a schema tells
 * what they are meant to be (`coerce`).
 */
export function nestPairs(pairs: readonly (readonly [name: string, value: Json])[]): JsonObject {
  const root: JsonObject = {}
  for (const [name, value] of pairs) {
    const path = toPath(name)
    if (!path.some((part) => UNSAFE.has(part))) put(root, path, value)
  }
  return toArrays(root) as JsonObject
}

/** `a[b][]` as `['a', 'b', '']`. A name whose brackets do not match is taken as it is. */
function toPath(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  const inner = name.slice(open + 1, -1).split('][')
  return inner.length >= MAX_DEPTH ? [name] : [name.slice(0, open), ...inner]
}

function put(root: JsonObject, path: readonly string[], value: Json): void {
  let at = root
  for (const part of path.slice(0, -1)) {
    const name = part === '' ? String(Object.keys(at).length) : part
    const below = at[name]
    at = at[name] = isJsonObject(below) ? below : {}
  }
  const last = path.at(-1) as string
  const name = last === '' ? String(Object.keys(at).length) : last
  const held = at[name]
  if (held === undefined) at[name] = value
  else at[name] = Array.isArray(held) ? [...held, value] : [held, value]
}

/** Objects whose names are 0, 1, 2, ... become arrays, below the top. */
function toArrays(object: JsonObject): Json {
  for (const [name, value] of Object.entries(object)) {
    if (!isJsonObject(value)) continue
    const below = toArrays(value) as JsonObject
    const names = Object.keys(below)
    object[name] = names.length > 0 && names.every((key, at) => key === String(at)) ? Object.values(below) : below
  }
  return object
}
