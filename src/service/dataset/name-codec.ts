import { slugOf } from '../../names/words.ts'
import { mixPair } from '../../runtime/random.ts'
import type { KeyCodec } from './key-codec.ts'
import { Permutation } from './permutation.ts'

/** What names are made of. */
export interface NameParts {
  /** Names that stand by themselves, best known first. */
  readonly whole: readonly string[]
  readonly first: readonly string[]
  readonly second: readonly string[]
  /** Between first and second: '-' or '_' or ''. */
  readonly joint: string
  /** After all: `@example.com`. */
  readonly ending: string
}

const CAPACITY = 2 ** 31

/**
 * Keys that people choose: `production`, `amber-harbor`, and once every pair is used `amber-harbor-2`. No part may end in
 * a digit or hold the joint.
 */
export function createNameCodec(parts: NameParts, key: number): KeyCodec {
  const { whole, first, second, joint, ending } = parts
  const pairs = first.length * second.length
  const permutation = new Permutation(pairs, mixPair(key, 0x6e61))
  const spread = new Permutation(whole.length, mixPair(key, 0x7768))
  const wholeIndexes = new Map(whole.map((name, index) => [name, index]))
  const firstIndexes = new Map(first.map((name, index) => [name, index]))
  const secondIndexes = new Map(second.map((name, index) => [name, index]))
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
    const match = /^(.*?)(\d*)$/.exec(name)
    const stem = match?.[1] as string
    const round = match?.[2] ? Number(match[2]) - 1 : 0
    const body = match?.[2] && joint !== '' && stem.endsWith(joint) ? stem.slice(0, -joint.length) : stem
    for (let cut = 1; cut < body.length; cut++) {
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

const MOST_TITLES = 4_000

/**
 * Slugs of numbered titles: `five-ways-to-plan-a-launch`, and once titles come again `...-2`. The titles that differ, a few
 * thousand at most, are tabled when an id is first looked up.
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
      const match = /^(.*)-(\d{1,7})$/.exec(text)
      const first = match && indexes?.get(match[1] as string)
      const round = Number(match?.[2] ?? 0) - 1
      return first === null || first === undefined || round < 1 || String(round + 1) !== match?.[2]
        ? undefined
        : first + round * slugs.length
    },
  }
}
