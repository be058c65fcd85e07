import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { Refusal } from '../refusal.ts'
import { parseJson } from './json-text.ts'

/** Deepest nesting of brackets that is read; a name with more is taken as it is. */
const MAX_DEPTH = 20
const MAX_FIELDS = 10_000
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

/** The names and texts of a form or a query, in order and decoded. Refuses more than {@link checkFieldCount} allows. */
export function parsePairs(text: string): [name: string, value: string][] {
  if (text.length > MAX_FIELDS) checkFieldCount(text.split('&').filter((pair) => pair !== '').length)
  return [...new URLSearchParams(text)]
}

/** Refuses forms and queries of more than 10,000 fields with 400. */
export function checkFieldCount(count: number): void {
  if (count <= MAX_FIELDS) return
  throw new Refusal(400, 'invalid_request', `Expected at most ${MAX_FIELDS} fields in a form or a query, got ${count}.`)
}

/**
 * A form as an object: `a[b][0]=x` nests, `a[]=x&a[]=y` and `a=x&a=y` give arrays. All values are texts; a schema tells
 * what they are meant to be (`coerce`).
 */
export function nestPairs(pairs: readonly (readonly [name: string, value: Json])[]): JsonObject {
  const root: JsonObject = {}
  const lengths = new WeakMap<JsonObject, number>()
  for (const [name, value] of pairs) {
    const path = toPath(name)
    if (!path.some((part) => UNSAFE.has(part))) put(root, path, value, lengths)
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

function put(root: JsonObject, path: readonly string[], value: Json, lengths: WeakMap<JsonObject, number>): void {
  let at = root
  for (const part of path.slice(0, -1)) {
    const name = nameFor(part, at, lengths)
    const below = at[name]
    at = at[name] = isJsonObject(below) ? below : {}
  }
  const name = nameFor(path.at(-1) as string, at, lengths)
  const held = at[name]
  if (held === undefined) at[name] = value
  else if (Array.isArray(held)) held.push(value)
  else at[name] = [held, value]
}

/** `[]` stands for the next index; `lengths` counts how many it has stood for. */
function nameFor(part: string, object: JsonObject, lengths: WeakMap<JsonObject, number>): string {
  if (part !== '') return part
  const next = lengths.get(object) ?? Object.keys(object).length
  lengths.set(object, next + 1)
  return String(next)
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

/** The parts of a `multipart/form-data` body: texts, JSON where a part says so, and the file name for a file. */
export function parseMultipart(body: Uint8Array, contentType: string): [name: string, value: Json][] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const mark = boundary?.[1] ?? boundary?.[2]
  if (mark === undefined)
    throw new Refusal(400, 'invalid_request', `Expected \`content-type\` to name a boundary, got "${contentType}".`)
  const parts: [string, Json][] = []
  const texts = Buffer.from(body).toString('latin1').split(`--${mark}`).slice(1)
  checkFieldCount(texts.length - 1)
  for (const part of texts) {
    if (part.startsWith('--')) break
    const split = part.indexOf('\r\n\r\n')
    if (split === -1) continue
    const parsed = toPart(part.slice(0, split), part.slice(split + 4).replace(/\r\n$/, ''))
    if (parsed) parts.push(parsed)
  }
  return parts
}

function toPart(head: string, latin1: string): [string, Json] | undefined {
  const disposition = /content-disposition:[^\r\n]*/i.exec(head)?.[0] ?? ''
  const name = /[;\s]name="([^"]*)"|[;\s]name=([^;\s]+)/i.exec(disposition)
  if (name === null) return undefined
  const field = fromLatin1(name[1] ?? name[2] ?? '')
  const file = /filename="([^"]*)"/i.exec(disposition)?.[1]
  if (file !== undefined) return [field, fromLatin1(file)]
  const text = fromLatin1(latin1)
  return [field, /content-type:\s*application\/([\w.-]+\+)?json/i.test(head) ? parseJson(text) : text]
}

const fromLatin1 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')
