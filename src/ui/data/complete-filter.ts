import type { CollectionField } from '../../protocol/record-edit.ts'
import type { Searched } from './filter-line.ts'

/** Fields and values for a filter. */
export interface FilterWords {
  readonly names: () => readonly string[]
  readonly valuesOf: (field: string) => readonly string[]
}

/** A completion of a typed line. */
export interface Completion {
  /** The offered term. */
  readonly term: string
  /** The whole line with it. */
  readonly line: string
  /** Position of the caret afterwards. */
  readonly caret: number
  /** Whether more can be offered after it, such as values after a field. */
  readonly goesOn: boolean
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

/** Completions of the term at the caret: names of fields, or values of one. */
export function completionsOf(line: string, caret: number, words: FilterWords): Completion[] {
  const [, minus = '', start, field = '', sign = ':', , typed = ''] = TERM.exec(line.slice(0, caret)) ?? []
  const offered =
    start === undefined
      ? startingWith(typed, words.valuesOf(field)).map((value) => `${minus}${field}${sign}${quoted(value)} `)
      : startingWith(start, words.names()).map((name) => `${minus}${name}:`)
  const from = line.slice(0, caret).search(/[^\s"]*(?:"[^"]*)?$/)
  return offered.slice(0, MOST_OFFERED).map((term) => {
    return {
      term: term.trim(),
      line: line.slice(0, from) + term + line.slice(caret).trimStart(),
      caret: from + term.length,
      goesOn: term.endsWith(':'),
    }
  })
}

const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value)

/** The words with this beginning, then those that contain it, without the typed word itself. */
function startingWith(text: string, words: readonly string[]): string[] {
  const lower = text.toLowerCase()
  const others = words.filter((word) => word.toLowerCase() !== lower && word.toLowerCase().includes(lower))
  return others.toSorted((left, right) => rank(left, lower) - rank(right, lower))
}

const rank = (word: string, lower: string): number => (word.toLowerCase().startsWith(lower) ? 0 : 1)
