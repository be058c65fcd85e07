import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { atEndOfTurn } from '../../runtime/timers.ts'
import { noRoom } from '../management/error-body.ts'
import type { ApiRequest } from '../simulated-api/exchange.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { AnswerQueue } from './answer-queue.ts'
import { announcesBody, type Bodies } from './bodies.ts'
import type { Visitor } from './visitor.ts'
import { answerOfService, writeResponse } from './write-response.ts'

/** A request to a simulated API from a socket. */
export interface SimulatedExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  /** Path and query below the simulation's root. */
  readonly target: string
  /** The URL before the target, as the client wrote it: `http://127.0.0.1:4010/s/tasks`. */
  readonly base: string
  /** The path of the simulation at an origin that it shares, see `confineAnswer`. */
  readonly sharedRoot?: string | undefined
  /** Finds the simulation that now has the address of a deleted one. Rejects with `not_found` without one. */
  readonly successor?: () => Promise<Simulation>
}

const NO_BYTES = new Uint8Array(0)

/**
 * Reads the body, then answers the request. Does not wait for the rest of a body when the request is refused in any
 * case: paused, unknown, without a key.
 */
export function serveSimulation(
  simulation: Simulation,
  exchange: SimulatedExchange,
  { queue, bodies }: { queue: AnswerQueue; bodies: Bodies },
): void {
  const { request, response, successor, sharedRoot } = exchange
  const add = (asked: ApiRequest) => queue.add({ simulation, request: asked, response, successor, sharedRoot })
  if (!announcesBody(request)) {
    add(toApiRequest(exchange, NO_BYTES))
    return
  }
  const unread = (): ApiRequest => ({ ...toApiRequest(exchange, NO_BYTES), isUnread: true })
  const isAdmitted = () => simulation.requests.admit(unread()) !== undefined
  // Another node may have issued the key just now.
  const judge = (tell: (isAdmitted: boolean) => void): void => {
    const now = async () => simulation.run(isAdmitted, true)
    if (simulation.isStored) now().then(tell, () => tell(false))
    else tell(isAdmitted())
  }
  const encoding = encodingOf(request)
  const take = (body: Uint8Array): void => {
    if (encoding === undefined) add(toApiRequest(exchange, body))
    else judge((isRead) => (isRead ? void addDecoded(exchange, { body, encoding, bodies }, add) : add(unread())))
  }
  const read = () =>
    bodies.read(exchange, { maxBytes: LIMITS.simulatedBodyBytes }, (body) => {
      if (typeof body !== 'string') take(body)
      else if (body === 'no-room') writeResponse(response, answerOfService(noRoom()))
      else add({ ...unread(), isTooLarge: true })
    })
  // A client that waits for `100 Continue` gets it only if the body will be read.
  if (request.headers.expect !== undefined) {
    judge((isRead) => (isRead ? read() : add(unread())))
    return
  }
  const reading = read()
  atEndOfTurn(() => {
    if (reading.isOver) return
    judge((isRead) => {
      if (isRead || reading.isOver) return
      reading.stop()
      add(unread())
    })
  })
}

/** Decodes a compressed body. Its bytes have their own room until the response is closed. */
async function addDecoded(
  exchange: SimulatedExchange,
  { body, encoding, bodies }: { body: Uint8Array; encoding: string; bodies: Bodies },
  add: (asked: ApiRequest) => void,
): Promise<void> {
  const { response } = exchange
  let taken = 0
  response.once('close', () => bodies.giveBack(taken))
  const take = (length: number): boolean => {
    const isTaken = !response.destroyed && bodies.take(length)
    if (isTaken) taken += length
    return isTaken
  }
  try {
    const plain = await decodeBody(body, encoding, take)
    if (!response.destroyed) add(toApiRequest(exchange, plain))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (response.destroyed) return
    if (error.status === 413) add({ ...toApiRequest(exchange, NO_BYTES), isUnread: true, isTooLarge: true })
    else writeResponse(response, answerOfService(error))
  }
}

function toApiRequest({ request, visitor, target, base }: SimulatedExchange, body: Uint8Array): ApiRequest {
  const mark = target.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    // With `joinDuplicateHeaders` each value is a text.
    headers: request.headers as Record<string, string>,
    body,
    ip: visitor.ip,
    isTrustedPage: visitor.isTrustedPage,
    origin: base,
  }
}

/** Decoders by `Content-Encoding` (RFC 9110, 8.4.1), in threads of their own. */
const DECODERS = new Map<string, 'createGunzip' | 'createInflate' | 'createBrotliDecompress'>([
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
])

/** The `Content-Encoding` of a request; undefined without one. */
function encodingOf({ headers }: IncomingMessage): string | undefined {
  const written = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  return written === 'identity' ? undefined : written
}

/**
 * The bytes of a compressed body. Rejects with an {@link ApiError} for another encoding, other bytes, and too many of them.
 * @param take reserves room for the next of them
 */
async function decodeBody(bytes: Uint8Array, encoding: string, take: (length: number) => boolean): Promise<Uint8Array> {
  const create = DECODERS.get(encoding)
  if (create === undefined) {
    const known = [...DECODERS.keys()].join(', ')
    throw new ApiError(415, 'invalid_request', `Expected \`content-encoding\` to be one of ${known}, got ${encoding}.`)
  }
  const parts: Uint8Array[] = []
  let length = 0
  try {
    // A copy: the memory of a body is freed once its client is gone.
    for await (const part of process
      .getBuiltinModule('node:zlib')
      [create]()
      .end(Buffer.from(bytes)) as AsyncIterable<Buffer>) {
      length += part.length
      if (length > LIMITS.simulatedBodyBytes) throw tooLarge()
      if (!take(part.length)) throw noRoom()
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof ApiError ? error : otherBytes(encoding)
  }
  return Buffer.concat(parts, length)
}

const otherBytes = (encoding: string): ApiError =>
  new ApiError(
    400,
    'invalid_request',
    `Expected the body to be ${encoding}, as \`content-encoding\` says, got other bytes.`,
  )

const tooLarge = (): ApiError => new ApiError(413, 'invalid_request', '')
