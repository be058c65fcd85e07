import { foldNoun } from '../../../names/nouns.ts'
import { foldName, isIdWord } from '../../../names/words.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import { fieldsOf } from './bodies.ts'

/** Names that a key has whatever records it is of. */
const ID_NAMES = new Set(['id', 'uuid', 'guid', 'uid', 'sid', 'gid'])

const ANY_TEXT: JsonObject = { type: 'string' }

/** What records have beside their key where the description does not say. */
const PLAIN_FIELDS: JsonObject = {
  name: { type: 'string' },
  created_at: { type: 'string', format: 'date-time' },
  updated_at: { type: 'string', format: 'date-time' },
}

/**
 * A field that holds the key of records whose schema shows none, though a path names them by it. Clients could not know
 * the key otherwise.
 */
export class InventedKey {
  readonly field: FieldPath
  readonly #reader: SchemaReader
  readonly #property: JsonObject

  constructor(reader: SchemaReader, name: string, param: Schema | undefined) {
    this.#reader = reader
    this.field = [name]
    this.#property = param && param.types.length > 0 ? param.raw : ANY_TEXT
  }

  /** The schema of a record with the key: as given where it shows the field already, or may not show it. */
  addTo(schema: Schema): Schema {
    const [name = ''] = this.field
    // `TemplateId` is a field for the key `TemplateID`.
    const shown = fieldsOf(schema)
    if (!mayHave(schema) || [...shown.keys()].some((own) => own.toLowerCase() === name.toLowerCase())) return schema
    return this.#reader.extend(schema, { name, property: this.#property, isRequired: true })
  }

  /** The schema of records of which the description says nothing else. */
  plain(): Schema {
    const [name = ''] = this.field
    const properties = { [name]: this.#property, ...PLAIN_FIELDS }
    return this.#reader.make({ type: 'object', required: [name], properties, additionalProperties: true }, undefined)
  }
}

/** Whether records of this schema may have a field that it does not name. */
export function mayHave(schema: Schema | undefined): boolean {
  if (schema === undefined) return true
  // `Board: {}` says as little as no schema.
  const isObject =
    schema.types.length === 0 ? !schema.variants && schema.enum === undefined : schema.types.includes('object')
  return isObject && schema.additionalProperties !== false
}

/** The name of the field that a path parameter asks for: its own, or `id` where it says whose id it is. */
export function inventedName(param: string, noun: string, schema: Schema | undefined): string {
  const folded = foldName(param)
  const isOwn = !isIdWord(param) || ID_NAMES.has(folded)
  const isNoun = folded === foldNoun(noun) || folded === foldName(noun)
  return (isOwn && !isNoun) || fieldsOf(schema).has('id') ? param : 'id'
}

/**
 * The schema of a record whose keys fit the path parameter too: where a field is a text and the parameter a number, the
 * texts are digits.
 */
export function withFittingKey(
  reader: SchemaReader,
  schema: Schema | undefined,
  { field, param }: { field: FieldPath | undefined; param: Schema | undefined },
): Schema | undefined {
  const [name] = field ?? []
  const held = schema?.properties.get(name ?? '')
  if (!schema || !held || !param || name === undefined || field?.length !== 1 || schema.variants) return schema
  const narrower = isPlainText(held) ? narrowerText(param) : undefined
  if (!narrower) return schema
  return reader.extend(schema, { name, property: narrower, isRequired: false })
}

const isPlainText = ({ types, format, pattern, enum: values }: Schema): boolean =>
  types.length === 1 && types[0] === 'string' && format === undefined && pattern === undefined && values === undefined

function narrowerText({ types, format, pattern }: Schema): JsonObject | undefined {
  if (types.length !== 1) return undefined
  if (types[0] === 'integer' || types[0] === 'number') return { pattern: '^[1-9][0-9]{0,8}$' }
  if (types[0] !== 'string') return undefined
  if (pattern !== undefined) return { pattern }
  return format === 'uuid' ? { format } : undefined
}
