import { createHash, createHmac } from 'node:crypto'
import { grouped } from '../../../../protocol/grouped.ts'
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
import { Refusal } from '../../refusal.ts'
import { renderHandlebars } from './handlebars.ts'
import { htmlOf } from './markdown.ts'
import { paged } from './paged.ts'
import { phoneOf, segmentsOf } from './phone.ts'
import { renderTexts } from './render-texts.ts'

/** Words before the number of a closed issue: `fixes #12`. */
const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d{1,15})\b/gi

const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?$/

/** An operator that depends only on its resolved arguments. */
type PlainOperator = (given: Json) => Json | undefined

/** Operators for texts and lists, independent of the world and the request. */
export const PLAIN_OPERATORS: Readonly<Record<string, PlainOperator>> = {
  $phone: (given) => {
    const { of, country } = isJsonObject(given) ? given : { of: given }
    return phoneOf(valueText(of), valueText(country))
  },
  $segments: (given) => segmentsOf(valueText(given)),
  $characters: (given) => valueText(given).length,
  $omit: (given) => {
    const { of, fields } = argumentsOf(given)
    const gone = new Set(itemsIn(fields))
    return Object.fromEntries(Object.entries(argumentsOf(of ?? null)).filter(([name]) => !gone.has(name)))
  },
  $only: (given) => {
    const { of, fields } = argumentsOf(given)
    return Object.fromEntries(
      itemsIn(fields).map((name) => [valueText(name), readField(of, [valueText(name)]) ?? null]),
    )
  },
  $paged: (given) => paged(argumentsOf(given)),
  $numberOf: (given) => (NUMBER.test(valueText(given)) ? Number(given) : undefined),
  $lower: (given) => valueText(given).toLowerCase(),
  $base64: (given) => Buffer.from(valueText(given)).toString('base64'),
  $unbase64: (given) => Buffer.from(valueText(given), 'base64').toString('utf8'),
  $bytes: (given) => Buffer.from(valueText(given), 'base64').length,
  $mediaType: (given) => typeOfFile(valueText(given)),
  $dashed: (given) => dashedName(valueText(given)),
  $urlEncoded: (given) => encodeURIComponent(valueText(given)),
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
  $apportioned: (given) => {
    const { of, by } = argumentsOf(given)
    return apportion(
      Number(of) || 0,
      itemsIn(by).map((part) => Number(part) || 0),
    )
  },
  $translated: (given) => {
    const { of, with: words } = argumentsOf(given)
    return translated(of ?? null, argumentsOf(words ?? null))
  },
  $decimal: (given) => {
    const { of, places = 2 } = argumentsOf(given)
    return decimalOf(String(Math.trunc(Number(of ?? 0) || 0)), Number(places))
  },
  $rendered: (given) => {
    const { of, with: facts } = argumentsOf(given)
    return renderTexts(of ?? null, facts ?? null)
  },
  $handlebars: (given) => {
    const { of, with: facts } = argumentsOf(given)
    return isJsonObject(facts) ? renderHandlebars(valueText(of), facts) : valueText(of)
  },
  $markdown: (given) => htmlOf(shortEnough(valueText(given))),
  $priceOf: (given) => {
    const { of, quantity } = argumentsOf(given)
    return amountOf(of, Number(quantity) || 0)
  },
  $base32: (given) => toBase32(Buffer.from(valueText(given))),
  $codeAt: (given) => {
    const { secret, time, digits = 6, step = 30 } = argumentsOf(given)
    return codeAt(valueText(secret), Number(time) || 0, { digits: Number(digits), step: Number(step) })
  },
  $searched: (given) => termsOf(valueText(given)),
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
  $closes: (given) => [...valueText(given).matchAll(CLOSING)].map(([, number]) => Number(number)),
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
  $compared: (given) => {
    const { before, after, by = 'id' } = argumentsOf(given)
    return compareItems(itemsIn(before), itemsIn(after), valueText(by))
  },
  $directory: (given) => {
    const { of, path = '', below } = argumentsOf(given)
    return directoryOf(itemsIn(of).filter(isJsonObject), valueText(path), below === true)
  },
  $diff: (given) => {
    const { before, after } = argumentsOf(given)
    return diffLines(valueText(before), valueText(after))
  },
}

/** Splits an amount into whole parts in proportion to weights: each part is the rounded running total minus the earlier parts. */
function apportion(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let weighed = 0
  let given = 0
  return weights.map((weight) => {
    weighed += weight
    const upToHere = whole === 0 ? 0 : Math.round((amount * weighed) / whole)
    const part = upToHere - given
    given = upToHere
    return part
  })
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

/** `1234` with two places is `12.34`. */
function decimalOf(digits: string, places: number): string {
  const sign = digits.startsWith('-') ? '-' : ''
  const padded = digits.slice(sign.length).padStart(places + 1, '0')
  return places === 0 ? digits : `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`
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

/** GitHub's limit: it is rendered in one step. */
const MOST_MARKDOWN = 400_000

function shortEnough(text: string): string {
  if (text.length <= MOST_MARKDOWN) return text
  const [most, got] = [MOST_MARKDOWN, text.length].map(grouped)
  throw new Refusal(400, 'invalid_request', `Expected \`text\` to have at most ${most} characters, got ${got}.`, 'text')
}

const argumentsOf = (given: Json): JsonObject => (isJsonObject(given) ? given : {})
/** The items of a list; none of any other value. */
export const itemsIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** A name for addresses: lower-case letters and digits, and one dash for anything else. */
const dashedName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const TERM = /(?:(-?[A-Za-z][\w-]*):)?(?:"([^"]*)"|(\S+))/g

/** The parts of a search such as `is:open label:"good first issue" crash`: the words, and the values by qualifier. */
function termsOf(query: string): JsonObject {
  const words: string[] = []
  const qualifiers = new Map<string, string[]>()
  for (const [, name, quoted, plain] of query.matchAll(TERM)) {
    const value = quoted ?? plain ?? ''
    if (name === undefined) words.push(value.toLowerCase())
    else qualifiers.set(name.toLowerCase(), [...(qualifiers.get(name.toLowerCase()) ?? []), value])
  }
  return { words, ...Object.fromEntries(qualifiers) }
}

/**
 * The price of a quantity, in whole units: at `unit_amount` (or `unit_amount_decimal`) for each, for each pack of
 * `transform_quantity.divide_by`, or by `tiers` with `up_to` and `flat_amount`: each part of the quantity in the tier
 * where it lies, or with `tiers_mode: volume` all of it in the tier that it reaches.
 */
export function amountOf(price: Json | undefined, quantity: number): number {
  if (!isJsonObject(price)) return 0
  const { tiers, tiers_mode: mode } = price
  const size = Number(readPath(price, ['transform_quantity', 'divide_by']) ?? 1)
  const packs = readPath(price, ['transform_quantity', 'round']) === 'down' ? Math.floor : Math.ceil
  if (!Array.isArray(tiers)) return Math.round(packs(quantity / size) * perUnit(price))
  const all = tiers.filter(isJsonObject)
  if (mode === 'volume') {
    const tier = all.find((one) => quantity <= topOf(one)) ?? {}
    return Math.round(quantity * perUnit(tier) + flat(tier))
  }
  let below = 0
  let amount = 0
  for (const tier of all) {
    const units = Math.min(quantity, topOf(tier)) - below
    if (units <= 0) break
    amount += units * perUnit(tier) + flat(tier)
    below = topOf(tier)
  }
  return Math.round(amount)
}

const topOf = (tier: JsonObject): number => (typeof tier.up_to === 'number' ? tier.up_to : Number.POSITIVE_INFINITY)
const perUnit = (price: JsonObject): number => numberIn(price, 'unit_amount')
const flat = (tier: JsonObject): number => numberIn(tier, 'flat_amount')

function numberIn(price: JsonObject, name: string): number {
  return Number(getOwn(price, name) ?? getOwn(price, `${name}_decimal`) ?? 0) || 0
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of a secret in Base32 at a time (RFC 6238, SHA-1). */
function codeAt(secret: string, seconds: number, { digits = 6, step = 30 } = {}): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / step)))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** Bytes in Base32 (RFC 4648), without padding. */
function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '').toUpperCase()]
    .map((letter) => Math.max(BASE32.indexOf(letter), 0).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const BY_ENDING: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
}

/** The media type of a file name's ending (RFC 2046, and the registry of IANA). */
const typeOfFile = (filename: string): string =>
  BY_ENDING[/\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'

/** Unchanged lines around a change in a patch. */
const CONTEXT = 3

/** The changes of items between two lists: `{ status, before, after }` each, in the order of the later list, removed ones last. */
function compareItems(before: readonly Json[], after: readonly Json[], by: string): Json[] {
  const keyOf = (item: Json) => JSON.stringify(readField(item, by.split('.')) ?? null)
  const stored = new Map(before.map((item) => [keyOf(item), item]))
  const changed = after.flatMap((item): Json[] => {
    const old = stored.get(keyOf(item))
    stored.delete(keyOf(item))
    if (old === undefined) return [{ status: 'added', after: item }]
    return JSON.stringify(old) === JSON.stringify(item) ? [] : [{ status: 'modified', before: old, after: item }]
  })
  return [...changed, ...[...stored.values()].map((item): Json => ({ status: 'removed', before: item }))]
}

/**
 * The contents of a directory in a list of files by whole `path`: files unchanged, directories by name; with `isDeep`
 * all files below it.
 */
function directoryOf(files: readonly JsonObject[], path: string, isDeep: boolean): Json[] {
  if (isDeep) return filesBelow(files, path.replace(/\/+$/, ''))
  const prefix = path === '' ? '' : `${path.replace(/\/+$/, '')}/`
  const found = new Map<string, Json>()
  for (const file of files) {
    const whole = String(file.path)
    if (!whole.startsWith(prefix)) continue
    const [name = '', ...deeper] = whole.slice(prefix.length).split('/')
    if (deeper.length === 0) found.set(name, { ...file, name, type: 'file' })
    else if (!found.has(name)) found.set(name, { path: `${prefix}${name}`, name, type: 'dir' })
  }
  return [...found].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, item]) => item)
}

/** The file at a path, or the files below it at any depth. */
const filesBelow = (files: readonly JsonObject[], path: string): JsonObject[] =>
  files.filter((file) => path === '' || file.path === path || String(file.path).startsWith(`${path}/`))

/** The change of a text as one hunk of a unified diff, with the number of added and removed lines. */
function diffLines(before: string, after: string): JsonObject {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  const removed = old.slice(head, old.length - tail)
  const added = fresh.slice(head, fresh.length - tail)
  const above = old.slice(Math.max(0, head - CONTEXT), head)
  const below = old.slice(old.length - tail, old.length - tail + CONTEXT)
  const around = above.length + below.length
  const range = (count: number) => `${count === 0 ? 0 : head - above.length + 1},${count}`
  const lines = [
    `@@ -${range(removed.length + around)} +${range(added.length + around)} @@`,
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ]
  const isSame = removed.length === 0 && added.length === 0
  return { patch: isSame ? '' : lines.join('\n'), additions: added.length, deletions: removed.length }
}

/** Lines without the last line break. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

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
