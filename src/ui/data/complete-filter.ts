import type { CollectionField } from '../../protocol/record-edit.ts'
import type { Searched } from './filter-line.ts'

/** Fields and values for a filter. */
export interface FilterWords {
  readonly names: () => readonly string[]
  readonly valuesOf: (field: string) => readonly string[]
}

/** Most rows from which words are taken, to keep typing fast. */
export const MOST_WORD_ROWS = 300
/** Most kept values of a field, and most offered completions. */
const MOST_VALUES = 50
const MOST_OFFERED = 8
const LONGEST_VALUE = 60

export function wordsOfFields(fields: readonly CollectionField[]): [field: string, values: readonly unknown[]][] {
  return fields.map(({ name, types, values }) => [name, types.includes('boolean') ? [true, false] : (values ?? [])])
}

/** The fields of items with their values. `known` are possible values of a field. */
export function filterWordsOf<Item>(
  items: readonly Item[],
  { names, read }: Pick<Searched<Item>, 'names' | 'read'>,
  known: readonly (readonly [field: string, values: readonly unknown[]])[] = [],
): FilterWords {
  return {
    names: () => [...new Set([...known.map(([field]) => field), ...items.flatMap(names)])],
    valuesOf: (field) => {
      const listed = known.flatMap(([name, values]) => (name === field ? values : []))
      const texts = [...listed, ...items.map((item) => read(item, field))].filter(isWord).map(String)
      return [...new Set(texts.filter(({ length }) => length > 0 && length <= LONGEST_VALUE))].slice(0, MOST_VALUES)
    },
  }
}

const isWord = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

const TERM = /(?:^|\s)(-?)(?:([\w.]*)|([\w.]+)(:|=)("?)([^\s"]*|"[^"]*))$/

/** Lines whose last term is completed: with names of fields, or values of one. A browser compares the text with what is typed. */
export function completionsOf(line: string, words: FilterWords): { line: string; text: string }[] {
  const [, minus = '', start, field = '', sign = ':', , typed = ''] = TERM.exec(line) ?? []
  const before = line.slice(0, line.search(/[^\s"]*(?:"[^"]*)?$/))
  const offered =
    start === undefined
      ? startingWith(typed, words.valuesOf(field)).map((value) => [`${quoted(value)} `, value] as const)
      : startingWith(start, words.names()).map((name) => [`${name}:`, `${name}:`] as const)
  const known = start === undefined ? `${before}${minus}${field}${sign}` : before + minus
  return offered.slice(0, MOST_OFFERED).map(([term, text]) => ({ line: known + term, text: known + text }))
}

const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value)

/** The words with this beginning, without the typed word itself. */
function startingWith(text: string, words: readonly string[]): string[] {
  const lower = text.toLowerCase()
  return words.filter((word) => word.toLowerCase() !== lower && word.toLowerCase().startsWith(lower))
}
