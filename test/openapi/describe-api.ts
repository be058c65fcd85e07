import type { JsonObject } from '../../src/protocol/json.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { LocalReferences } from '../../src/service/openapi/references.ts'
import { SchemaReader } from '../../src/service/openapi/schemas/schema-reader.ts'

/** A description of OpenAPI 3.1 around these paths. */
export function describeApi(paths: JsonObject, rest: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...rest }
}

/** The model of a description around these paths. */
export function modelOf(paths: JsonObject, rest: JsonObject = {}): ApiModel {
  return readDescription(describeApi(paths, rest))
}

/** An answer of 200 with this schema. */
export const answers = (schema: JsonObject): JsonObject => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})

/** A JSON body with this schema. */
export const takes = (schema: JsonObject): JsonObject => ({
  requestBody: { content: { 'application/json': { schema } } },
})

/** A schema of an object with these properties; a text stands for a type. */
export function object(properties: Readonly<Record<string, JsonObject | string>>, rest: JsonObject = {}): JsonObject {
  const entries = Object.entries(properties).map(([name, value]) => [
    name,
    typeof value === 'string' ? { type: value } : value,
  ])
  return { type: 'object', properties: Object.fromEntries(entries) as JsonObject, ...rest }
}

export const list = (items: JsonObject): JsonObject => ({ type: 'array', items })

/** Required path parameters that are texts. */
export const inPath = (...names: string[]): JsonObject => ({
  parameters: names.map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } })),
})

export const inQuery = (name: string, schema: JsonObject): JsonObject => ({ in: 'query', name, schema })

/** A body or an answer of one media type. */
export const only = (mediaType: string, schema: JsonObject): JsonObject => ({ content: { [mediaType]: { schema } } })

/** A reference to a component. */
export const by = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** The operation at a method and path: `GET /tasks/{id}`. */
export function operationAt(model: ApiModel, route: string): Operation {
  const found = model.operations.find(({ method, path }) => `${method} ${path}` === route)
  if (!found) throw new Error(`Failed to find ${route} among ${model.operations.map(({ path }) => path).join(', ')}.`)
  return found
}

/** A schema of a document of this version, with these components. */
export function schemaOf(raw: JsonObject, components: JsonObject = {}, knowsNullable = false): Schema {
  const document = { components: { schemas: components } }
  const schema = new SchemaReader(new LocalReferences(document), { knowsNullable }).read(raw)
  if (!schema) throw new Error('Expected a schema.')
  return schema
}
