import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { errorBody, toApiError } from '../management/error-body.ts'
import { type HostedSimulation, whenReady } from '../management/hosted-simulation.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { Caller } from './caller.ts'
import { readBody } from './read-body.ts'
import { createSendResponse } from './send-response.ts'

/** A request to a simulated API, as the socket brought it. */
export interface SimulatedExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly caller: Caller
  /** Path and query below the simulation's root. */
  readonly target: string
  /** The URL that the target stands below, as the client wrote it: `http://127.0.0.1:4010/s/tasks`. */
  readonly base: string
}

/** Hands requests to simulations and writes their answers. */
export type ServeSimulation = (hosted: HostedSimulation, exchange: SimulatedExchange) => void

/** Reads the body, waits for the simulation where it is not ready, and answers. */
export function createServeSimulation(runtime: Runtime): ServeSimulation {
  const send = createSendResponse(runtime.clock)
  return ({ simulation }, exchange) => {
    const { request, response } = exchange
    const answer = (body: Uint8Array) => {
      try {
        send(response, simulation.handle(toApiRequest(exchange, body)))
      } catch (error) {
        send(response, refusal(toApiError(error)))
      }
    }
    readBody(request, LIMITS.simulatedBodyBytes, (body) => {
      if (body === 'too-large') send(response, refusal(tooLarge()))
      else if (simulation.isReady()) answer(body)
      else {
        whenReady(simulation, runtime).then(
          () => answer(body),
          (error: unknown) => send(response, refusal(toApiError(error))),
        )
      }
    })
  }
}

function toApiRequest({ request, caller, target, base }: SimulatedExchange, body: Uint8Array): ApiRequest {
  const mark = target.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    // With `joinDuplicateHeaders` each is a text.
    headers: request.headers as Record<string, string>,
    body,
    ip: caller.ip,
    origin: base,
  }
}

/** The answer of the service itself, where no simulation has one. */
export function refusal(error: ApiError): ApiResponse {
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
