import type { JsonObject } from '../protocol/json.ts'
import { component } from './schema-fragments.ts'

/** What the frame of a description is made from. */
export interface ApiParts {
  info: JsonObject
  server: string
  tags: string[]
  /** `components.securitySchemes`; any of them will do. */
  security: JsonObject
  /** `components.parameters`: the query parameters of lists. */
  paging: JsonObject
  paths: JsonObject
  /** `components.schemas`; `Error` is the body of every error. */
  schemas: JsonObject
}

/** An OpenAPI 3.1 description around its paths and schemas. */
export function describeApi(parts: ApiParts): JsonObject {
  return {
    openapi: '3.1.0',
    info: parts.info,
    servers: [{ url: parts.server }],
    tags: parts.tags.map((name) => ({ name })),
    security: Object.keys(parts.security).map((name) => ({ [name]: [] })),
    paths: parts.paths,
    components: {
      securitySchemes: parts.security,
      parameters: parts.paging,
      responses: {
        Invalid: errorAnswer('The request does not fit'),
        Unauthorised: errorAnswer('The key is missing or wrong'),
        NotFound: errorAnswer('There is no such record'),
        TooManyRequests: {
          ...errorAnswer('Too many requests'),
          headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } },
        },
      },
      schemas: parts.schemas,
    },
  }
}

function errorAnswer(description: string): JsonObject {
  return { description, content: { 'application/json': { schema: component('schemas/Error') } } }
}
