/** Fields that a filter can name, each with values that it has. */
export type FilterWords = ReadonlyMap<string, readonly string[]>

/** A way to go on with a filter. */
export interface Completion {
  /** The term that is offered. */
  readonly term: string
  /** The whole line with it. */
  readonly line: string
  /** Where the caret stands then. */
  readonly caret: number
}

/** Rows that words are taken from: a letter is typed, and not much is computed for it. */
export const MOST_WORD_ROWS = 300
/** Values of a field that are kept, and completions that are offered. */
const MOST_VALUES = 50
const MOST_OFFERED = 8
const LONGEST_VALUE = 60

/** The fields of rows with their values. `known` are values that a field may have. */
export function filterWordsOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  known: Iterable<readonly [field: string, values: readonly unknown[]]> = [],
): FilterWords {
  const words = new Map<string, Set<string>>()
  const take = (field: string, value?: unknown) => {
    const values = words.get(field) ?? new Set()
    words.set(field, values)
    const isWord = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isWord && values.size < MOST_VALUES && value !== '') values.add(String(value).slice(0, LONGEST_VALUE + 1))
  }
  for (const [field, values] of known) {
    take(field)
    for (const value of values) take(field, value)
  }
  for (const row of rows) for (const [field, value] of Object.entries(row)) take(field, value)
  return new Map(
    [...words].map(([field, values]) => [field, [...values].filter(({ length }) => length <= LONGEST_VALUE)]),
  )
}

const TERM = /(?:^|\s)(-?)(?:([\w.]*)|([\w.]+)(:|=)("?)([^\s"]*|"[^"]*))$/

/** How the term at the caret can go on: with the name of a field, or with one of its values. */
export function completionsOf(line: string, caret: number, words: FilterWords): Completion[] {
  const [, minus = '', start, field = '', sign = ':', , typed = ''] = TERM.exec(line.slice(0, caret)) ?? []
  const offered =
    start === undefined
      ? startingWith(typed, words.get(field) ?? []).map((value) => `${minus}${field}${sign}${quoted(value)} `)
      : startingWith(start, [...words.keys()]).map((name) => `${minus}${name}:`)
  const from = line.slice(0, caret).search(/[^\s"]*(?:"[^"]*)?$/)
  return offered.slice(0, MOST_OFFERED).map((term) => {
    return {
      term: term.trim(),
      line: line.slice(0, from) + term + line.slice(caret).trimStart(),
      caret: from + term.length,
    }
  })
}

const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value)

/** The words that begin so, and after them those that hold it; not what stands there already. */
function startingWith(text: string, words: readonly string[]): string[] {
  const lower = text.toLowerCase()
  const others = words.filter((word) => word.toLowerCase() !== lower && word.toLowerCase().includes(lower))
  return others.toSorted((left, right) => rank(left, lower) - rank(right, lower))
}

const rank = (word: string, lower: string): number => (word.toLowerCase().startsWith(lower) ? 0 : 1)
