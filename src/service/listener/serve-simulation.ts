import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { errorBody, toApiError } from '../management/error-body.ts'
import { whenReady } from '../management/hosted-simulation.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { deliverAnswer } from './deliver-answer.ts'
import { announcesBody, collectBody } from './read-request.ts'
import type { Visitor } from './visitor.ts'
import { writeResponse } from './write-response.ts'

/** A request to a simulated API, as the socket brought it. */
export interface SimulatedExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  /** Path and query below the simulation's root. */
  readonly target: string
  /** The URL that the target stands below, as the client wrote it: `http://127.0.0.1:4010/s/tasks`. */
  readonly base: string
}

const NO_BYTES = new Uint8Array(0)

/** Reads the body, waits for the simulation where it is not ready, and answers. */
export function serveSimulation(simulation: Simulation, exchange: SimulatedExchange, runtime: Runtime): void {
  if (announcesBody(exchange.request)) {
    collectBody(exchange.request, LIMITS.simulatedBodyBytes, (body) => {
      if (body === 'too-large') writeResponse(exchange.response, answerOfService(tooLarge()))
      else serveWhenReady(simulation, exchange, body, runtime)
    })
  } else serveWhenReady(simulation, exchange, NO_BYTES, runtime)
}

function serveWhenReady(simulation: Simulation, exchange: SimulatedExchange, body: Uint8Array, runtime: Runtime): void {
  if (simulation.isReady()) serveNow(simulation, exchange, body)
  else {
    whenReady(simulation, runtime).then(
      () => serveNow(simulation, exchange, body),
      (error: unknown) => writeResponse(exchange.response, answerOfService(toApiError(error))),
    )
  }
}

function serveNow(simulation: Simulation, exchange: SimulatedExchange, body: Uint8Array): void {
  const { response } = exchange
  const request = toApiRequest(exchange, body)
  try {
    const { response: answer, number } = simulation.handle(request)
    if (answer.delivery === undefined) writeResponse(response, answer)
    else void deliverAnswer(response, answer, answer.delivery, { simulation, request, number })
  } catch (error) {
    writeResponse(response, answerOfService(toApiError(error)))
  }
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

/** The answer of the service itself, where no simulation has one. */
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

function tooLarge(): ApiError {
  const most = LIMITS.simulatedBodyBytes.toLocaleString('en-US')
  return new ApiError(413, 'invalid_request', `Expected the body to have at most ${most} bytes, got more.`)
}
