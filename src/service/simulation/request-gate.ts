import { createHash } from 'node:crypto'
import type { ApiModel } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import { type Answered, applyFirings, closeUnheard, firstFiring } from '../simulated-api/rules/apply-firings.ts'
import type { RateLimiter } from '../simulated-api/rules/rate-limiter.ts'
import type { Firings, RuleBook } from '../simulated-api/rules/rule-book.ts'
import type { RuleConfig } from '../simulated-api/rules/rule-config.ts'
import type { MatchedRoute, SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { AccessList } from './access-list.ts'
import type { KeyRing } from './key-ring.ts'
import type { StaleReads } from './stale-reads.ts'

/** What a gate works with. */
interface GateParts {
  readonly model: ApiModel
  readonly api: SimulatedApi
  readonly access: AccessList
  readonly keys: KeyRing
  readonly rules: RuleBook
  readonly limiter: RateLimiter
  readonly stale: StaleReads
  readonly isPaused: () => boolean
  /** Counts a request that is let in; false past the account's request limit. */
  readonly countRequest: () => boolean
}

/** What the log says of a request beside its answer. */
export interface GateTrace {
  /** Id of the operation; null when none matched. */
  operation: string | null
  /** The first response rule that acted, or null. */
  ruleId: string | null
  /** Prefix of the key that was shown, or null. */
  key: string | null
  /** What was wrong with the request, whether it was let pass or refused. */
  warnings: readonly string[]
}

/** The answer to a request, and what is to be written before it leaves. */
export interface GateAnswer extends Answered {
  readonly trace: GateTrace
}

/** A request that was let in, and what is needed to process it. */
interface Admitted {
  readonly request: ApiRequest
  readonly route: MatchedRoute
  /** World time, milliseconds. */
  readonly at: number
  readonly key: string | null
}

/** The way of a request through a simulation: paused, allow-list, route, key, response rules, operation. */
export class RequestGate {
  readonly #parts: GateParts
  readonly #isKey: (secret: string) => boolean

  constructor(parts: GateParts) {
    this.#parts = parts
    this.#isKey = (secret) => parts.keys.has(secret)
  }

  /** @param isLate a response rule held the request before it was processed: rules do not act on it again */
  handle(request: ApiRequest, at: number, isLate: boolean): GateAnswer {
    const trace: GateTrace = { operation: null, ruleId: null, key: null, warnings: [] }
    const { response, changes } = this.#answer(request, at, isLate, trace)
    return { response, changes, trace }
  }

  #answer(request: ApiRequest, at: number, isLate: boolean, trace: GateTrace): Answered {
    const { api, access, keys, countRequest, isPaused } = this.#parts
    if (isPaused()) return this.#refuse(request, 503, 'paused', 'This simulation is paused. Resume it to go on.')
    if (!access.admits(request.ip)) {
      const message = `${request.ip} is not on the IP allow-list of this simulation.`
      return this.#refuse(request, 403, 'unauthorised', message)
    }
    const route = api.route(request)
    if ('response' in route) return this.#turnAway(route.response, request, at, trace)
    trace.operation = route.compiled.operation.id
    const admission = api.authenticate(route, request, this.#isKey)
    if ('response' in admission) return this.#turnAway(admission.response, request, at, trace)
    const { key } = admission
    trace.key = key === null ? null : (keys.prefixOf(key) ?? null)
    if (!isLate && !countRequest()) {
      return this.#refuse(request, 429, 'plan_limit', "The account's monthly request limit is used up.", 3_600)
    }
    const admitted = { request, route, at, key }
    return isLate ? this.#perform(api, admitted, trace, false) : this.#process(admitted, trace)
  }

  #process(admitted: Admitted, trace: GateTrace): Answered {
    const { request, at } = admitted
    const { api, model, rules } = this.#parts
    const subject = { method: request.method, path: request.path, basePaths: model.basePaths }
    const firings = rules.fire(subject, at)
    const first = firstFiring(firings)
    if (first !== undefined) {
      trace.ruleId = first.rule.id
      return this.#processUnder(firings, admitted, trace)
    }
    return this.#perform(api, admitted, trace, false)
  }

  #processUnder(firings: Firings, admitted: Admitted, trace: GateTrace): Answered {
    const { request, route, at } = admitted
    const { api, limiter } = this.#parts
    return applyFirings(firings, {
      perform: () => this.#perform(api, admitted, trace, false),
      preview: () => this.#perform(api, admitted, trace, true).response,
      performStale: (ruleId, lagMs) => this.#perform(this.#apiOf(request, ruleId, at - lagMs), admitted, trace, false),
      take: ({ rule, config }) => limiter.take(rule.id, callerOf(config.scope, admitted, trace), config, at),
      refuse: (status, code, message) => api.withCors(api.errorResponse(route, status, code, message), request),
    })
  }

  /** A request that the API refuses, unless a rule says that nobody is there to do so. */
  #turnAway(response: ApiResponse, request: ApiRequest, at: number, trace: GateTrace): Answered {
    const { api, model, rules } = this.#parts
    const firing = rules.fireBeforeKey({ method: request.method, path: request.path, basePaths: model.basePaths }, at)
    if (firing === undefined) return { response, changes: [] }
    trace.ruleId = firing.rule.id
    return closeUnheard(firing, {
      refuse: (status, code, message) => api.errorResponse(undefined, status, code, message),
    })
  }

  #perform(api: SimulatedApi, { request, route, at, key }: Admitted, trace: GateTrace, isPreview: boolean): Answered {
    const outcome = api.perform(route, request, { at, key, isPreview })
    trace.warnings = outcome.warnings
    return outcome
  }

  /** The data of then, for a read: a write always meets the living data. */
  #apiOf({ method }: ApiRequest, ruleId: string, at: number): SimulatedApi {
    const isRead = method === 'GET' || method === 'HEAD'
    return (isRead ? this.#parts.stale.apiAt(ruleId, at) : undefined) ?? this.#parts.api
  }

  #refuse(request: ApiRequest, status: number, code: string, message: string, retryAfterSeconds?: number): Answered {
    const { api } = this.#parts
    const answer: ApiResponse = api.errorResponse(undefined, status, code, message)
    const retryAfter = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
    const headers = { ...answer.headers, ...retryAfter }
    return { response: api.withCors({ ...answer, headers }, request), changes: [] }
  }
}

/** Whose requests a rate limit counts together. Keys are told apart whole, and not kept. */
function callerOf(scope: RuleConfig<'rateLimit'>['scope'], { request, key }: Admitted, trace: GateTrace): string {
  switch (scope) {
    case 'key':
      return key === null ? '' : createHash('sha256').update(key).digest('base64url')
    case 'ip':
      return request.ip
    case 'operation':
      return trace.operation ?? ''
    case 'simulation':
      return ''
  }
}
