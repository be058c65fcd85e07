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
    return { error: messageOf(error) }
  }
}

/** Parses an object; a sentence for an invalid text. */
export function parseObject(text: string): JsonObject | string {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : 'Expected an object in braces.'
  } catch (error) {
    return messageOf(error)
  }
}

/** The browser's message: most name the line, or show the text around the fault. */
const messageOf = (error: unknown): string => `${error instanceof Error ? error.message : error}.`
