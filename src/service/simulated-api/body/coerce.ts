import { isJsonObject, type Json, jsonOr } from '../../../protocol/json.ts'
import { checkerOf } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'

/** Clients write booleans of forms and queries in several ways. */
const BOOLEAN = /^(true|false|1|0|yes|no|on|off)$/i
/** As in JSON, but for zeros in front: `007`. Other notations (`0x10`, `+5`, `.5`) stay texts, which no number fits. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i
const INTEGER = /^-?\d+$/

/** Texts of a form, a query or a path as the values that the schema means. What does not convert stays as it is. */
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
  if (types.includes('number') ? NUMBER.test(text) : types.includes('integer') && INTEGER.test(text))
    return Number(text)
  if (types.includes('boolean') && BOOLEAN.test(text)) return /^(true|1|yes|on)$/i.test(text)
  if (types.includes('object')) return parseObject(text)
  return text === '' && schema.nullable ? null : text
}

/** A form may have an array as JSON, or one item of it. */
function arrayIn(text: string, schema: Schema): Json {
  if (text === '') return []
  const parsed = text.startsWith('[') ? jsonOr(text, text) : text
  return Array.isArray(parsed) ? coerce(parsed, schema) : [coerce(text, schema.items)]
}

function parseObject(text: string): Json {
  const parsed = jsonOr(text, text)
  return isJsonObject(parsed) ? parsed : text
}

/** The first reading that one of the alternatives accepts. */
function coerceToVariant(value: Json, schema: Schema): Json {
  for (const variant of schema.variants ?? []) {
    const read = coerce(value, variant)
    if (checkerOf(variant, { direction: 'request' })(read) === undefined) return read
  }
  return value
}
