import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Change } from '../../world/change.ts'
import type { ApiResponse, ConnectionFault } from '../exchange.ts'
import { breakBody } from './broken-body.ts'
import { drawLatencyMs } from './latency.ts'
import { type Allowance, allowanceHeaders } from './rate-limiter.ts'
import type { AnyFiring, Firing, Firings } from './rule-book.ts'
import type { RuleConfig } from './rule-config.ts'

/** An answer, and what is to be written before it leaves. */
export interface Answered {
  readonly response: ApiResponse
  readonly changes: readonly Change[]
}

/** What the rules need of the simulation to act on one request. */
export interface RuleContext {
  /** Processes the request as if there were no rules. */
  readonly perform: () => Answered
  /** What the operation would answer; nothing comes of it. */
  readonly preview: () => ApiResponse
  /** Processes it over the data as it was `lagMs` ago, for the rule of that id. */
  readonly performStale: (ruleId: string, lagMs: number) => Answered
  /** Counts the request against a rate limit. */
  readonly take: (firing: Firing<'rateLimit'>) => Allowance
  /** An error answer in the description's own shape. */
  readonly refuse: (status: number, code: string, message: string) => ApiResponse
}

/** Lets the rules that fired act, stage by stage. */
export function applyFirings(firings: Firings, context: RuleContext): Answered {
  const limited = limit(firings.rateLimit, context)
  if (limited?.refusal !== undefined) return marked({ response: limited.refusal, changes: [] }, firings)
  const struck = strike(firings, context)
  const answered = struck ?? process(firings, context)
  const response = { ...answered.response, headers: { ...answered.response.headers, ...limited?.headers } }
  return marked({ ...answered, response: slow(breakAnswer(response, firings.body), firings.latency) }, firings)
}

/** Closes the connection on a request that would have been refused. */
export function closeUnheard(firing: Firing<'emptyResponse'>, context: Pick<RuleContext, 'refuse'>): Answered {
  const response = { ...emptyAnswer(context), fault: { kind: 'close' } as const }
  return marked({ response, changes: [] }, { connection: firing })
}

/** The rule that fired in the earliest stage. */
export function firstFiring({ rateLimit, connection, error, override, latency, body }: Firings): AnyFiring | undefined {
  return rateLimit ?? connection ?? error ?? override ?? latency ?? body
}

/** Rules that fired, in the order of the stages. */
function listFirings({ rateLimit, connection, error, override, latency, body }: Firings): AnyFiring[] {
  return [rateLimit, connection, error, override, latency, body].filter((firing) => firing !== undefined)
}

function limit(
  firing: AnyFiring | undefined,
  context: RuleContext,
): { headers: Record<string, string>; refusal?: ApiResponse } | undefined {
  if (firing?.kind !== 'rateLimit') return undefined
  const allowance = context.take(firing)
  const headers = allowanceHeaders(allowance, firing.config.headers)
  if (allowance.isAllowed) return { headers }
  const { limit: most, windowSeconds } = firing.config
  const refusal = context.refuse(
    429,
    'rate_limited',
    `More than ${most} requests in ${windowSeconds} s. Try again later.`,
  )
  const retryAfter = { 'Retry-After': String(allowance.resetSeconds) }
  return { headers, refusal: { ...refusal, headers: { ...refusal.headers, ...headers, ...retryAfter } } }
}

/** Faults of the connection, with or without the request being processed. */
function strike(firings: Firings, context: RuleContext): Answered | undefined {
  const firing = firings.connection
  if (firing === undefined) return undefined
  if (firing.kind === 'timeout') return hold(firing.config, firings, context)
  if (firing.kind !== 'connectionReset' && firing.kind !== 'emptyResponse') return undefined
  const answered =
    firing.config.commit === 'after' ? process(firings, context) : { response: emptyAnswer(context), changes: [] }
  return { ...answered, response: { ...answered.response, fault: faultOf(firing, answered.response) } }
}

function hold(config: RuleConfig<'timeout'>, firings: Firings, context: RuleContext): Answered {
  const fault: ConnectionFault = { kind: 'hold', holdMs: config.holdMs, processAfter: config.commit === 'before' }
  if (config.commit === 'after') {
    const answered = process(firings, context)
    return { ...answered, response: { ...answered.response, fault } }
  }
  return { response: { ...context.refuse(504, 'timeout', 'The service did not answer in time.'), fault }, changes: [] }
}

function faultOf(firing: Firing<'connectionReset'> | Firing<'emptyResponse'>, response: ApiResponse): ConnectionFault {
  if (firing.kind === 'emptyResponse') return { kind: 'close' }
  if (firing.config.when === 'beforeResponse') return { kind: 'reset', afterBytes: 0 }
  const length = typeof response.body === 'string' ? response.body.length : (response.body?.length ?? 0)
  return { kind: 'reset', afterBytes: firing.config.afterBytes ?? Math.max(1, Math.floor(length / 2)) }
}

const emptyAnswer = (context: Pick<RuleContext, 'refuse'>): ApiResponse =>
  context.refuse(502, 'connection_fault', 'A response rule broke this connection.')

/** Errors, then overrides, then the operation itself. */
function process({ error, override }: Firings, context: RuleContext): Answered {
  if (error !== undefined) return { response: errorAnswer(error, context), changes: [] }
  switch (override?.kind) {
    case 'override':
      return { response: overridden(context.preview(), override.config), changes: [] }
    case 'sequence':
      return nextOfSequence(override, context)
    case 'staleRead':
      return context.performStale(override.rule.id, override.config.lagMs)
    default:
      return context.perform()
  }
}

function errorAnswer(firing: AnyFiring, { refuse }: RuleContext): ApiResponse {
  switch (firing.kind) {
    case 'error': {
      const { status, code, message, body, headers, retryAfterSeconds } = firing.config
      const shaped = refuse(status, code ?? 'injected_error', message ?? `A response rule answers ${status} here.`)
      const answer = body === undefined ? shaped : withJson(shaped, body)
      const retry = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
      return { ...answer, headers: { ...answer.headers, ...headers, ...retry } }
    }
    case 'maintenance': {
      const answer = refuse(503, 'maintenance', firing.config.message)
      return { ...answer, headers: { ...answer.headers, 'Retry-After': String(firing.config.retryAfterSeconds) } }
    }
    case 'unauthorised':
      return refuse(...UNAUTHORISED[firing.config.mode])
    default:
      return refuse(500, 'injected_error', `A response rule of kind ${firing.kind} answers here.`)
  }
}

const UNAUTHORISED: Record<RuleConfig<'unauthorised'>['mode'], [status: number, code: string, message: string]> = {
  missing: [401, 'unauthorised', 'No key was sent.'],
  invalid: [401, 'unauthorised', 'The key is not valid.'],
  expired: [401, 'unauthorised', 'The key has expired.'],
  scope: [403, 'unauthorised', 'The key lacks the scope that this operation needs.'],
}

function overridden(response: ApiResponse, { status, headers, setJson, body }: RuleConfig<'override'>): ApiResponse {
  const patched = setJson === undefined ? response : withJson(response, mergePatch(jsonOf(response), setJson))
  const answer = body === undefined ? patched : withJson(patched, body)
  return { ...answer, status: status ?? answer.status, headers: { ...answer.headers, ...headers } }
}

function nextOfSequence({ config, number }: Firing<'sequence'>, context: RuleContext): Answered {
  const { responses, onEnd } = config
  const isOver = number >= responses.length
  if (isOver && onEnd === 'pass') return context.perform()
  const next = responses[isOver ? (onEnd === 'last' ? responses.length - 1 : number % responses.length) : number]
  if (next === undefined || next.pass) return context.perform()
  return { response: overridden(context.preview(), next), changes: [] }
}

function breakAnswer(response: ApiResponse, firing: AnyFiring | undefined): ApiResponse {
  if (firing?.kind === 'malformed') return breakBody(response, firing.config, firing.random)
  if (firing?.kind !== 'slowBody') return response
  const { bytesPerSecond, chunkBytes = 16, chunkDelayMs = 100 } = firing.config
  const pace =
    bytesPerSecond === undefined
      ? { chunkBytes, chunkDelayMs }
      : {
          chunkBytes: Math.max(1, Math.floor(bytesPerSecond / 10)),
          chunkDelayMs: bytesPerSecond < 10 ? 1000 / bytesPerSecond : 100,
        }
  return { ...response, fault: { kind: 'slow', ...pace } }
}

const slow = (response: ApiResponse, firing: AnyFiring | undefined): ApiResponse =>
  firing?.kind === 'latency' ? { ...response, delayMs: drawLatencyMs(firing.config, firing.random) } : response

/** Names every rule that acted in the header `Backlot-Rule`. */
function marked(answered: Answered, firings: Firings): Answered {
  const names = listFirings(firings).map(({ rule, kind }) => `${rule.id}; kind=${kind}`)
  const headers = { ...answered.response.headers, 'Backlot-Rule': names.join(', ') }
  return { ...answered, response: { ...answered.response, headers } }
}

function withJson(response: ApiResponse, body: Json): ApiResponse {
  const { ETag: _, ...headers } = response.headers
  return { ...response, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

/** The body as JSON; an empty object where it is none. */
function jsonOf({ body }: ApiResponse): Json {
  if (typeof body !== 'string') return {}
  try {
    return JSON.parse(body) as Json
  } catch {
    return {}
  }
}

/** RFC 7396. */
function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name] ?? null, value)
  }
  return merged
}
