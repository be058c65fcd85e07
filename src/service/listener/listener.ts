import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../protocol/errors.ts'
import type { RefusedConnection } from '../../server/http-server.ts'
import {
  type OpenServer,
  openServer,
  type ServerCertificate,
  SIMULATION_PORT_LIMITS,
} from '../../server/open-server.ts'
import { errorBody, toApiError } from '../management/error-body.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Options of {@link startListener}. */
interface ListenerOptions {
  /** Address to bind. */
  host: string
  /** Port to bind; 0 for any free one. */
  port: number
  /** Called once, for the first TLS client. */
  certificate: () => Promise<ServerCertificate>
  answer: Answer
  /** Whether the port keeps the process alive. @default true */
  holdsProcess?: boolean | undefined
}

/** Binds a port that answers HTTP and HTTPS, by the first byte of a client. */
export async function startListener(options: ListenerOptions): Promise<OpenServer> {
  const { host, port, certificate, answer, holdsProcess } = options
  return openServer({
    host,
    port,
    tls: { accept: 'sniffed', certificate },
    limits: SIMULATION_PORT_LIMITS,
    holdsProcess,
    onRequest: answer,
    onRefused: describeRefused,
  })
}

/** The body of the answer to an unreadable request, or to an error of ours. */
function describeRefused({ status, error }: RefusedConnection): string | undefined {
  if (status === null) return undefined
  if (status === 500) return errorBody(toApiError(error))
  const code = status === 408 ? 'bad_request' : 'invalid_request'
  return errorBody(new ApiError(status, code, MESSAGES[status]))
}

const MESSAGES = {
  400: 'Failed to read the request: it is not valid HTTP.',
  408: 'Failed to read the request: it did not arrive in time.',
  417: 'Expected `Expect` to be 100-continue, got something else.',
  431: 'Expected the headers to have at most 16,384 bytes, got more.',
} as const
