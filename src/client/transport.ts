import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'

/** How requests reach a service: its own `exchange` when it runs in this process, a socket otherwise. */
export type Transport = (request: ManagementRequest) => Promise<ManagementAnswer>

/** Errors of a connection that never came to be: the service cannot have seen the request. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Errors of a connection that broke: the service may or may not have acted on the request. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])

/** What is known of a failed exchange: `unsent` and `broken` are faults of the connection, `other` is anything else. */
export function faultOf(error: unknown): 'unsent' | 'broken' | 'other' {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (NEVER_SENT.has(code)) return 'unsent'
    if (BROKEN.has(code)) return 'broken'
    if (cause instanceof AggregateError && cause.errors.length > 0 && cause.errors.every(isUnsent)) return 'unsent'
  }
  return 'other'
}

const isUnsent = (error: unknown): boolean => faultOf(error) === 'unsent'
