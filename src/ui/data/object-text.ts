import type { Json, JsonObject } from '../../protocol/json.ts'
import { isObject } from './json-value.ts'

/** A parsed value; or its error. */
interface TypedValue {
  readonly value?: Json
  readonly error?: string
}

/** Parses the text of a field. An empty text is null. */
export function parseValue(text: string, kind: 'text' | 'number' | 'boolean' | 'json'): TypedValue {
  if (text === '') return { value: null }
  if (kind === 'text') return { value: text }
  if (kind === 'boolean') return { value: text === 'true' }
  if (kind === 'number') {
    const value = Number(text)
    return Number.isFinite(value) ? { value } : { error: `Expected a number, got "${text}".` }
  }
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    return { error: faultOf(error, text) }
  }
}

/** Parses an object; a sentence for an invalid text. */
export function parseObject(text: string): JsonObject | string {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : 'Expected an object in braces.'
  } catch (error) {
    return faultOf(error, text)
  }
}

/** The browser's message, after the line: browsers rarely name the line, each in its own words. */
function faultOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const fault = faultIn(text, skipSpace(text, 0))
  const line = text.slice(0, Math.max(0, fault.at)).split('\n').length
  return `Line ${line}: ${message}.`
}

/** The end of a value, or its fault. */
interface ValueEnd {
  readonly at: number
  readonly isFault: boolean
}

const SCALAR = /"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SPACE = /\s*/y

/** Scans the value at `at`; the caller checks what follows it. */
function faultIn(text: string, at: number): ValueEnd {
  if (text[at] === '{') return itemsEnd(text, at, '}', (from) => memberEnd(text, from))
  if (text[at] === '[') return itemsEnd(text, at, ']', (from) => faultIn(text, from))
  SCALAR.lastIndex = at
  return SCALAR.test(text) ? { at: SCALAR.lastIndex, isFault: false } : { at, isFault: true }
}

function itemsEnd(text: string, open: number, close: string, itemEnd: (from: number) => ValueEnd): ValueEnd {
  let at = skipSpace(text, open + 1)
  if (text[at] === close) return { at: at + 1, isFault: false }
  for (;;) {
    const end = itemEnd(at)
    if (end.isFault) return end
    at = skipSpace(text, end.at)
    if (text[at] === close) return { at: at + 1, isFault: false }
    if (text[at] !== ',') return { at, isFault: true }
    at = skipSpace(text, at + 1)
  }
}

function memberEnd(text: string, from: number): ValueEnd {
  if (text[from] !== '"') return { at: from, isFault: true }
  const name = faultIn(text, from)
  const colon = skipSpace(text, name.at)
  if (name.isFault || text[colon] !== ':') return { at: colon, isFault: true }
  return faultIn(text, skipSpace(text, colon + 1))
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}
