import type { Schema } from '../../../schema/schema.ts'
import type { MediaModel, RequestBody, ResponseModel } from '../model.ts'

/** Whether a media type holds JSON: `application/json`, `application/vnd.api+json`, `text/json`. */
export function isJsonType(type: string): boolean {
  return type.endsWith('/json') || type.endsWith('+json') || type === '*/*' || type === 'application/*'
}

/** The schema of the body of a response; JSON before anything else. */
export function schemaOfResponse(response: ResponseModel): Schema | undefined {
  const media = [...response.content].find(([type, { schema }]) => isJsonType(type) && schema)?.[1] ?? first(response)
  return media?.schema
}

function first(response: ResponseModel): MediaModel | undefined {
  return [...response.content].find(([type, media]) => media.schema && !isBinary(type))?.[1]
}

function isBinary(type: string): boolean {
  return /^(image|audio|video|font)\/|octet-stream|pdf|zip|text\/(plain|html|csv)/.test(type)
}

/** Whether a response can only be bytes or text: a download. */
export function isDownload(response: ResponseModel): boolean {
  return response.content.size > 0 && [...response.content.keys()].every(isBinary)
}

/** The schema of a request body; JSON before forms. */
export function schemaOfBody(body: RequestBody | undefined): Schema | undefined {
  if (!body) return undefined
  const entries = [...body.content].filter(([, schema]) => schema)
  return (entries.find(([type]) => isJsonType(type)) ?? entries[0])?.[1]
}

/** The fields of a value: those of the schema itself and those that any of its variants has. */
export function fieldsOf(schema: Schema | undefined, depth = 0): ReadonlyMap<string, Schema> {
  if (!schema) return NO_FIELDS
  if (!schema.variants || depth > MAX_VARIANT_DEPTH) return schema.properties
  const known = depth === 0 ? unions.get(schema) : undefined
  if (known) return known
  const fields = new Map(schema.properties)
  for (const variant of schema.variants) {
    for (const [name, field] of fieldsOf(variant, depth + 1)) if (!fields.has(name)) fields.set(name, field)
  }
  if (depth === 0) unions.set(schema, fields)
  return fields
}

const unions = new WeakMap<Schema, ReadonlyMap<string, Schema>>()

const NO_FIELDS: ReadonlyMap<string, Schema> = new Map()

/** Whether the values are objects with known fields, or a choice of such. */
export function isObjectSchema(schema: Schema | undefined): boolean {
  if (!schema || schema.types.includes('array')) return false
  if (schema.types.length > 0 && !schema.types.includes('object')) return false
  return fieldsOf(schema).size > 0
}

/** Whether the values are arrays. */
export function isArraySchema(schema: Schema | undefined): boolean {
  return schema?.types.includes('array') ?? false
}

/** Whether the values can be texts or numbers. Nothing known counts as yes. */
export function isScalarSchema(schema: Schema | undefined, depth = 0): boolean {
  if (!schema || schema.properties.size > 0) return false
  if (schema.types.length > 0) return schema.types.some((type) => type !== 'object' && type !== 'array')
  if (!schema.variants || depth > MAX_VARIANT_DEPTH) return true
  return schema.variants.some((variant) => isScalarSchema(variant, depth + 1))
}

/** Variants may have variants, which may go round in a circle. */
const MAX_VARIANT_DEPTH = 3
