import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ManagementAnswer, ManagementRequest } from '../../protocol/management-exchange.ts'
import type { ManagementApi } from '../management/management-api.ts'
import type { ManagementArrival } from '../management/read-endpoint-call.ts'
import { announcesBody, type Bodies, type ReadBody } from './bodies.ts'
import { pipe } from './pipe.ts'
import type { Visitor } from './visitor.ts'

/** A request to the management API. */
interface ManagementExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  /** Set for a page of the dashboard: the target path, and its session's rights in place of the headers. */
  readonly session?: { readonly target: string; readonly authorization: string }
}

/** Passes a request from a socket to the management API, and its answer back. */
export async function serveManagement(
  { api, bodies }: { api: ManagementApi; bodies: Bodies },
  { request, response, visitor, session }: ManagementExchange,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const arrival: ManagementArrival = {
    ...visitor,
    left: left.signal,
    readBody: async (bounds) => {
      if (!announcesBody(request)) return new Uint8Array(0)
      return new Promise<ReadBody>((resolve) => bodies.read({ request, response }, bounds, resolve))
    },
  }
  const asked = toRequest(request, arrival.origin, session?.target)
  const { authorization = asked.headers.authorization } = session ?? {}
  const answer = await api({ ...asked, headers: { ...asked.headers, authorization } }, arrival)
  const shown = session === undefined ? answer : { ...answer, headers: withoutCors(answer.headers) }
  await writeAnswer(response, shown, { left: left.signal, isHead: request.method === 'HEAD' })
}

/** {@link ManagementArrival.readBody} reads the body later, only for callers with the right to send one. */
function toRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  origin: string,
  path = url,
): ManagementRequest {
  const target = path.startsWith('/') ? origin + path : path
  if (!URL.canParse(target)) return { method, url: `${origin}/`, headers: {} }
  const texts = Object.entries(headers).map(([name, value]) => [name, value?.toString()])
  return { method, url: target, headers: Object.fromEntries(texts) }
}

/** Only pages of the same origin may read answers for a session. */
function withoutCors(headers: ManagementAnswer['headers']): ManagementAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('access-control-')))
}

async function writeAnswer(
  response: ServerResponse,
  { status, headers, body = '' }: ManagementAnswer,
  { left, isHead }: { left: AbortSignal; isHead: boolean },
): Promise<void> {
  if (typeof body === 'string') {
    const bytes = Buffer.from(body)
    const length = status === 204 || isHead ? {} : { 'content-length': String(bytes.length) }
    response.writeHead(status, { ...headers, ...length })
    response.end(bytes)
    return
  }
  response.writeHead(status, headers)
  response.flushHeaders()
  await pipe(body, response, left)
  response.end()
}
