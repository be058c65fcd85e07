/** How a character may be spelled with its code: as URLs, JSON, JavaScript and HTML do; bytes of UTF-16 have a zero beside it. */
const SPELLED =
  /%u([\da-f]{4})|%([\da-f]{2})|\\{1,16}(?:u\{0{0,6}([\da-f]{1,4})\}|u([\da-f]{4})|x([\da-f]{2}))|&#x0{0,6}([\da-f]{1,4});|&#0{0,6}(\d{1,5});|\0/gi
/** What every spelling begins with. */
const MARK = /[%\\&\0]/
/** A text may be spelled in several ways, one around the other. */
const MOST_LAYERS = 8

/** A part of a text, and what is put in its place. */
export interface Cut {
  readonly from: number
  readonly to: number
  readonly put: string
}

/** A text that may spell characters with their codes, read as what it means. */
export class SpelledText {
  /** What it means. */
  readonly meaning: string
  readonly #text: string
  /** Where each character of the meaning begins in the text; undefined where both are the same. */
  readonly #starts: Uint32Array | undefined

  constructor(text: string) {
    this.#text = text
    let meaning = text
    let starts: Uint32Array | undefined
    for (let layer = 0; layer < MOST_LAYERS && MARK.test(meaning); layer++) {
      const read = readLayer(meaning, starts)
      if (read === undefined) break
      ;({ meaning, starts } = read)
    }
    this.meaning = meaning
    this.#starts = starts
  }

  /** The text with parts of its meaning cut, which are given in their order. */
  without(cuts: readonly Cut[]): string {
    if (cuts.length === 0) return this.#text
    const startOf = (at: number) => this.#starts?.[at] ?? at
    let shown = ''
    let end = 0
    for (const { from, to, put } of cuts) {
      shown += this.#text.slice(end, startOf(from)) + put
      end = startOf(to)
    }
    return shown + this.#text.slice(end)
  }
}

/** Reads what is spelled, once. Undefined where nothing is. */
function readLayer(
  text: string,
  starts: Uint32Array | undefined,
): { readonly meaning: string; readonly starts: Uint32Array } | undefined {
  const places = new Uint32Array(text.length + 1)
  const startOf = (at: number) => starts?.[at] ?? at
  let meaning = ''
  let length = 0
  let end = 0
  const keep = (to: number): void => {
    meaning += text.slice(end, to)
    for (let at = end; at < to; at++) places[length++] = startOf(at)
  }
  for (const match of text.matchAll(SPELLED)) {
    const [whole, unicode, percent, braced, escaped, hex, html, decimal] = match
    const code = unicode ?? percent ?? braced ?? escaped ?? hex ?? html
    const value = code === undefined ? (decimal === undefined ? undefined : Number(decimal)) : Number.parseInt(code, 16)
    keep(match.index)
    end = match.index + whole.length
    if (!value) continue
    meaning += String.fromCharCode(value)
    places[length++] = startOf(match.index)
  }
  if (end === 0) return undefined
  keep(text.length)
  places[length] = startOf(text.length)
  return { meaning, starts: places.subarray(0, length + 1) }
}
