import { wordsOf } from '../../../names/words.ts'

const SEARCH_WORDS = new Set(['search', 'query', 'filter', 'find', 'lookup', 'searches', 'autocomplete', 'typeahead'])
const BULK_WORDS = new Set(['batch', 'bulk', 'multi', 'multiple', 'mass', 'many'])

/** Whether a path ends in a word for searching. */
export function isSearchSegment(text: string): boolean {
  const words = wordsOf(text)
  return words.length <= 2 && words.some((word) => SEARCH_WORDS.has(word)) && !words.includes('history')
}

/** Whether a path ends in a word for doing many at once. */
export function isBulkSegment(text: string): boolean {
  const words = wordsOf(text)
  return BULK_WORDS.has(words[0] ?? '') || (words.length > 1 && BULK_WORDS.has(words.at(-1) ?? ''))
}
