import { didYouMean } from '../../../names/nearest-name.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import type { ApiModel } from '../../openapi/model.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import { OPERATOR_NAMES } from './evaluate.ts'

/** Names in every effect. */
const GIVEN = ['record', 'before', 'request', 'entry', 'item']
/** Fields whose text names a value. */
const NAMING_FIELDS = ['as', 'into', 'at']
/** Fields of rows and steps with a collection's name. */
const COLLECTION_FIELDS = ['of', 'all', 'create']

/** Names in an entry's effects, magic and errors that neither its description nor the entry has, a sentence each. */
export function findFaults(book: EntryEffects, model: ApiModel): string[] {
  const operations = model.operations.map(({ method, path }) => `${method} ${path}`)
  const collections = model.collections.map(({ name }) => name)
  const named = new Set([...GIVEN, ...OPERATOR_NAMES])
  const clashes = new Set<string>()
  const add = (name: string): void => {
    if (OPERATOR_NAMES.includes(name)) clashes.add(name)
    named.add(name)
  }
  for (const { name, value } of fieldsIn(book.rows)) {
    if (NAMING_FIELDS.includes(name) && typeof value === 'string') add(value)
    if (name === 'let' && isJsonObject(value)) for (const own of Object.keys(value)) add(own)
  }
  const unknown = (what: string, name: unknown, known: readonly string[]): string[] =>
    typeof name !== 'string' || known.includes(name) ? [] : [`there is no ${what} "${name}".${didYouMean(name, known)}`]
  const faults = [
    ...[...clashes].map(
      (name) => `a value is named "${name}", which $${name} does not read: it is an expression. Name it otherwise.`,
    ),
    ...book.operations.flatMap((on) => unknown('operation', on, operations)),
    ...[...book.references.values()].flatMap((name) => unknown('collection', name, collections)),
    ...unknown('collection', book.keys?.of, collections),
    ...book.includes.flatMap(({ of }) => unknown('collection', of, collections)),
  ]
  for (const { name, value, isExpression, isMade } of fieldsIn(book.rows)) {
    if (name === 'record' || COLLECTION_FIELDS.includes(name))
      faults.push(...(isExpression ? [] : unknown('collection', value, collections)))
    if (name === 'do') faults.push(...unknown('effect', value, book.names))
    if (name.startsWith('$')) faults.push(...unknown('name', (name.split('.')[0] ?? '').slice(1), [...named]))
    if (name === 'error' && typeof value === 'string' && !isMade) {
      const codes = book.errors.map(({ code }) => code)
      faults.push(...unknown('row of errors.yaml with the code', value, codes))
    }
  }
  return [...new Set(faults)]
}

interface NamedField {
  readonly name: string
  readonly value: unknown
  /** Whether it is inside values for records or answers. */
  readonly isExpression: boolean
  /** Whether it is inside a computed value, which may have fields of any name. */
  readonly isMade: boolean
}

const VALUE_FIELDS = ['set', 'values', 'answer', 'facts', 'where', 'when', 'body', 'error']
const MADE_FIELDS = ['value', 'to']

function* fieldsIn(value: unknown, isExpression = false, isMade = false): Generator<NamedField> {
  if (Array.isArray(value)) for (const item of value) yield* fieldsIn(item, isExpression, isMade)
  else if (isJsonObject(value)) {
    for (const [name, below] of Object.entries(value)) {
      yield { name, value: below, isExpression, isMade }
      yield* fieldsIn(below, isExpression || VALUE_FIELDS.includes(name), isMade || MADE_FIELDS.includes(name))
    }
  }
}
