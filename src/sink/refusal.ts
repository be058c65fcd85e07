import type { IncomingMessage } from 'node:http'
import type { RejectedRequest, RejectReason } from './received-webhook.ts'

/** A request that the sink does not take, and what it answers. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Status of our answer; null when there is nobody to answer. */
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

/** What is kept of a refused request: 2 KiB at most, headers included. */
export function toRejectedRequest(
  refusal: Refusal,
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
    reason: refusal.reason,
    detail: refusal.message,
    status: refusal.status,
    method: seen.request?.method ?? null,
    path: seen.request?.url?.slice(0, MAX_HEADER_CHARACTERS) ?? null,
    headers,
    body: seen.rawBody ? new TextDecoder().decode(seen.rawBody.subarray(0, Math.max(0, left))) : '',
    remoteAddress: seen.remoteAddress ?? null,
  }
}

/** Header lines by lower-case name; several lines of one name joined by `, `. */
export function toHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, lines = []] of Object.entries(request.headersDistinct)) headers[name] = lines.join(', ')
  return headers
}

/** The first headers that fit, each cut if need be. */
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
