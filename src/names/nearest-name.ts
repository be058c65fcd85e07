/** The most similar name among `known`; undefined when none is similar. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined
  let effort = 0
  for (const candidate of known) {
    const isContained = name.length > 2 && (candidate.startsWith(name) || name.startsWith(candidate))
    const most = Math.max(1, Math.floor(candidate.length / 3))
    const difference = Math.abs(candidate.length - name.length)
    if (!isContained && (difference > most || effort > MOST_EFFORT)) continue
    effort += isContained ? 0 : name.length * candidate.length
    const distance = isContained ? difference : editDistance(name.toLowerCase(), candidate.toLowerCase())
    const isAlike = isContained || distance <= most
    if (isAlike && (best === undefined || distance < best.distance)) best = { name: candidate, distance }
  }
  return best?.name
}

/** Most letters in which a misspelt name differs from the right one. */
const MOST_MISSPELT = 2

/** The known name that `name` probably misspells; undefined where `name` may be right, since other names are allowed too. */
export function misspeltFor(name: string, known: readonly string[]): string | undefined {
  const nearest = known.includes(name) ? undefined : nearestName(name, known)
  return nearest !== undefined && editDistance(name, nearest) <= MOST_MISSPELT ? nearest : undefined
}

/** Most pairs of letters compared, for all names together: beyond this, only names that contain each other are found. */
const MOST_EFFORT = 2_000_000

/** ` Did you mean "x"?`, or an empty text. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}

/**
 * Number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other (Damerau,
 * 1964, each part of a text changed once).
 */
export function editDistance(left: string, right: string): number {
  let before: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let other = 1; other <= right.length; other++) {
      const replaced = (row[other - 1] as number) + Number(left[at - 1] !== right[other - 1])
      const isSwapped = left[at - 1] === right[other - 2] && left[at - 2] === right[other - 1]
      const swapped = isSwapped ? (before[other - 2] as number) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[other] as number) + 1, (next[other - 1] as number) + 1))
    }
    before = row
    row = next
  }
  return row[right.length] as number
}
