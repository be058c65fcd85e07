/** Passed and total checks, and the reasons of misses. */
export interface Tally {
  passed: number
  total: number
  readonly misses: string[]
}

export const newTally = (): Tally => ({ passed: 0, total: 0, misses: [] })

/** Counts one check: passed where there is no `miss`. */
export function count(
  tally: Tally,
  { method, path }: { method: string; path: string },
  miss: string | undefined,
): void {
  tally.total++
  if (miss === undefined) tally.passed++
  else tally.misses.push(`${method} ${path}: ${miss}`)
}
