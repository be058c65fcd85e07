import type { AddressInfo, Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Server as TlsServer, TlsOptions as TlsServerOptions } from 'node:tls'
import { sleep, startTimer } from '../runtime/timers.ts'
import { createHttpServer, type HttpLimits, type RefusedConnection, type RequestOptions } from './http-server.ts'
import { HttpSessions } from './http-sessions.ts'

/** Limits of a port. */
export interface ServerLimits extends HttpLimits {
  /** From connecting to the end of the TLS handshake; where TLS is sniffed, also from connecting to the first byte. */
  handshakeTimeoutMs: number
}

/** Limits of a port that answers for simulations, or leads to them. */
export const SIMULATION_PORT_LIMITS: ServerLimits = {
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  connectionsCheckingIntervalMs: 1_000,
  // Proxies and load balancers keep idle connections for 60 s. This port must keep them longer, or it closes one that a request is being sent on.
  keepAliveTimeoutMs: 75_000,
  unreadTimeoutMs: 60_000,
  unreadBytes: 256 * 1024 * 1024,
  headerBytes: 16 * 1024,
  sockets: 10_000,
}

/** A certificate with its key, PEM. */
export interface ServerCertificate {
  cert: string
  key: string
}

/** A port handles HTTP requests, or the bytes of each connection. */
type ServerOptions = BoundOptions & (RequestOptions | SessionOptions)

/** Options of every port. */
interface BoundOptions {
  /** Address to bind. */
  host: string
  /** Port to bind; 0 for any free one. */
  port: number
  /**
   * `always` takes TLS alone, `sniffed` takes TLS and plain HTTP on the same port. The first TLS client requests the
   * certificate, once. `certificateOf` has another for a name that a client asks for.
   */
  tls: 'none' | ({ accept: 'always' | 'sniffed' } & TlsOptions)
  limits: ServerLimits
  /** Whether the port and its connections keep the process alive. @default true */
  holdsProcess?: boolean | undefined
}

interface TlsOptions {
  certificate: () => Promise<ServerCertificate>
  certificateOf?: ((name: string) => ServerCertificate) | undefined
}

/** A port that passes bytes on. */
interface SessionOptions {
  /** Receives each connection, or the TLS session over it. */
  onSession: (session: Duplex) => void
}

/** A bound port. */
export interface OpenServer {
  readonly ip: string
  readonly port: number
  /** Address and port as a URL has them: `127.0.0.1:4010`, `[::1]:4010`. */
  readonly authority: string
  /**
   * Makes each answer the last one of its connection, accepts no more connections after `delayMs`, and waits at most
   * `mostMs` for answers in progress, except event streams.
   */
  drain(wait: { delayMs: number; mostMs: number }): Promise<void>
  /** Closes the port and every connection, in any state. */
  close(): Promise<void>
}

/** First byte of a TLS handshake record (RFC 8446, 5.1). No HTTP method starts with it. */
const TLS_HANDSHAKE = 0x16

/** Binds a port. Rejects with the system's error where the port is in use. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const sockets = new Set<Socket>()
  const sessions = new HttpSessions(options.limits)
  const server = createServer(options, sessions)
  takeConnections(server, sockets, sessions, options)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  if (options.holdsProcess === false) server.unref()
  const { address, family, port } = server.address() as AddressInfo
  return {
    ip: address,
    port,
    authority: `${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    drain: async ({ delayMs, mostMs }) => {
      sessions.end()
      await sleep(delayMs)
      server.close()
      await sessions.idle(mostMs)
    },
    close: () => closeAll(server, sockets),
  }
}

/** Reads `host:port`, with brackets around an IPv6 address. Throws a TypeError that names `field`. */
export function parseAddress(text: string, field: string): { host: string; port: number } {
  const [, ipv6, name, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = ipv6 ?? name
  const port = Number(digits)
  if (host === undefined || port > 65_535) throw new TypeError(`Expected \`${field}\` to be host:port, got ${text}.`)
  return { host, port }
}

function createServer(options: ServerOptions, sessions: HttpSessions): Server {
  if (!('onRequest' in options)) return createPlainServer(options).on('connection', options.onSession)
  const server = createHttpServer(options, sessions)
  return options.tls !== 'none' && options.tls.accept === 'always' ? createFront(server, options) : server
}

function createPlainServer({ limits }: BoundOptions): Server {
  const server = process.getBuiltinModule('node:net').createServer({ allowHalfOpen: true, noDelay: true })
  server.maxConnections = limits.sockets
  return server
}

/** Accepts connections for `server`, which does not listen: in Bun a listening server reads HTTP before TLS can begin. */
function createFront(server: Server, options: BoundOptions): Server {
  return (
    createPlainServer(options)
      .on('connection', (session) => server.emit('connection', session))
      // The server's checks of slow connections start and stop with these events.
      .once('listening', () => server.emit('listening'))
      .once('close', () => server.close())
  )
}

/** Puts TLS before the server's handling of connections. */
function takeConnections(server: Server, sockets: Set<Socket>, sessions: HttpSessions, options: ServerOptions): void {
  const [serve] = server.listeners('connection') as [(session: Duplex) => void]
  server.removeAllListeners('connection')
  const begin = (session: Duplex) => {
    serve.call(server, session)
    sessions.add(session)
  }
  const enter = toEntrance(begin, options)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (options.holdsProcess === false) socket.unref()
    socket.on('error', () => socket.destroy())
    enter(socket)
  })
}

/** The steps of a connection before HTTP is read from it. */
function toEntrance(serve: (socket: Duplex) => void, options: ServerOptions): (socket: Socket) => void {
  const { tls, limits } = options
  if (tls === 'none') return serve
  const onRefused = 'onRequest' in options ? options.onRefused : undefined
  const serveTls = createLazyTls(serve, { ...tls, limits, onRefused })
  if (tls.accept === 'always') return serveTls
  return (socket) =>
    waitForFirstByte(socket, limits, (byte) => {
      if (byte === TLS_HANDSHAKE) return serveTls(socket)
      serve(socket)
      socket.resume()
    })
}

/** Calls `next` when the client has sent something, without consuming it. */
function waitForFirstByte(socket: Socket, limits: ServerLimits, next: (byte: number | undefined) => void): void {
  const destroy = () => socket.destroy()
  const cancel = startTimer(limits.handshakeTimeoutMs, destroy)
  socket.once('end', destroy)
  socket.once('close', cancel)
  socket.once('data', (bytes: Buffer) => {
    cancel()
    socket.off('end', destroy)
    socket.pause()
    socket.unshift(bytes)
    next(bytes[0])
  })
}

/** Loads TLS and requests the certificate for the first TLS client. */
function createLazyTls(
  serve: (session: Duplex) => void,
  options: Pick<BoundOptions, 'limits'> & Pick<RequestOptions, 'onRefused'> & TlsOptions,
): (socket: Socket) => void {
  let server: Promise<TlsServer> | undefined
  const refuse = (step: RefusedConnection['step'], error: Error, socket: Socket) => {
    options.onRefused?.({ step, error, status: null, remoteAddress: socket.remoteAddress })
    socket.destroy()
  }
  const open = async () => {
    const [tls, { cert, key }] = await Promise.all([import('node:tls'), options.certificate()])
    const handshakeTimeout = options.limits.handshakeTimeoutMs
    const server = tls.createServer({
      cert,
      key,
      handshakeTimeout,
      ALPNProtocols: ['http/1.1'],
      ...byName(options, tls),
    })
    server.on('secureConnection', serve)
    server.on('tlsClientError', (error, socket) => refuse('handshake', error, socket))
    return server
  }
  return (socket) => {
    server ??= open()
    server.then(
      (tls) => tls.emit('connection', socket),
      (error: Error) => refuse('certificate', error, socket),
    )
  }
}

function byName({ certificateOf }: TlsOptions, tls: typeof import('node:tls')): TlsServerOptions {
  if (certificateOf === undefined) return {}
  return { SNICallback: (name, done) => done(null, tls.createSecureContext(certificateOf(name))) }
}

/** Destroys every socket, and its TLS session: `server.close()` alone waits for hung and idle connections. */
async function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of sockets) socket.destroy()
  await closed
}
