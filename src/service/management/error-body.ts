import { ApiError, type ErrorBody } from '../../protocol/errors.ts'
import type { ManagementAnswer } from '../../protocol/management-exchange.ts'
import { publish } from '../../runtime/diagnostics.ts'

/** The body of an error answer. The only place where an error becomes a body. */
export function errorBody(error: ApiError): string {
  const { status, code, message } = error
  if (status >= 500) publish('failure', () => ({ status, error }))
  return JSON.stringify({ error: { code, message } } satisfies ErrorBody)
}

/** The error in the answer for a thrown one. Unexpected errors are hidden, since they may reveal internals. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(500, 'internal_error', 'The service failed unexpectedly. This is a fault of the service.', {
    cause: error,
  })
}

/** The error for a request whose body exceeds the room for bodies of open requests. */
export const noRoom = (): ApiError =>
  new ApiError(503, 'unavailable', 'The service holds too many bodies of requests. Try again in a second.', {
    retryAfterSeconds: 1,
    cause: 'too many bodies',
  })

/** The answer to a failed request. */
export function refuse(error: unknown, headers: Readonly<Record<string, string>> = {}): ManagementAnswer {
  const known = toApiError(error)
  const { status, retryAfterSeconds } = known
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { status, headers: { 'content-type': 'application/json', ...wait, ...headers }, body: errorBody(known) }
}
