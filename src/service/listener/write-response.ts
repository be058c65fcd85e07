import type { ServerResponse } from 'node:http'
import type { ApiError } from '../../protocol/errors.ts'
import { FRAMING_HEADERS } from '../../protocol/framing-headers.ts'
import { errorBody } from '../management/error-body.ts'
import type { ApiResponse } from '../simulated-api/exchange.ts'

/** Writes a whole answer. A failed write only ends the connection. */
export function writeResponse(response: ServerResponse, answer: ApiResponse): void {
  try {
    writeHead(response, answer)
    response.end(answer.body)
  } catch {
    response.destroy()
  }
}

/** The answer of the service itself, without a simulation. */
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

/** Writes status and headers; the body follows. */
export function writeHead(response: ServerResponse, answer: ApiResponse): void {
  const { status, headers } = answer
  const lines: string[] = []
  for (const name in headers) {
    if (FRAMING_HEADERS.has(name.toLowerCase())) continue
    const value = headers[name] as string | readonly string[]
    if (typeof value === 'string') lines.push(name, value)
    else for (const line of value) lines.push(name, line)
  }
  const { stream, later } = answer.delivery ?? {}
  if (mayHaveBody(status) && stream === undefined && later === undefined)
    lines.push('content-length', String(lengthOf(answer)))
  try {
    response.writeHead(status, lines)
  } catch (error) {
    if (!INVALID_HEADER.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    response.writeHead(status, legalLines(lines))
  }
}

const lengthOf = ({ body, unsentBytes = 0 }: ApiResponse): number =>
  body === null ? unsentBytes : Buffer.byteLength(body)

/** RFC 9110, 8.6: no length with a 1xx or 204; a 304 has the length of another answer's body. */
function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 304 && status >= 200
}

const INVALID_HEADER = new Set(['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN'])

/** Headers from a description may have names and values that HTTP forbids (RFC 9110, 5.1 and 5.5). */
function legalLines(lines: readonly string[]): string[] {
  const legal: string[] = []
  for (let at = 0; at < lines.length; at += 2) {
    const [name, value] = lines.slice(at, at + 2) as [string, string]
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) legal.push(name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?'))
  }
  return legal
}
