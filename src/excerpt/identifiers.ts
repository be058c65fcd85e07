import { isJsonObject, type Json, type JsonObject, readPath } from '../protocol/json.ts'
import { fromReference, toPointer } from '../protocol/json-pointer.ts'

/** Keywords whose values are data: an `$id` in them is that of a record. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

/** Base of the addresses in a document without an `$id`. */
const NOWHERE = 'https://description.invalid/'

/** Deeper documents are refused. */
const MOST_DEPTH = 200

/** A reference, and the address of the schema around it. */
interface Reference {
  readonly schema: JsonObject
  readonly base: string
}

/**
 * Writes references by `$id` and `$anchor` (OpenAPI 3.1) as pointers, in place. A reference that no `$id` and no
 * `$anchor` of the document answers stays, as does a pointer that is one of the document, not of the schema with an `$id`.
 */
export function resolveIdentifiers(document: JsonObject): void {
  if (/^[23]\.0/.test(String(document.openapi ?? document.swagger))) return
  const places = new Map<string, readonly string[]>([[NOWHERE, []]])
  const references: Reference[] = []
  const seen = new Set<object>()
  const open: { value: Json; around: string; path: readonly string[] }[] = [
    { value: document, around: NOWHERE, path: [] },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, around, path } = next
    if (typeof value !== 'object' || value === null || seen.has(value) || path.length > MOST_DEPTH) continue
    seen.add(value)
    let base = around
    if (isJsonObject(value)) {
      if (typeof value.$id === 'string') base = addressOf(value.$id, base)
      if (base !== around) places.set(base, path)
      if (typeof value.$anchor === 'string') places.set(`${base}#${value.$anchor}`, path)
      if (typeof value.$ref === 'string') references.push({ schema: value, base })
    }
    for (const [name, inner] of Object.entries(value)) {
      if (!DATA.has(name) && !name.startsWith('x-')) open.push({ value: inner, around: base, path: [...path, name] })
    }
  }
  for (const { schema, base } of references) {
    const [address = '', fragment = ''] = String(schema.$ref).split('#')
    const target = address === '' ? base : addressOf(address, base)
    const isPointer = fragment === '' || fragment.startsWith('/')
    const place = places.get(isPointer ? target : `${target}#${fragment}`)
    const path = place && isPointer ? [...place, ...fromReference(`#${fragment}`)] : place
    if (path && readPath(document, path) !== undefined) schema.$ref = `#${toPointer(path).replaceAll('%', '%25')}`
  }
}

function addressOf(written: string, base: string): string {
  return (URL.parse(written, base)?.href ?? written).replace(/#$/, '')
}
