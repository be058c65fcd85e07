import type { LogEntry } from '../../protocol/reads.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import { type Answered, applyFirings, listFirings } from '../simulated-api/rules/apply-firings.ts'
import { RateLimiter } from '../simulated-api/rules/rate-limiter.ts'
import type { RuleBook } from '../simulated-api/rules/rule-book.ts'
import type { RuleConfig } from '../simulated-api/rules/rule-config.ts'
import type { Route, SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { AccessList } from './access-list.ts'
import type { KeyRing } from './key-ring.ts'
import type { LivingWorld } from './living-world.ts'
import type { RequestLog } from './request-log.ts'
import type { StaleReads } from './stale-reads.ts'

/** What a gate works with. */
interface GateParts {
  readonly model: ApiModel
  readonly runtime: Runtime
  readonly api: SimulatedApi
  readonly access: AccessList
  readonly keys: KeyRing
  readonly rules: RuleBook
  readonly stale: StaleReads
  readonly log: RequestLog
  readonly living: LivingWorld
  /** Aborted when held answers may go. */
  readonly release: () => AbortSignal
  /** False past the account's request limit. */
  readonly countRequest: () => boolean
}

/** A request that was let in, and what is needed to process it. */
interface Admitted {
  readonly request: ApiRequest
  readonly route: Extract<Route, { operation: unknown }>
  readonly at: number
}

/** The way of a request through a simulation: paused, allow-list, route, key, response rules, operation, log. */
export class RequestGate {
  readonly #parts: GateParts
  readonly #limiter = new RateLimiter()

  constructor(parts: GateParts) {
    this.#parts = parts
  }

  handle(request: ApiRequest): ApiResponse {
    const { runtime, log, living, release } = this.#parts
    const arrivedAt = runtime.clock.monotonic()
    const at = living.now()
    const entry = log.add({
      at: toIso(at),
      method: request.method,
      path: request.query === '' ? request.path : `${request.path}?${request.query}`,
      status: null,
      durationMs: null,
      sourceIp: request.ip,
      operation: null,
      ruleId: null,
      key: null,
    })
    const { response, changes } = this.#answer(request, at, entry)
    living.commit(changes, at)
    const complete = (): void => {
      entry.status = response.status
      entry.durationMs = Math.round((runtime.clock.monotonic() - arrivedAt) * 1000) / 1000
    }
    if (response.delayMs !== undefined || response.fault !== undefined) {
      return { ...response, release: release(), onSent: complete }
    }
    complete()
    return response
  }

  /** Forgets what callers have used of their rate limits. */
  reset(): void {
    this.#limiter.clear()
  }

  #answer(request: ApiRequest, at: number, entry: LogEntry): Answered {
    const { api, access, keys, countRequest, living } = this.#parts
    if (living.isPaused) return this.#refuse(request, 503, 'paused', 'This simulation is paused. Resume it to go on.')
    if (!access.admits(request.ip)) {
      const message = `${request.ip} is not on the IP allow-list of this simulation.`
      return this.#refuse(request, 403, 'unauthorised', message)
    }
    const route = api.route(request)
    if ('response' in route) return { response: route.response, changes: [] }
    entry.operation = route.operation.id
    const admission = api.authenticate(route, request, (secret) => keys.has(secret))
    if ('response' in admission) return { response: admission.response, changes: [] }
    entry.key = admission.key === null ? null : (keys.prefixOf(admission.key) ?? null)
    if (!countRequest()) {
      return this.#refuse(request, 429, 'plan_limit', "The account's monthly request limit is used up.", 3_600)
    }
    return this.#process({ request, route, at }, entry)
  }

  #process({ request, route, at }: Admitted, entry: LogEntry): Answered {
    const { api, model, rules } = this.#parts
    const firings = rules.fire({ method: request.method, path: request.path, basePaths: model.basePaths }, at)
    const [first] = listFirings(firings)
    if (first === undefined) return api.perform(route, request, { at })
    entry.ruleId = first.rule.id
    return applyFirings(firings, {
      perform: () => api.perform(route, request, { at }),
      performStale: (ruleId, lagMs) => this.#performStale({ request, route, at }, ruleId, lagMs),
      take: ({ rule, config }) => this.#limiter.take(rule.id, callerOf(config.scope, request, entry), config, at),
      refuse: (status, code, message) => api.withCors(api.errorResponse(route, status, code, message), request),
      proceed: () => this.#proceed({ request, route, at }),
    })
  }

  /** Only reads are stale; a write always meets the living data. */
  #performStale({ request, route, at }: Admitted, ruleId: string, lagMs: number): Answered {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const api = (isRead ? this.#parts.stale.apiAt(ruleId, at - lagMs) : undefined) ?? this.#parts.api
    return api.perform(route, request, { at })
  }

  #proceed({ request, route }: Admitted): ApiResponse {
    const { api, living } = this.#parts
    const at = living.now()
    const { response, changes } = api.perform(route, request, { at })
    living.commit(changes, at)
    return response
  }

  #refuse(request: ApiRequest, status: number, code: string, message: string, retryAfterSeconds?: number): Answered {
    const { api } = this.#parts
    const answer = api.errorResponse(undefined, status, code, message)
    const retryAfter = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
    return {
      response: api.withCors({ ...answer, headers: { ...answer.headers, ...retryAfter } }, request),
      changes: [],
    }
  }
}

/** Whose requests a rate limit counts together. */
function callerOf(scope: RuleConfig<'rateLimit'>['scope'], request: ApiRequest, entry: LogEntry): string {
  switch (scope) {
    case 'key':
      return entry.key ?? ''
    case 'ip':
      return request.ip
    case 'operation':
      return entry.operation ?? ''
    case 'simulation':
      return ''
  }
}
