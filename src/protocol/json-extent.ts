const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** Bounds of a JSON text, apart from its bytes. */
export interface JsonBounds {
  /** Deepest nesting of brackets. */
  readonly depth: number
  /** Most names of one object. */
  readonly names: number
  /** Most names and list values, all together. */
  readonly values: number
}

/** Checks the bounds of a JSON text while it arrives, because parsing a text beyond them would block the event loop. */
export class JsonExtent {
  /** The exceeded bound. */
  excess: keyof JsonBounds | undefined
  readonly #bounds: JsonBounds
  #depth = 0
  #values = 0
  /** Names so far in each open object, by depth. */
  readonly #names: number[] = []
  #isInString = false
  /** Whether the last byte of the previous part was an escaping backslash. */
  #isEscaped = false

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  /** Takes the next bytes of the text, in UTF-8. False when a bound is exceeded. */
  take(bytes: Uint8Array): boolean {
    let at = 0
    while (at < bytes.length && this.excess === undefined) {
      if (this.#isInString) at = this.#skipString(bytes, at)
      else this.#follow(bytes[at++] as number)
    }
    return this.excess === undefined
  }

  #follow(byte: number): void {
    if (byte === QUOTE) this.#isInString = true
    else if (byte === COLON) this.#countName()
    else if (byte === COMMA) this.#countValue()
    else if (byte === 0x5b || byte === 0x7b) this.#open()
    else if (byte === 0x5d || byte === 0x7d) this.#depth--
  }

  #open(): void {
    if (++this.#depth > this.#bounds.depth) this.excess = 'depth'
    this.#names[this.#depth] = 0
    this.#countValue()
  }

  #countName(): void {
    const names = (this.#names[this.#depth] ?? 0) + 1
    this.#names[this.#depth] = names
    if (names > this.#bounds.names) this.excess = 'names'
  }

  /** Counts commas and opening brackets: the number of values, or slightly more. */
  #countValue(): void {
    if (++this.#values > this.#bounds.values) this.excess = 'values'
  }

  /** The place after the end of the string that `at` lies in, or the end of the bytes. */
  #skipString(bytes: Uint8Array, at: number): number {
    const start = this.#isEscaped ? at + 1 : at
    this.#isEscaped = false
    for (let end = bytes.indexOf(QUOTE, start); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
      if (countBackslashes(bytes, start, end) % 2 === 1) continue
      this.#isInString = false
      return end + 1
    }
    this.#isEscaped = countBackslashes(bytes, start, bytes.length) % 2 === 1
    return bytes.length
  }
}

/** How many backslashes stand right before `end`, back to `start`. */
function countBackslashes(bytes: Uint8Array, start: number, end: number): number {
  let count = 0
  while (end - count > start && bytes[end - count - 1] === BACKSLASH) count++
  return count
}
