const TERM = /^(-?)([\w.]+)(:|=)([^\s<>*"]+)$/
/** Most letters in which a word may differ. */
const MOST_LETTERS = 2

/** The most similar filter to one without matches: another field, or another value of a field. */
export function nearestFilter(line: string, rows: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const terms = line.split(/\s+/).filter(Boolean)
  const meant = terms.map((term) => nearestTerm(term, rows) ?? term)
  const nearest = meant.join(' ')
  return nearest === terms.join(' ') ? undefined : nearest
}

function nearestTerm(term: string, rows: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const [, minus = '', field, sign = ':', text = ''] = TERM.exec(term) ?? []
  if (field === undefined || field.includes('.')) return undefined
  const fields = new Set(rows.flatMap((row) => Object.keys(row)))
  const known = fields.has(field) ? field : nearestWord(field, fields)
  if (known === undefined) return undefined
  const values = new Set(
    rows
      .map((row) => row[known])
      .filter(isPlain)
      .map(String),
  )
  const isValue = [...values].some((value) => value.toLowerCase() === text.toLowerCase())
  const value = isValue
    ? text
    : nearestWord(
        text,
        [...values].filter((one) => !/\s/.test(one)),
      )
  return known === field && value === undefined ? undefined : `${minus}${known}${sign}${value ?? text}`
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** The most similar of several words. A short word may differ in only one letter. */
function nearestWord(word: string, words: Iterable<string>): string | undefined {
  const most = word.length < 4 ? 1 : MOST_LETTERS
  let nearest: string | undefined
  let least = most + 1
  for (const one of words) {
    if (Math.abs(one.length - word.length) >= least) continue
    const letters = lettersBetween(word.toLowerCase(), one.toLowerCase())
    if (letters >= least) continue
    least = letters
    nearest = one
  }
  return nearest
}

/** Number of insertions, deletions, replacements and swaps of letters that turn one word into the other. */
function lettersBetween(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 1; at <= from.length; at++) {
    const next = [at]
    for (let other = 1; other <= to.length; other++) {
      const isSame = from[at - 1] === to[other - 1]
      const isSwapped = at > 1 && other > 1 && from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1]
      next[other] = Math.min(
        (next[other - 1] ?? 0) + 1,
        (row[other] ?? 0) + 1,
        (row[other - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[other - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
