import { type Answered, NO_CHANGES } from '../../simulated-api/calls/call.ts'
import { withCors } from '../../simulated-api/cors.ts'
import type { ApiRequest, ApiResponse } from '../../simulated-api/exchange.ts'
import { createContext, type RequestContext, routeOf } from '../../simulated-api/request-context.ts'
import { answerInstead, closeUnheard } from '../../simulated-api/rules/answers/answer-instead.ts'
import {
  changeAnswer,
  listFirings,
  replaceAnswer,
  replacementOf,
} from '../../simulated-api/rules/answers/change-answer.ts'
import type { RateLimiter } from '../../simulated-api/rules/rate-limiter.ts'
import type { AnyFiring, RuleBook } from '../../simulated-api/rules/rule-book.ts'
import type { RuleSubject } from '../../simulated-api/rules/rule-subject.ts'
import type { SimulatedApi } from '../../simulated-api/simulated-api.ts'
import type { AccessList } from './access-list.ts'
import type { KeyRing } from './key-ring.ts'
import type { GivenAnswer } from './responders.ts'
import type { StaleReads } from './stale-reads.ts'
import type { WebhookRegistry } from './webhook-registry.ts'

/** The parts for answering requests to one simulation. */
export interface RequestParts {
  readonly api: SimulatedApi
  readonly access: AccessList
  readonly keys: KeyRing
  readonly rules: RuleBook
  readonly limiter: RateLimiter
  readonly stale: StaleReads
  /** Webhooks that the API registers itself. */
  readonly registry?: WebhookRegistry | undefined
}

/** A request, with the circumstances of its arrival. */
export interface Arrival {
  readonly request: ApiRequest
  /** World time, milliseconds. */
  readonly at: number
  readonly isPaused: boolean
  /** Whether the account's request limit is exceeded. */
  readonly isOverLimit: boolean
  /** Whether a response rule held the request before it was processed: rules do not apply again. */
  readonly isLate: boolean
  /** The answer of a function of this process, in place of the operation. */
  readonly given?: GivenAnswer | undefined
}

/** The answer to a request, its changes, and its facts for the log. */
export interface AnsweredRequest extends Answered {
  readonly trace: RequestTrace
  /** Whether the request counts against the account's request limit. */
  readonly isCounted: boolean
}

/** Facts about a request for the log, besides its answer. */
export interface RequestTrace {
  /** Id of the operation; null when none matched. */
  readonly operation: string | null
  /** The first response rule that fired, or null. */
  readonly ruleId: string | null
  /** Prefix of the request's key, or null. */
  readonly key: string | null
  /** Faults of the request, whether it is refused or not. */
  readonly warnings: readonly string[]
}

const NO_WARNINGS: readonly string[] = []

/** Refuses a request, or notes its findings in the context. */
type Gate = (context: RequestContext, parts: RequestParts, arrival: Arrival) => ApiResponse | undefined

/** The gates before an account counts a request, in order. */
const GATES: readonly Gate[] = [refusePaused, refuseStranger, findRoute, findKey, refuseOverLimit, refuseUnread]

/** The steps of a request: gates, response rules, operation. */
export function answerRequest(parts: RequestParts, arrival: Arrival): AnsweredRequest {
  const context = createContext(arrival.request, arrival.at)
  for (const gate of GATES) {
    const response = gate(context, parts, arrival)
    if (response !== undefined) return toAnswered(context, parts, { response, changes: NO_CHANGES }, false)
  }
  const instead = arrival.isLate ? undefined : actInstead(context, parts)
  const given = instead ?? answerAsGiven(context, parts, arrival)
  const answered = given === undefined ? operate(context, parts) : { response: given, changes: NO_CHANGES }
  return toAnswered(context, parts, answered, !arrival.isLate)
}

/** An accepted request for rules; undefined for one that is refused whatever its body. No response rule acts. */
export function admit({ api, access, keys }: RequestParts, arrival: Arrival): RuleSubject | undefined {
  if (arrival.isPaused || arrival.isOverLimit || !access.admits(arrival.request.ip)) return undefined
  const context = createContext(arrival.request, arrival.at)
  if (api.route(context) !== undefined || api.authenticate(context, keys) !== undefined) return undefined
  return api.toSubject(context)
}

function refusePaused(context: RequestContext, { api }: RequestParts, { isPaused }: Arrival): ApiResponse | undefined {
  if (!isPaused) return undefined
  return api.refuse(context, {
    status: 503,
    code: 'paused',
    message: 'This simulation is paused. Resume it to go on.',
  })
}

function refuseStranger(context: RequestContext, { api, access }: RequestParts): ApiResponse | undefined {
  const { ip, isOwner = false } = context.request
  if (isOwner || access.admits(ip)) return undefined
  const message = `${ip} is not on the IP allow-list of this simulation.`
  return api.refuse(context, { status: 403, code: 'unauthorised', message })
}

function findRoute(context: RequestContext, parts: RequestParts): ApiResponse | undefined {
  const refusal = parts.api.route(context)
  return refusal && turnAway(context, parts, refusal)
}

function findKey(context: RequestContext, parts: RequestParts): ApiResponse | undefined {
  if (context.request.isOwner === true) return undefined
  const refusal = parts.api.authenticate(context, parts.keys)
  return refusal && turnAway(context, parts, refusal)
}

function refuseOverLimit(
  context: RequestContext,
  { api }: RequestParts,
  { isOverLimit, isLate }: Arrival,
): ApiResponse | undefined {
  if (!isOverLimit || isLate) return undefined
  const message = "The account's monthly request limit is used up."
  return api.refuse(context, { status: 429, code: 'plan_limit', message }, { 'Retry-After': '3600' })
}

/** Refuses a request whose body was not read, since the cause of its refusal has ended meanwhile. */
function refuseUnread(context: RequestContext, { api }: RequestParts): ApiResponse | undefined {
  if (context.request.isUnread !== true) return undefined
  const message = 'The simulation has changed while the request arrived. Send it again.'
  return api.refuse(context, { status: 503, code: 'unavailable', message }, { 'Retry-After': '1' })
}

/** A refusal, unless a rule closes the connection before any answer. */
function turnAway(context: RequestContext, { api, rules }: RequestParts, refusal: ApiResponse): ApiResponse {
  const firing = rules.fireBeforeKey(api.toSubject(context), context.at)
  if (firing === undefined) return refusal
  context.ruleId = firing.rule.id
  return closeUnheard(context, firing, api)
}

/** Notes which rules fire; answers where they replace the operation. */
function actInstead(context: RequestContext, parts: RequestParts): ApiResponse | undefined {
  if (parts.rules.passesOver(routeOf(context).compiled, context.request.path)) return undefined
  const firings = parts.rules.fire(parts.api.toSubject(context), context.at)
  if (firings === undefined) return undefined
  context.firings = firings
  context.ruleId = listFirings(firings)[0]?.rule.id ?? null
  return answerInstead(context, firings, parts)
}

/** The answer of a function of this process, with the firing rules. */
function answerAsGiven(context: RequestContext, { api }: RequestParts, { given }: Arrival): ApiResponse | undefined {
  if (given === undefined) return undefined
  const { request, firings } = context
  context.ruleId ??= given.id
  const response = typeof given.response === 'string' ? refuseFailed(context, api, given.response) : given.response
  const shown = withCors(request.method === 'HEAD' ? { ...response, body: null } : response, request)
  const changed = firings === undefined ? shown : changeAnswer(context, firings, shown)
  const acted = [changed.headers['Backlot-Rule'] ?? [], `${given.id}; kind=respondWith`].flat()
  return { ...changed, headers: { ...changed.headers, 'Backlot-Rule': acted.join(', ') } }
}

function refuseFailed(context: RequestContext, api: SimulatedApi, message: string): ApiResponse {
  context.warnings.push(message)
  return api.refuse(context, { status: 500, code: 'respond_with_failed', message })
}

function operate(context: RequestContext, parts: RequestParts): Answered {
  const answered = operateByRules(context, parts)
  const fault = parts.registry?.faultOf(answered.changes)
  return fault === undefined ? answered : { response: parts.api.refuse(context, fault), changes: NO_CHANGES }
}

function operateByRules(context: RequestContext, parts: RequestParts): Answered {
  const { firings } = context
  if (firings === undefined) return parts.api.perform(context)
  const replacement = replacementOf(firings.override)
  const answered = apiFor(context, firings.override, parts).perform(context, replacement !== undefined)
  const response = replacement === undefined ? answered.response : replaceAnswer(answered.response, replacement)
  const changes = replacement === undefined ? answered.changes : NO_CHANGES
  return { response: changeAnswer(context, firings, response), changes }
}

/** The API over older data for a read with a firing `staleRead` rule: a write always uses the current data. */
function apiFor({ request, at }: RequestContext, firing: AnyFiring | undefined, parts: RequestParts): SimulatedApi {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (firing?.kind !== 'staleRead' || !isRead) return parts.api
  return parts.stale.apiAt(firing.rule.id, at - firing.config.lagMs) ?? parts.api
}

function toAnswered(
  { route, ruleId, key, warnings }: RequestContext,
  { keys }: RequestParts,
  { response, changes, advanceTo }: Answered,
  isCounted: boolean,
): AnsweredRequest {
  const operation = route?.compiled.operation.id ?? null
  const prefix = key === null ? null : (keys.prefixOf(key) ?? null)
  const trace = { operation, ruleId, key: prefix, warnings: warnings.length === 0 ? NO_WARNINGS : warnings }
  if (advanceTo === undefined) return { response, changes, isCounted, trace }
  return { response, changes, advanceTo, isCounted, trace }
}
