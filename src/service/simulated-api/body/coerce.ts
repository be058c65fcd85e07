import { isJsonObject, type Json, jsonOr } from '../../../protocol/json.ts'
import { checkerOf } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'

/** Clients write booleans of forms and queries in several ways. */
const BOOLEAN = /^(true|false|1|0|yes|no|on|off)$/i
/** As in JSON, but with leading zeros: `007`. Other notations (`0x10`, `+5`, `.5`) stay texts, which are not numbers. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i
const INTEGER = /^-?\d+$/

/** Converts texts of a form, a query or a path to the schema's types. A text that cannot be converted stays. */
export function coerce(value: Json, schema: Schema | undefined): Json {
  if (schema === undefined) return value
  if (schema.variants && schema.properties.size === 0) return coerceToVariant(value, schema)
  if (typeof value === 'string') return coerceText(value, schema)
  if (Array.isArray(value)) {
    if (schema.types.includes('array')) return value.map((item) => coerce(item, schema.items))
    return schema.types.length > 0 && value.length > 0 ? coerce(value.at(-1) as Json, schema) : value
  }
  if (!isJsonObject(value)) return value
  if (schema.types.includes('array') && !schema.types.includes('object')) {
    return Object.values(value).map((item) => coerce(item, schema.items))
  }
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, coerce(item, schema.properties.get(name) ?? rest)]),
  )
}

function coerceText(text: string, schema: Schema): Json {
  const { types } = schema
  if (
    types.length === 0 ||
    (types.includes('string') && !schema.enum?.some((item) => item !== text && String(item) === text))
  ) {
    return text
  }
  if (types.includes('array')) return arrayIn(text, schema)
  const isNumber = types.includes('number') ? NUMBER.test(text) : types.includes('integer') && INTEGER.test(text)
  if (isNumber && Number.isFinite(Number(text))) return Number(text)
  if (types.includes('boolean') && BOOLEAN.test(text)) return /^(true|1|yes|on)$/i.test(text)
  if (types.includes('object')) return parseObject(text)
  return text === '' && schema.nullable ? null : text
}

/** A form may have an array as JSON, or only one item. */
function arrayIn(text: string, schema: Schema): Json {
  if (text === '') return []
  const parsed = text.startsWith('[') ? jsonOr(text, text) : text
  if (Array.isArray(parsed)) return coerce(parsed, schema)
  const mark = MARKS.get(String(schema.raw.collectionFormat))
  return (mark === undefined ? [text] : text.split(mark)).map((item) => coerce(item, schema.items))
}

/** What stands between the items of a list in a list (OpenAPI 2.0, Items Object). */
const MARKS = new Map([
  ['csv', ','],
  ['ssv', ' '],
  ['tsv', '\t'],
  ['pipes', '|'],
])

function parseObject(text: string): Json {
  const parsed = jsonOr(text, text)
  return isJsonObject(parsed) ? parsed : text
}

/** The first conversion that an alternative accepts. */
function coerceToVariant(value: Json, schema: Schema): Json {
  for (const variant of schema.variants ?? []) {
    const read = coerce(value, variant)
    if (checkerOf(variant, { direction: 'request' })(read) === undefined) return read
  }
  return value
}
