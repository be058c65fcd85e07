import { createRequire } from 'node:module'
import type * as re2js from 're2js'
import { once } from '../runtime/once.ts'
import { parsePattern } from './parse-pattern.ts'
import { countPatternParts, isOversizedPattern, isSimplePattern, MOST_PARTS } from './pattern-cost.ts'

type TextTest = (text: string) => boolean

const require = createRequire(import.meta.url)
/** Longest text for the native engine. */
const NATIVE_CHARACTERS = 512
/** Most steps of a match (parts of the pattern times characters of the text): they take 20 ms. Longer texts are assumed to match. */
const MOST_STEPS = 500_000
const LOOK_AROUND = /\(\?[=!<]|\\[1-9k]/

/**
 * A test for a regular expression of a description, which is untrusted input: expressions without repeated groups and
 * with at most two unbounded repetitions run natively on short texts, everything else in linear time by RE2, which they load. Undefined
 * for expressions that neither can run safely (back-references, look-behind, look-ahead elsewhere than at the start,
 * expressions that are too large): such a pattern is not enforced.
 */
export function patternTest(source: string): TextTest | undefined {
  if (isOversizedPattern(source)) return undefined
  if (LOOK_AROUND.test(source)) return testWithLookAheads(source)
  const linear = once(() => compileLinear(source))
  const native = isSimplePattern(source) ? compileNative(source) : undefined
  if (native === undefined) return linear()
  return (text) => (text.length <= NATIVE_CHARACTERS ? native.test(text) : (linear()?.(text) ?? true))
}

/** {@link patternTest} for an expression with flags: `i`, `m` and `s` change what it finds. */
export const flaggedTest = (source: string, flags = ''): TextTest | undefined =>
  /[ims]/.test(flags) ? compileLinear(source, flags) : patternTest(source)

/** `^(?=a)(?!b)c`: the text must match `^a` and `^c`, and not `^b`. */
function testWithLookAheads(source: string): TextTest | undefined {
  const node = source.startsWith('^') ? parsePattern(source) : undefined
  const [, ...items] = node?.kind === 'sequence' ? node.items : []
  const looks = items.filter((item) => item.kind === 'look')
  const end = looks.at(-1)?.to ?? 0
  if (looks.length === 0 || items[looks.length - 1]?.kind !== 'look') return undefined
  const parts = [
    { source: `^(?:${source.slice(end)})`, isWanted: true },
    ...looks.map(({ inner, negated }) => ({ source: `^(?:${inner})`, isWanted: !negated })),
  ]
  if (looks.some(({ behind }) => behind) || parts.some((part) => LOOK_AROUND.test(part.source))) return undefined
  const tests = parts.map((part) => ({ test: patternTest(part.source), isWanted: part.isWanted }))
  if (tests.some(({ test }) => test === undefined)) return undefined
  return (text) => tests.every(({ test, isWanted }) => test?.(text) === isWanted)
}

function compileNative(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Descriptions use escapes that the `u` flag forbids; without the flag the expression may be valid.
    }
  }
  return undefined
}

function compileLinear(source: string, flags = ''): TextTest | undefined {
  if (countPatternParts(source) > MOST_PARTS) return undefined
  const { RE2JS } = require('re2js') as typeof re2js
  const modes = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL }
  const mode = Object.entries(modes).reduce((sum, [flag, one]) => (flags.includes(flag) ? sum | one : sum), 0)
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), mode)
    const longest = MOST_STEPS / countPatternParts(source)
    return (text) => text.length > longest || pattern.matcher(text).find()
  } catch {
    return undefined
  }
}
