/** Reads a table of names, in snake case with spaces between. The first mention of a name counts. */
export function readWords<T>(
  ...tables: readonly (readonly (readonly [names: string, value: T])[])[]
): ReadonlyMap<string, T> {
  const byName = new Map<string, T>()
  for (const table of tables) {
    for (const [names, value] of table) {
      for (const name of names.split(' ')) if (!byName.has(name)) byName.set(name, value)
    }
  }
  return byName
}

/** The value for `name`, or else for the longest end of it that follows an underscore: `exp_year` before `year`. */
export function findBySuffix<T>(byName: ReadonlyMap<string, T>, name: string): T | undefined {
  let suffix = name
  for (;;) {
    const found = byName.get(suffix)
    if (found !== undefined) return found
    const at = suffix.indexOf('_')
    if (at < 0) return undefined
    suffix = suffix.slice(at + 1)
  }
}
