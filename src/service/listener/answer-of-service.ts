import type { ApiError } from '../../protocol/errors.ts'
import { errorBody } from '../management/error-body.ts'
import type { ApiResponse } from '../simulated-api/exchange.ts'

/** The answer of the service itself, where no simulation has one. */
export function answerOfService(error: ApiError): ApiResponse {
  return {
    status: error.status,
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      ...(error.status === 503 ? { 'retry-after': '1' } : {}),
    },
    body: errorBody(error),
  }
}
