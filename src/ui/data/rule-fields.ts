import type { CollectionField } from '../../protocol/collection-description.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ResponseRuleKind } from '../../protocol/response-rule.ts'
import {
  type Completion,
  type FilterWords,
  filterWordsOf,
  MOST_OFFERED,
  startingWith,
  wordsOfFields,
} from './complete-filter.ts'
import { OBJECTS } from './filter-line.ts'
import { valueIn } from './json-value.ts'

/** A config field of a rule in a form. `json` accepts any value, and so does `value`, where a text that is not JSON is a string. */
export interface RuleField {
  readonly name: string
  readonly label: string
  readonly type: 'number' | 'text' | 'switch' | 'json' | 'value' | readonly string[]
  /** Which names or values of a collection's records to offer. */
  readonly offers?: Offer
  /** The fields to offer, if not all. */
  readonly only?: 'numbers' | 'times' | 'references'
}

/** The records for a form's fields. */
export interface Subject {
  readonly fields: readonly CollectionField[]
  readonly statusField: string | null
}

const FITS: Readonly<Record<NonNullable<RuleField['only']>, (field: CollectionField) => boolean>> = {
  numbers: ({ types }) => types.some((type) => type === 'number' || type === 'integer'),
  times: ({ format, name }) => /^date/.test(format ?? '') || /(?:At|_at|date|time)$/i.test(name),
  references: ({ refersTo }) => refersTo !== undefined,
}

/** The fields and values to offer for a form's field. */
export function wordsFor(
  { offers, only }: RuleField,
  { fields, statusField }: Subject,
  config: JsonObject,
): FilterWords {
  const isChosen = ({ name }: CollectionField) => name === (config.field || statusField)
  const fitting = offers === 'value' ? isChosen : only === undefined ? () => true : FITS[only]
  return filterWordsOf([], OBJECTS, wordsOfFields(fields.filter(fitting)))
}

const COMMIT: RuleField = { name: 'commit', label: 'The request is done', type: ['before', 'after', 'never'] }
const RETRY_AFTER: RuleField = { name: 'retryAfterSeconds', label: 'Retry-After, seconds', type: 'number' }

const toFields = (...fields: readonly (readonly [string, string, RuleField['type']])[]): readonly RuleField[] =>
  fields.map(([name, label, type]) => ({ name, label, type }))

/** Fields of each kind. Others can be written as JSON. */
export const KIND_FIELDS: Readonly<Record<ResponseRuleKind, readonly RuleField[]>> = {
  latency: toFields(
    ['latencyMs', 'Later by, ms', 'number'],
    ['latencyJitterMs', 'More or less, ms', 'number'],
    ['distribution', 'Distribution', ['fixed', 'uniform', 'normal', 'lognormal']],
    ['maxMs', 'At most, ms', 'number'],
  ),
  error: [
    ...toFields(
      ['status', 'Status', 'number'],
      ['code', 'Code', 'text'],
      ['message', 'Message', 'text'],
      ['body', 'Body, JSON', 'json'],
    ),
    RETRY_AFTER,
  ],
  rateLimit: toFields(
    ['limit', 'Requests', 'number'],
    ['windowSeconds', 'Within, seconds', 'number'],
    ['burst', 'Burst', 'number'],
    ['scope', 'Counted for each', ['simulation', 'key', 'ip', 'operation']],
    ['algorithm', 'Counted by', ['fixed', 'tokenBucket']],
    ['headers', 'Headers', ['standard', 'x', 'none']],
  ),
  timeout: [...toFields(['holdMs', 'Held for, ms (0: for good)', 'number']), COMMIT],
  connectionReset: [
    ...toFields(['when', 'When', ['beforeResponse', 'midBody']], ['afterBytes', 'After bytes of the body', 'number']),
    COMMIT,
  ],
  emptyResponse: [COMMIT, ...toFields(['beforeKey', 'Also before the key is looked at', 'switch'])],
  malformed: toFields(
    ['mode', 'Damage', ['json', 'truncate', 'randomBytes', 'invalidHttp']],
    ['keepFraction', 'Share that is kept, 0 to 1', 'number'],
  ),
  slowBody: toFields(
    ['bytesPerSecond', 'Bytes a second', 'number'],
    ['chunkBytes', 'Bytes of a piece', 'number'],
    ['chunkDelayMs', 'Between pieces, ms', 'number'],
  ),
  override: [
    { name: 'status', label: 'Status', type: 'number' },
    { name: 'setJson', label: 'Put into the body, JSON', type: 'json', offers: 'object' },
    { name: 'body', label: 'Whole body, JSON', type: 'json', offers: 'object' },
    { name: 'headers', label: 'Headers, JSON', type: 'json' },
  ],
  sequence: toFields(['responses', 'Answers, JSON', 'json'], ['onEnd', 'After the last', ['repeat', 'last', 'pass']]),
  unauthorised: toFields(['mode', 'The key is', ['missing', 'invalid', 'expired', 'scope']]),
  staleRead: toFields(['lagMs', 'Older by, ms', 'number']),
  reply: toFields(
    ['when', 'Prompts that have, JSON', 'json'],
    ['text', 'Text', 'text'],
    ['toolCalls', 'Tool calls, JSON', 'json'],
    ['error', 'Error, JSON', 'json'],
  ),
  maintenance: [RETRY_AFTER, ...toFields(['message', 'Message', 'text'])],
}

/** Fields about when a rule fires, for every kind. */
export const FIRING_FIELDS: readonly RuleField[] = toFields(
  ['times', 'Times, then it stops', 'number'],
  ['skipFirst', 'Skip the first', 'number'],
  ['every', 'Every nth', 'number'],
  ['probability', 'Probability, 0 to 1', 'number'],
  ['startAfterMs', 'Begins after, ms of world time', 'number'],
  ['durationMs', 'Lasts for, ms of world time', 'number'],
)

/** A field's value in a form. */
export function fieldText(config: JsonObject, { name, type }: RuleField): string {
  const value = config[name]
  if (value === undefined) return ''
  return type === 'json' || typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The config with a field's typed text; without the field for an empty one. An invalid number or JSON stays a text: the
 * service reports it.
 */
export function withField(config: JsonObject, { name, type }: RuleField, text: string): JsonObject {
  const { [name]: _before, ...rest } = config
  if (text === '') return rest
  if (type === 'switch') return { ...rest, [name]: text === 'true' }
  const isNumber = type === 'number' && !Number.isNaN(Number(text))
  return { ...config, [name]: isNumber ? Number(text) : type === 'json' || type === 'value' ? valueIn(text) : text }
}

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
