const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Follows the brackets of a JSON text while it arrives, so that one that is nested too deep is never parsed. */
export class JsonDepth {
  readonly #most: number
  #depth = 0
  #isInString = false
  /** Whether the last byte before this part was a backslash that escapes. */
  #isEscaped = false

  /** @param most how deep brackets may be nested */
  constructor(most: number) {
    this.#most = most
  }

  /** Takes the next bytes of the text, in UTF-8. False where it is nested too deep. */
  take(bytes: Uint8Array): boolean {
    let at = 0
    while (at < bytes.length) {
      if (this.#isInString) at = this.#skipString(bytes, at)
      else {
        const byte = bytes[at++]
        if (byte === QUOTE) this.#isInString = true
        else if (byte === 0x5b || byte === 0x7b) {
          if (++this.#depth > this.#most) return false
        } else if (byte === 0x5d || byte === 0x7d) this.#depth--
      }
    }
    return true
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

/** How many backslashes stand right before `end`, `start` and what follows it alone. */
function countBackslashes(bytes: Uint8Array, start: number, end: number): number {
  let count = 0
  while (end - count > start && bytes[end - count - 1] === BACKSLASH) count++
  return count
}
