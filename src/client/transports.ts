import type { Agent as HttpAgent, IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import { loadUndici } from '../runtime/load-undici.ts'
import { http } from '../runtime/node-http.ts'
import { createConnection } from '../runtime/open-socket.ts'
import { areTimersFaked, explainStuckSockets } from '../runtime/timers.ts'

/** A path of requests to a service: its own `exchange` in this process, else a socket. */
export type Transport = (request: ManagementRequest) => Promise<ManagementAnswer>

/** A transport over sockets. Connections are reused; `close` ends them. */
export interface SocketTransport {
  send: Transport
  close(): Promise<void>
}

/** How to reach a remote service. */
interface HttpTransportOptions {
  ca?: string | undefined
  proxy?: string | undefined
}

/** After this time without an answer a service counts as unreachable: by then the system has sent its packet twice. */
const CONNECT_TIMEOUT_MS = 1_500

/**
 * Reaches a service over HTTP. undici is imported at the first request. Under fake timers each request uses a new
 * connection, which is closed after the answer: a reused one would wait for a `setImmediate` that never runs.
 *
 * @param options.ca PEM of the authority to trust in place of the machine's, for a service with its own certificate.
 * @param options.proxy the proxy before the service.
 */
export function createHttpTransport({ ca, proxy }: HttpTransportOptions = {}): SocketTransport {
  let shared: Promise<Dispatcher> | undefined
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...(ca !== undefined && { ca }) }

  const openShared = (): Promise<Dispatcher> => {
    shared ??= loadUndici().then(({ Agent, ProxyAgent }) =>
      proxy === undefined
        ? new Agent({ connect, keepAliveTimeout: 4_000 })
        : new ProxyAgent({ uri: proxy, requestTls: connect, keepAliveTimeout: 4_000 }),
    )
    return shared
  }

  return {
    async send(request) {
      if (!areTimersFaked()) return dispatch(await openShared(), request, false)
      // In Jest undici would wait for the faked `queueMicrotask` of the test. `node:http` uses Node's own.
      if (explainStuckSockets(globalThis) !== undefined && proxy === undefined && request.url.startsWith('http:'))
        return exchange(undefined, request)
      const { Client, ProxyAgent } = await loadUndici()
      const fresh =
        proxy === undefined
          ? new Client(new URL(request.url).origin, { connect, pipelining: 1 })
          : new ProxyAgent({ uri: proxy, requestTls: connect })
      try {
        return await dispatch(fresh, request, true)
      } finally {
        await fresh.destroy()
      }
    },
    async close() {
      const open = shared
      shared = undefined
      await (await open)?.close()
    },
  }
}

/** Reads the whole body, under the signal of the request, unless it is an event stream. */
async function dispatch(dispatcher: Dispatcher, request: ManagementRequest, reset: boolean): Promise<ManagementAnswer> {
  const url = new URL(request.url)
  const answer = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method as Dispatcher.HttpMethod,
    headers: { ...request.headers },
    body: request.body ?? null,
    signal: request.signal ?? null,
    reset,
  })
  const head = { status: answer.statusCode, headers: toTexts(answer.headers) }
  if (!head.headers['content-type']?.startsWith('text/event-stream')) return { ...head, body: await answer.body.text() }
  const { Readable } = await import('node:stream')
  return { ...head, body: Readable.toWeb(answer.body) as ReadableStream }
}

/**
 * Reaches a service on this machine over plain http with `node:http`, which loads in 2 ms and works with fake timers.
 * It cannot stream events.
 */
export function createLocalTransport(): SocketTransport {
  const agent = Object.assign(new http.Agent({ keepAlive: true }), { createConnection })
  let isClosed = false
  return {
    // When a kept connection breaks, the service may have acted: a POST gets its own connection.
    send: (request) =>
      exchange(request.method === 'POST' ? undefined : agent, request).catch((error) => {
        if (isClosed || !(error instanceof KeptConnectionBroke)) throw error
        return exchange(undefined, request)
      }),
    close: async () => {
      isClosed = true
      agent.destroy()
    },
  }
}

/** The service closed an idle connection, as it may. */
class KeptConnectionBroke extends Error {}

function exchange(agent: HttpAgent | undefined, request: ManagementRequest): Promise<ManagementAnswer> {
  const { method, url, headers, body = '', signal } = request
  const length = { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = http.request(url, {
      method,
      headers: { ...headers, ...length },
      ...(agent ? { agent } : { createConnection }),
      ...(signal && { signal }),
    })
    sent.once('response', (answer) => readAnswer(answer).then(resolve, reject))
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const hasBroken = sent.reusedSocket && error.code === 'ECONNRESET'
      reject(hasBroken ? new KeptConnectionBroke(error.message, { cause: error }) : error)
    })
    sent.end(body)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<ManagementAnswer> {
  let body = ''
  answer.setEncoding('utf8')
  for await (const text of answer) body += text
  return { status: answer.statusCode ?? 0, headers: toTexts(answer.headers), body }
}

function toTexts(headers: Readonly<Record<string, string | string[] | undefined>>): ManagementAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]))
}
