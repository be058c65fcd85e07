const BLANK = /[ \t\n\r]*/y
/** Up to what is no plain character of a string: runs of one class take no stack, runs of choices do. */
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
