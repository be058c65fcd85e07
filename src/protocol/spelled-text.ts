/** Escapes of a character in URLs, JSON, JavaScript and HTML; in UTF-16 a zero byte precedes or follows. */
const SPELLED =
  /%u([\da-f]{4})|%([\da-f]{2})|\\{1,16}(?:u\{0{0,6}([\da-f]{1,4})\}|u([\da-f]{4})|x([\da-f]{2}))|&#x0{0,6}([\da-f]{1,4});|&#0{0,6}(\d{1,5});|\0/gi
/** The first character of every escape. */
const MARK = /[%\\&\0]/
/** Most nested layers of escaping in a text. */
const MOST_LAYERS = 8

/** A part of a text, and its replacement. */
export interface Cut {
  readonly from: number
  readonly to: number
  readonly put: string
}

/** A text with character escapes, decoded. */
export class SpelledText {
  /** The decoded text. */
  readonly meaning: string
  readonly #text: string
  /** Where each character of the decoded text begins in the original; undefined where both are the same. */
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

  /** The original text with parts of its meaning replaced. The parts come in order. */
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

/** Decodes one layer of escapes; undefined where there are none. */
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
