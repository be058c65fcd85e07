import {
  bothCases,
  type CharRange,
  complement,
  DIGITS,
  likelyChars,
  merged,
  NOT_LINE_END,
  propertyRanges,
  SPACES,
  WORD,
} from './char-ranges.ts'

/** A regular expression of ECMA-262 as a tree, without captures and back references. */
export type PatternNode =
  | {
      readonly kind: 'set'
      readonly ranges: readonly CharRange[]
      /** The characters of the set that a person would type; see {@link likelyChars}. */
      readonly chars: string
    }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly item: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'edge'; readonly at: 'start' | 'end' | 'word' | 'notWord' }
  | {
      readonly kind: 'look'
      readonly item: PatternNode
      readonly behind: boolean
      readonly negated: boolean
      /** The pattern of the look-around as written, and the end of the group in the source. */
      readonly inner: string
      readonly to: number
    }

const MAX_DEPTH = 60
const MAX_CHARACTERS = 5_000

const CONTROL_ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 }

/** The tree of `source`; undefined where it is not a regular expression, or has back references. */
export function parsePattern(source: string): PatternNode | undefined {
  if (source.length > MAX_CHARACTERS) return undefined
  try {
    return source.startsWith('(?i)')
      ? anyCase(new PatternParser(source.slice(4)).parse())
      : new PatternParser(source).parse()
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined
    throw error
  }
}

class UnsupportedPattern extends Error {}

class PatternParser {
  readonly #source: string
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): PatternNode {
    const node = this.#choice()
    if (this.#at < this.#source.length) throw new UnsupportedPattern()
    return node
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedPattern()
    const options = [this.#sequence()]
    while (this.#take('|')) options.push(this.#sequence())
    this.#depth--
    return options.length === 1 ? (options[0] as PatternNode) : { kind: 'choice', options }
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = []
    while (this.#at < this.#source.length && !this.#sees('|') && !this.#sees(')')) items.push(this.#repeated())
    return items.length === 1 ? (items[0] as PatternNode) : { kind: 'sequence', items: items.map(withDots) }
  }

  #repeated(): PatternNode {
    const item = this.#atom()
    const bounds = this.#bounds()
    if (!bounds) return item
    this.#take('?')
    return { kind: 'repeat', item, min: bounds[0], max: bounds[1] }
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#source.slice(this.#at, this.#at + 24))
    if (!counted) return undefined
    this.#at += counted[0].length
    const min = Number(counted[1])
    const max = counted[2] === '' ? min : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])
    if (max < min) throw new UnsupportedPattern()
    return [min, max]
  }

  #atom(): PatternNode {
    const char = this.#next()
    if (char === '(') return this.#group()
    if (char === '[') return this.#set()
    if (char === '.') return setOf(NOT_LINE_END)
    if (char === '^') return { kind: 'edge', at: 'start' }
    if (char === '$') return { kind: 'edge', at: 'end' }
    if (char === '\\') return this.#escape()
    if (char === '*' || char === '+' || char === '?') throw new UnsupportedPattern()
    return setOf([[char.codePointAt(0) as number, char.codePointAt(0) as number]])
  }

  #group(): PatternNode {
    let look: { behind: boolean; negated: boolean } | undefined
    if (this.#take('?')) {
      if (this.#take('=')) look = { behind: false, negated: false }
      else if (this.#take('!')) look = { behind: false, negated: true }
      else if (this.#take('<=')) look = { behind: true, negated: false }
      else if (this.#take('<!')) look = { behind: true, negated: true }
      else if (this.#take('<')) this.#at = this.#source.indexOf('>', this.#at) + 1 || this.#source.length
      else if (!this.#take(':')) throw new UnsupportedPattern()
    }
    const start = this.#at
    const item = this.#choice()
    const inner = this.#source.slice(start, this.#at)
    if (!this.#take(')')) throw new UnsupportedPattern()
    return look ? { kind: 'look', item, ...look, inner, to: this.#at } : item
  }

  #escape(): PatternNode {
    if (this.#take('b')) return { kind: 'edge', at: 'word' }
    if (this.#take('B')) return { kind: 'edge', at: 'notWord' }
    return setOf(this.#escapedRanges())
  }

  /** Parses the escape after a backslash, inside or outside a set. */
  #escapedRanges(): readonly CharRange[] {
    const char = this.#next()
    if (char === 'd') return DIGITS
    if (char === 'D') return complement(DIGITS)
    if (char === 'w') return WORD
    if (char === 'W') return complement(WORD)
    if (char === 's') return SPACES
    if (char === 'S') return complement(SPACES)
    if (char === 'p' || char === 'P') return this.#property(char === 'P')
    if (char === 'k' || (char >= '1' && char <= '9')) throw new UnsupportedPattern()
    const code = this.#escapedCode(char)
    return [[code, code]]
  }

  #escapedCode(char: string): number {
    const control = CONTROL_ESCAPES[char]
    if (control !== undefined) return control
    if (char === 'c') return (this.#next().codePointAt(0) as number) % 32
    const rest = this.#source.slice(this.#at, this.#at + 10)
    const digits =
      char === 'x' ? /^[\da-f]{2}/i.exec(rest) : char === 'u' ? /^(?:[\da-f]{4}|\{[\da-f]+\})/i.exec(rest) : null
    if (!digits) return char.codePointAt(0) as number
    this.#at += digits[0].length
    return Number.parseInt(digits[0].replace(/[{}]/g, ''), 16)
  }

  #property(negated: boolean): readonly CharRange[] {
    const named = /^\{([\w=]+)\}/.exec(this.#source.slice(this.#at, this.#at + 64))
    if (!named) throw new UnsupportedPattern()
    this.#at += named[0].length
    const ranges = propertyRanges(named[1] as string)
    if (ranges === undefined) throw new UnsupportedPattern()
    return negated ? complement(ranges) : ranges
  }

  #set(): PatternNode {
    const negated = this.#take('^')
    const ranges: CharRange[] = []
    while (!this.#take(']')) {
      const first = this.#setItem()
      const firstCode = first.length === 1 && first[0]?.[0] === first[0]?.[1] ? first[0]?.[0] : undefined
      const isSpan = firstCode !== undefined && this.#sees('-') && this.#source[this.#at + 1] !== ']'
      if (!isSpan) {
        ranges.push(...first)
        continue
      }
      this.#at++
      const last = this.#setItem()
      const lastCode = last[0]?.[1] as number
      if (last.length === 1 && last[0]?.[0] === lastCode) {
        if (lastCode < firstCode) throw new UnsupportedPattern()
        ranges.push([firstCode, lastCode])
      } else ranges.push(...first, [45, 45], ...last)
    }
    return setOf(negated ? complement(ranges) : merged(ranges))
  }

  #setItem(): readonly CharRange[] {
    const char = this.#next()
    if (char === '\\') return this.#take('b') ? [[8, 8]] : this.#escapedRanges()
    const code = char.codePointAt(0) as number
    return [[code, code]]
  }

  #next(): string {
    const code = this.#source.codePointAt(this.#at)
    if (code === undefined) throw new UnsupportedPattern()
    const char = String.fromCodePoint(code)
    this.#at += char.length
    return char
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#at += text.length
    return true
  }
}

/** The pattern with ASCII letters in both cases: the meaning of a leading `(?i)` in RE2 and others. */
function anyCase(node: PatternNode): PatternNode {
  if (node.kind === 'set') return setOf(merged(node.ranges.flatMap(bothCases)))
  if (node.kind === 'sequence') return { kind: 'sequence', items: node.items.map(anyCase) }
  if (node.kind === 'choice') return { kind: 'choice', options: node.options.map(anyCase) }
  return node.kind === 'edge' ? node : { ...node, item: anyCase(node.item) }
}

/** A `.` before a fixed character that is no `.` is most often a forgotten `\.`, as in `acme.com`: the text has one. */
function withDots(node: PatternNode, at: number, items: readonly PatternNode[]): PatternNode {
  const isAny = (other: PatternNode | undefined) => other?.kind === 'set' && other.ranges === NOT_LINE_END
  const next = items[at + 1]
  const isFixed = next?.kind === 'set' && next.chars.length === 1
  return isAny(node) && isFixed && !isAny(items[at - 1]) ? { kind: 'set', ranges: NOT_LINE_END, chars: '.' } : node
}

function setOf(ranges: readonly CharRange[]): PatternNode {
  return { kind: 'set', ranges, chars: likelyChars(ranges) }
}
