import { type Completion, type FilterWords, MOST_OFFERED, startingWith } from './complete-filter.ts'

/** Completions for a form's field: the name of a field, a value of one, or JSON of fields and their values or of a list of names. */
export type Offer = 'name' | 'value' | 'object' | 'list'

/** Completions for a form's field at the caret. @param words fields with their values; for a `value` those of one field */
export function fieldCompletions(offer: Offer, words: FilterWords, line: string, caret: number): Completion[] {
  if (offer === 'name') return wholeWords(line, words.names())
  if (offer === 'value') return wholeWords(line, words.names().flatMap(words.valuesOf))
  return jsonCompletions(line, caret, words, offer === 'list')
}

function wholeWords(line: string, words: readonly string[]): Completion[] {
  const offered = startingWith(line.trim(), words).slice(0, MOST_OFFERED)
  return offered.map((term) => ({ term, line: term, caret: term.length, goesOn: false }))
}

/** The typed key or list item, after a brace, a bracket or a comma. */
const KEY = /(?:^|[{[,])\s*("?)([\w.]*)$/
/** The typed value, after its key. */
const VALUE = /"([\w.]+)"\s*:\s*("?)([^"\s,{}[\]]*)$/

function jsonCompletions(line: string, caret: number, words: FilterWords, isList: boolean): Completion[] {
  const before = line.slice(0, caret)
  const [, field, , typedValue = ''] = VALUE.exec(before) ?? []
  const [, , typedName] = KEY.exec(before) ?? []
  const typed = field === undefined ? typedName : typedValue
  if (typed === undefined) return []
  const known = field === undefined ? words.names() : words.valuesOf(field)
  const from = before.search(/"?[^"\s,{}[\]:]*$/)
  const rest = line.slice(caret).replace(/^"/, '')
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const opening = before.slice(0, from).trim() === '' ? open : ''
  return startingWith(typed, known)
    .slice(0, MOST_OFFERED)
    .map((word) => {
      const isKey = field === undefined && !isList
      const term = isKey ? `"${word}": ` : isJsonWord(word, field === undefined) ? word : JSON.stringify(word)
      const text = before.slice(0, from) + opening + term
      const end = isKey || rest.trim() !== '' ? rest : close
      return { term: term.trim(), line: text + end, caret: text.length, goesOn: isKey }
    })
}

/** Whether a value needs no quotes. */
const isJsonWord = (word: string, isName: boolean): boolean =>
  !isName && /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(word)
