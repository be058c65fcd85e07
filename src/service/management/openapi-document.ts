import type { z } from 'zod'
import { errorBody } from '../../protocol/answers.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { toJsonSchemas } from '../../protocol/json-schemas.ts'
import { OPERATIONS, type OperationText, SINK_OPERATIONS } from './operations.ts'

/** What the description of one service depends on. */
export interface DocumentOptions {
  readonly version: string
  /** Address of the service, as the reader reached it. */
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
  const operations = workerSinks ? [...OPERATIONS, ...SINK_OPERATIONS] : OPERATIONS
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const [method, path] = operation.endpoint.split(' ') as [string, string]
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(operation, path) }
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
      schemas: { ...schemasOf(operations), ...toJsonSchemas({ Error: errorBody }, 'output') },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, text]) => [`Error${status}`, errorResponse(text)]),
      ),
    },
  }
}

function schemasOf(operations: readonly OperationText[]): Record<string, JsonObject> {
  const bodies: Record<string, z.ZodType> = {}
  const answers: Record<string, z.ZodType> = {}
  for (const { body, answer } of operations) {
    if (body !== undefined) bodies[body[0]] = body[1]
    const [, name, schema] = answer
    if (name !== undefined && schema !== undefined) answers[name] = schema
  }
  return { ...toJsonSchemas(bodies, 'input'), ...toJsonSchemas(answers, 'output') }
}

function toOperation(operation: OperationText, path: string): JsonObject {
  const { id, summary, body, isOurs, endpoint } = operation
  const scope = endpoint.startsWith('GET ') ? 'simulations:read' : 'simulations:write'
  const parameters = [...pathParameters(path), ...queryParameters(operation)]
  return {
    operationId: id,
    summary,
    description: `Needs the scope \`${scope}\`.`,
    tags: [isOurs ? 'extension' : 'specification'],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body[0]) } }),
    responses: responsesOf(operation, path),
  }
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(name === 'id' ? { description: "The simulation's id or slug." } : {}),
  }))
}

function queryParameters({ query }: OperationText): JsonObject[] {
  if (query === undefined) return []
  const { properties } = toJsonSchemas({ query }, 'input').query as JsonObject
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: schema as Json,
  }))
}

function responsesOf({ answer, body, query, errors = [], id }: OperationText, path: string): JsonObject {
  const [status, name] = answer
  const below = path.includes('{id}')
  const waits = below && id !== 'readSimulation' && id !== 'deleteSimulation'
  const statuses = [
    ...(body || query || below ? [400] : []),
    ...[401, 402, 403],
    ...(below ? [404] : []),
    ...(body ? [413, 415] : []),
    ...errors,
    ...(waits ? [503] : []),
  ]
  const refusals = [...new Set(statuses)].map((refused): [string, JsonObject] => [
    String(refused),
    { $ref: `#/components/responses/Error${refused}` },
  ])
  return { [status]: success(id, name), ...Object.fromEntries(refusals) }
}

function success(id: string, name: string | undefined): JsonObject {
  if (id === 'streamEvents')
    return { description: 'Events.', content: { 'text/event-stream': { schema: { type: 'string' } } } }
  if (id === 'readDescription')
    return { description: 'OpenAPI.', content: { 'application/json': { schema: { type: 'object' } } } }
  return name === undefined ? { description: 'Done.' } : { description: 'Done.', content: jsonContent(name) }
}

function jsonContent(name: string): JsonObject {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
}

function errorResponse(description: string): JsonObject {
  return { description, content: jsonContent('Error') }
}
