import type { LogEntry } from '../../protocol/reads.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { Firing, RuleBook } from '../simulated-api/rules/rule-book.ts'
import type { SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { Change } from '../world/change.ts'
import type { AccessList } from './access-list.ts'
import type { KeyRing } from './key-ring.ts'
import type { RequestLog } from './request-log.ts'

/** What a request is answered under. */
interface Moment {
  /** World time, milliseconds. */
  readonly at: number
  readonly isPaused: boolean
  readonly release: AbortSignal
}

/** What a gate works with. */
interface GateParts {
  readonly model: ApiModel
  readonly runtime: Runtime
  readonly api: SimulatedApi
  readonly access: AccessList
  readonly keys: KeyRing
  readonly rules: RuleBook
  readonly log: RequestLog
  /** False past the account's request limit. */
  readonly countRequest: () => boolean
}

/** An answer and what is to be written before it leaves. */
interface Answered {
  readonly response: ApiResponse
  readonly changes: readonly Change[]
}

/**
 * The way of a request through a simulation: paused, allow-list, route, key, response rules, operation. It writes the log
 * and leaves the data to its caller.
 */
export class RequestGate {
  readonly #parts: GateParts

  constructor(parts: GateParts) {
    this.#parts = parts
  }

  handle(request: ApiRequest, moment: Moment): Answered {
    const { runtime, log } = this.#parts
    const arrivedAt = runtime.clock.monotonic()
    const entry = log.add({
      at: toIso(moment.at),
      method: request.method,
      path: request.query === '' ? request.path : `${request.path}?${request.query}`,
      status: null,
      durationMs: null,
      sourceIp: request.ip,
      operation: null,
      ruleId: null,
      key: null,
    })
    const { response, changes } = this.#answer(request, moment, entry)
    const isHeld = response.delayMs !== undefined || response.fault !== undefined
    const complete = (): void => {
      entry.status = response.status
      entry.durationMs = Math.round((runtime.clock.monotonic() - arrivedAt) * 1000) / 1000
    }
    if (!isHeld) complete()
    return { response: isHeld ? { ...response, release: moment.release, onSent: complete } : response, changes }
  }

  #answer(request: ApiRequest, { at, isPaused }: Moment, entry: LogEntry): Answered {
    const { api, access, keys } = this.#parts
    const refuse = (status: number, code: string, message: string, retryAfterSeconds?: number): Answered => {
      const response = api.errorResponse(undefined, status, code, message)
      const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
      return {
        response: api.withCors({ ...response, headers: { ...response.headers, ...headers } }, request),
        changes: [],
      }
    }
    if (isPaused) return refuse(503, 'paused', 'This simulation is paused. Resume it to go on.')
    if (!access.admits(request.ip)) {
      return refuse(403, 'unauthorised', `${request.ip} is not on the IP allow-list of this simulation.`)
    }
    const route = api.route(request)
    if ('response' in route) return { response: route.response, changes: [] }
    entry.operation = route.operation.id
    const admission = api.authenticate(route, request, (secret) => keys.has(secret))
    if ('response' in admission) return { response: admission.response, changes: [] }
    entry.key = admission.key === null ? null : (keys.prefixOf(admission.key) ?? null)
    if (!this.#parts.countRequest()) {
      return refuse(429, 'plan_limit', "The account's monthly request limit is used up.", 3_600)
    }
    const firing = this.#fire(request, at)
    entry.ruleId = firing?.rule.id ?? null
    const { response, changes } = api.perform(route, request, { at })
    return { response: firing === undefined ? response : withFiring(response, firing), changes }
  }

  #fire({ method, path }: ApiRequest, at: number): Firing | undefined {
    return this.#parts.rules.fire({ method, path, basePaths: this.#parts.model.basePaths }, at)
  }
}

function withFiring(response: ApiResponse, { rule, delayMs }: Firing): ApiResponse {
  return { ...response, delayMs, headers: { ...response.headers, 'Backlot-Rule': `${rule.id}; kind=${rule.kind}` } }
}
