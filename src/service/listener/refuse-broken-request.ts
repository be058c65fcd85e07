import type { Duplex } from 'node:stream'
import { ApiError } from '../../protocol/errors.ts'
import { errorBody } from '../management/error-body.ts'

const REFUSALS: Readonly<Record<string, { status: number; reason: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'Expected the headers to have at most 16,384 bytes, got more.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    message: 'Failed to read the request: it did not arrive in time.',
  },
}

const MALFORMED = { status: 400, reason: 'Bad Request', message: 'Failed to read the request: it is not valid HTTP.' }

/** Answers what is not HTTP, or too slow or too large, and closes the connection. Listens to `clientError`. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET' || hasAnswerUnderway(socket)) {
    socket.destroy()
    return
  }
  const { status, reason, message } = REFUSALS[error.code ?? ''] ?? MALFORMED
  const body = errorBody(new ApiError(status, status === 408 ? 'bad_request' : 'invalid_request', message))
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/** Whether an earlier request of the connection is being answered: bytes of ours would land in the middle of it. */
function hasAnswerUnderway(socket: Duplex): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } | null }
  return answer?.headersSent === true
}
