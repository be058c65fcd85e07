import { isIdName, isIdWord } from '../../../../names/id-names.ts'
import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { JsonObject } from '../../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { SchemaReader } from '../../schemas/schema-reader.ts'
import { fieldsOf } from '../bodies/bodies.ts'

const ANY_TEXT: JsonObject = { type: 'string' }

/** Further fields of records that the description does not describe. */
const PLAIN_FIELDS: JsonObject = {
  name: { type: 'string' },
  created_at: { type: 'string', format: 'date-time' },
  updated_at: { type: 'string', format: 'date-time' },
}

/**
 * An added field for the key of records that paths identify by it, where the schema has no such field. Clients could
 * not know the key otherwise.
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

  /** The schema of a record with the key: unchanged where it has the field already, or may not have it. */
  addTo(schema: Schema): Schema {
    const [name = ''] = this.field
    // `TemplateId` is a field of the key `TemplateID`.
    const shown = fieldsOf(schema)
    if (!mayHave(schema) || [...shown.keys()].some((own) => own.toLowerCase() === name.toLowerCase())) return schema
    return this.#reader.extend(schema, { name, property: this.#property, isRequired: true })
  }

  /** The schema of records without a description. */
  plain(): Schema {
    const [name = ''] = this.field
    const properties = { [name]: this.#property, ...PLAIN_FIELDS }
    return this.#reader.make({ type: 'object', required: [name], properties, additionalProperties: true }, undefined)
  }
}

/** Whether records of this schema may have an undeclared field. */
export function mayHave(schema: Schema | undefined): boolean {
  if (schema === undefined) return true
  // `Board: {}` describes no more than no schema.
  const isObject =
    schema.types.length === 0 ? !schema.variants && schema.enum === undefined : schema.types.includes('object')
  return isObject && schema.additionalProperties !== false
}

/** The field's name for a path parameter: its own, or `id` where it names the owner. */
export function inventedName(param: string, noun: string, schema: Schema | undefined): string {
  const folded = foldName(param)
  const isOwn = !isIdWord(param) || isIdName(param)
  const isNoun = folded === foldNoun(noun) || folded === foldName(noun)
  return (isOwn && !isNoun) || fieldsOf(schema).has('id') ? param : 'id'
}
