import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { LocalReferences } from '../references.ts'
import type { SchemaReader } from './schema-reader.ts'

/** Most values of one example that are read. */
const MOST_VALUES = 5_000
const MOST_DEPTH = 12

/** Keywords that describe no more of a value than its type. */
const SAYS_LITTLE = new Set('type title description example examples nullable default deprecated'.split(' '))

/**
 * A body's schema from its example, where the description has no schema, or only `object` or `array`. Undefined where
 * the example shows neither.
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

/** Infers the types of an example's values. */
class ExampleReader {
  #left = MOST_VALUES

  schemaOf(value: Json, depth = 0): JsonObject {
    if (--this.#left < 0 || depth > MOST_DEPTH || value === null) return {}
    if (Array.isArray(value)) {
      return { type: 'array', items: joined(this.#itemsOf(value, depth)) }
    }
    if (isJsonObject(value)) {
      const properties = Object.entries(value).map(([name, inner]) => [
        name,
        isCursor(name, inner) ? { type: ['string', 'null'], example: inner } : this.schemaOf(inner, depth + 1),
      ])
      return { type: 'object', properties: Object.fromEntries(properties) as JsonObject, required: Object.keys(value) }
    }
    if (typeof value === 'string') return { type: 'string', ...formatOf(value), example: value }
    return { type: typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value, example: value }
  }

  /** The schemas of the first items, within the limit. */
  #itemsOf(list: readonly Json[], depth: number): JsonObject[] {
    const items: JsonObject[] = []
    for (const item of list) {
      if (this.#left <= 0) break
      items.push(this.schemaOf(item, depth + 1))
    }
    return items
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

/** `nextCursor`: the last page has none, whatever one page of an example shows. */
const isCursor = (name: string, value: Json): boolean =>
  typeof value === 'string' && /^(next|prev(ious)?)_?(page_?)?(cursor|token|key)$/i.test(name)

/** A schema for any of these values: objects have all their properties, and require the common ones. */
function joined(all: readonly JsonObject[]): JsonObject {
  const written = all.filter((schema) => Object.keys(schema).length > 0)
  const [first] = written
  if (first === undefined) return {}
  if (written.some(({ type }) => type !== first.type)) return written.every(isNumber) ? { type: 'number' } : {}
  if (first.type === 'array') return { type: 'array', items: joined(written.map(({ items }) => items as JsonObject)) }
  if (first.type !== 'object') {
    return written.every(({ format }) => format === first.format) ? first : { type: first.type as string }
  }
  const byName = new Map<string, JsonObject[]>()
  for (const { properties } of written) {
    for (const [name, schema] of Object.entries(properties as JsonObject)) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [schema as JsonObject])
      else known.push(schema as JsonObject)
    }
  }
  const properties = [...byName].map(([name, schemas]) => [name, joined(schemas)])
  const required = (first.required as string[]).filter((name) => byName.get(name)?.length === written.length)
  return { type: 'object', properties: Object.fromEntries(properties) as JsonObject, required }
}

const isNumber = ({ type }: JsonObject): boolean => type === 'integer' || type === 'number'
