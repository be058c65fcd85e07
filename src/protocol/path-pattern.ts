import { setOwn } from './json.ts'
import { percentDecoded } from './json-pointer.ts'

/** A parsed path pattern. */
export interface PathPattern {
  readonly text: string
  readonly parts: readonly PathPart[]
}

/** A part of a pattern: literal text, `any` for any text, `segment` for one or more characters except `/`. */
export type PathPart = { readonly text: string } | 'any' | 'segment'

/** Most placeholders of a pattern. */
export const MOST_WILD_PARTS = 20

/** The placeholders of a pattern: `{id}` anywhere, `:id` at the start of a segment, `*` anywhere. */
const WILD = /\{[^/{}]*\}|(?<=\/):[A-Za-z_]\w*|\*+/g

/**
 * Reads a pattern: `/payments/{id}` or `/payments/:id` for one segment or a part of it, `/payments/*` for any text, slashes
 * too. Everything else is literal; a slash at the end is ignored.
 */
export function toPathPattern(written: string): PathPattern {
  const text = withoutLastSlash(written)
  const parts: PathPart[] = []
  let end = 0
  for (const { 0: wild, index } of text.matchAll(WILD)) {
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push(wild.startsWith('*') ? 'any' : 'segment')
    end = index + wild.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return { text, parts }
}

/** Counts the placeholders of a pattern. */
export function countWildParts(text: string): number {
  return [...text.matchAll(WILD)].length
}

/**
 * Whether a path that was sent (without its query) fits the pattern, percent-encoded or not. The pattern may be written with a base path
 * of the API or without, and so may the path. Never slower than the length of the path for each part: patterns come
 * from clients, and a regular expression of many wild parts could take a service's time.
 */
export function fitsPath(pattern: PathPattern, sent: string, basePaths: readonly string[] = []): boolean {
  const path = withoutLastSlash(sent)
  if (fits(pattern, path)) return true
  for (const base of basePaths) {
    if (base === '') continue
    const inside = belowBase(path, base)
    if (inside !== undefined && fits(pattern, inside.path)) return true
    if (mayBeginWithin(pattern, base) && fits(pattern, base + path)) return true
  }
  return false
}

/**
 * A path below a base path, with the values of its variables: `/deployments/{deployment}` is the base of
 * `/deployments/mine/chat`. Undefined for a path elsewhere.
 */
export function belowBase(path: string, base: string): { path: string; values: Record<string, string> } | undefined {
  const values: Record<string, string> = {}
  if (!base.includes('{')) {
    const isBelow = path.startsWith(base) && (path.length === base.length || path[base.length] === '/')
    return isBelow ? { path: path.slice(base.length), values } : undefined
  }
  const [wanted, parts] = [base.split('/'), path.split('/')]
  for (const [at, segment] of wanted.entries()) {
    const part = parts[at]
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    if (part === undefined || (name === undefined ? part !== segment : part === '')) return undefined
    if (name !== undefined) setOwn(values, name, percentDecoded(part))
  }
  return { path: `/${parts.slice(wanted.length).join('/')}`, values }
}

/** An API answers `/payments/` as it answers `/payments`. */
const withoutLastSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

/** Whether some path fits both patterns. */
export function haveCommonPath(left: PathPattern, right: PathPattern): boolean {
  const [one, other] = [toSteps(left), toSteps(right)]
  const width = other.length + 1
  const seen = new Set<number>()
  const open: [number, number][] = [[0, 0]]
  for (let at = open.pop(); at; at = open.pop()) {
    const [i, j] = at
    if (i === one.length && j === other.length) return true
    if (seen.has(i * width + j)) continue
    seen.add(i * width + j)
    const [a, b] = [one[i], other[j]]
    if (a?.mayEnd) open.push([i + 1, j])
    if (b?.mayEnd) open.push([i, j + 1])
    if (a === undefined || b === undefined || !haveCommonCharacter(a.takes, b.takes)) continue
    for (const left of a.stays ? [i, i + 1] : [i + 1])
      for (const right of b.stays ? [j, j + 1] : [j + 1]) open.push([left, right])
  }
  return false
}

function fits(pattern: PathPattern, path: string): boolean {
  return fitsText(pattern, path) || (path.includes('%') && fitsText(pattern, percentDecoded(path)))
}

/** Whether a pattern includes the base path; `/v*` includes `/v1`. */
function mayBeginWithin({ text, parts }: PathPattern, base: string): boolean {
  const [first, second] = parts
  if (typeof first !== 'object') return false
  return text.startsWith(base) || (parts.length === 2 && second === 'any' && base.startsWith(first.text))
}

/** Tracks every position of the path where the parts so far can end. */
function fitsText({ parts }: PathPattern, path: string): boolean {
  const [first] = parts
  if (typeof first === 'object' && !path.startsWith(first.text)) return false
  let ends: Iterable<number> = [0]
  for (const [at, part] of parts.entries()) {
    const next = new Set<number>()
    for (const end of ends) {
      if (part === 'any') {
        if (at === parts.length - 1) return true
        for (let place = end; place <= path.length && !next.has(place); place++) next.add(place)
      } else if (part === 'segment') {
        for (let place = end + 1; place <= path.length && path[place - 1] !== '/' && !next.has(place); place++)
          next.add(place)
      } else if (path.startsWith(part.text, end)) next.add(end + part.text.length)
    }
    if (next.size === 0) return false
    ends = next
  }
  for (const end of ends) if (end === path.length) return true
  return false
}

/** One character of a pattern. */
interface Step {
  /** The character, any character, or any except `/`. */
  readonly takes: string
  /** Whether it may match more characters of its kind. */
  readonly stays: boolean
  /** Whether it may match no character. */
  readonly mayEnd: boolean
}

const ANY = 'any'
const NO_SLASH = 'any but /'

function toSteps({ parts }: PathPattern): Step[] {
  return parts.flatMap((part): Step | Step[] => {
    if (part === 'any') return { takes: ANY, stays: true, mayEnd: true }
    if (part === 'segment') return { takes: NO_SLASH, stays: true, mayEnd: false }
    return [...part.text].map((takes) => ({ takes, stays: false, mayEnd: false }))
  })
}

function haveCommonCharacter(left: string, right: string): boolean {
  if (left === right || left === ANY || right === ANY) return true
  if (left === NO_SLASH) return right !== '/'
  return right === NO_SLASH && left !== '/'
}
