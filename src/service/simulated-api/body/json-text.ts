import { grouped } from '../../../protocol/grouped.ts'
import type { Json } from '../../../protocol/json.ts'
import { JsonExtent } from '../../../protocol/json-extent.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { Refusal } from '../refusal.ts'

const BOUNDS = { depth: 200, names: LIMITS.bodyNames, values: LIMITS.bodyValues }
/** A body other than a list of records is checked and written in one step. */
const BOUNDS_OF_ONE = { ...BOUNDS, values: LIMITS.bodyValuesOfOne }

/** Parses a JSON text. Refuses a malformed text with 400 and the position, and a text beyond a bound. */
export function parseJson(text: string): Json {
  if (text.length > BOUNDS.depth) refuseExcess(text)
  try {
    return JSON.parse(text, HUGE.test(text) ? refuseHuge : undefined) as Json
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal(400, 'invalid_request', `Failed to parse the body as JSON: ${explain(text)}.`, undefined, {
      cause,
    })
  }
}

/** Digits that a number beyond the largest one must have. */
const HUGE = /\d{309}|[eE]\+?0*\d{3}/

function refuseHuge(name: string, value: Json): Json {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  const message = `Expected \`${name || 'body'}\` to be a number of at most ${Number.MAX_VALUE}, got a larger one.`
  throw new Refusal(400, 'invalid_request', message, name)
}

function explain(text: string): string {
  const position = findFault(text)
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const found = position >= text.length ? 'it ends too early' : `unexpected ${JSON.stringify(text[position])}`
  return `${found} at position ${position} (line ${line}, column ${column})`
}

/** Throws for a text beyond a bound, before it is parsed. */
function refuseExcess(text: string): void {
  const bounds = /^\s*\[/.test(text) ? BOUNDS : BOUNDS_OF_ONE
  const extent = new JsonExtent(bounds)
  if (extent.take(Buffer.from(text)) || extent.excess === undefined) return
  const most = grouped(bounds[extent.excess])
  const messages = {
    depth: `Expected the body to be nested at most ${most} deep, got more.`,
    names: `Expected each object of the body to have at most ${most} names, got more.`,
    values: `Expected the body to have at most ${most} values, got more. Send it in several requests.`,
  }
  throw new Refusal(400, 'invalid_request', messages[extent.excess])
}

const BLANK = /[ \t\n\r]*/y
/** Plain characters of a string. A repeated character class needs no stack; repeated alternatives do. */
const PLAIN = /[^"\\\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/** Position of the first character that is not JSON; the length of a text that ends too early. */
function findFault(text: string): number {
  const scanner = new Scanner(text)
  scanner.value()
  return scanner.isAtFault ? scanner.at : scanner.blank().at
}

/** Scans a JSON text up to the first fault. */
class Scanner {
  at = 0
  isAtFault = false
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  blank(): this {
    this.#take(BLANK)
    return this
  }

  value(): void {
    this.blank()
    const first = this.#text[this.at]
    if (first === '{') this.#members('}', () => this.#member())
    else if (first === '[') this.#members(']', () => this.value())
    else if (first === '"') this.#string()
    else this.#isTaken(first === 't' || first === 'f' || first === 'n' ? WORD : NUMBER)
  }

  #member(): void {
    this.blank()
    if (!this.#string()) return
    this.blank()
    if (this.#isNext(':')) this.value()
  }

  #members(close: string, readOne: () => void): void {
    this.at++
    this.blank()
    if (this.#text[this.at] === close) {
      this.at++
      return
    }
    while (!this.isAtFault) {
      readOne()
      if (this.isAtFault) return
      this.blank()
      if (this.#text[this.at] === close) {
        this.at++
        return
      }
      this.#isNext(',')
    }
  }

  /** A fault inside a string is reported at the string's start. */
  #string(): boolean {
    const start = this.at
    if (!this.#isNext('"')) return false
    do this.#take(PLAIN)
    while (this.#take(ESCAPE))
    if (!this.#isNext('"')) this.at = start
    return !this.isAtFault
  }

  #isNext(character: string): boolean {
    if (this.#text[this.at] === character) this.at++
    else this.isAtFault = true
    return !this.isAtFault
  }

  #isTaken(pattern: RegExp): boolean {
    if (!this.#take(pattern)) this.isAtFault = true
    return !this.isAtFault
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.#text)) return false
    this.at = pattern.lastIndex
    return true
  }
}
