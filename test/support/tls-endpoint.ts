import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type Certificate, createCertificate } from '../../src/server/certificate.ts'

/** A request as an endpoint saw it. */
export interface SeenRequest {
  method: string
  url: string
  headers: NodeJS.Dict<string>
  rawHeaders: string[]
  body: Buffer
}

/** A real TLS server on loopback that a webhook can be sent to. */
export interface TlsEndpoint extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly ca: string
  /** TCP connections that were opened. */
  readonly connections: number
  readonly requests: readonly SeenRequest[]
  /** Resolves once `count` requests have been seen. */
  seen(count: number): Promise<void>
}

export interface TlsEndpointOptions {
  port?: number
  certificate?: Certificate
  /** @default answers 200 */
  answer?: (response: ServerResponse, request: SeenRequest, count: number) => void
}

let shared: Promise<Certificate> | undefined

/** One certificate for the tests of a file that do not care. */
export function sharedCertificate(): Promise<Certificate> {
  shared ??= createCertificate()
  return shared
}

/** Starts an endpoint. Disposing of it destroys its connections. */
export async function openTlsEndpoint(options: TlsEndpointOptions = {}): Promise<TlsEndpoint> {
  const certificate = options.certificate ?? (await sharedCertificate())
  const answer = options.answer ?? ((response: ServerResponse) => response.end())
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  let waiters: { count: number; resolve: () => void }[] = []
  let connections = 0
  const server = createServer({ key: certificate.key, cert: certificate.cert }, async (request, response) => {
    const seen = await readRequest(request)
    requests.push(seen)
    answer(response, seen, requests.length)
    for (const waiter of waiters) if (requests.length >= waiter.count) waiter.resolve()
    waiters = waiters.filter((waiter) => requests.length < waiter.count)
  })
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `https://127.0.0.1:${port}/hooks`,
    ca: certificate.ca,
    get connections() {
      return connections
    },
    requests,
    seen: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiters.push({ count, resolve })
          }),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers, rawHeaders } = request
  return { method, url, headers: headers as NodeJS.Dict<string>, rawHeaders, body: Buffer.concat(chunks) }
}
