import * as z from 'zod'
import { ANSWERS, ERROR_BODY } from '../../protocol/answers.ts'
import { type Endpoint, scopeOf } from '../../protocol/endpoint.ts'
import type { EndpointId } from '../../protocol/endpoints.ts'
import { listEndpoints } from '../../protocol/extensions.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { BODIES, QUERIES } from '../../protocol/requests.ts'

/** Input for the description of one service. */
interface DocumentOptions {
  readonly version: string
  /** Address of the service in the reader's request. */
  readonly url: string
  readonly workerSinks: boolean
}

const ERRORS: Readonly<Record<number, string>> = {
  400: '`invalid_request`, `bad_request` or `unsafe_url`: the request is wrong, or cannot be done.',
  401: '`unauthorised`: the key is missing, invalid, revoked or expired.',
  402: '`payment_required`, `plan_limit` or `no_credit`.',
  403: '`unauthorised`: the key lacks the scope, the address is not allowed, or the account is suspended.',
  404: '`not_found`: no such thing in the account.',
  413: '`invalid_request`: the body is too large.',
  415: '`bad_request`: the body is not JSON.',
  422: '`invalid_spec`: the description cannot be read.',
  503: '`unavailable`: the simulation is busy. Try again after `Retry-After` seconds.',
}

/** The management API's own description: OpenAPI 3.1, from the schemas that requests are parsed with. */
export function composeDocument({ version, url, workerSinks }: DocumentOptions): JsonObject {
  const endpoints = listEndpoints({ workerSinks })
  const paths: Record<string, JsonObject> = {}
  for (const [id, endpoint] of endpoints) {
    const { method, path } = endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(id, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Simulation service',
      version,
      description: 'Hosts simulations of HTTP APIs. Operations tagged `extension` are not part of the specification.',
    },
    servers: [{ url }],
    security: [{ accountKey: [] }],
    tags: [{ name: 'specification' }, { name: 'extension' }],
    paths,
    components: {
      securitySchemes: { accountKey: { type: 'http', scheme: 'bearer', description: 'An account key.' } },
      schemas: schemasOf(endpoints.map(([, endpoint]) => endpoint)),
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, text]) => [`Error${status}`, jsonResponse(text, 'Error')]),
      ),
    },
  }
}

/** The schemas of the operations. */
function schemasOf(endpoints: readonly Endpoint[]): Record<string, JsonObject> {
  const bodies = new Set<string>(endpoints.flatMap(({ body = [] }) => body))
  const answers = new Set<string>(endpoints.flatMap(({ answer = [] }) => answer))
  return {
    ...toJsonSchemas(only(BODIES, bodies), 'input'),
    ...toJsonSchemas({ ...only(ANSWERS, answers), Error: ERROR_BODY }, 'output'),
  }
}

function only<T>(record: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)))
}

function toOperation(id: EndpointId, endpoint: Endpoint): JsonObject {
  const { summary, body, extension } = endpoint
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint)]
  return {
    operationId: id,
    summary,
    description: `Needs the scope \`${scopeOf(endpoint)}\`.`,
    tags: [extension === undefined ? 'specification' : 'extension'],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responsesOf(endpoint),
  }
}

function pathParameters({ path }: Endpoint): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(name === 'id' ? { description: "The simulation's id or slug." } : {}),
  }))
}

function queryParameters({ query }: Endpoint): JsonObject[] {
  if (query === undefined) return []
  const { properties } = toJsonSchemas({ query: QUERIES[query] }, 'input').query as JsonObject
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: schema as Json,
  }))
}

function responsesOf(endpoint: Endpoint): JsonObject {
  const { path, body, query, errors = [], waits = true, answer } = endpoint
  const below = path.includes('{id}')
  const statuses = [
    ...(body || query || below ? [400] : []),
    ...[401, 402, 403],
    ...(below ? [404] : []),
    ...(body ? [413, 415] : []),
    ...errors,
    ...(below && waits ? [503] : []),
  ]
  const refusals = statuses.map((status): [string, JsonObject] => [
    String(status),
    { $ref: `#/components/responses/Error${status}` },
  ])
  return { [endpoint.status ?? (answer ? 200 : 204)]: success(answer), ...Object.fromEntries(refusals) }
}

function success(answer: Endpoint['answer']): JsonObject {
  switch (answer) {
    case undefined:
      return { description: 'Done.' }
    case 'EventStream':
      return { description: 'Events.', content: { 'text/event-stream': { schema: { type: 'string' } } } }
    case 'Description':
      return { description: 'OpenAPI.', content: { 'application/json': { schema: { type: 'object' } } } }
    default:
      return jsonResponse('Done.', answer)
  }
}

function jsonResponse(description: string, schema: string): JsonObject {
  return { description, content: jsonContent(schema) }
}

function jsonContent(schema: string): JsonObject {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
}

/**
 * Schemas as JSON Schema (2020-12) for a description, by name and without references. `input`: for requests; `output`:
 * for answers, where fields with a default are always present.
 */
function toJsonSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      tidy(z.toJSONSchema(schema, { io, reused: 'inline', override: anyForJson }) as Json) as JsonObject,
    ]),
  )
}

/** `z.json()` refers to itself, and means "any value". */
function anyForJson({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Record<string, unknown> }) {
  if (zodSchema._zod.def.type !== 'lazy') return
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
}

const NOISE = new Set(['$schema', '$defs', 'propertyNames'])

/** Removes keywords without effect: the dialect, string types of names, facts implied by a format, the bounds of a double. */
function tidy(value: Json): Json {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isJsonObject(value)) return value
  if (typeof value.$ref === 'string') return {}
  const kept = Object.entries(value).filter(([key, inner]) => {
    if (NOISE.has(key) || (key === 'additionalProperties' && inner === false)) return false
    if (key === 'pattern' && typeof value.format === 'string') return false
    return !((key === 'minimum' || key === 'maximum') && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER)
  })
  return Object.fromEntries(kept.map(([key, inner]) => [key, tidy(inner)]))
}
