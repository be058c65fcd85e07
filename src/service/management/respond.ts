import type { ManagementAnswer } from '../../protocol/management-exchange.ts'
import { errorBody, toApiError } from './error-body.ts'

const JSON_TYPE = 'application/json'

/** An answer with a JSON body. */
export function json(value: unknown, status = 200): ManagementAnswer {
  return { status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(value) }
}

/** 204. */
export function noContent(): ManagementAnswer {
  return { status: 204, headers: {}, body: undefined }
}

/** `{ ok: true }` */
export function ok(): ManagementAnswer {
  return json({ ok: true })
}

/** The answer to a request that failed. */
export function refuse(error: unknown, headers: Readonly<Record<string, string>> = {}): ManagementAnswer {
  const known = toApiError(error)
  const extra = known.status === 503 ? { 'retry-after': '1' } : {}
  return {
    status: known.status,
    headers: { 'content-type': JSON_TYPE, ...extra, ...headers },
    body: errorBody(known),
  }
}
