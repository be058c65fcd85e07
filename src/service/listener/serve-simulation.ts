import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ApiRequest } from '../simulated-api/exchange.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { AnswerQueue } from './answer-queue.ts'
import { announcesBody, collectBody } from './read-request.ts'
import type { Visitor } from './visitor.ts'
import { answerOfService, writeResponse } from './write-response.ts'

/** A request to a simulated API, as the socket brought it. */
interface SimulatedExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  /** Path and query below the simulation's root. */
  readonly target: string
  /** The URL that the target stands below, as the client wrote it: `http://127.0.0.1:4010/s/tasks`. */
  readonly base: string
}

const NO_BYTES = new Uint8Array(0)

/** Reads the body, and has the request answered. */
export function serveSimulation(simulation: Simulation, exchange: SimulatedExchange, queue: AnswerQueue): void {
  const { request, response } = exchange
  if (!announcesBody(request)) {
    queue.add({ simulation, request: toApiRequest(exchange, NO_BYTES), response })
    return
  }
  collectBody(request, LIMITS.simulatedBodyBytes, (body) => {
    if (body === 'too-large') writeResponse(response, answerOfService(tooLarge()))
    else queue.add({ simulation, request: toApiRequest(exchange, body), response })
  })
}

function toApiRequest({ request, visitor, target, base }: SimulatedExchange, body: Uint8Array): ApiRequest {
  const mark = target.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    // With `joinDuplicateHeaders` each is a text.
    headers: request.headers as Record<string, string>,
    body,
    ip: visitor.ip,
    origin: base,
  }
}

function tooLarge(): ApiError {
  const most = LIMITS.simulatedBodyBytes.toLocaleString('en-US')
  return new ApiError(413, 'invalid_request', `Expected the body to have at most ${most} bytes, got more.`)
}
