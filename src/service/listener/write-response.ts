import type { ServerResponse } from 'node:http'
import type { Clock } from '../../runtime/clock.ts'
import { toHttpDate } from '../../runtime/date-text.ts'
import type { ApiResponse } from '../simulated-api/exchange.ts'

/** The value of the `date` header, made anew once a second. */
export function createDateHeader(clock: Clock): () => string {
  let second = -1
  let text = ''
  return () => {
    const now = Math.floor(clock.now() / 1000)
    if (now !== second) {
      second = now
      text = toHttpDate(now * 1000)
    }
    return text
  }
}

/** Writes a whole answer at once. */
export function writeResponse(response: ServerResponse, answer: ApiResponse, date: string): void {
  writeHead(response, answer, date)
  const { body } = answer
  if (body === null) response.end()
  else if (typeof body === 'string') response.end(body, encodingOf(body))
  else response.end(body)
}

/** Writes status and headers; the body is the caller's. */
export function writeHead(response: ServerResponse, answer: ApiResponse, date: string): void {
  response.sendDate = false
  const headers = flatHeaders(answer, date)
  try {
    response.writeHead(answer.status, headers)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_CHAR') throw error
    response.writeHead(answer.status, headers.map(withoutControls))
  }
}

/** Names and values in turn: the form that node writes without making objects of it. */
function flatHeaders({ status, headers, body }: ApiResponse, date: string): string[] {
  const flat = ['date', date]
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    if (typeof value === 'string') flat.push(name, value)
    else for (const line of value) flat.push(name, line)
  }
  if (mayHaveBody(status)) flat.push('content-length', String(byteLength(body)))
  return flat
}

/** RFC 9110, 8.6: no length with a 1xx or 204; a 304 speaks of another answer's body. */
function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 304 && status >= 200
}

function byteLength(body: string | Uint8Array | null): number {
  if (body === null) return 0
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/** Text of ASCII alone is the same in Latin-1, which costs no conversion. */
function encodingOf(body: string): 'latin1' | 'utf8' {
  return Buffer.byteLength(body) === body.length ? 'latin1' : 'utf8'
}

/** Values from a description may hold what a header cannot. */
const withoutControls = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
