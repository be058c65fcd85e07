import type { IncomingMessage, ServerResponse } from 'node:http'

/** Why the sink refused a request. */
export type RejectReason =
  | 'unknown_path'
  | 'method_not_allowed'
  | 'unsupported_content_type'
  | 'unsupported_content_encoding'
  | 'body_too_large'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'secret_unknown'
  | 'timestamp_out_of_tolerance'
  | 'body_not_json'
  | 'body_schema'
  | 'delivery_id'
  | 'event_mismatch'
  | 'delivery_id_reused'
  | 'reply_failed'
  | 'aborted'
  | 'failed'
  | 'http'
  | 'tls'

/** A request that the sink refused; at most 2 KiB of it is kept. */
export interface RejectedRequest {
  /** Real time of the refusal, milliseconds since the epoch. */
  readonly at: number
  readonly reason: RejectReason
  /** One sentence for a person. */
  readonly detail: string
  /** Our answer's status, or null when there was none. */
  readonly status: number | null
  /** Null when the request was not read that far. */
  readonly method: string | null
  readonly path: string | null
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the body, as text. */
  readonly body: string
  readonly remoteAddress: string | null
}

/** A request that the sink refuses, and its answer. */
export class Rejection extends Error {
  override readonly name = 'Rejection'
  /** Status of our answer; null when the sender has disconnected. */
  readonly status: number | null
  readonly reason: RejectReason

  constructor(status: number | null, reason: RejectReason, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.status = status
    this.reason = reason
  }
}

const MAX_RECORD_CHARACTERS = 2 * 1024
const MAX_HEADER_CHARACTERS = 1_024

/** The kept part of a refused request: at most 2 KiB, including headers. */
export function toRejectedRequest(
  rejection: Rejection,
  seen: {
    at: number
    request?: IncomingMessage | undefined
    rawBody?: Uint8Array | undefined
    remoteAddress: string | undefined
  },
): RejectedRequest {
  const headers = seen.request ? shorten(toHeaders(seen.request)) : {}
  const left = MAX_RECORD_CHARACTERS - JSON.stringify(headers).length
  return {
    at: seen.at,
    reason: rejection.reason,
    detail: rejection.message,
    status: rejection.status,
    method: seen.request?.method ?? null,
    path: seen.request?.url?.slice(0, MAX_HEADER_CHARACTERS) ?? null,
    headers,
    body: seen.rawBody ? new TextDecoder().decode(seen.rawBody.subarray(0, Math.max(0, left))) : '',
    remoteAddress: seen.remoteAddress ?? null,
  }
}

/** Answers a refused request. */
export function answerRejection(rejection: Rejection, request: IncomingMessage, response: ServerResponse): void {
  if (rejection.status === null || response.destroyed) return
  request.resume()
  const body = JSON.stringify({ error: { code: rejection.reason, message: rejection.message } })
  response.writeHead(rejection.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(rejection.status === 405 ? { allow: 'POST' } : {}),
    ...(rejection.status === 413 ? { connection: 'close' } : {}),
  })
  response.end(body)
}

/** Header lines by lower-case name; several lines of one name joined by `, `. */
export function toHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, lines = []] of Object.entries(request.headersDistinct)) headers[name] = lines.join(', ')
  return headers
}

/** The first headers that fit; the last one may be cut. */
function shorten(headers: Record<string, string>): Record<string, string> {
  const short: Record<string, string> = {}
  let left = MAX_HEADER_CHARACTERS
  for (const [name, value] of Object.entries(headers)) {
    left -= name.length + Math.min(value.length, 200)
    if (left < 0) break
    short[name] = value.slice(0, 200)
  }
  return short
}
