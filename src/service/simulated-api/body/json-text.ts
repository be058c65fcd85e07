import type { Json } from '../../../protocol/json.ts'
import { Refusal } from '../refusal.ts'

const MAX_DEPTH = 200
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The value of a JSON text. Refuses malformed texts with 400, naming the position, and what is nested too deep. */
export function parseJson(text: string): Json {
  if (text.length > MAX_DEPTH) refuseDepth(text)
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw new Refusal(400, 'invalid_request', `Failed to parse the body as JSON: ${explain(text)}.`, undefined, {
      cause,
    })
  }
}

function explain(text: string): string {
  const position = findFault(text)
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const found = position >= text.length ? 'it ends too early' : `unexpected ${JSON.stringify(text[position])}`
  return `${found} at position ${position} (line ${line}, column ${column})`
}

/** Throws when brackets are nested deeper than any description means. Looks at characters outside of strings alone. */
function refuseDepth(text: string): void {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) {
        throw new Refusal(400, 'invalid_request', `Expected the body to be nested at most ${MAX_DEPTH} deep, got more.`)
      }
    } else if (code === 0x5d || code === 0x7d) depth--
  }
}

const BLANK = /[ \t\n\r]*/y
/** Plain characters of a string. One character class repeated takes no stack; repeated alternatives do. */
const PLAIN = /[^"\\\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/** Position of the first character at which `text` is not JSON any more; its length where it ends too early. */
export function findFault(text: string): number {
  const scanner = new Scanner(text)
  scanner.value()
  return scanner.isAtFault ? scanner.at : scanner.blank().at
}

/** Walks over a JSON text until something does not fit. */
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

  /** A fault inside of a string is told by where the string begins. */
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
