import type { ApiResponse } from './exchange.ts'

/**
 * Names and values in turn, with the length of a body of `bytes`: the form that node writes without making objects of
 * it.
 */
export function headerLines({ status, headers }: ApiResponse, bytes: number): string[] {
  const lines: string[] = []
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    if (typeof value === 'string') lines.push(name, value)
    else for (const line of value) lines.push(name, line)
  }
  if (mayHaveBody(status)) lines.push('content-length', String(bytes))
  return lines
}

/** RFC 9110, 8.6: no length with a 1xx or 204; a 304 speaks of another answer's body. */
function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 304 && status >= 200
}
