import { mixPair } from '../../../runtime/random.ts'
import type { PatternNode } from '../../../schema/parse-pattern.ts'
import { Permutation } from '../permutation.ts'
import type { KeyCodec } from './key-codec.ts'

/** A text of fixed length: the possible characters for each position. */
export type Template = readonly string[]

const MAX_DOMAIN = 2 ** 32
const MAX_PLACES = 512

export const HEX = '0123456789abcdef'
export const DIGIT_SYMBOLS = '0123456789'
export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LOWER_ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The layout of a random UUID (RFC 9562, version 4). */
export const UUID_TEMPLATE: Template = [...'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'].map((char) =>
  char === 'x' ? HEX : char === 'y' ? '89ab' : char,
)

/** The layout of a ULID: a moment of these years in ten places, then chance. */
const ULID_TEMPLATE: Template = ['0', '1', ...places('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)]

/** `count` positions with the same characters. */
export function places(chars: string, count: number): Template {
  return Array.from({ length: count }, () => chars)
}

/** How many texts the template has, at most 2^32 counted. */
function countTexts(template: Template): number {
  let count = 1
  for (const chars of template) count = Math.min(MAX_DOMAIN, count * chars.length)
  return count
}

/** Random-looking ids of one layout: the first positions encode the shuffled index, the others a hash. */
export function createTemplateCodec(template: Template, key: number): KeyCodec {
  const domain = countTexts(template)
  const permutation = new Permutation(domain, key)
  const carriers = carrierPlaces(template, domain)
  const carried = new Set(carriers)
  const lastCarrier = carriers.at(-1)
  const below = carriers.slice(0, -1).reduce((room, place) => room * (template[place] as string).length, 1)
  /** The last encoding position would have few different characters; rotating it by the others gives all of them. */
  const turnOf = (low: number): number => mixPair(key, low) % 4_096
  const write = (value: number): string => {
    const codes: number[] = []
    let rest = value
    let room = 0
    let draw = 0
    for (let place = 0; place < template.length; place++) {
      const chars = template[place] as string
      const size = chars.length
      if (size === 1) codes.push(chars.charCodeAt(0))
      else if (place === lastCarrier) codes.push(chars.charCodeAt((rest + turnOf(value % below)) % size))
      else if (carried.has(place)) {
        codes.push(chars.charCodeAt(rest % size))
        rest = Math.floor(rest / size)
      } else {
        if (room < size) {
          draw = mixPair(key ^ place, value)
          room = MAX_DOMAIN
        }
        codes.push(chars.charCodeAt(draw % size))
        draw = Math.floor(draw / size)
        room /= size
      }
    }
    // V8 stores a concatenated text as a tree of its parts.
    return String.fromCharCode(...codes)
  }
  const isUuid = template === UUID_TEMPLATE
  const spell = isUuid ? (value: number) => writeUuid(value, key) : write
  /** The latest id: a new record's id is read and looked up several times. */
  let latest: { readonly index: number; readonly text: string } | undefined
  return {
    capacity: domain,
    at: (index) => {
      if (latest?.index !== index) latest = { index, text: spell(permutation.at(index)) }
      return latest.text
    },
    indexOf: (text) => {
      if (text === latest?.text) return latest.index
      if (text.length !== template.length) return undefined
      const digits = carriers.map((place) => (template[place] as string).indexOf(text[place] as string))
      if (digits.includes(-1)) return undefined
      let low = 0
      for (let at = carriers.length - 2; at >= 0; at--) {
        low = low * (template[carriers[at] as number] as string).length + (digits[at] as number)
      }
      const size = lastCarrier === undefined ? 1 : (template[lastCarrier] as string).length
      const turn = isUuid ? 0 : turnOf(low)
      const high = lastCarrier === undefined ? 0 : ((((digits.at(-1) as number) - turn) % size) + size) % size
      const value = low + high * below
      return value < domain && spell(value) === text ? permutation.indexOf(value) : undefined
    },
  }
}

const HEX_CODES: readonly number[] = [...HEX].map((digit) => digit.charCodeAt(0))
/** A UUID without its random digits. */
const BLANK_UUID: readonly number[] = [...'00000000-0000-4000-0000-000000000000'].map((char) => char.charCodeAt(0))

/** {@link UUID_TEMPLATE} written with numbers: `value` with its low digits first, then hashes. */
function writeUuid(value: number, key: number): string {
  const middle = mixPair(key, value)
  const last = mixPair(middle, 1)
  const tail = mixPair(middle, 2)
  const codes = BLANK_UUID.slice()
  for (let place = 0; place < 8; place++) codes[place] = HEX_CODES[(value >>> (4 * place)) & 15] as number
  writeHex(codes, 9, middle & 0xffff, 4)
  writeHex(codes, 15, middle >>> 20, 3)
  writeHex(codes, 19, (last & 0x3fff) | 0x8000, 4)
  writeHex(codes, 24, last >>> 16, 4)
  for (let byte = 0; byte < 4; byte++) writeHex(codes, 28 + 2 * byte, tail >>> (8 * byte), 2)
  return String.fromCharCode(...codes)
}

/** Writes the lowest `digits` digits of `value` at `place`. */
function writeHex(codes: number[], place: number, value: number, digits: number): void {
  for (let at = 0; at < digits; at++) codes[place + at] = HEX_CODES[(value >>> (4 * (digits - 1 - at))) & 15] as number
}

/** The first positions that can encode any number below `domain`. */
function carrierPlaces(template: Template, domain: number): number[] {
  const places: number[] = []
  let room = 1
  for (let place = 0; place < template.length && room < domain; place++) {
    const size = (template[place] as string).length
    if (size < 2) continue
    places.push(place)
    room *= size
  }
  return places
}

/**
 * A layout for `pattern`, with unbounded parts repeated about `wish` times; of alternatives the one with most texts.
 * Undefined for a pattern with look-around or of excessive length.
 */
export function templateFromPattern(pattern: PatternNode, wish: number): Template | undefined {
  if (pattern.kind === 'set') {
    const { chars } = pattern
    return chars === '' ? undefined : [chars]
  }
  if (pattern.kind === 'sequence') return joinTemplates(pattern.items.map((item) => templateFromPattern(item, wish)))
  if (pattern.kind === 'choice') {
    const options = pattern.options
      .map((option) => templateFromPattern(option, wish))
      .filter((option) => option !== undefined)
    return options.sort((a, b) => countTexts(b) - countTexts(a) || a.length - b.length)[0]
  }
  if (pattern.kind === 'repeat') {
    const count = pattern.max === pattern.min ? pattern.min : Math.max(pattern.min, Math.min(pattern.max, wish))
    if (count > MAX_PLACES) return undefined
    const item = templateFromPattern(pattern.item, pattern.item.kind === 'set' ? wish : 1)
    return item && joinTemplates(Array.from({ length: pattern.max === 1 ? pattern.min : count }, () => item))
  }
  return pattern.kind === 'edge' ? [] : undefined
}

function joinTemplates(parts: readonly (Template | undefined)[]): Template | undefined {
  const places: string[] = []
  for (const part of parts) {
    if (!part || places.length + part.length > MAX_PLACES) return undefined
    places.push(...part)
  }
  return places
}

/** The layout of an example id: `cus_9s6XKzkNRLz8i3` gives `cus_` and 14 letters or digits. */
export function templateFromExample(example: string): Template | undefined {
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(example)) {
    return example === example.toUpperCase() && /[A-F]/.test(example)
      ? UUID_TEMPLATE.map((chars) => chars.toUpperCase())
      : UUID_TEMPLATE
  }
  if (/^[0-7][\dA-HJKMNP-TV-Z]{25}$/.test(example)) return ULID_TEMPLATE
  const parts = /^([A-Za-z][A-Za-z]{0,11}(?:[_-][a-z]{2,8})?[_-])?([\dA-Za-z]{4,64})$/.exec(example)
  if (!parts) return undefined
  const [, prefix = '', random = ''] = parts
  const digits = random.replace(/\D/g, '').length
  if (prefix === '' && digits === 0) return undefined
  if (prefix !== '' && digits === 0 && random.length < 10 && !/[a-z][A-Z]/.test(random)) return undefined
  if (/^\d+$/.test(random)) {
    if (prefix === '' && random.length < 6) return undefined
    return [...prefix, '123456789', ...places(DIGIT_SYMBOLS, random.length - 1)]
  }
  return [...prefix, ...places(alphabetOf(random), random.length)]
}

function alphabetOf(text: string): string {
  if (/^[\da-f]+$/.test(text) && text.length >= 8) return HEX
  if (/^[\dA-F]+$/.test(text) && text.length >= 8) return HEX.toUpperCase()
  if (text === text.toLowerCase()) return LOWER_ALPHANUMERIC
  return text === text.toUpperCase() ? LOWER_ALPHANUMERIC.toUpperCase() : ALPHANUMERIC
}
