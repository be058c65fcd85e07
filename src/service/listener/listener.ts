import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { http } from '../../runtime/node-http.ts'
import { startTimer } from '../../runtime/timers.ts'
import { refuseBrokenRequest } from './refuse-broken-request.ts'

/** A certificate with its key, PEM. */
export interface ServerCertificate {
  cert: string
  key: string
}

/** Answers a request. `isAlone`: no other client is connected. */
export type Answer = (request: IncomingMessage, response: ServerResponse, isAlone: boolean) => void

/** What a {@link Listener} needs. */
export interface ListenerOptions {
  /** Address to bind. */
  host: string
  /** Port to bind; 0 for any free one. */
  port: number
  /** Asked for once, when the first TLS client comes. */
  certificate: () => Promise<ServerCertificate>
  answer: Answer
  /** Whether the port keeps the process alive. @default true */
  holdsProcess?: boolean | undefined
  /** Other bounds than the usual ones, for tests. */
  limits?: Partial<ListenerLimits>
}

/** How long a client may take, and how much it may send before it is cut off, so that none can use up the machine. */
export interface ListenerLimits {
  firstByteMs: number
  handshakeMs: number
  headersMs: number
  requestMs: number
  keepAliveMs: number
  /** How often the times above are looked at. */
  checkMs: number
  headerBytes: number
  connections: number
}

/** A bound port that answers HTTP, and HTTP over TLS, to whichever a client speaks first. */
export interface Listener {
  readonly port: number
  /** Closes the port and every connection, answered or not. */
  close(): Promise<void>
}

/** First byte of a TLS handshake record (RFC 8446, 5.1). No HTTP method starts with it. */
const TLS_HANDSHAKE = 0x16

const LIMITS: ListenerLimits = {
  firstByteMs: 10_000,
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 5_000,
  checkMs: 1_000,
  headerBytes: 16 * 1024,
  connections: 10_000,
}

/** Binds a port. Rejects with the system's error where it is taken. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const open: OpenSockets = { clients: new Set(), sessions: new Set() }
  const limits = { ...LIMITS, ...options.limits }
  const server = createHttpServer((request, response) => {
    options.answer(request, response, open.clients.size <= 1)
  }, limits)
  acceptBoth(server, open, options.certificate, limits)
  if (options.holdsProcess === false) server.on('connection', (socket: Socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  if (options.holdsProcess === false) server.unref()
  return { port: (server.address() as AddressInfo).port, close: () => closeAll(server, open) }
}

/** What has to be closed with a port. */
interface OpenSockets {
  readonly clients: Set<Duplex>
  /** TLS over one of the clients. */
  readonly sessions: Set<Duplex>
}

function createHttpServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limits: ListenerLimits,
): Server {
  const server = http.createServer(
    {
      keepAliveTimeout: limits.keepAliveMs,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
      joinDuplicateHeaders: true,
      optimizeEmptyRequests: true,
    },
    answer,
  )
  server.maxConnections = limits.connections
  server.on('clientError', refuseBrokenRequest)
  return server
}

/** Puts a look at the first byte before the server's own handling of connections. */
function acceptBoth(
  server: Server,
  { clients, sessions }: OpenSockets,
  certificate: ListenerOptions['certificate'],
  limits: ListenerLimits,
): void {
  const [serve] = server.listeners('connection') as [(socket: Duplex) => void]
  server.removeAllListeners('connection')
  const serveTls = createTlsDoor((socket) => serve.call(server, track(sessions, socket)), certificate, limits)
  server.on('connection', (socket: Socket) => {
    track(clients, socket)
    waitForFirstByte(socket, limits, (isTls) => {
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
function waitForFirstByte(socket: Socket, { firstByteMs }: ListenerLimits, next: (isTls: boolean) => void): void {
  const cancel = startTimer(firstByteMs, () => socket.destroy())
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
  { handshakeMs }: ListenerLimits,
): (socket: Socket) => void {
  let door: Promise<(socket: Socket) => void> | undefined
  const open = async () => {
    const [{ createServer: createTlsServer }, { cert, key }] = await Promise.all([import('node:tls'), certificate()])
    const server = createTlsServer({ cert, key, ALPNProtocols: ['http/1.1'], handshakeTimeout: handshakeMs })
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

async function closeAll(server: Server, { clients, sessions }: OpenSockets): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of [...sessions, ...clients]) socket.destroy()
  await closed
}
