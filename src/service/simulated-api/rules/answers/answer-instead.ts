import { createHash } from 'node:crypto'
import { type ApiResponse, withHeaders } from '../../exchange.ts'
import type { RequestContext } from '../../request-context.ts'
import type { SimulatedApi } from '../../simulated-api.ts'
import { type RateAccounts, takeAllowance, withAllowance } from '../rate-limiter.ts'
import type { AnyFiring, Firing, Firings } from '../rule-book.ts'
import type { RuleConfig } from '../rule-config.ts'
import { changeAnswer, markAnswer, withJson, writableHeaders } from './change-answer.ts'

/** The parts for an answer in place of the operation's. */
interface InsteadParts {
  readonly api: SimulatedApi
  readonly limits: RateAccounts
}

/**
 * The rules' answer in place of the operation: an exceeded limit, a fault before processing, an error. Undefined where
 * the operation answers.
 */
export function answerInstead(
  context: RequestContext,
  firings: Firings,
  { api, limits }: InsteadParts,
): ApiResponse | undefined {
  const { rateLimit, connection, error } = firings
  if (rateLimit?.kind === 'rateLimit') {
    const refusal = limit(context, rateLimit, { api, limits })
    if (refusal !== undefined) return markAnswer(refusal, firings)
  }
  const answer = answerUnprocessed(context, connection, api) ?? answerError(context, error, api)
  return answer && changeAnswer(context, firings, answer)
}

/** Closes the connection of a request that would be refused. */
export function closeUnheard(context: RequestContext, firing: Firing<'emptyResponse'>, api: SimulatedApi): ApiResponse {
  return changeAnswer(context, { connection: firing }, refuseBroken(context, api))
}

function limit(
  context: RequestContext,
  { rule, config }: Firing<'rateLimit'>,
  { api, limits }: InsteadParts,
): ApiResponse | undefined {
  const allowance = takeAllowance(limits, `${rule.id}\u0000${accountOf(config.scope, context)}`, config, context.at)
  context.limited = (answer) => withAllowance(answer, allowance, config.headers, context.at)
  if (allowance.isAllowed) return undefined
  const message = `More than ${config.limit} requests in ${config.windowSeconds} s. Try again later.`
  const refusal = api.refuse(context, { status: 429, code: 'rate_limited', message })
  return withHeaders(context.limited(refusal), { 'Retry-After': String(allowance.resetSeconds) })
}

/** The group of requests that a rate limit counts together. Whole keys are compared, but not kept. */
function accountOf(scope: RuleConfig<'rateLimit'>['scope'], { request, route, key }: RequestContext): string {
  switch (scope) {
    case 'key':
      return key === null ? '' : createHash('sha256').update(key).digest('base64url')
    case 'ip':
      return request.ip
    case 'operation':
      return route?.compiled.operation.id ?? ''
    case 'simulation':
      return ''
  }
}

/** The answer under a connection fault that leaves the request unprocessed. */
function answerUnprocessed(
  context: RequestContext,
  firing: AnyFiring | undefined,
  api: SimulatedApi,
): ApiResponse | undefined {
  switch (firing?.kind) {
    case 'timeout':
      if (firing.config.commit === 'after') return undefined
      return api.refuse(context, {
        status: 504,
        code: 'timeout',
        message: 'The service did not answer in time.',
      })
    case 'connectionReset':
    case 'emptyResponse':
      return firing.config.commit === 'after' ? undefined : refuseBroken(context, api)
    default:
      return undefined
  }
}

const refuseBroken = (context: RequestContext, api: SimulatedApi): ApiResponse =>
  api.refuse(context, {
    status: 502,
    code: 'connection_fault',
    message: 'A response rule broke this connection.',
  })

function answerError(
  context: RequestContext,
  firing: AnyFiring | undefined,
  api: SimulatedApi,
): ApiResponse | undefined {
  switch (firing?.kind) {
    case 'error': {
      const { status, code = 'injected_error', message, body, headers, retryAfterSeconds } = firing.config
      const text = message ?? `A response rule answers ${status} here.`
      const shaped = api.refuse(context, { status, code, message: text })
      const answer = body === undefined ? shaped : withJson(shaped, body)
      const retry = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
      return withHeaders(answer, { ...writableHeaders(context, headers), ...retry })
    }
    case 'maintenance': {
      const { message, retryAfterSeconds } = firing.config
      const answer = api.refuse(context, { status: 503, code: 'maintenance', message })
      return withHeaders(answer, { 'Retry-After': String(retryAfterSeconds) })
    }
    case 'unauthorised': {
      const [status, message] = UNAUTHORISED[firing.config.mode]
      return api.refuse(context, { status, code: 'unauthorised', message })
    }
    default:
      return undefined
  }
}

const UNAUTHORISED: Record<RuleConfig<'unauthorised'>['mode'], [status: number, message: string]> = {
  missing: [401, 'No key was sent.'],
  invalid: [401, 'The key is not valid.'],
  expired: [401, 'The key has expired.'],
  scope: [403, 'The key lacks the scope that this operation needs.'],
}
