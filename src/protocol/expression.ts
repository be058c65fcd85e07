import { hash } from 'node:crypto'
import { actionOf, subjectOf } from './event-type.ts'
import { getOwn, isJsonObject, type Json, type JsonObject, readField, setOwn } from './json.ts'
import { toPointer } from './json-pointer.ts'
import { fillTemplate, parseTemplate } from './template.ts'
import { timeFrom } from './times.ts'

/** Values that an expression can use. */
export interface ExpressionScope {
  readonly event: EventFacts
  /** The record after the change; for a deletion, before it. */
  readonly record: JsonObject
  /** The record before an update. */
  readonly before?: JsonObject | undefined
  readonly request?: { readonly headers: Readonly<Record<string, string>> } | undefined
  /** Fields of the library entry. */
  readonly entry: JsonObject
}

/** An event, with the names of its parts in expressions. */
export interface EventFacts {
  /** The provider's type. */
  readonly type: string
  /** Our kind: `task.created`. */
  readonly kind: string
  /** UUID. */
  readonly id: string
  readonly collection: string
  readonly recordId: string
  /** World time, milliseconds. */
  readonly at: number
  /** The challenge of a handshake. */
  readonly challenge?: string
  /** The account that the record belongs to, in an API whose accounts are apart. */
  readonly account?: string
}

export const EVENT_PARTS = [
  'type',
  'subject',
  'action',
  'kind',
  'id',
  'collection',
  'recordId',
  'challenge',
  'account',
] as const
export const TIME_FORMS = ['unix', 'ms', 'iso'] as const
const OPERATORS = ['$id', '$time', '$record', '$before', '$event', '$request', '$entry', '$text'] as const
export type Operator = (typeof OPERATORS)[number]

/** Operators of `effects.yaml` and `sign-in.yaml`; another `$` refers to a name, such as `$request`. */
export const VALUE_OPERATORS = ['$id', '$time', '$text', '$split', '$sum', '$first', '$if', '$get'] as const

const ALPHABETS = {
  alphanumeric: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  upper: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  hex: '0123456789abcdef',
  digits: '0123456789',
}

/** Evaluates an expression; undefined where a named value does not exist. */
export type Evaluator = (scope: ExpressionScope) => Json | undefined

/** Parses an expression once, for repeated evaluation. @param place distinguishes the ids of one event */
export function toEvaluator(value: Json, place = ''): Evaluator {
  if (Array.isArray(value)) {
    const items = value.map((item, at) => toEvaluator(item, `${place}/${at}`))
    return (scope) => items.map((item) => item(scope) ?? null)
  }
  if (!isJsonObject(value)) return () => value
  const operator = operatorOf(value)
  if (operator !== undefined) return toOperation(operator, value[operator] as Json, place)
  const fields = Object.entries(value).map(([name, below]) => ({
    name: toText(name),
    value: toEvaluator(below, `${place}/${name}`),
  }))
  return (scope) => {
    const result: JsonObject = {}
    for (const { name, value } of fields) {
      const given = value(scope)
      if (given !== undefined) setOwn(result, name(scope), given)
    }
    return result
  }
}

/** JSON pointer to the whole record in an expression's value; undefined without one. */
export function toRecordPointer(value: Json | undefined): ((scope: ExpressionScope) => string) | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isJsonObject(value) && value.$record === '.') return () => ''
  for (const [name, below] of Object.entries(value)) {
    const rest = toRecordPointer(below)
    const shown = toText(name)
    if (rest !== undefined) return (scope) => toPointer([shown(scope)]) + rest(scope)
  }
  return undefined
}

const HEX_OF_UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/

/** An id derived from `seed`: the same in every run. */
export function idFrom(
  seed: string,
  {
    prefix = '',
    length = 24,
    alphabet = 'alphanumeric',
  }: { prefix?: string; length?: number; alphabet?: keyof typeof ALPHABETS | 'uuid' },
): string {
  if (alphabet === 'uuid')
    return prefix + idFrom(seed, { length: 32, alphabet: 'hex' }).replace(HEX_OF_UUID, '$1-$2-4$3-a$4-$5')
  const characters = ALPHABETS[alphabet]
  let text = ''
  for (let block = 0; text.length < length; block++) {
    const bytes = hash('sha256', `${seed}\u0000${block}`, 'buffer')
    for (const byte of bytes) if (text.length < length) text += characters[byte % characters.length]
  }
  return prefix + text
}

function toOperation(operator: Operator, given: Json, place: string): Evaluator {
  const path = String(given).split('.')
  switch (operator) {
    case '$id':
      return ({ event }) => {
        const text = idFrom(`${event.id}${event.type}${place}`, given as Parameters<typeof idFrom>[1])
        return isJsonObject(given) && given.as === 'number' ? Number(text) : text
      }
    case '$time':
      return ({ event, record }) =>
        timeFrom(isJsonObject(given) ? { as: 'iso', ...given } : given, event.at, (of) =>
          readField(record, String(of).split('.')),
        )
    case '$record':
      return given === '.' ? ({ record }) => record : ({ record }) => readField(record, path)
    case '$before':
      return given === 'changed' ? changedOf : ({ before }) => readField(before, path)
    case '$event':
      return (scope) => eventPart(String(given), scope)
    case '$request':
      return (scope) => requestPart(String(given), scope)
    case '$entry':
      return ({ entry }) => readField(entry, path)
    case '$text':
      return toText(String(given))
  }
}

/** The id of the answer, else one derived from the event; or a header; null where no request made the change. */
function requestPart(name: string, { request, event }: ExpressionScope): string | null {
  if (request === undefined) return null
  if (name === 'id')
    return request.headers['request-id'] ?? idFrom(`${event.id} request`, { prefix: 'req_', length: 14 })
  return request.headers[name.slice('header.'.length).toLowerCase()] ?? null
}

function changedOf({ record, before, event }: ExpressionScope): JsonObject | undefined {
  return before === undefined || event.type.endsWith('.deleted') ? undefined : differenceOf(before, record)
}

/** The earlier values of fields that differ, null for a new one; of an object, those of its own fields. */
function differenceOf(before: JsonObject, record: JsonObject): JsonObject | undefined {
  const changed: JsonObject = {}
  for (const name of Object.keys({ ...before, ...record })) {
    const [old, now] = [getOwn(before, name) ?? null, getOwn(record, name) ?? null]
    if (JSON.stringify(old) === JSON.stringify(now)) continue
    setOwn(changed, name, isJsonObject(old) && isJsonObject(now) ? (differenceOf(old, now) ?? null) : old)
  }
  return Object.keys(changed).length === 0 ? undefined : changed
}

function eventPart(name: string, { event }: ExpressionScope): string | undefined {
  if (name === 'subject') return subjectOf(event.type)
  if (name === 'action') return actionOf(event.type)
  if (name === 'account') return event.account
  return String(event[name as 'type' | 'kind' | 'id' | 'collection' | 'recordId' | 'challenge'] ?? '')
}

/** A text with placeholders for parts of the event or fields of the record: `{type}`, `{record.name}`. */
function toText(text: string): (scope: ExpressionScope) => string {
  const parts = parseTemplate(text)
  if (parts.every((part) => typeof part === 'string')) return () => text
  return (scope) =>
    fillTemplate(parts, (name) => {
      if (!name.startsWith('record.')) return eventPart(name, scope) ?? ''
      const value = readField(scope.record, name.split('.').slice(1))
      return typeof value === 'object' || value === undefined ? '' : String(value)
    })
}

function operatorOf(value: JsonObject): Operator | undefined {
  const name = Object.keys(value).find((key) => key.startsWith('$'))
  return OPERATORS.find((operator) => operator === name)
}
