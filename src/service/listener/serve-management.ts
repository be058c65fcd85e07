import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Arrival } from '../management/call.ts'
import type { ManagementApi } from '../management/management-api.ts'
import { refuse } from '../management/respond.ts'
import type { Caller } from './caller.ts'
import { readBody } from './read-body.ts'

/** Carries a request from a socket to the management API, and its answer back. */
export async function serveManagement(
  api: ManagementApi,
  { request, response, caller }: { request: IncomingMessage; response: ServerResponse; caller: Caller },
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const arrival: Arrival = {
    ip: caller.ip,
    origin: caller.origin,
    readBody: (maxBytes) => new Promise((resolve) => readBody(request, maxBytes, resolve)),
  }
  const answer = await answerOf(api, request, arrival)
  await writeAnswer(response, answer, { left: left.signal, isHead: request.method === 'HEAD' })
}

async function answerOf(api: ManagementApi, request: IncomingMessage, arrival: Arrival): Promise<Response> {
  try {
    return await api(toRequest(request, arrival.origin), arrival)
  } catch (error) {
    return refuse(error)
  }
}

/** The body stays with {@link Arrival.readBody}, so that it is read only when somebody may send one. */
function toRequest({ method = 'GET', url = '/', headers }: IncomingMessage, origin: string): Request {
  const target = url.startsWith('/') ? origin + url : url
  if (!URL.canParse(target)) return new Request(`${origin}/`, { method: methodOf(method) })
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Request(target, { method: methodOf(method), headers: pairs })
}

/** Methods that `Request` refuses to carry: none of them is an endpoint's. */
const FORBIDDEN_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])

const methodOf = (method: string): string => (FORBIDDEN_METHODS.has(method) ? 'UNKNOWN' : method)

async function writeAnswer(
  response: ServerResponse,
  answer: Response,
  { left, isHead }: { left: AbortSignal; isHead: boolean },
): Promise<void> {
  const headers = Object.fromEntries(answer.headers)
  if (!headers['content-type']?.startsWith('text/event-stream')) {
    const body = Buffer.from(await answer.arrayBuffer())
    const length: Record<string, string> =
      answer.status === 204 || isHead ? {} : { 'content-length': String(body.length) }
    response.writeHead(answer.status, { ...headers, ...length })
    response.end(body)
    return
  }
  response.writeHead(answer.status, headers)
  response.flushHeaders()
  await pipe(answer.body as ReadableStream<Uint8Array>, response, left)
}

/** Copies a stream until it ends or the client leaves. */
async function pipe(body: ReadableStream<Uint8Array>, response: ServerResponse, left: AbortSignal): Promise<void> {
  const reader = body.getReader()
  left.addEventListener('abort', () => reader.cancel().catch(() => {}), { once: true })
  for (;;) {
    const { done, value } = await reader.read()
    if (done || left.aborted) break
    if (!response.write(value)) await drained(response, left)
  }
  response.end()
}

function drained(response: ServerResponse, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve)
    left.addEventListener('abort', () => resolve(), { once: true })
  })
}
