import { type Json, type JsonObject, setOwn } from './json.ts'

/** Characters that one call of `JSON.parse` gets: even full of names, they take only some milliseconds. */
const PIECE = 16_384
/** Deepest nesting of lists and objects that are longer than a piece. */
const MAX_DEPTH = 200

const SPACE = /[ \t\n\r]*/y

/**
 * `JSON.parse` in pieces, with a pause after each. Undefined for a text that is not JSON, is nested too deeply, or has
 * an object with more than `mostNames` names. One call for 1 MB of different names would take half a second.
 */
export function* parsingJson(text: string, mostNames: number): Generator<undefined, Json | undefined> {
  const pieces = new JsonPieces(text, mostNames)
  try {
    const value = yield* pieces.member(0)
    return pieces.isAtEnd ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

class JsonPieces {
  readonly #text: string
  readonly #mostNames: number
  #at = 0

  constructor(text: string, mostNames: number) {
    this.#text = text
    this.#mostNames = mostNames
  }

  get isAtEnd(): boolean {
    return this.#next() === ''
  }

  /** A value of any length. */
  *member(depth: number): Generator<undefined, Json> {
    const opening = this.#next()
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deeply')
    if (opening === '{') return yield* this.#object(depth)
    if (opening === '[') return yield* this.#list(depth)
    return this.#scalar(opening)
  }

  *#list(depth: number): Generator<undefined, Json[]> {
    const list: Json[] = []
    for (let isLast = this.#open(']'); !isLast; ) {
      const end = this.#endOfRun()
      if (end === undefined) list.push(yield* this.member(depth + 1))
      else for (const value of JSON.parse(`[${this.#take(end)}]`) as Json[]) list.push(value)
      isLast = this.#goOn(']')
      yield
    }
    return list
  }

  *#object(depth: number): Generator<undefined, JsonObject> {
    const object: JsonObject = {}
    let names = 0
    for (let isLast = this.#open('}'); !isLast; ) {
      const end = this.#endOfRun()
      const members =
        end === undefined
          ? { [this.#name()]: yield* this.member(depth + 1) }
          : (JSON.parse(`{${this.#take(end)}}`) as JsonObject)
      for (const name of Object.keys(members)) setOwn(object, name, members[name] as Json)
      names += Object.keys(members).length
      if (names > this.#mostNames) throw new SyntaxError('too many names')
      isLast = this.#goOn('}')
      yield
    }
    return object
  }

  /** Skips the opening bracket. True where the closing bracket follows directly. */
  #open(closing: string): boolean {
    this.#at++
    if (this.#next() !== closing) return false
    this.#at++
    return true
  }

  /** Skips the separator after a member. True at the closing bracket; after a comma another member must follow. */
  #goOn(closing: string): boolean {
    const mark = this.#next()
    if (mark !== ',' && mark !== closing) throw new SyntaxError(`no ${closing}`)
    this.#at++
    if (mark === ',' && this.#next() === closing) throw new SyntaxError('no member')
    return mark === closing
  }

  #name(): string {
    if (this.#next() !== '"') throw new SyntaxError('no name')
    const name = this.#scalar('"')
    if (this.#next() !== ':') throw new SyntaxError('no colon')
    this.#at++
    return String(name)
  }

  #scalar(opening: string): Json {
    const end = opening === '"' ? this.#endOfString(this.#at) : this.#at + (this.#restOfWord()?.length ?? 0)
    return JSON.parse(this.#take(end)) as Json
  }

  #restOfWord(): string | undefined {
    return /^[^\s,\]}]+/.exec(this.#text.slice(this.#at, this.#at + PIECE))?.[0]
  }

  #take(end: number): string {
    if (end === this.#at) throw new SyntaxError('nothing')
    const taken = this.#text.slice(this.#at, end)
    this.#at = end
    return taken
  }

  /** Skips white space. Returns the next character; '' at the end. */
  #next(): string {
    SPACE.lastIndex = this.#at
    this.#at += SPACE.exec(this.#text)?.[0].length ?? 0
    return this.#text.charAt(this.#at)
  }

  /** The place after as many whole members as fit into a piece; undefined where the next member does not fit. */
  #endOfRun(): number | undefined {
    const text = this.#text
    const most = Math.min(text.length, this.#at + PIECE)
    let comma: number | undefined
    let depth = 0
    for (let at = this.#at; at < most; at++) {
      const char = text.charCodeAt(at)
      if (char === 0x22) at = this.#endOfString(at) - 1
      else if (char === 0x7b || char === 0x5b) depth++
      else if (char === 0x7d || char === 0x5d) {
        if (depth-- === 0) return at
      } else if (char === 0x2c && depth === 0) comma = at
    }
    return comma
  }

  /** The place after the string that begins at `start`. */
  #endOfString(start: number): number {
    const text = this.#text
    for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
      let first = end
      while (text.charCodeAt(first - 1) === 0x5c) first--
      if ((end - first) % 2 === 0) return end + 1
    }
    throw new SyntaxError('no end of a string')
  }
}
