import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { startTimer } from '../../runtime/timers.ts'
import { refuseBrokenRequest } from './refuse-broken-request.ts'

/** A certificate with its key, PEM. */
export interface ServerCertificate {
  cert: string
  key: string
}

/** What a {@link Listener} needs. */
export interface ListenerOptions {
  /** Address to bind. */
  host: string
  /** Port to bind; 0 for any free one. */
  port: number
  /** Asked for once, when the first TLS client comes. */
  certificate: () => Promise<ServerCertificate>
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

/** A bound port that answers HTTP, and HTTP over TLS, to whichever a client speaks first. */
export interface Listener {
  readonly port: number
  /** Closes the port and every connection, answered or not. */
  close(): Promise<void>
}

/** First byte of a TLS handshake record (RFC 8446, 5.1). No HTTP method starts with it. */
const TLS_HANDSHAKE = 0x16

/** How long a client may take. Slower ones are cut off, so that they cannot use up the machine. */
const LIMITS = {
  firstByteMs: 10_000,
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 5_000,
  checkMs: 1_000,
  headerBytes: 16 * 1024,
  connections: 10_000,
} as const

/** Binds a port. Rejects with the system's error where it is taken. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const sockets = new Set<Duplex>()
  const server = createHttpServer(options.answer)
  acceptBoth(server, sockets, options.certificate)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return { port: (server.address() as AddressInfo).port, close: () => closeAll(server, sockets) }
}

function createHttpServer(answer: ListenerOptions['answer']): Server {
  const server = createServer(
    {
      keepAliveTimeout: LIMITS.keepAliveMs,
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.requestMs,
      connectionsCheckingInterval: LIMITS.checkMs,
      maxHeaderSize: LIMITS.headerBytes,
      joinDuplicateHeaders: true,
      optimizeEmptyRequests: true,
    },
    answer,
  )
  server.maxConnections = LIMITS.connections
  server.on('clientError', refuseBrokenRequest)
  return server
}

/** Puts a look at the first byte before the server's own handling of connections. */
function acceptBoth(server: Server, sockets: Set<Duplex>, certificate: ListenerOptions['certificate']): void {
  const [serve] = server.listeners('connection') as [(socket: Duplex) => void]
  server.removeAllListeners('connection')
  const serveTls = createTlsDoor((socket) => serve.call(server, track(sockets, socket)), certificate)
  server.on('connection', (socket: Socket) => {
    track(sockets, socket)
    waitForFirstByte(socket, (isTls) => {
      if (isTls) {
        serveTls(socket)
        return
      }
      serve.call(server, socket)
      socket.resume()
    })
  })
}

function track<S extends Duplex>(sockets: Set<Duplex>, socket: S): S {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  return socket
}

/** Calls `next` when the client has said something, with what it said still to be read. */
function waitForFirstByte(socket: Socket, next: (isTls: boolean) => void): void {
  const cancel = startTimer(LIMITS.firstByteMs, () => socket.destroy())
  const onError = () => socket.destroy()
  const onData = (bytes: Buffer) => {
    cancel()
    socket.pause()
    socket.off('error', onError)
    socket.off('end', onError)
    socket.unshift(bytes)
    next(bytes[0] === TLS_HANDSHAKE)
  }
  socket.once('data', onData)
  socket.once('error', onError)
  socket.once('end', onError)
  socket.once('close', cancel)
}

/** Loads TLS, and makes the certificate, when the first client asks for it. */
function createTlsDoor(
  serve: (socket: Duplex) => void,
  certificate: ListenerOptions['certificate'],
): (socket: Socket) => void {
  let door: Promise<(socket: Socket) => void> | undefined
  const open = async () => {
    const [{ createServer: createTlsServer }, { cert, key }] = await Promise.all([import('node:tls'), certificate()])
    const server = createTlsServer({ cert, key, ALPNProtocols: ['http/1.1'], handshakeTimeout: LIMITS.handshakeMs })
    server.on('secureConnection', serve)
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    return (socket: Socket) => void server.emit('connection', socket)
  }
  return (socket) => {
    door ??= open()
    door.then(
      (enter) => enter(socket),
      () => socket.destroy(),
    )
  }
}

async function closeAll(server: Server, sockets: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of sockets) socket.destroy()
  await closed
}
