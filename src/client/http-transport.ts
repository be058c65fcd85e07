import type { Agent, Dispatcher } from 'undici'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import { areTimersFaked } from '../runtime/timers.ts'
import type { Transport } from './send.ts'

/** A transport over sockets, with undici. Connections are reused; `close` ends them. */
export interface HttpTransport {
  send: Transport
  close(): Promise<void>
}

/**
 * Reaches a service over HTTP. undici is imported with the first request. While a test fakes the timers, each request
 * takes a fresh connection and closes it after its answer: a reused one would wait for a `setImmediate` that never runs.
 *
 * @param options.ca PEM of the authority to trust in place of the machine's, for a service with a certificate of its own.
 */
export function createHttpTransport(options: { ca?: string | undefined } = {}): HttpTransport {
  let shared: Promise<Agent> | undefined
  const connect = options.ca === undefined ? {} : { ca: options.ca }

  const openShared = (): Promise<Agent> => {
    shared ??= import('undici').then(({ Agent }) => new Agent({ connect, keepAliveTimeout: 4_000 }))
    return shared
  }

  return {
    async send(request) {
      if (!areTimersFaked()) return exchange(await openShared(), request, false)
      const { Client } = await import('undici')
      const fresh = new Client(new URL(request.url).origin, { connect, pipelining: 1 })
      try {
        return await exchange(fresh, request, true)
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

/** Reads the body to its end, under the signal of the request, unless it is a stream of events. */
async function exchange(dispatcher: Dispatcher, request: ManagementRequest, reset: boolean): Promise<ManagementAnswer> {
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
  const head = { status: answer.statusCode, headers: headersOf(answer.headers) }
  if (!head.headers['content-type']?.startsWith('text/event-stream')) return { ...head, body: await answer.body.text() }
  const { Readable } = await import('node:stream')
  return { ...head, body: Readable.toWeb(answer.body) as ReadableStream }
}

function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, value?.toString()]))
}
