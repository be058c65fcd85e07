import { grouped } from '../../protocol/grouped.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Prompt } from '../../protocol/reply.ts'
import { isSecret } from '../../protocol/same-secret.ts'
import { isBefore } from '../world/timestamp.ts'
import type { AccessList } from './access-list.ts'
import { type Answered, NO_CHANGES } from './calls/call.ts'
import { withCors } from './cors.ts'
import { type ApiRequest, type ApiResponse, type LateAnswer, withHeaders } from './exchange.ts'
import {
  type AcceptedKeys,
  challengeOf,
  describeSecurity,
  findKey,
  findKeyAnywhere,
  findMaskedKey,
} from './find-key.ts'
import { findRoute } from './find-route.ts'
import type { KeyRing } from './key-ring.ts'
import { accountWith } from './operations/accounts.ts'
import { performOperation } from './perform-operation.ts'
import type { ErrorFacts } from './presentation/error-rows.ts'
import { type RequestContext, routeOf, toContext } from './request-context.ts'
import { answerInstead, closeUnheard } from './rules/answers/answer-instead.ts'
import { changeAnswer, keepsAnswer, listFirings, replaceAnswer, replacementOf } from './rules/answers/change-answer.ts'
import type { RateAccounts } from './rules/rate-limiter.ts'
import type { AnyFiring, Firings, RuleBook } from './rules/rule-book.ts'
import { RuleSubject } from './rules/rule-subject.ts'
import type { SimulatedApi } from './simulated-api.ts'

/** The parts of a simulation that answer a request. */
export interface RequestParts {
  readonly api: SimulatedApi
  readonly access: AccessList
  readonly keys: KeyRing
  readonly rules: RuleBook
  readonly limits: RateAccounts
  /** The API over older data, for rules of the kind `staleRead`. */
  readonly stale: { apiAt(ruleId: string, at: number): SimulatedApi | undefined }
  /** Webhooks that the API registers itself: why changes register an invalid one. */
  readonly registry?:
    | {
        faultOf(changes: Answered['changes']): ErrorFacts | undefined
        /** Why records of the changes are kept and are no webhooks. */
        skippedOf(changes: Answered['changes']): string[]
      }
    | undefined
}

/** A request, with the circumstances of its arrival. */
export interface Arrival {
  readonly request: ApiRequest
  /** World time, milliseconds. */
  readonly at: number
  /** Real time, milliseconds. @default the world's */
  readonly realAt?: number
  readonly isPaused: boolean
  /** Whether the account's request limit is exceeded. */
  readonly isOverLimit: boolean
  /** Whether a response rule held the request before it was processed: rules do not apply again. */
  readonly isLate: boolean
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
  /** What a language model was asked, oldest first; absent where none was. */
  readonly prompts?: readonly Prompt[]
}

/** Answers a request, or notes its findings in the context for later steps. */
type Step = (context: RequestContext, parts: RequestParts, arrival: Arrival) => Answered | undefined

/**
 * The way of a request, from top to bottom; the first step with an answer ends it.
 *
 * Before it, `SimulationRequests.handle` logs the request and the core lets the plan catch up with the time. After it,
 * the core commits the changes, and `SimulationRequests.handle` announces them and logs the answer.
 */
const STEPS: readonly Step[] = [
  checkPaused,
  checkAllowList,
  checkRoute,
  checkKey,
  checkRequestLimit,
  checkBodyArrived,
  applyRules,
  callHandler,
]

export function answerRequest(parts: RequestParts, arrival: Arrival): AnsweredRequest {
  const context = toContext(arrival)
  for (const step of STEPS) {
    const answered = step(context, parts, arrival)
    if (answered !== undefined) return toAnsweredRequest(context, parts, answered)
  }
  throw new Error(`Failed to answer ${arrival.request.method} ${arrival.request.path}: no step has answered.`)
}

/** An accepted request for rules; undefined for one that is refused whatever its body. No response rule acts. */
export function admit(parts: RequestParts, arrival: Arrival): RuleSubject | undefined {
  const { request, isPaused, isOverLimit } = arrival
  if (isPaused || isOverLimit || !parts.access.admits(request.ip)) return undefined
  const context = toContext(arrival)
  if (findRoute(parts.api, context) !== undefined || refuseKey(context, parts) !== undefined) return undefined
  return toSubject(context, parts)
}

function checkPaused(context: RequestContext, { api }: RequestParts, { isPaused }: Arrival): Answered | undefined {
  if (!isPaused) return undefined
  const message = 'This simulation is paused. Resume it to go on.'
  return answeredWith(api.refuse(context, { status: 503, code: 'paused', message }))
}

function checkAllowList(context: RequestContext, { api, access }: RequestParts): Answered | undefined {
  const { ip, isOwner = false } = context.request
  if (isOwner || access.admits(ip)) return undefined
  const message = `${ip} is not on the IP allow-list of this simulation.`
  return answeredWith(api.refuse(context, { status: 403, code: 'unauthorised', message }))
}

function checkRoute(context: RequestContext, parts: RequestParts): Answered | undefined {
  const refusal = findRoute(parts.api, context)
  return refusal && closeOrRefuse(context, parts, refusal)
}

function checkKey(context: RequestContext, parts: RequestParts): Answered | undefined {
  if (context.request.isOwner === true) return undefined
  const refusal = refuseKey(context, parts)
  return refusal && closeOrRefuse(context, parts, refusal)
}

/** Finds the key of a request. Refuses a request without the key that its operation requires. */
export function refuseKey(
  context: RequestContext,
  { api, keys }: { readonly api: SimulatedApi; readonly keys: AcceptedKeys },
): ApiResponse | undefined {
  const { compiled } = routeOf(context)
  const { operation, isPublic } = compiled
  const { model } = api.api
  const accepted = withTokens(context, api, withOwnKeys(context, api, keys))
  context.key = findKey(model, compiled, context.request, accepted)
  if (context.key !== null) return refuseScopes(context, api)
  const elsewhere = findKeyAnywhere(model, context.request, accepted)
  if (isPublic || api.lenientKeys) context.key = elsewhere
  if (isPublic) return undefined
  const scheme = challengeOf(model, operation)
  const masked = findMaskedKey(model, context.request)
  const fault = elsewhere === null && scheme.includes('Bearer') ? faultOfToken(context, api) : undefined
  const message = fault
    ? `${fault} \`auth.tokenFor\` or a refresh gives a new one.`
    : explainKey(describeSecurity(model, operation), masked, elsewhere !== null, api.lenientKeys)
  context.warnings.push(message)
  if (context.key !== null) return undefined
  const headers = {
    'WWW-Authenticate': fault ? `Bearer error="invalid_token", error_description="${fault}"` : scheme,
  }
  const until = masked === undefined ? undefined : expiryOf(context, api)
  const facts = {
    fault: masked === undefined ? 'missing' : until ? 'expired' : 'value',
    ...(masked && { key: masked }),
    ...until,
  }
  return api.refuse(context, { status: 401, code: 'unauthorized', message, facts }, headers)
}

/** What is wrong with the token of a request that is refused; undefined without one (RFC 6750, 3). */
function faultOfToken({ request, at }: RequestContext, api: SimulatedApi): string | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (api.signIn === undefined || token === undefined) return undefined
  return `The access token ${api.accessToken(token, at) ? 'has expired' : 'is not known'}.`
}

/** The keys, and the access tokens of the sign-in or of accounts. */
function withTokens({ at }: RequestContext, api: SimulatedApi, keys: AcceptedKeys): AcceptedKeys {
  if (api.signIn === undefined) {
    if (api.api.accountSteps.size === 0) return keys
    return { has: (secret) => keys.has(secret) || accountWith(api, secret) !== undefined }
  }
  return {
    has: (secret) => {
      const token = api.accessToken(secret, at)
      return token === undefined ? keys.has(secret) : !token.isOver
    },
  }
}

/** Refuses an access token without the scopes of any alternative. The simulation's own key has all. */
function refuseScopes(context: RequestContext, api: SimulatedApi): ApiResponse | undefined {
  const { scopes } = routeOf(context).compiled.operation
  if (scopes === undefined || context.key === null) return undefined
  const token = api.accessToken(context.key, context.at)
  if (token === undefined || scopes.some((all) => all.every((scope) => token.scopes.includes(scope)))) return undefined
  const wanted = scopes.map((all) => all.join(' ')).join(', or ')
  const message = `Expected an access token with the scope ${wanted}, got one with ${token.scopes.join(' ') || 'none'}.`
  context.warnings.push(message)
  const challenge = `Bearer error="insufficient_scope", scope="${scopes[0]?.join(' ') ?? ''}"`
  return api.refuse(context, { status: 403, code: 'insufficient_scope', message }, { 'WWW-Authenticate': challenge })
}

function explainKey(places: string, masked: string | undefined, isElsewhere: boolean, isLenient: boolean): string {
  const next = masked === undefined ? ': send it' : `, got "${masked}": send one of its own`
  if (!isElsewhere) return `Expected a key of this simulation${next} as ${places}.`
  const consequence = isLenient ? 'The API itself may refuse it.' : '`lenientKeys: true` accepts it.'
  return `Expected the key as ${places}, got it in another place or form. ${consequence}`
}

/** Most keys created by an API that are searched before the request's body has arrived. */
const MOST_KEYS_AT_ONCE = 5_000

/** The keys, and those that the API itself creates, where its entry defines such records. */
function withOwnKeys(
  { request, at }: RequestContext,
  { entryEffects, world }: SimulatedApi,
  keys: AcceptedKeys,
): AcceptedKeys {
  const own = entryEffects?.keys
  if (own === undefined) return keys
  const valid =
    own.until === undefined ? [] : [{ field: [own.until], test: (until: Json | undefined) => !isBefore(at)(until) }]
  const isCreated = (secret: string): boolean => {
    const created = world.collection(own.of)
    // Many keys are searched in slices, which is impossible before the body is read: the request is judged later.
    if (request.isUnread && created.count > MOST_KEYS_AT_ONCE) return true
    const where = [{ field: own.field.split('.'), test: isSecret(secret) }, ...valid]
    return created.select({ where, limit: 1 }).total > 0
  }
  return { has: (secret) => keys.has(secret) || isCreated(secret) }
}

/** When the own key of a request has expired, and how many seconds ago. */
function expiryOf(
  { request, at }: RequestContext,
  { api: { model }, entryEffects, world }: SimulatedApi,
): JsonObject | undefined {
  const own = entryEffects?.keys
  if (own?.until === undefined) return undefined
  let until: Json | undefined
  const has = (secret: string): boolean => {
    const where = [{ field: own.field.split('.'), test: isSecret(secret) }]
    until = world.collection(own.of).first({ where })?.record?.[own.until ?? '']
    return until !== undefined
  }
  findKeyAnywhere(model, request, { has })
  return until === undefined ? undefined : { until, seconds: Math.floor((at - Date.parse(String(until))) / 1000) }
}

function checkRequestLimit(
  context: RequestContext,
  { api }: RequestParts,
  { isOverLimit, isLate }: Arrival,
): Answered | undefined {
  if (!isOverLimit || isLate) return undefined
  const message = "The account's monthly request limit is used up."
  return answeredWith(api.refuse(context, { status: 429, code: 'plan_limit', message }, { 'Retry-After': '3600' }))
}

/**
 * Refuses a request whose body was not read: it is too large, or the cause of its refusal has ended meanwhile. The account
 * counts all others.
 */
function checkBodyArrived(
  context: RequestContext,
  { api }: RequestParts,
  { request, isLate }: Arrival,
): Answered | undefined {
  context.isCounted = request.isUnread !== true && !isLate
  if (request.isUnread !== true) return undefined
  if (request.isTooLarge === true) {
    const message = `Expected the body to have at most ${grouped(LIMITS.simulatedBodyBytes)} bytes, got more. A simulation takes no larger ones.`
    return answeredWith(api.refuse(context, { status: 413, code: 'too_large', message }))
  }
  const message = 'The simulation has changed while the request arrived. Send it again.'
  return answeredWith(api.refuse(context, { status: 503, code: 'unavailable', message }, { 'Retry-After': '1' }))
}

/** Notes which response rules fire; answers where they replace the operation. */
function applyRules(context: RequestContext, parts: RequestParts, { isLate }: Arrival): Answered | undefined {
  if (isLate || parts.rules.isEmpty) return undefined
  const firings = parts.rules.fire(toSubject(context, parts), context.at)
  if (firings === undefined) return undefined
  context.firings = firings
  context.ruleId = listFirings(firings)[0]?.rule.id ?? null
  const response = answerInstead(context, firings, parts)
  return response && answeredWith(response)
}

/** The operation's answer, changed by the firing rules. */
function callHandler(context: RequestContext, parts: RequestParts): Answered {
  const answered =
    context.firings === undefined
      ? performOperation(parts.api, context)
      : performWithRules(context, context.firings, parts)
  if (parts.registry === undefined || answered.changes.length === 0) return answered
  context.warnings.push(...parts.registry.skippedOf(answered.changes))
  const fault = parts.registry.faultOf(answered.changes)
  return fault === undefined ? answered : answeredWith(parts.api.refuse(context, fault))
}

function performWithRules(context: RequestContext, firings: Firings, parts: RequestParts): Answered {
  const replacement = replacementOf(firings.override)
  const changesNothing = replacement !== undefined && !keepsAnswer(replacement)
  const answered = performOperation(apiFor(context, firings.override, parts), context, changesNothing)
  const response =
    replacement === undefined ? answered.response : replaceAnswer(context, answered.response, replacement)
  const changes = changesNothing ? NO_CHANGES : answered.changes
  return { response: changeAnswer(context, firings, response), changes }
}

/** The API over older data for a read with a firing `staleRead` rule: a write always uses the current data. */
function apiFor({ request, at }: RequestContext, firing: AnyFiring | undefined, parts: RequestParts): SimulatedApi {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (firing?.kind !== 'staleRead' || !isRead) return parts.api
  return parts.stale.apiAt(firing.rule.id, at - firing.config.lagMs) ?? parts.api
}

const answeredWith = (response: ApiResponse): Answered => ({ response, changes: NO_CHANGES })

/** A refusal, unless a rule closes the connection before any answer. */
function closeOrRefuse(context: RequestContext, parts: RequestParts, refusal: ApiResponse): Answered {
  const firing = parts.rules.fireBeforeKey(toSubject(context, parts), context.at)
  if (firing === undefined) return answeredWith(refusal)
  context.ruleId = firing.rule.id
  return answeredWith(closeUnheard(context, firing, parts.api))
}

const toSubject = ({ request, route }: RequestContext, { api }: RequestParts): RuleSubject =>
  new RuleSubject(request, route?.compiled, api.api.model.basePaths)

/** The answer, whose later headers get those for browsers too. */
function withLateCors(answer: ApiResponse, request: ApiRequest): ApiResponse {
  const { delivery } = answer
  const response = withCors(answer, request)
  if (delivery?.later === undefined) return response
  const whole = ({ headers }: LateAnswer) => withCors(withHeaders(answer, headers), request).headers
  const later = delivery.later.then((late) => ({ ...late, headers: whole(late) }))
  return { ...response, delivery: { ...delivery, later } }
}

const NO_WARNINGS: readonly string[] = []

function toAnsweredRequest(
  { request, route, ruleId, key, prompts, warnings, isCounted }: RequestContext,
  { keys }: RequestParts,
  { response: answer, changes, advanceTo, later }: Answered,
): AnsweredRequest {
  const response = withLateCors(answer, request)
  const warning = response.delivery?.stream?.warning
  if (warning !== undefined) warnings.push(warning)
  const trace = {
    operation: route?.compiled.operation.id ?? null,
    ruleId,
    key: key === null ? null : (keys.prefixOf(key) ?? null),
    warnings: warnings.length === 0 ? NO_WARNINGS : warnings,
  }
  const answered = { response, changes, isCounted, trace: prompts.length === 0 ? trace : { ...trace, prompts } }
  if (advanceTo === undefined && later === undefined) return answered
  return { ...answered, ...(advanceTo !== undefined && { advanceTo }), ...(later !== undefined && { later }) }
}
