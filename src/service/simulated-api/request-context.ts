import type { ApiRequest } from './exchange.ts'
import type { FoundOperation } from './routing/router.ts'
import type { Firings } from './rules/rule-book.ts'

/** One request on its way through a simulation: what arrived, and what became known of it so far. */
export interface RequestContext {
  readonly request: ApiRequest
  /** World time, milliseconds. */
  readonly at: number
  /** The operation that the request is for; undefined until it is found. */
  route: Route | undefined
  /** The simulation's key that was shown; null until it is found, and where none is needed and none was shown. */
  key: string | null
  /** Whether it is answered as it was before, under its idempotency key. */
  isRepeated: boolean
  /** The response rules that act. */
  firings: Firings | undefined
  /** Headers that the rules add to whatever is answered. */
  ruleHeaders: Readonly<Record<string, string>> | undefined
  /** The first response rule that acted, or null. */
  ruleId: string | null
  /** What is wrong with the request, whether it is let pass or refused. */
  readonly warnings: string[]
}

/** The operation that a request is for. */
export interface Route extends FoundOperation {
  /** Whether the request is a HEAD that a GET answers: without its body. */
  readonly isHead: boolean
}

/** @param at world time, milliseconds */
export function createContext(request: ApiRequest, at: number): RequestContext {
  return {
    request,
    at,
    route: undefined,
    key: null,
    isRepeated: false,
    firings: undefined,
    ruleHeaders: undefined,
    ruleId: null,
    warnings: [],
  }
}

/** Throws before the route was found. */
export function routeOf({ route, request }: RequestContext): Route {
  if (route === undefined) throw new Error(`Failed to process ${request.method} ${request.path}: it has no route yet.`)
  return route
}
