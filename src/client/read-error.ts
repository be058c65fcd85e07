import { ApiError } from '../protocol/errors.ts'
import { isJsonObject } from '../protocol/json.ts'

/** Turns an answer that is not a 2xx into the error that it carries. The only place where a body becomes an error. */
export async function readError(response: Response, what: string): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const requestId = response.headers.get('x-request-id') ?? undefined
  const found = parseErrorBody(text)
  if (found) return new ApiError(response.status, found.code, found.message, { requestId })
  const shown = text.trim() === '' ? 'an empty body' : JSON.stringify(text.trim().slice(0, 200))
  return new ApiError(
    response.status,
    'unreadable_error',
    `Failed to ${what}: the answer is ${response.status} with ${shown}. Expected { error: { code, message } }; check that the base URL is that of a simulation service.`,
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
