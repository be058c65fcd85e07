import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Server as TlsServer } from 'node:tls'
import { http } from '../runtime/node-http.ts'
import { Refusal } from './refusal.ts'
import type { SinkLimits } from './sink-limits.ts'

/** What the certificate door and the HTTP door of a {@link SinkServer} need. */
export interface SinkServerOptions {
  host: string
  port: number
  /** Asked for by the first connection; undefined for plain HTTP behind somebody else's TLS. */
  certificate: (() => Promise<{ cert: string; key: string }>) | undefined
  limits: SinkLimits
  /** Whether the port keeps the process alive. @default true */
  holdsProcess?: boolean | undefined
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** A connection that never became a request. */
  onRefusal: (refusal: Refusal, remoteAddress: string | undefined) => void
}

/** A bound port. */
export interface SinkServer {
  readonly ip: string
  readonly port: number
  /** Closes the port and every connection, whatever state it is in. */
  close(): Promise<void>
}

/** Listens at once; the first connections wait for the certificate where it is still to be made. */
export async function startSinkServer(options: SinkServerOptions): Promise<SinkServer> {
  const { limits } = options
  const sockets = new Set<Duplex>()
  const server = http.createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckingIntervalMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.headerBytes,
    },
    options.onRequest,
  )
  server.maxConnections = limits.sockets
  server.on('clientError', (error: ClientError, socket) => refuseBroken(error, socket as Socket, options))
  takeConnections(server, sockets, options)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  if (options.holdsProcess === false) server.unref()
  const { address, port } = server.address() as AddressInfo
  return { ip: address, port, close: () => closeAll(server, sockets) }
}

type ClientError = Error & { code?: string; rawPacket?: Buffer }

/** `server.close()` waits for hung, idle and half-open connections; so every raw socket is known and destroyed. */
async function closeAll(server: Server, sockets: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of sockets) socket.destroy()
  await closed
}

/** Puts TLS before the server's own handling of connections. */
function takeConnections(server: Server, sockets: Set<Duplex>, options: SinkServerOptions): void {
  const [serve] = server.listeners('connection') as [(socket: Duplex) => void]
  server.removeAllListeners('connection')
  const serveTracked = (socket: Duplex) => serve.call(server, track(sockets, socket))
  const enter = options.certificate ? createTlsDoor(options.certificate, serveTracked, options) : serveTracked
  server.on('connection', (socket: Socket) => {
    track(sockets, socket)
    if (options.holdsProcess === false) socket.unref()
    socket.on('error', () => socket.destroy())
    enter(socket)
  })
}

function track<S extends Duplex>(sockets: Set<Duplex>, socket: S): S {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  return socket
}

function createTlsDoor(
  certificate: () => Promise<{ cert: string; key: string }>,
  serve: (socket: Duplex) => void,
  options: SinkServerOptions,
): (socket: Socket) => void {
  let door: Promise<TlsServer> | undefined
  const open = async () => {
    const [{ createServer: createTlsServer }, { cert, key }] = await Promise.all([import('node:tls'), certificate()])
    const handshakeTimeout = options.limits.handshakeTimeoutMs
    const tls = createTlsServer({ cert, key, handshakeTimeout, ALPNProtocols: ['http/1.1'] })
    tls.on('secureConnection', serve)
    tls.on('tlsClientError', (error: ClientError, socket) => {
      options.onRefusal(new Refusal(null, 'tls', describeTlsError(error), { cause: error }), socket.remoteAddress)
      socket.destroy()
    })
    return tls
  }
  return (socket) => {
    door ??= open()
    door.then(
      (tls) => tls.emit('connection', socket),
      (cause: Error) => {
        const detail = `The sink has no certificate to show: ${cause.message}`
        options.onRefusal(new Refusal(null, 'tls', detail, { cause }), socket.remoteAddress)
        socket.destroy()
      },
    )
  }
}

function describeTlsError(error: ClientError): string {
  if (error.code === 'ERR_SSL_HTTP_REQUEST') return 'Plain http was spoken to the https sink: use its https URL.'
  if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return 'The TLS handshake did not finish in time.'
  return `The TLS handshake failed: ${error.message}.`
}

/** Answers what is not HTTP, or too slow, in place of Node, so that it is on record. */
function refuseBroken(error: ClientError, socket: Socket, options: SinkServerOptions): void {
  const status = toStatus(error.code)
  const isAnswerable = socket.writable && error.code !== 'ECONNRESET'
  const detail = `The request could not be read: ${error.message}.`
  options.onRefusal(new Refusal(isAnswerable ? status : null, 'http', detail, { cause: error }), socket.remoteAddress)
  const head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
  if (isAnswerable) socket.end(head)
  else socket.destroy()
}

function toStatus(code: string | undefined): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}
