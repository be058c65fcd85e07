import { isJsonObject, type Json, type JsonObject, lengthOf } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { JsonType, Schema } from '../openapi/schema.ts'
import { fitsFormat } from './format.ts'
import { createMatcher, type Matcher } from './pattern/match-pattern.ts'
import { type PatternNode, parsePattern } from './pattern/parse-pattern.ts'

const MAX_DEPTH = 40

/** A pattern of a description, read once: `node` to generate from, `matcher` to check with. */
export interface ReadPattern {
  readonly node: PatternNode | undefined
  readonly matcher: Matcher | undefined
}

const MAX_KEPT_PATTERNS = 5_000
const keptPatterns = new Map<string, ReadPattern>()

/** `source` read; kept, for there are few patterns and many values. */
export function readPattern(source: string): ReadPattern {
  const kept = keptPatterns.get(source)
  if (kept) return kept
  if (keptPatterns.size >= MAX_KEPT_PATTERNS) keptPatterns.clear()
  const node = parsePattern(source)
  const read = { node, matcher: node && createMatcher(node) }
  keptPatterns.set(source, read)
  return read
}

/** Whether `value` fits `schema`, in linear time. Patterns and formats that are not understood hold anything. */
export function fits(schema: Schema, value: Json, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true
  if (value === null)
    return schema.nullable || (schema.types.length === 0 && schema.enum === undefined && !schema.variants)
  if (schema.enum && !schema.enum.some((allowed) => isSame(allowed, value))) return false
  if (schema.types.length > 0 && !schema.types.some((type) => isOfType(type, value))) return false
  if (typeof value === 'string' && !fitsText(schema, value)) return false
  if (typeof value === 'number' && !fitsNumber(schema, value)) return false
  if (Array.isArray(value) && !fitsArray(schema, value, depth)) return false
  if (isJsonObject(value) && !fitsObject(schema, value, depth)) return false
  if (!schema.variants) return true
  const matching = countMatching(schema.variants, value, depth)
  return schema.variantRule === 'oneOf' ? matching === 1 : matching > 0
}

/** {@link fits} for many values of one schema: of a text that only has a format, the schema is not asked each time. */
export function testOf(schema: Schema): (value: Json) => boolean {
  const { types, format, pattern, minLength, maxLength } = schema
  const isBound = [pattern, minLength, maxLength, schema.enum, schema.variants].some((bound) => bound !== undefined)
  const isPlainText = types.length === 1 && types[0] === 'string' && !isBound
  return (value) =>
    isPlainText && typeof value === 'string' ? format === undefined || fitsFormat(format, value) : fits(schema, value)
}

/** How many of `variants` hold `value`. */
export function countMatching(variants: readonly Schema[], value: Json, depth = 0): number {
  let matching = 0
  for (const variant of variants) if (fits(variant, value, depth + 1)) matching++
  return matching
}

/**
 * Fewest characters of a text that is made for `schema`: as many as it asks for, up to the most that are made at all.
 */
export function leastLength({ minLength = 0 }: Schema): number {
  return Math.min(minLength, LIMITS.generatedCharacters)
}

/** Whether a text keeps the lengths, pattern and format of `schema`. */
export function fitsText(schema: Schema, text: string): boolean {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = lengthOf(text)
    if (length < leastLength(schema)) return false
    if (schema.maxLength !== undefined && length > schema.maxLength) return false
  }
  if (schema.pattern !== undefined && readPattern(schema.pattern).matcher?.test(text) === false) return false
  return schema.format === undefined || fitsFormat(schema.format, text)
}

/** What a schema asks of numbers. */
export type NumberBounds = Pick<Schema, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf'>

/** The bounds of `schema` by themselves: to be read for every record, where a schema looks everything up. */
export function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema): NumberBounds {
  return { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }
}

/** Whether a number keeps the bounds and steps of a schema. */
export function fitsNumber(bounds: NumberBounds, value: number): boolean {
  if (bounds.minimum !== undefined && value < bounds.minimum) return false
  if (bounds.maximum !== undefined && value > bounds.maximum) return false
  if (bounds.exclusiveMinimum !== undefined && value <= bounds.exclusiveMinimum) return false
  if (bounds.exclusiveMaximum !== undefined && value >= bounds.exclusiveMaximum) return false
  if (bounds.multipleOf === undefined || bounds.multipleOf <= 0) return true
  return Number.isInteger(value / bounds.multipleOf)
}

function fitsArray(schema: Schema, items: readonly Json[], depth: number): boolean {
  if (schema.minItems !== undefined && items.length < schema.minItems) return false
  if (schema.maxItems !== undefined && items.length > schema.maxItems) return false
  if (schema.uniqueItems && new Set(items.map((item) => JSON.stringify(item))).size < items.length) return false
  const itemSchema = schema.items
  return itemSchema === undefined || items.every((item) => fits(itemSchema, item, depth + 1))
}

function fitsObject(schema: Schema, value: JsonObject, depth: number): boolean {
  for (const name of schema.required) if (!Object.hasOwn(value, name)) return false
  const names = Object.keys(value)
  if (schema.minProperties !== undefined && names.length < schema.minProperties) return false
  if (schema.maxProperties !== undefined && names.length > schema.maxProperties) return false
  for (const name of names) {
    const property = schema.properties.get(name)
    const wanted = property ?? schema.additionalProperties
    if (wanted === false) return false
    if (wanted !== true && !fits(wanted, value[name] as Json, depth + 1)) return false
  }
  return true
}

function isOfType(type: JsonType, value: Json): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  return typeof value === type
}

function isSame(left: Json, right: Json): boolean {
  return left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right))
}
