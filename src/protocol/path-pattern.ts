/** A pattern of paths, read. */
export interface PathPattern {
  readonly text: string
  readonly matcher: RegExp
}

/** What stands for something else in a pattern: `{id}` anywhere, `:id` where a segment begins, `*` anywhere. */
const WILD = /\{[^/{}]*\}|(?<=\/):[A-Za-z_]\w*|\*/g

/**
 * Reads a pattern: `/payments/{id}` or `/payments/:id` for one segment or a part of it, `/payments/*` for any text, slashes
 * too. Everything else stands for itself.
 */
export function toPathPattern(text: string): PathPattern {
  let source = ''
  let end = 0
  for (const { 0: wild, index } of text.matchAll(WILD)) {
    source += literally(text.slice(end, index)) + (wild === '*' ? '.*' : '[^/]+')
    end = index + wild.length
  }
  return { text, matcher: new RegExp(`^${source}${literally(text.slice(end))}$`, 's') }
}

/**
 * Whether `path` (without its query) fits the pattern, percent-encoded or not. The pattern may be written with a base path
 * of the API or without, and so may the path.
 */
export function fitsPath({ text, matcher }: PathPattern, path: string, basePaths: readonly string[] = []): boolean {
  if (fits(matcher, path)) return true
  return basePaths.some((base) => {
    if (base === '') return false
    if (path.startsWith(base) && fits(matcher, path.slice(base.length))) return true
    return text.startsWith(base) && fits(toPathPattern(text.slice(base.length)).matcher, path)
  })
}

function fits(matcher: RegExp, path: string): boolean {
  return matcher.test(path) || (path.includes('%') && matcher.test(decode(path)))
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
