/** First and last code point, both inclusive. */
export type CharRange = readonly [first: number, last: number]

const LAST_CODE_POINT = 0x10ffff
export const DIGITS: readonly CharRange[] = [[48, 57]]
export const WORD: readonly CharRange[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
export const SPACES: readonly CharRange[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
export const NOT_LINE_END: readonly CharRange[] = [
  [0, 9],
  [11, 12],
  [14, 0x2027],
  [0x202a, LAST_CODE_POINT],
]

/** The same characters, and the ASCII letters among them in the other case. */
export function bothCases([first, last]: CharRange): CharRange[] {
  const lower: CharRange = [Math.max(first, 65) + 32, Math.min(last, 90) + 32]
  const upper: CharRange = [Math.max(first, 97) - 32, Math.min(last, 122) - 32]
  return [[first, last], ...[lower, upper].filter(([from, to]) => from <= to)]
}

/** The ranges in order, with adjacent ranges joined. */
export function merged(ranges: readonly CharRange[]): CharRange[] {
  const result: [number, number][] = []
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = result.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else result.push([first, last])
  }
  return result
}

/** All characters that are in none of `ranges`. */
export function complement(ranges: readonly CharRange[]): CharRange[] {
  const result: CharRange[] = []
  let next = 0
  for (const [first, last] of merged(ranges)) {
    if (first > next) result.push([next, first - 1])
    next = last + 1
  }
  if (next <= LAST_CODE_POINT) result.push([next, LAST_CODE_POINT])
  return result
}

/** Least number of code points to test; the search continues only while none has the property. */
const FAR_ENOUGH = 0x500
const LAST_OF_PLANE = 0xd800

/**
 * The first characters with a Unicode property, for generated texts; the engine tests each character. Undefined where
 * the engine does not know the property.
 */
export function propertyRanges(name: string): readonly CharRange[] | undefined {
  const test = propertyTest(name)
  if (test === undefined) return undefined
  const ranges: [number, number][] = []
  for (let code = 0; code < LAST_OF_PLANE && (code < FAR_ENOUGH || ranges.length === 0); code++) {
    if (!test.test(String.fromCharCode(code))) continue
    const previous = ranges.at(-1)
    if (previous && previous[1] === code - 1) previous[1] = code
    else ranges.push([code, code])
  }
  return ranges
}

function propertyTest(name: string): RegExp | undefined {
  try {
    return new RegExp(`^\\p{${name}}$`, 'u')
  } catch {
    return undefined
  }
}

/** The characters that people would type: letters and digits, else printable characters, else any. */
export function likelyChars(ranges: readonly CharRange[]): string {
  const size = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  const printable = charsBetween(ranges, 32, 126)
  const plain = printable.replace(/[^A-Za-z0-9]/g, '')
  if (plain.length >= 2 || (plain.length === 1 && printable.length === 1)) {
    const lower = plain.replace(/[^a-z0-9]/g, '')
    if (/^[0-9]*[A-F]+[a-f]+$/.test(plain)) return lower
    return size > 60 && lower.length >= 10 ? lower : plain
  }
  if (printable !== '') return printable
  const first = ranges.find(([, last]) => last >= 0xa1) ?? ranges[0]
  return first ? charsBetween([first], first[0], first[0] + 40) : ''
}

function charsBetween(ranges: readonly CharRange[], from: number, to: number): string {
  let chars = ''
  for (const [first, last] of ranges) {
    for (let code = Math.max(first, from); code <= Math.min(last, to); code++) chars += String.fromCodePoint(code)
  }
  return chars
}
