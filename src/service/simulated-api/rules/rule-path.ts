/**
 * Whether `path` (without its query) fits `pattern`: the same text, or with a trailing `*` the same beginning. The pattern
 * may be written with a base path or without, and so may the path.
 */
export function matchesRulePath(pattern: string, path: string, basePaths: readonly string[]): boolean {
  if (fits(pattern, path)) return true
  for (const base of basePaths) if (base !== '' && fitsWith(base, pattern, path)) return true
  return false
}

/** Whether the pattern without its base fits the path, or the path without its base the pattern. */
function fitsWith(base: string, pattern: string, path: string): boolean {
  if (pattern.startsWith(base) && fits(pattern.slice(base.length), path)) return true
  if (path.startsWith(base) && fits(pattern, path.slice(base.length))) return true
  return pattern.length <= base.length && pattern.endsWith('*') && base.startsWith(pattern.slice(0, -1))
}

function fits(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
