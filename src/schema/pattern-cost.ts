/** `{2,5}` counts too: several bounded repetitions are as slow as unbounded ones. */
const UNBOUNDED = /(?<!\\)[*+]|\{\d+,\d*\}/g
const REPEATED_GROUP = /\)(?:[*+?]|\{)/
/** Longest pattern for the native engine. */
const NATIVE_SOURCE = 20_000
/** Most parts of a pattern that is matched in linear time: compiling costs about 10 µs per part. */
export const MOST_PARTS = 2_000

/** Whether the native engine needs at most quadratic time for an expression. */
export function isSimplePattern(source: string): boolean {
  return !REPEATED_GROUP.test(source) && (source.match(UNBOUNDED)?.length ?? 0) <= 2
}

/** Number of parts that linear matching compares with each character of a text; 0 for the native engine. */
export const countLinearParts = (source: string): number => (isSimplePattern(source) ? 0 : countPatternParts(source))

/** Whether an expression is too large to compile. */
export function isOversizedPattern(source: string): boolean {
  return isSimplePattern(source) ? source.length > NATIVE_SOURCE : countPatternParts(source) > MOST_PARTS
}

/**
 * The number of parts of an expression for an engine that expands counted repetitions: `(ab){10}` has 20. A text that
 * is not a regular expression gives some number, too.
 */
export function countPatternParts(source: string): number {
  const outer: number[] = []
  let sum = 0
  let last = 0
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string
    if (char === '(') {
      outer.push(sum + last)
      sum = 0
      last = 0
    } else if (char === ')') {
      last = 1 + sum + last
      sum = outer.pop() ?? 0
    } else if (char === '{') {
      const counted = /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(at, at + 24))
      if (counted) {
        at += counted[0].length - 1
        last *= Math.max(1, Number(counted[1]), Number(counted[3]))
      }
    } else if (char === '*' || char === '+' || char === '?') {
      last += 1
    } else {
      sum += last
      const length = char === '\\' ? 2 : char === '[' ? lengthOfSet(source, at) : 1
      last = Math.ceil(length / 2)
      at += length - 1
    }
  }
  for (const around of outer) sum += around
  return sum + last
}

/** Length of the set that begins at `from`: `[^a-z\]]`. */
function lengthOfSet(source: string, from: number): number {
  let at = from + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at - from + 1
}
