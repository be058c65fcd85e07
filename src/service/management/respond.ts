import { errorBody, toApiError } from './error-body.ts'

const JSON_TYPE = 'application/json'

/** An answer with a JSON body. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': JSON_TYPE } })
}

/** 204. */
export function noContent(): Response {
  return new Response(null, { status: 204 })
}

/** `{ ok: true }` */
export function ok(): Response {
  return json({ ok: true })
}

/** The answer to a request that failed. */
export function refuse(error: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const known = toApiError(error)
  const extra = known.status === 503 ? { 'retry-after': '1' } : {}
  return new Response(errorBody(known), {
    status: known.status,
    headers: { 'content-type': JSON_TYPE, ...extra, ...headers },
  })
}
