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
  $field: (given) => {
    const { of, path, name } = argumentsOf(given)
    return readPath(of, name === undefined ? valueText(path).split('.') : [valueText(name)])
  },
  $pick: (given) => {
    const { of, at = 0 } = argumentsOf(given)
    return itemsIn(of).at(Number(at))
  },
  $without: (given) => {
    const { of, items } = argumentsOf(given)
    const gone = new Set(itemsIn(items).map((item) => JSON.stringify(item)))
    return itemsIn(of).filter((item) => !gone.has(JSON.stringify(item)))
  },
  $sorted: (given) => sorted(argumentsOf(given)),
  $patched: (given) => {
    const { of, with: patch } = argumentsOf(given)
    return patch === undefined ? of : mergePatch(of ?? null, patch)
  },
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
