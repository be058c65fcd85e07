import type * as z from 'zod'
import type { Answers } from './answers.ts'
import type { BODIES, QUERIES } from './requests.ts'

/** One endpoint of the management API: a row of `endpoints.ts`. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for parameters; `{id}` is the id or the slug of a simulation. */
  readonly path: string
  /** Name of the schema in `requests.ts` that the query is parsed with. */
  readonly query?: keyof typeof QUERIES
  /** Marks a query that the specification does not have, by the name in the list of `GET /v1/meta`. */
  readonly queryExtension?: string
  /** Name of the schema in `requests.ts` that the JSON body is parsed with. */
  readonly body?: keyof typeof BODIES
  /** Marks fields of the body that the specification does not have, by the name in the list of `GET /v1/meta`. */
  readonly bodyExtension?: string
  /** What the answer holds, by its name in `answers.ts`. An endpoint without one answers 204. */
  readonly answer?: keyof Answers
  /** Status of the answer. @default 200, or 204 without an answer */
  readonly status?: 200 | 201
  /** Statuses of errors that path, query and body do not imply. */
  readonly errors?: readonly number[]
  /** Whether it waits while the simulation of its path is queued, resets or fast-forwards. @default true */
  readonly waits?: false
  /** What it does to the simulation where it ends a fast-forward that is under way. @default it waits for the end */
  readonly interrupts?: 'paused' | 'reset' | 'restored'
  /** Whether its answer has an `ETag`, and is 304 where `If-None-Match` names it. */
  readonly isTagged?: true
  /** Whether sending it twice does no more than sending it once. @default true for all methods but POST */
  readonly repeatable?: true
  /**
   * Marks an endpoint that the specification does not have, by the name in the list of `GET /v1/meta`. That endpoint
   * itself is `meta`, and is not in its list.
   */
  readonly extension?: string
  readonly summary: string
}

/** Parameters of a path, decoded. */
export type PathParameters<Path extends string> = { readonly [Name in ParameterName<Path>]: string }

type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never

/** The body that an endpoint is sent. */
export type BodyInput<Row extends Endpoint> = Row extends { body: infer Name extends keyof typeof BODIES }
  ? z.input<(typeof BODIES)[Name]>
  : undefined

/** The body of an endpoint, parsed. */
export type ParsedBody<Row extends Endpoint> = Row extends { body: infer Name extends keyof typeof BODIES }
  ? z.output<(typeof BODIES)[Name]>
  : undefined

/** The query of an endpoint, parsed. */
export type ParsedQuery<Row extends Endpoint> = Row extends { query: infer Name extends keyof typeof QUERIES }
  ? z.output<(typeof QUERIES)[Name]>
  : undefined

/** What an endpoint answers; `unknown` for 204, which has no body. */
export type AnswerOf<Row extends Endpoint> = Row extends { answer: infer Name extends keyof Answers }
  ? Answers[Name]
  : unknown

/** What a credential must be allowed to do: reading for GET, writing for everything else. */
export const SCOPES = ['simulations:read', 'simulations:write'] as const

/** The scope that an endpoint needs. */
export function scopeOf({ method }: Pick<Endpoint, 'method'>): (typeof SCOPES)[number] {
  return method === 'GET' ? 'simulations:read' : 'simulations:write'
}

/** The path of an endpoint with `parameters` in their places, percent-encoded. */
export function fillPath(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
}
