import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import type { LocalReferences } from './references.ts'
import type { SchemaReader } from './schema-reader.ts'

/** Most values of one example that are looked at. */
const MOST_VALUES = 5_000
const MOST_DEPTH = 12

/** Keywords of schemas that say no more of a value than its kind. */
const SAYS_LITTLE = new Set([
  'type',
  'title',
  'description',
  'example',
  'examples',
  'nullable',
  'default',
  'deprecated',
])

/**
 * The schema of a body for which a description has an example and no schema, or a schema that says no more than `object` or
 * `array`: what the example shows is what records have. Undefined where the example shows neither.
 */
export function exampleSchemaOf(reader: SchemaReader, written: unknown, example: unknown): Schema | undefined {
  const { name, value } = reader.references.resolve(written)
  if (!saysLittle(reader.references, value)) return undefined
  const shown = example ?? value.example
  if (typeof shown !== 'object' || shown === null) return undefined
  return reader.make(new ExampleReader().schemaOf(shown as Json), name)
}

function saysLittle(references: LocalReferences, schema: JsonObject): boolean {
  const { items, additionalProperties, ...rest } = schema
  if (rest.type !== undefined && rest.type !== 'object' && rest.type !== 'array') return false
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean') return false
  const item = references.resolve(items).value
  const keys = [...Object.keys(item), ...Object.keys(rest)]
  return (item.type ?? 'object') === 'object' && keys.every((key) => SAYS_LITTLE.has(key))
}

/** Says of what kind the values of an example are. */
class ExampleReader {
  #left = MOST_VALUES

  schemaOf(value: Json, depth = 0): JsonObject {
    if (--this.#left < 0 || depth > MOST_DEPTH || value === null) return {}
    if (Array.isArray(value)) {
      const items = value.map((item) => this.schemaOf(item, depth + 1))
      return { type: 'array', items: items.reduce(joined, {}) }
    }
    if (isJsonObject(value)) {
      const properties = Object.entries(value).map(([name, inner]) => [name, this.schemaOf(inner, depth + 1)])
      return { type: 'object', properties: Object.fromEntries(properties) as JsonObject, required: Object.keys(value) }
    }
    if (typeof value === 'string') return { type: 'string', ...formatOf(value), example: value }
    return { type: typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value, example: value }
  }
}

const FORMATS: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['uuid', /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i],
  ['email', /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i],
  ['uri', /^https?:\/\/\S+$/],
]

function formatOf(text: string): JsonObject {
  const format = FORMATS.find(([, pattern]) => pattern.test(text))?.[0]
  return format === undefined ? {} : { format }
}

/** The schema of what fits one of two: of two objects all properties, those that both have required. */
function joined(left: JsonObject, right: JsonObject): JsonObject {
  if (Object.keys(left).length === 0) return right
  if (Object.keys(right).length === 0) return left
  if (left.type !== right.type) return isNumber(left) && isNumber(right) ? { type: 'number' } : {}
  if (left.type === 'array') {
    return { type: 'array', items: joined(left.items as JsonObject, right.items as JsonObject) }
  }
  if (left.type !== 'object') return left.format === right.format ? left : { type: left.type as string }
  const own = left.properties as JsonObject
  const other = right.properties as JsonObject
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)])]
  const properties = names.map((name) => [
    name,
    joined((own[name] ?? {}) as JsonObject, (other[name] ?? {}) as JsonObject),
  ])
  const required = (left.required as string[]).filter((name) => (right.required as string[]).includes(name))
  return { type: 'object', properties: Object.fromEntries(properties) as JsonObject, required }
}

const isNumber = ({ type }: JsonObject): boolean => type === 'integer' || type === 'number'
