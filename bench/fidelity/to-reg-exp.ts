/**
 * Descriptions are written for engines with and without Unicode mode, some with the slashes of a literal around the pattern,
 * some with the anchors of Python and Ruby.
 */
export function toRegExp(written: string): RegExp {
  const pattern = (/^\/(\^.*\$)\/[a-z]*$/s.exec(written)?.[1] ?? written)
    .replaceAll(/(?<!\\)\\A/g, '^')
    .replaceAll(/(?<!\\)\\[Zz]/g, '$')
  if (pattern.startsWith('(?i)')) return new RegExp(pattern.slice('(?i)'.length), 'iu')
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}
toRegExp.code = 'new RegExp'
