import type { JsonObject } from '../../../src/protocol/json.ts'

/** One resource of a description: `/parcels`, `/parcels/{id}`, and operations below a record. */
export interface Resource {
  /** Schema of a record's fields besides `id`. */
  readonly fields: JsonObject
  readonly required?: readonly string[]
  /** Schema of the fields that a creation sends. @default the record's own */
  readonly sent?: JsonObject
  /** Responses of the creation besides 201, by status: their texts. */
  readonly creation?: Readonly<Record<string, string>>
  /** Responses of the list besides 200, by status: their texts. */
  readonly listing?: Readonly<Record<string, string>>
  /** Operations below one record, by method and the rest of the path: `POST /dispatch`. */
  readonly actions?: Readonly<Record<string, Action>>
}

interface Action {
  readonly sent?: JsonObject
  readonly description?: string
  /** Responses besides 200, by status: their texts. */
  readonly responses?: Readonly<Record<string, string>>
}

const ID: JsonObject = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })
const takes = (properties: JsonObject | undefined) =>
  properties === undefined ? {} : { requestBody: json({ type: 'object', properties }) }
const refusals = (texts: Readonly<Record<string, string>> = {}): JsonObject =>
  Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description }]))

/** A description of resources by their plural. */
export function describeResources(resources: Readonly<Record<string, Resource>>, more: JsonObject = {}): JsonObject {
  const paths = Object.entries(resources).map(([plural, resource]) => pathsOf(`/${plural}`, resource))
  return { openapi: '3.1.0', info: { title: 'Honest', version: '1' }, paths: Object.assign({}, ...paths), ...more }
}

function pathsOf(
  path: string,
  { fields, required = [], sent = fields, creation, listing, actions = {} }: Resource,
): JsonObject {
  const record: JsonObject = {
    type: 'object',
    required: ['id', ...required],
    properties: { id: { type: 'string', readOnly: true }, ...fields },
  }
  const shown = { description: 'ok', ...json(record) }
  const below: Record<string, JsonObject> = {}
  for (const [route, { sent: argument, description = '', responses }] of Object.entries(actions)) {
    const [method = '', rest = ''] = route.split(' ')
    const operation = { description, ...takes(argument), responses: { 200: shown, ...refusals(responses) } }
    below[rest] = { parameters: [ID], ...below[rest], [method.toLowerCase()]: operation }
  }
  return {
    [path]: {
      get: {
        responses: { 200: { description: 'ok', ...json({ type: 'array', items: record }) }, ...refusals(listing) },
      },
      post: { ...takes(sent), responses: { 201: shown, ...refusals(creation) } },
    },
    [`${path}/{id}`]: {
      parameters: [ID],
      get: { responses: { 200: shown, 404: { description: 'missing' } } },
      patch: { ...takes(sent), responses: { 200: shown } },
    },
    ...Object.fromEntries(Object.entries(below).map(([rest, item]) => [`${path}/{id}${rest}`, item])),
  }
}

export const oneOf = (...values: string[]): JsonObject => ({ type: 'string', enum: values })
export const TEXT: JsonObject = { type: 'string' }
export const WHOLE: JsonObject = { type: 'integer' }
export const MOMENT: JsonObject = { type: ['string', 'null'], format: 'date-time' }
