import type * as z from 'zod'
import type { Answers } from './answers.ts'
import type { BODIES, QUERIES } from './requests.ts'

/** One endpoint of the management API: a row of `endpoints.ts`. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for parameters; `{id}` is the id or the slug of a simulation. */
  readonly path: string
  /** Name of the query's schema in `requests.ts`. */
  readonly query?: keyof typeof QUERIES
  /** Name of this query in the list of `GET /v1/meta`, where the specification does not have it. */
  readonly queryExtension?: string
  /** Name of the JSON body's schema in `requests.ts`. */
  readonly body?: keyof typeof BODIES
  /** Name in the list of `GET /v1/meta` of the body's fields that the specification does not have. */
  readonly bodyExtension?: string
  /** Name of the answer in `answers.ts`. An endpoint without one answers 204. */
  readonly answer?: keyof Answers
  /** Status of the answer. @default 200, or 204 without an answer */
  readonly status?: 200 | 201
  /** Statuses of errors that path, query and body do not imply. */
  readonly errors?: readonly number[]
  /** Whether it waits while its simulation is queued, resets or fast-forwards. @default true */
  readonly waits?: false
  /** What it does to the simulation where it interrupts a running fast-forward. @default it waits for the end */
  readonly interrupts?: 'paused' | 'reset' | 'restored'
  /** Whether its answer has an `ETag`, and is 304 where `If-None-Match` has the same tag. */
  readonly isTagged?: true
  /** Whether a repeated request has no further effect. @default true for all methods but POST */
  readonly repeatable?: true
  /**
   * Name in the list of `GET /v1/meta` of an endpoint that the specification does not have. `GET /v1/meta` itself is
   * `meta`, and is not listed.
   */
  readonly extension?: string
  readonly summary: string
}

/** Parameters of a path, decoded. */
export type PathParameters<Path extends string> = { readonly [Name in ParameterName<Path>]: string }

type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never

/** The body of a request to an endpoint. */
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

/** Permissions of a credential: read for GET, write for everything else. */
export const SCOPES = ['simulations:read', 'simulations:write'] as const

/** The scope that an endpoint needs. */
export function scopeOf({ method }: Pick<Endpoint, 'method'>): (typeof SCOPES)[number] {
  return method === 'GET' ? 'simulations:read' : 'simulations:write'
}

/** The path of an endpoint with its parameters filled in, percent-encoded. */
export function fillPath(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
}
