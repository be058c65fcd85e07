import type { Prompt } from '../../protocol/reply.ts'
import type { FoundOperation } from './compiled/router.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { Firings } from './rules/rule-book.ts'

/** One request in a simulation: what arrived, and what is known so far. */
export interface RequestContext {
  readonly request: ApiRequest
  /** World time, milliseconds. */
  readonly at: number
  /** Real time, milliseconds. */
  readonly realAt: number
  /** The operation of the request; undefined until it is found. */
  route: Route | undefined
  /** The simulation's key in the request; null until it is found, and where none is needed or given. */
  key: string | null
  /** The earlier answer that it repeats, by its idempotency key. */
  repeated: ApiResponse | undefined
  /** Whether the request counts against the account's request limit. */
  isCounted: boolean
  /** The response rules that fire. */
  firings: Firings | undefined
  /** Adds the headers of a rule's limit to any answer. */
  limited: ((answer: ApiResponse) => ApiResponse) | undefined
  /** The first response rule that fired, or null. */
  ruleId: string | null
  /** Id of the test's function that has answered. */
  responder: string | undefined
  /** What a language model was asked by the request. */
  readonly prompts: Prompt[]
  /** Faults of the request, whether it is refused or not. */
  readonly warnings: string[]
}

/** The operation of a request. */
export interface Route extends FoundOperation {
  /** Whether a GET answers a HEAD request: without its body. */
  readonly isHead: boolean
}

/** The context of a request before anything is known about it. @param realAt by default the world's */
export const toContext = ({
  request,
  at,
  realAt = at,
}: Pick<RequestContext, 'request' | 'at'> & { readonly realAt?: number }): RequestContext => ({
  request,
  at,
  realAt,
  route: undefined,
  key: null,
  repeated: undefined,
  isCounted: false,
  firings: undefined,
  limited: undefined,
  ruleId: null,
  responder: undefined,
  prompts: [],
  warnings: [],
})

/** Throws before the route was found. */
export function routeOf({ route, request }: RequestContext): Route {
  if (route === undefined) throw new Error(`Failed to process ${request.method} ${request.path}: it has no route yet.`)
  return route
}
