/**
 * Whether `path` (without its query) fits `pattern`: the same text, or with a trailing `*` the same beginning. The pattern
 * may be written with a base path or without, and so may the path.
 */
export function matchesRulePath(pattern: string, path: string, basePaths: readonly string[]): boolean {
  if (fits(pattern, path)) return true
  return basePaths.some((base) => base !== '' && (fits(pattern, `${base}${path}`) || fits(`${base}${pattern}`, path)))
}

function fits(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
