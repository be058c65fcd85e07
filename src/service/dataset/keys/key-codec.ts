import { slugOf } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { mixPair } from '../../../runtime/random.ts'
import { Permutation } from '../permutation.ts'

/** Ids as a function of the index and back. Different indexes below `capacity` give different texts. */
export interface KeyCodec {
  /** Number of ids. */
  readonly capacity: number
  /** `index` below the capacity. */
  at(index: number): Json
  indexOf(text: string): number | undefined
}

/** Whole numbers that count up from `first` in steps of `step`. */
export function createCountingCodec(options: { first: number; step: number; last: number; asText: boolean }): KeyCodec {
  const { first, step, last, asText } = options
  const capacity = Math.max(0, Math.floor((last - first) / step) + 1)
  return {
    capacity,
    at: (index) => (asText ? String(first + index * step) : first + index * step),
    indexOf: (text) => {
      const index = (Number(text) - first) / step
      return Number.isInteger(index) && index >= 0 && index < capacity && String(first + index * step) === text
        ? index
        : undefined
    },
  }
}

/** The values of an enum, in its order. */
export function createListCodec(values: readonly Json[]): KeyCodec {
  const indexes = new Map(values.map((value, index) => [String(value), index]))
  return {
    capacity: values.length,
    at: (index) => values[index] as Json,
    indexOf: (text) => indexes.get(text),
  }
}

/** After this many repeated ids in a row, the search for further ids ends. */
const MAX_MISSES = 200
/** Most characters of all ids in a table; of long ids it has fewer. */
const MOST_CHARACTERS = 4_000_000
/** From this number of characters on, no ids are kept free for created records. */
const MOST_SPARE_CHARACTERS = 200_000

/**
 * Ids from which no index can be computed: generated one after another, without duplicates, and kept in a table. Only
 * for schemas without another codec.
 */
export function createTabledCodec(make: (attempt: number) => Json, wanted: number, spare: number): KeyCodec {
  let table: Map<string, number> | undefined
  const values: Json[] = []
  const fill = (): Map<string, number> => {
    table = new Map()
    let characters = 0
    for (let attempt = 0, misses = 0; values.length < wanted + spare && misses < MAX_MISSES; attempt++) {
      if (characters > (values.length < wanted ? MOST_CHARACTERS : MOST_SPARE_CHARACTERS)) break
      const value = make(attempt)
      characters += typeof value === 'string' ? value.length : 1
      if (table.has(String(value))) {
        misses++
        continue
      }
      misses = 0
      table.set(String(value), values.length)
      values.push(value)
    }
    return table
  }
  return {
    get capacity() {
      if (!table) fill()
      return values.length
    },
    at: (index) => {
      if (!table) fill()
      return values[index] as Json
    },
    indexOf: (text) => (table ?? fill()).get(text),
  }
}

/** The ids of `first`, then those of `second`. */
export function createTwoCodecs(first: KeyCodec, second: KeyCodec): KeyCodec {
  return {
    get capacity() {
      return first.capacity + second.capacity
    },
    at: (index) => (index < first.capacity ? first.at(index) : second.at(index - first.capacity)),
    indexOf: (text) => {
      const known = first.indexOf(text)
      if (known !== undefined) return known
      const further = second.indexOf(text)
      return further === undefined ? undefined : first.capacity + further
    },
  }
}

interface NameParts {
  /** One-part names, the most usual first. @default none */
  readonly whole?: readonly string[]
  readonly first: readonly string[]
  readonly second: readonly string[]
  /** Between first and second: '-' or '_' or ''. */
  readonly joint: string
  /** At the end: `@example.com`. @default nothing */
  readonly ending?: string
}

const CAPACITY = 2 ** 31

/**
 * Keys like those of people: `production`, `amber-harbor`, and after all pairs `amber-harbor-2`. No part may end in a
 * digit or contain the joint.
 */
export function createNameCodec(parts: NameParts, key: number): KeyCodec {
  const { whole = [], first, second, joint, ending = '' } = parts
  const pairs = first.length * second.length
  const permutation = new Permutation(pairs, mixPair(key, 0x6e61))
  const spread = new Permutation(whole.length, mixPair(key, 0x7768))
  const wholeIndexes = new Map(whole.map((name, index) => [name, index]))
  const firstIndexes = new Map(first.map((name, index) => [name, index]))
  const secondIndexes = new Map(second.map((name, index) => [name, index]))
  const longestFirst = Math.max(0, ...first.map(({ length }) => length))
  const at = (index: number): string => {
    if (index < whole.length) return whole[spread.at(index)] + ending
    const pair = permutation.at((index - whole.length) % pairs)
    const round = Math.floor((index - whole.length) / pairs)
    const name = first[pair % first.length] + joint + second[Math.floor(pair / first.length)]
    return name + (round > 0 ? `${joint}${round + 1}` : '') + ending
  }
  const indexOf = (text: string): number | undefined => {
    if (!text.endsWith(ending)) return undefined
    const name = text.slice(0, text.length - ending.length)
    const known = wholeIndexes.get(name)
    if (known !== undefined) return spread.indexOf(known)
    const digits = trailingDigits(name)
    const stem = name.slice(0, name.length - digits.length)
    const round = digits === '' ? 0 : Number(digits) - 1
    const body = digits !== '' && joint !== '' && stem.endsWith(joint) ? stem.slice(0, -joint.length) : stem
    for (let cut = 1; cut < body.length && cut <= longestFirst; cut++) {
      const left = firstIndexes.get(body.slice(0, cut))
      if (left === undefined || !body.startsWith(joint, cut)) continue
      const right = secondIndexes.get(body.slice(cut + joint.length))
      if (right === undefined) continue
      const index = whole.length + round * pairs + permutation.indexOf(left + right * first.length)
      if (index < CAPACITY && at(index) === text) return index
    }
    return undefined
  }
  return { capacity: CAPACITY, at, indexOf }
}

/** Clients' keys have any characters and any length: a regular expression would be tried from each digit. */
function trailingDigits(text: string): string {
  let start = text.length
  while (start > 0 && /\d/.test(text[start - 1] as string)) start--
  return text.slice(start)
}

const MOST_TITLES = 4_000

/**
 * Slugs of numbered titles: `five-ways-to-plan-a-launch`, and `...-2` for a repeated title. The different titles, at
 * most a few thousand, are put into a table at the first look-up of an id.
 */
export function createTitleCodec(titles: (number: number) => string): KeyCodec {
  const slugs: string[] = []
  let indexes: Map<string, number> | undefined
  const fill = (): Map<string, number> => {
    indexes = new Map()
    for (let number = 0; number < MOST_TITLES; number++) {
      const slug = slugOf(titles(number))
      if (indexes.has(slug)) continue
      indexes.set(slug, slugs.length)
      slugs.push(slug)
    }
    return indexes
  }
  return {
    capacity: CAPACITY,
    at: (index) => {
      if (!indexes) fill()
      const round = Math.floor(index / slugs.length)
      return slugs[index % slugs.length] + (round > 0 ? `-${round + 1}` : '')
    },
    indexOf: (text) => {
      const known = (indexes ?? fill()).get(text)
      if (known !== undefined) return known
      const match = /^(.*)-(\d{1,7})$/s.exec(text)
      const first = match && indexes?.get(match[1] as string)
      const round = Number(match?.[2] ?? 0) - 1
      return first === null || first === undefined || round < 1 || String(round + 1) !== match?.[2]
        ? undefined
        : first + round * slugs.length
    },
  }
}
