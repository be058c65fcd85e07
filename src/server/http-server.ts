import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { http } from '../runtime/node-http.ts'
import { answerUnderWay, type HttpSessions } from './http-sessions.ts'

/** Limits on a client's time, on request sizes and on unread answers, so that no client can exhaust the machine. */
export interface HttpLimits {
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number
  /** From the first byte of a request to its last. */
  requestTimeoutMs: number
  /** Interval of the checks of these times and of unread answers. */
  connectionsCheckingIntervalMs: number
  keepAliveTimeoutMs: number
  /** Longest time in which a client reads nothing of a waiting answer. */
  unreadTimeoutMs: number
  /** Most unread bytes of answers for all clients together. */
  unreadBytes: number
  headerBytes: number
  sockets: number
}

/** A port that answers HTTP requests. */
export interface RequestOptions {
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** Receives each connection without a readable request. The returned text becomes the body of the answer, as JSON. */
  onRefused?: ((refused: RefusedConnection) => string | undefined) | undefined
}

/** A connection that the server closed because it had no readable request, or a request that could not be answered. */
export interface RefusedConnection {
  /** The failed step: making our certificate, the TLS handshake, or a request (status 500 for an error in its handler). */
  readonly step: 'certificate' | 'handshake' | 'request'
  readonly error: Error & { readonly code?: string }
  /** Status of the answer; null when the client cannot be answered. */
  readonly status: 400 | 408 | 417 | 431 | 500 | null
  readonly remoteAddress: string | undefined
}

/** Why the server refuses a parsed request. */
interface Fault {
  readonly status: 400 | 417 | 500
  readonly error: Error
}

/** Makes a server that reads HTTP from given connections, within limits. */
export function createHttpServer(
  { limits, onRequest, onRefused }: RequestOptions & { limits: HttpLimits },
  sessions: HttpSessions,
): Server {
  /** An error of ours closes only the connection where it happened. */
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    try {
      onRequest(request, response)
    } catch (error) {
      refuseRead({ status: 500, error: error as Error }, request, response, onRefused)
    }
  }
  const take = (request: IncomingMessage, response: ServerResponse, fault = faultOf(request)) =>
    sessions.begin(request, response, () => {
      if (sessions.isEnding) response.shouldKeepAlive = false
      if (fault === undefined) answer(request, response)
      else refuseRead(fault, request, response, onRefused)
    })
  const server = http.createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckingIntervalMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.headerBytes,
      joinDuplicateHeaders: true,
      optimizeEmptyRequests: true,
    },
    (request, response) => take(request, response),
  )
  server.maxConnections = limits.sockets
  server.on('clientError', (error, socket) => refuseRequest(error, socket as Socket, onRefused))
  server.on('checkContinue', (request, response) => {
    inviteWhenRead(request, response, sessions)
    take(request, response)
  })
  server.on('checkExpectation', (request, response) => take(request, response, UNKNOWN_EXPECTATION))
  server.on('timeout', endUnread)
  return server
}

/**
 * Closes a connection without activity: an idle one, or one whose client does not read ({@link HttpSessions}). It stays
 * open while its answer is not ready, or is read as far as it was written.
 */
function endUnread(socket: Socket): void {
  if (answerUnderWay(socket) === undefined || socket.writableLength > 0) socket.destroy()
}

/**
 * For `Expect: 100-continue`, asks for the body only when it is first read (RFC 9110, 10.1.1). After an answer without
 * it, the client may send the body or the next request; the server cannot know which, so the connection closes.
 */
function inviteWhenRead(request: IncomingMessage, response: ServerResponse, sessions: HttpSessions): void {
  const { shouldKeepAlive } = response
  response.shouldKeepAlive = false
  request.once('resume', () => {
    if (response.headersSent) return
    response.shouldKeepAlive = shouldKeepAlive && !sessions.isEnding
    response.writeContinue()
  })
}

/** Answers instead of Node a request that is not HTTP, too slow or too large; then closes the connection. */
function refuseRequest(error: Error & { code?: string }, socket: Socket, onRefused: RequestOptions['onRefused']): void {
  // Our bytes would land in the middle of an earlier answer.
  const hasBegun = answerUnderWay(socket)?.headersSent === true
  const isAnswerable = socket.writable && error.code !== 'ECONNRESET' && !hasBegun
  const status = isAnswerable ? statusOf(error.code) : null
  const body = onRefused?.({ step: 'request', error, status, remoteAddress: socket.remoteAddress }) ?? ''
  if (status === null) {
    socket.destroy()
    return
  }
  const type = body === '' ? '' : 'content-type: application/json\r\n'
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nconnection: close\r\n${type}` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/** A fault that Node accepts (RFC 9112, 3.2 and 2.3): two hosts, or no version. */
function faultOf({ headers, httpVersionMajor }: IncomingMessage): Fault | undefined {
  if (httpVersionMajor < 1) return { status: 400, error: new Error('HTTP/0.9 is not spoken here') }
  // Node joins several lines with commas, and no host name has a comma.
  return headers.host?.includes(',') ? { status: 400, error: new Error('there is more than one host') } : undefined
}

const UNKNOWN_EXPECTATION: Fault = { status: 417, error: new Error('`Expect` is not 100-continue') }

/** Refuses a request after parsing it. */
function refuseRead(
  { status, error }: Fault,
  { socket }: IncomingMessage,
  response: ServerResponse,
  onRefused: RequestOptions['onRefused'],
): void {
  const { remoteAddress } = socket
  const body = onRefused?.({ step: 'request', error, status, remoteAddress }) ?? ''
  response.writeHead(status, { connection: 'close', ...(body !== '' && { 'content-type': 'application/json' }) })
  response.end(body)
}

function statusOf(code: string | undefined): 400 | 408 | 431 {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}
