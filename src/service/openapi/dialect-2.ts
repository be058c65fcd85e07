import type { JsonObject } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import type { MediaModel, Parameter, RequestBody, ResponseModel } from './model.ts'
import { mediaTypeOf, objectEntries, statusOf } from './operation-draft.ts'
import type { SchemaReader } from './schema-reader.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const JSON_TYPE = 'application/json'

/** A parameter of Swagger 2.0 that is no body: its schema stands beside its name. */
export function readParameter2(reader: SchemaReader, raw: JsonObject): Parameter {
  const place = raw['in'] as Parameter['in']
  const format = raw['collectionFormat']
  return {
    name: String(raw['name']),
    in: place,
    required: raw['required'] === true || place === 'path',
    schema: reader.read(raw),
    style: STYLES.get(String(format)) ?? (place === 'path' || place === 'header' ? 'simple' : 'form'),
    explode: format === 'multi',
  }
}

const STYLES: ReadonlyMap<string, Parameter['style']> = new Map(
  Object.entries({
    ssv: 'spaceDelimited',
    tsv: 'tabDelimited',
    pipes: 'pipeDelimited',
  }),
)

/** The body that the `body` or `formData` parameters of an operation of Swagger 2.0 make. */
export function readBody2(
  reader: SchemaReader,
  parameters: readonly JsonObject[],
  consumes: readonly string[],
): RequestBody | undefined {
  const body = parameters.find((parameter) => parameter['in'] === 'body')
  if (body) {
    const types = consumes.length > 0 ? consumes : [JSON_TYPE]
    const schema = reader.read(body['schema'])
    return { required: body['required'] === true, content: new Map(types.map((type) => [type, schema])) }
  }
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData')
  if (fields.length === 0) return undefined
  const required = fields.filter((field) => field['required'] === true).map((field) => String(field['name']))
  const properties = Object.fromEntries(fields.map((field) => [String(field['name']), field]))
  const schema = reader.make({ type: 'object', properties, required }, undefined)
  const isForm = consumes.includes(FORM) || consumes.includes(MULTIPART)
  const types = isForm ? consumes.filter((type) => type === FORM || type === MULTIPART || type === JSON_TYPE) : []
  const fallback = fields.some((field) => field['type'] === 'file') ? MULTIPART : FORM
  return {
    required: required.length > 0,
    content: new Map((types.length > 0 ? types : [fallback]).map((type) => [type, schema])),
  }
}

/** A response of Swagger 2.0: one schema for every media type that the operation produces. */
export function readResponse2(
  reader: SchemaReader,
  status: string,
  raw: JsonObject,
  produces: readonly string[],
): ResponseModel {
  const schema = reader.read(raw['schema'])
  const examples = new Map(objectEntriesOfAnything(raw['examples']))
  const types = produces.length > 0 ? produces : [JSON_TYPE]
  const content = new Map<string, MediaModel>()
  if (schema) for (const type of types) content.set(type, { schema, example: examples.get(type) })
  const headers = new Map<string, Schema | undefined>()
  for (const [name, header] of objectEntries(raw['headers'])) headers.set(name.toLowerCase(), reader.read(header))
  return { status: statusOf(status), content, headers }
}

function objectEntriesOfAnything(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, example]) => {
    const type = mediaTypeOf(name)
    return type ? [[type, example] as [string, unknown]] : []
  })
}
