import { FRAMING_HEADERS } from '../../../../protocol/framing-headers.ts'
import { getOwn, isJsonObject, type Json, type JsonObject, setOwn } from '../../../../protocol/json.ts'
import { LIMITS } from '../../../../protocol/limits.ts'
import type { Random } from '../../../../runtime/random.ts'
import { type ApiResponse, type ConnectionFault, jsonOf, toText, withHeaders } from '../../exchange.ts'
import type { RequestContext } from '../../request-context.ts'
import type { AnyFiring, Firings } from '../rule-book.ts'
import type { RuleConfig } from '../rule-config.ts'

type Replacement = Pick<RuleConfig<'override'>, 'status' | 'headers' | 'setJson' | 'body' | 'stream'>

/** A rule's replacement of the operation's answer. */
export function replacementOf(firing: AnyFiring | undefined): Replacement | undefined {
  if (firing?.kind === 'override') return firing.config
  if (firing?.kind !== 'sequence') return undefined
  const { responses, onEnd } = firing.config
  const isOver = firing.number >= responses.length
  if (isOver && onEnd === 'pass') return undefined
  const last = responses.length - 1
  const next = responses[isOver && onEnd === 'last' ? last : firing.number % responses.length]
  return next?.pass ? undefined : next
}

/** Whether a replacement only adds headers or breaks a stream: the request then changes data as without it. */
export const keepsAnswer = ({ status, headers, setJson, body, stream }: Replacement): boolean =>
  (headers ?? stream) !== undefined && [status, setJson, body].every((part) => part === undefined)

export function replaceAnswer(
  context: RequestContext,
  response: ApiResponse,
  { status, headers, setJson, body }: Replacement,
): ApiResponse {
  const patched = setJson === undefined ? response : withJson(response, mergePatch(jsonOf(response) ?? {}, setJson))
  const answer = body === undefined ? patched : withJson(patched, body)
  const { delivery: _later, ...settled } = answer
  const kept = status === undefined ? answer : { ...settled, status }
  return withHeaders(kept, writableHeaders(context, headers))
}

/** A rule's headers without those that only the service may write; each of them is a warning of the request. */
export function writableHeaders(
  { warnings, ruleId }: RequestContext,
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [framing, writable] = [true, false].map((isFraming) =>
    Object.entries(headers).filter(([name]) => FRAMING_HEADERS.has(name.toLowerCase()) === isFraming),
  ) as [[string, string][], [string, string][]]
  for (const [name] of framing)
    warnings.push(
      `The header \`${name}\` of the response rule \`${ruleId}\` was not sent: backlot itself writes it, to fit the body. Remove it from the rule; the kinds \`malformed\` and \`connectionReset\` break answers.`,
    )
  return Object.fromEntries(writable)
}

/** Applies rules to the answer: headers, a broken or slow body, a delay, a connection fault. */
export function changeAnswer(context: RequestContext, firings: Firings, given: ApiResponse): ApiResponse {
  const { connection, body, latency } = firings
  const response = breakStream(context, firings, given)
  const delayMs = latency?.kind === 'latency' ? drawLatencyMs(latency.config, latency.random) : 0
  const fault = bodyFault(body) ?? connectionFault(connection, response)
  const broken = body?.kind === 'malformed' ? breakBody(response, body.config, body.random) : response
  const answer = markAnswer(context.limited?.(broken) ?? broken, firings)
  return delayMs === 0 && fault === undefined ? answer : { ...answer, delivery: { ...answer.delivery, delayMs, fault } }
}

/** A stream with the faults of the first rule that has some. */
function breakStream({ warnings }: RequestContext, firings: Firings, response: ApiResponse): ApiResponse {
  const firing = listFirings(firings).find(({ config }) => config.stream !== undefined)
  if (firing?.config.stream === undefined) return response
  const plan = response.delivery?.stream
  if (plan !== undefined) return { ...response, ...plan.broken(firing.config.stream) }
  warnings.push(`\`stream\` of the rule "${firing.rule.name}" did not act: the answer is no stream of events.`)
  return response
}

/** Names every fired rule in the header `Backlot-Rule`. */
export function markAnswer(response: ApiResponse, firings: Firings): ApiResponse {
  const names = listFirings(firings).map(({ rule, kind }) => `${rule.id}; kind=${kind}`)
  return withHeaders(response, { 'Backlot-Rule': names.join(', ') })
}

/** Rules that fired, in the order of the stages. */
export function listFirings({ rateLimit, connection, error, override, latency, body }: Firings): AnyFiring[] {
  return [rateLimit, connection, error, override, latency, body].filter((firing) => firing !== undefined)
}

export function withJson(response: ApiResponse, body: Json): ApiResponse {
  const { ETag: _, ...headers } = response.headers
  const { delivery: _stream, ...whole } = response
  return { ...whole, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

function connectionFault(firing: AnyFiring | undefined, { body }: ApiResponse): ConnectionFault | undefined {
  switch (firing?.kind) {
    case 'timeout': {
      const { holdMs, commit } = firing.config
      return { kind: 'hold', holdMs, processAfter: commit === 'before' }
    }
    case 'emptyResponse':
      return { kind: 'close' }
    case 'connectionReset': {
      const { when, afterBytes = Math.max(1, Math.floor((body?.length ?? 0) / 2)) } = firing.config
      return { kind: 'reset', afterBytes: when === 'midBody' ? afterBytes : 0 }
    }
    default:
      return undefined
  }
}

function bodyFault(firing: AnyFiring | undefined): ConnectionFault | undefined {
  if (firing?.kind === 'malformed' && firing.config.mode === 'invalidHttp') {
    return { kind: 'raw', bytes: new TextEncoder().encode('HTTP/9.9 OK\r\n\u0000broken\r\n') }
  }
  if (firing?.kind !== 'slowBody') return undefined
  const { bytesPerSecond, chunkBytes = 16, chunkDelayMs = 100 } = firing.config
  if (bytesPerSecond === undefined) return { kind: 'slow', chunkBytes, chunkDelayMs }
  return {
    kind: 'slow',
    chunkBytes: Math.max(1, Math.floor(bytesPerSecond / 10)),
    chunkDelayMs: bytesPerSecond < 10 ? 1000 / bytesPerSecond : 100,
  }
}

/** Longest body of random bytes. */
const MOST_RANDOM_BYTES = 1_024

/** The answer with an unreadable body. */
export function breakBody(response: ApiResponse, config: RuleConfig<'malformed'>, random: Random): ApiResponse {
  const { delivery: _, ...whole } = response
  const body = response.body ?? ''
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  switch (config.mode) {
    case 'json':
      return { ...whole, body: `${toText(body).slice(0, -1)}\u0000` }
    case 'truncate':
      return { ...whole, body: bytes.slice(0, Math.floor(bytes.length * config.keepFraction)) }
    case 'randomBytes': {
      const length = Math.min(Math.max(bytes.length, 16), MOST_RANDOM_BYTES)
      return { ...whole, body: Uint8Array.from({ length }, () => random.integer(0, 255)) }
    }
    case 'invalidHttp':
      return response
  }
}

/** The delay of one firing of a `latency` rule, in whole milliseconds, never below 0. */
function drawLatencyMs(config: RuleConfig<'latency'>, random: Random): number {
  const { latencyMs, latencyJitterMs, distribution, sigma = 0.5, maxMs = LIMITS.latencyMs.max } = config
  const drawn = (): number => {
    switch (distribution ?? 'uniform') {
      case 'fixed':
        return latencyMs
      case 'uniform':
        return latencyMs + (random.next() * 2 - 1) * latencyJitterMs
      case 'normal':
        return latencyMs + drawNormal(random) * latencyJitterMs
      case 'lognormal':
        return latencyMs * Math.exp(drawNormal(random) * sigma)
    }
  }
  return Math.round(Math.min(Math.max(0, drawn()), maxMs))
}

/** A draw of the standard normal distribution (Box and Muller, 1958). */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** Applies a merge patch (RFC 7396): objects are merged at every depth, and null removes a field. */
function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else setOwn(merged, name, mergePatch(getOwn(merged, name) ?? null, value))
  }
  return merged
}
