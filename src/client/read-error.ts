import { ApiError } from '../protocol/errors.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { ManagementAnswer } from '../protocol/management-exchange.ts'

/** Turns an answer that is not a 2xx into the error that it carries. The only place where a body becomes an error. */
export function readError({ status, headers, body }: ManagementAnswer, what: string): ApiError {
  const text = typeof body === 'string' ? body : ''
  const requestId = headers['x-request-id']
  const found = parseErrorBody(text)
  if (found) return new ApiError(status, found.code, found.message, { requestId })
  const shown = text.trim() === '' ? 'an empty body' : JSON.stringify(text.trim().slice(0, 200))
  return new ApiError(
    status,
    'unreadable_error',
    `Failed to ${what}: the answer is ${status} with ${shown}. Expected { error: { code, message } }; check that the base URL is that of a simulation service.`,
    { requestId },
  )
}

function parseErrorBody(text: string): { code: string; message: string } | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const error = isJsonObject(body) ? body.error : undefined
  if (!isJsonObject(error) || typeof error.code !== 'string') return undefined
  return { code: error.code, message: typeof error.message === 'string' ? error.message : error.code }
}
