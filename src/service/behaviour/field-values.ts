import type { Json } from '../../protocol/json.ts'
import type { JsonType, Schema } from '../../schema/schema.ts'

const NOUNS: Record<JsonType, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

/** The allowed values of a field, for a message, where its schema forbids `value`. */
export function boundOf(schema: Schema, value: Json): string | undefined {
  if (value === null) return undefined
  if (schema.enum !== undefined) return schema.enum.includes(value) ? undefined : `one of ${schema.enum.join(', ')}`
  if (schema.types.length === 0 || schema.types.some((type) => isOfType(type, value))) return undefined
  return schema.types.map((type) => NOUNS[type]).join(' or ')
}

/** The field's value for a text: `true` and `3` for fields with booleans and numbers. */
export function valueNamed(schema: Schema | undefined, text: string): Json {
  const named = schema?.enum?.find((value) => String(value) === text)
  if (named !== undefined || schema === undefined || schema.types.includes('string')) return named ?? text
  if (schema.types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = schema.types.includes('number') || schema.types.includes('integer')
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Whether a field holds numbers, by its schema. */
export const holdsNumbers = ({ types }: Schema): boolean =>
  types.length === 0 || types.includes('number') || types.includes('integer')

const MOMENT_NAME =
  /(at|on|date|day|time|timestamp|until|since|expir(es|y|ation)|deadline|start|end|due|created|updated|modified)$/i

/** Whether a field holds times, by its schema and its name. */
export function holdsMoments(schema: Schema, name: string): boolean {
  if (schema.enum !== undefined) return false
  if (schema.types.includes('string')) return schema.format?.startsWith('date') ?? MOMENT_NAME.test(name)
  return holdsNumbers(schema)
}

function isOfType(type: JsonType, value: Json): boolean {
  if (Array.isArray(value)) return type === 'array'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
