import { RE2JS } from 're2js'

/** Longest text that the native engine is given. */
const NATIVE_CHARACTERS = 512
/** `{2,5}` counts too: a row of bounded repetitions is as slow as one of unbounded ones. */
const UNBOUNDED = /(?<!\\)[*+]|\{\d+,\d*\}/g
const REPEATED_GROUP = /\)(?:[*+?]|\{)/
const LOOK_AROUND = /\(\?[=!<]|\\[1-9k]/

const tests = new Map<string, ((text: string) => boolean) | undefined>()

/**
 * A test for a regular expression of a description, which nobody has vetted: expressions without repeated groups and with
 * at most two unbounded repetitions run natively on short texts, everything else in linear time by RE2. Undefined for what
 * neither can run safely (look-around, back-references): such a pattern is not enforced.
 */
export function toPatternTest(source: string): ((text: string) => boolean) | undefined {
  if (!tests.has(source)) {
    if (tests.size > 20_000) tests.clear()
    tests.set(source, compile(source))
  }
  return tests.get(source)
}

function compile(source: string): ((text: string) => boolean) | undefined {
  if (LOOK_AROUND.test(source)) return undefined
  const linear = lazily(() => compileLinear(source))
  const native = isSimple(source) ? compileNative(source) : undefined
  if (native === undefined) return linear()
  return (text) => (text.length <= NATIVE_CHARACTERS ? native.test(text) : (linear()?.(text) ?? true))
}

function isSimple(source: string): boolean {
  return !REPEATED_GROUP.test(source) && (source.match(UNBOUNDED)?.length ?? 0) <= 2
}

function compileNative(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Descriptions escape what the `u` flag forbids; without it the expression may still be good.
    }
  }
  return undefined
}

function compileLinear(source: string): ((text: string) => boolean) | undefined {
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source))
    return (text) => pattern.matcher(text).find()
  } catch {
    return undefined
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
