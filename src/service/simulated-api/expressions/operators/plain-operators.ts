import { createHash } from 'node:crypto'
import {
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  readField,
  readPath,
  setOwn,
  valueText,
} from '../../../../protocol/json.ts'
import { paged } from './paged.ts'

const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?$/

/** An operator that depends only on its resolved arguments. */
type PlainOperator = (given: Json) => Json | undefined

/** Operators for texts and lists, independent of the world and the request. */
export const PLAIN_OPERATORS: Readonly<Record<string, PlainOperator>> = {
  $characters: (given) => valueText(given).length,
  $omit: (given) => {
    const { of, fields } = argumentsOf(given)
    const gone = new Set(itemsIn(fields))
    return Object.fromEntries(Object.entries(argumentsOf(of ?? null)).filter(([name]) => !gone.has(name)))
  },
  $paged: (given) => paged(argumentsOf(given)),
  $numberOf: (given) => (NUMBER.test(valueText(given)) ? Number(given) : undefined),
  $lower: (given) => valueText(given).toLowerCase(),
  $hash: (given) => hashOf(argumentsOf(given)),
  $split: (given) => {
    const { of, by = ',' } = argumentsOf(given)
    return valueText(of) === '' ? [] : valueText(of).split(valueText(by))
  },
  $concat: (given) => {
    const { of, by = '' } = argumentsOf(given)
    return itemsIn(of).map(valueText).join(valueText(by))
  },
  $replace: (given) => {
    const { of, from, to = '', words } = argumentsOf(given)
    if (from !== undefined) return valueText(of).replaceAll(valueText(from), () => valueText(to))
    return Object.entries(argumentsOf(words ?? null)).reduce(
      (text, [word, other]) => (word === '' ? text : text.replaceAll(word, () => valueText(other))),
      valueText(of),
    )
  },
  $cut: (given) => {
    const { of, prefix } = argumentsOf(given)
    const text = valueText(of)
    return text.startsWith(valueText(prefix)) ? text.slice(valueText(prefix).length) : text
  },
  $filled: (given) => Object.fromEntries(Object.entries(argumentsOf(given)).filter(([, value]) => value !== null)),
  $translated: (given) => {
    const { of, with: words } = argumentsOf(given)
    return translated(of ?? null, argumentsOf(words ?? null))
  },
  $field: (given) => {
    const { of, path, name } = argumentsOf(given)
    return readPath(of, name === undefined ? valueText(path).split('.') : [valueText(name)])
  },
  $pick: (given) => {
    const { of, at = 0 } = argumentsOf(given)
    return itemsIn(of).at(Number(at))
  },
  $slice: (given) => {
    const { of, from = 0, to } = argumentsOf(given)
    return itemsIn(of).slice(Number(from), to === undefined || to === null ? undefined : Number(to))
  },
  $flat: (given) => itemsIn(given).flat(),
  $reversed: (given) => itemsIn(given).toReversed(),
  $unique: (given) => [...new Map(itemsIn(given).map((item) => [JSON.stringify(item), item])).values()],
  $without: (given) => {
    const { of, items } = argumentsOf(given)
    const gone = new Set(itemsIn(items).map((item) => JSON.stringify(item)))
    return itemsIn(of).filter((item) => !gone.has(JSON.stringify(item)))
  },
  $sorted: (given) => sorted(argumentsOf(given)),
  $pairs: (given) => Object.entries(argumentsOf(given)).map(([name, value]) => ({ name, value })),
  $object: (given) => {
    const { of, name = 'name', value = 'value' } = argumentsOf(given)
    return objectOf(itemsIn(of), valueText(name).split('.'), value === '.' ? [] : valueText(value).split('.'))
  },
  $patched: (given) => {
    const { of, with: patch } = argumentsOf(given)
    return patch === undefined ? of : mergePatch(of ?? null, patch)
  },
  $overlay: (given) => overlaid(argumentsOf(given)),
}

/** A value with texts replaced, at any depth, by an object's entries. */
function translated(value: Json, words: JsonObject): Json {
  if (typeof value === 'string') return readField(words, [value]) ?? value
  if (Array.isArray(value)) return value.map((item) => translated(item, words))
  if (!isJsonObject(value)) return value
  const made: JsonObject = {}
  for (const [name, below] of Object.entries(value)) setOwn(made, name, translated(below, words))
  return made
}

/** SHA-1 in hex, or another hash, of a text or of decoded base64; `{bytes}` in the prefix is its length. */
function hashOf({ of, base64, before = '', algorithm = 'sha1', encoding = 'hex' }: JsonObject): string {
  const bytes = base64 === undefined ? Buffer.from(valueText(of)) : Buffer.from(valueText(base64), 'base64')
  const head = valueText(before).replace('{bytes}', String(bytes.length))
  return createHash(algorithm === 'sha256' ? 'sha256' : 'sha1')
    .update(head)
    .update(bytes)
    .digest(encoding === 'base64url' ? 'base64url' : 'hex')
}

/** A list sorted by a field; items without it come last. */
function sorted({ of, by = '', descending = false, numbers = false }: JsonObject): Json[] {
  const keyOf = (item: Json) => {
    const key = by === '' ? item : readField(item, valueText(by).split('.'))
    return numbers === true && typeof key === 'string' && NUMBER.test(key) ? Number(key) : key
  }
  const compare = (left: Json, right: Json): number => {
    const [a, b] = [keyOf(left), keyOf(right)]
    if (a === b) return 0
    if (a === undefined || a === null) return 1
    if (b === undefined || b === null) return -1
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : valueText(a) < valueText(b) ? -1 : 1
    return descending === true ? -order : order
  }
  return itemsIn(of).toSorted(compare)
}

/** A list with items replaced by those of another list with the same field; an item with `gone` removes one. */
function overlaid({ of, with: over, by = 'id' }: JsonObject): Json[] {
  const name = valueText(by).split('.')
  const items = new Map(itemsIn(of).map((item) => [valueText(readField(item, name)), item]))
  for (const item of itemsIn(over)) {
    const key = valueText(readField(item, name))
    if (isJsonObject(item) && item.gone === true) items.delete(key)
    else items.set(key, item)
  }
  return [...items.values()]
}

/** An object from the items of a list: one field is the name, another the value, or `.` for the item itself. */
function objectOf(items: readonly Json[], name: readonly string[], value: readonly string[]): JsonObject {
  const made: JsonObject = {}
  for (const item of items) setOwn(made, valueText(readField(item, name)), readField(item, value) ?? null)
  return made
}

const argumentsOf = (given: Json): JsonObject => (isJsonObject(given) ? given : {})
/** The items of a list; none of any other value. */
export const itemsIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Applies a merge patch (RFC 7396): objects are merged at every depth, and null removes a field. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else setOwn(merged, name, mergePatch(getOwn(merged, name) ?? null, value))
  }
  return merged
}
