import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** Deepest nesting of brackets that is parsed; a deeper name is taken literally. */
const MAX_DEPTH = 20
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

/** One part of a `multipart` body. */
export interface FormPart {
  /** The name or the `Content-ID`; '' without either. */
  readonly name: string
  readonly text: string
  /** File name of the part. */
  readonly file: string | undefined
  readonly isJson: boolean
  readonly mediaType: string | undefined
  /** Its bytes, one byte per character. */
  readonly latin1: string
}

/**
 * A form as an object: `a[b][0]=x` and `a[0].b=x` nest, `a[]=x&a[]=y` and `a=x&a=y` give arrays. All values are texts;
 * `coerce` converts them by a schema.
 */
export function nestPairs(pairs: readonly (readonly [name: string, value: Json])[]): JsonObject {
  const root: JsonObject = {}
  const lengths = new Map<JsonObject, number>()
  for (const [name, value] of pairs) {
    const path = fieldPath(name)
    if (!path.some((part) => UNSAFE.has(part))) put(root, path, value, lengths)
  }
  return toArrays(root) as JsonObject
}

/** An object as the fields of a form: the reverse of {@link nestPairs}. */
export function pairsOf(value: object, within = ''): [name: string, text: string][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, string][] => {
    const name = within === '' ? key : `${within}[${key}]`
    if (typeof inner === 'object' && inner !== null) return pairsOf(inner, name)
    return inner === undefined ? [] : [[name, String(inner ?? '')]]
  })
}

/** `a[b][]` as `['a', 'b', '']`, `a[0].b` as `['a', '0', 'b']`. A name with unbalanced brackets is taken literally. */
export function fieldPath(name: string): string[] {
  const open = name.indexOf('[')
  const close = name.lastIndexOf(']')
  if (open <= 0 || close < open) return [name]
  const field = name.slice(close + 1)
  if (field !== '' && !/^\.[^.[\]]+$/.test(field)) return [name]
  const inner = name.slice(open + 1, close).split('][', MAX_DEPTH)
  if (inner.length >= MAX_DEPTH) return [name]
  return [name.slice(0, open), ...inner, ...(field === '' ? [] : [field.slice(1)])]
}

function put(root: JsonObject, path: readonly string[], value: Json, lengths: Map<JsonObject, number>): void {
  let at = root
  for (let depth = 0; depth < path.length - 1; depth++) {
    const name = nameFor(path[depth] as string, at, lengths, path[depth + 1])
    const below = at[name]
    at = at[name] = isJsonObject(below) ? below : {}
  }
  const name = nameFor(path.at(-1) as string, at, lengths)
  const earlier = at[name]
  if (earlier === undefined) at[name] = value
  else if (Array.isArray(earlier)) earlier.push(value)
  else at[name] = [earlier, value]
}

/** `[]` stands for the next index; `lengths` counts its uses. `items[][b]` after `items[][a]` is of the same item. */
function nameFor(part: string, object: JsonObject, lengths: Map<JsonObject, number>, below = ''): string {
  if (part !== '') return part
  const last = String(Object.keys(object).length - 1)
  const item = object[last]
  if (below !== '' && isJsonObject(item) && !Object.hasOwn(item, below)) return last
  const next = lengths.get(object) ?? Object.keys(object).length
  lengths.set(object, next + 1)
  return String(next)
}

/** Objects whose names are 0, 1, 2, ... become arrays, below the top. */
function toArrays(object: JsonObject): Json {
  for (const name in object) {
    const value = object[name] as Json
    if (!isJsonObject(value)) continue
    const below = toArrays(value) as JsonObject
    const names = Object.keys(below)
    object[name] = names.length > 0 && names.every((key, at) => key === String(at)) ? Object.values(below) : below
  }
  return object
}

/** How many parts a `multipart/form-data` body has; 0 where the content type names no boundary. */
export function countParts(body: Uint8Array, contentType: string): number {
  const mark = markOf(contentType)
  if (mark === undefined) return 0
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const end = bytes.indexOf(`${mark}--`)
  let count = 0
  for (let at = bytes.indexOf(mark); at !== -1 && at !== end; at = bytes.indexOf(mark, at + mark.length)) count++
  return count
}

/** The parts of a `multipart/form-data` body; undefined where the content type names no boundary. */
export function splitMultipart(body: Uint8Array, contentType: string): FormPart[] | undefined {
  const mark = markOf(contentType)
  if (mark === undefined) return undefined
  const parts: FormPart[] = []
  for (const part of Buffer.from(body).toString('latin1').split(mark).slice(1)) {
    if (part.startsWith('--')) break
    const split = part.indexOf('\r\n\r\n')
    if (split === -1) continue
    parts.push(toPart(part.slice(0, split), part.slice(split + 4).replace(/\r\n$/, '')))
  }
  return parts
}

/** The delimiter before each part. */
function markOf(contentType: string): string | undefined {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  return name === undefined ? undefined : `--${name}`
}

function toPart(head: string, latin1: string): FormPart {
  const disposition = /content-disposition:[^\r\n]*/i.exec(head)?.[0] ?? ''
  const name = /[;\s]name="([^"]*)"|[;\s]name=([^;\s]+)/i.exec(disposition)
  const id = /content-id:\s*<?([^>\s]+)/i.exec(head)?.[1]
  const file = /filename="([^"]*)"/i.exec(disposition)?.[1]
  return {
    name: fromLatin1(name?.[1] ?? name?.[2] ?? id ?? ''),
    text: fromLatin1(latin1),
    file: file === undefined ? undefined : fromLatin1(file),
    isJson: /content-type:\s*application\/([\w.-]+\+)?json/i.test(head),
    mediaType: /content-type:\s*([^;\s]+)/i.exec(head)?.[1]?.toLowerCase(),
    latin1,
  }
}

const fromLatin1 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')
