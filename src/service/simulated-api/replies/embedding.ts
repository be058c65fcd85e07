import { hashText } from '../../../runtime/random.ts'

/** Words that say little about a text. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do does for from has have how i in is it its my of on or our that the their this to was we were what when where which who will with you your'.split(
    ' ',
  ),
)
const STOP_WEIGHT = 0.1
const TRIPLE_WEIGHT = 0.5

/** The vectors of texts; those that are vectors already stay. */
export function* embedTexts(
  texts: readonly (string | readonly number[])[],
  size: number,
): Generator<undefined, (readonly number[])[]> {
  const vectors: (readonly number[])[] = []
  for (const text of texts) {
    vectors.push(typeof text === 'string' ? embedText(text, size) : text)
    yield
  }
  return vectors
}

/** A vector of length 1: texts with common words, or common parts of words, are near. */
function embedText(text: string, size: number): number[] {
  const vector = new Array<number>(size).fill(0)
  const add = (part: string, weight: number): void => {
    const hash = hashText(part)
    const at = hash % size
    vector[at] = (vector[at] ?? 0) + (hash & 0x4000_0000 ? weight : -weight)
  }
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const [word, count] of counts) {
    const weight = count * (STOP_WORDS.has(word) ? STOP_WEIGHT : 1)
    add(word, weight)
    for (let at = 0; at + 3 <= word.length; at++) add(`${word.slice(at, at + 3)}…`, weight * TRIPLE_WEIGHT)
  }
  const length = Math.hypot(...vector)
  if (length > 0) return vector.map((value) => value / length)
  vector[hashText(text) % size] = 1
  return vector
}
