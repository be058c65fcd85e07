import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Server as TlsServer } from 'node:tls'
import { http } from '../runtime/node-http.ts'
import { sleep, startTimer } from '../runtime/timers.ts'
import { answerUnderWay, HttpSessions } from './http-sessions.ts'

/** How long a client may take and how much it may send, so that no client can use up the machine. */
export interface ServerLimits {
  /** From connecting to the end of the TLS handshake; where TLS is sniffed, also from connecting to the first byte. */
  handshakeTimeoutMs: number
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number
  /** From the first byte of a request to its last. */
  requestTimeoutMs: number
  /** How often the two above are looked at. */
  connectionsCheckingIntervalMs: number
  keepAliveTimeoutMs: number
  headerBytes: number
  sockets: number
}

/** A certificate with its key, PEM. */
export interface ServerCertificate {
  cert: string
  key: string
}

/** Takes HTTP requests, or the bytes of each connection in their place. */
export type ServerOptions = BoundOptions & (RequestOptions | SessionOptions)

/** What every port needs. */
interface BoundOptions {
  /** Address to bind. */
  host: string
  /** Port to bind; 0 for any free one. */
  port: number
  /**
   * `always` takes TLS alone, `sniffed` takes TLS and plain HTTP on the same port. The certificate is asked for once, by
   * the first TLS client.
   */
  tls: 'none' | { accept: 'always' | 'sniffed'; certificate: () => Promise<ServerCertificate> }
  limits: ServerLimits
  /** Whether the port and its connections keep the process alive. @default true */
  holdsProcess?: boolean | undefined
}

/** A port that answers HTTP requests. */
export interface RequestOptions {
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** Receives each connection that brought no readable request. What it returns becomes the body of the answer, as JSON. */
  onRefused?: ((refused: RefusedConnection) => string | undefined) | undefined
}

/** A port that hands on bytes. */
interface SessionOptions {
  /** Receives each connection, or the TLS session over it. */
  onSession: (session: Duplex) => void
}

/** A connection that the server ended because it brought no readable request. */
export interface RefusedConnection {
  /** What failed: the making of our certificate, the TLS handshake, or reading a request. */
  readonly step: 'certificate' | 'handshake' | 'request'
  readonly error: Error & { readonly code?: string }
  /** Status of the answer; null when the client cannot be answered. */
  readonly status: 400 | 408 | 431 | null
  readonly remoteAddress: string | undefined
}

/** A bound port. */
export interface OpenServer {
  readonly ip: string
  readonly port: number
  /** Address and port as a URL has them: `127.0.0.1:4010`, `[::1]:4010`. */
  readonly authority: string
  /**
   * Makes each answer the last one of its connection, takes no more connections after `delayMs`, and waits for answers that are
   * under way, `mostMs` at most; streams of events are not waited for.
   */
  drain(wait: { delayMs: number; mostMs: number }): Promise<void>
  /** Closes the port and every connection, whatever state it is in. */
  close(): Promise<void>
}

/** First byte of a TLS handshake record (RFC 8446, 5.1). No HTTP method starts with it. */
const TLS_HANDSHAKE = 0x16

/** Binds a port. Rejects with the system's error where the port is taken. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const sockets = new Set<Socket>()
  const sessions = new HttpSessions()
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

/** Reads `host:port`, with brackets around an IPv6 address. Throws a TypeError that calls the text `field`. */
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

/** Takes connections for `server`, which does not listen: in Bun one that listens reads HTTP before TLS can be spoken. */
function createFront(server: Server, options: BoundOptions): Server {
  return (
    createPlainServer(options)
      .on('connection', (session) => server.emit('connection', session))
      // Its checks of slow connections begin and end with these.
      .once('listening', () => server.emit('listening'))
      .once('close', () => server.close())
  )
}

function createHttpServer(
  { limits, onRequest, onRefused }: BoundOptions & RequestOptions,
  sessions: HttpSessions,
): Server {
  const server = http.createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckingIntervalMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.headerBytes,
      joinDuplicateHeaders: true,
      optimizeEmptyRequests: true,
    },
    (request, response) =>
      sessions.begin(request, response, () => {
        const fault = faultOf(request)
        if (sessions.isEnding) response.shouldKeepAlive = false
        if (fault === undefined) onRequest(request, response)
        else refuseRead(fault, request, response, onRefused)
      }),
  )
  server.maxConnections = limits.sockets
  server.on('clientError', (error, socket) => refuseRequest(error, socket as Socket, onRefused))
  return server
}

/** Puts TLS before the server's own handling of connections. */
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

/** What a connection goes through before HTTP is read from it. */
function toEntrance(serve: (socket: Duplex) => void, options: ServerOptions): (socket: Socket) => void {
  const { tls, limits } = options
  if (tls === 'none') return serve
  const onRefused = 'onRequest' in options ? options.onRefused : undefined
  const serveTls = createTlsDoor(serve, { ...tls, limits, onRefused })
  if (tls.accept === 'always') return serveTls
  return (socket) =>
    waitForFirstByte(socket, limits, (byte) => {
      if (byte === TLS_HANDSHAKE) return serveTls(socket)
      serve(socket)
      socket.resume()
    })
}

/** Calls `next` when the client has sent something, with what it sent still to be read. */
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

/** Loads TLS, and asks for the certificate, when the first client needs them. */
function createTlsDoor(
  serve: (session: Duplex) => void,
  options: Pick<BoundOptions, 'limits'> &
    Pick<RequestOptions, 'onRefused'> & { certificate: () => Promise<ServerCertificate> },
): (socket: Socket) => void {
  let door: Promise<TlsServer> | undefined
  const refuse = (step: RefusedConnection['step'], error: Error, socket: Socket) => {
    options.onRefused?.({ step, error, status: null, remoteAddress: socket.remoteAddress })
    socket.destroy()
  }
  const open = async () => {
    const [tls, { cert, key }] = await Promise.all([import('node:tls'), options.certificate()])
    const handshakeTimeout = options.limits.handshakeTimeoutMs
    const server = tls.createServer({ cert, key, handshakeTimeout, ALPNProtocols: ['http/1.1'] })
    server.on('secureConnection', serve)
    server.on('tlsClientError', (error, socket) => refuse('handshake', error, socket))
    return server
  }
  return (socket) => {
    door ??= open()
    door.then(
      (server) => server.emit('connection', socket),
      (error: Error) => refuse('certificate', error, socket),
    )
  }
}

/** Answers, in place of Node, a request that is not HTTP, too slow or too large; then closes the connection. */
function refuseRequest(error: Error & { code?: string }, socket: Socket, onRefused: RequestOptions['onRefused']): void {
  // Bytes of ours would land in the middle of an earlier answer.
  const hasBegun = answerUnderWay(socket)?.headersSent === true
  const isAnswerable = socket.writable && error.code !== 'ECONNRESET' && !hasBegun
  const status = isAnswerable ? statusOf(error.code) : null
  const body = onRefused?.({ step: 'request', error, status, remoteAddress: socket.remoteAddress }) ?? ''
  if (status === null) {
    socket.destroy()
    return
  }
  const type = body === '' ? '' : 'content-type: application/json\r\n'
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nconnection: close\r\n${type}` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/** What is wrong with a request that Node takes (RFC 9112, 3.2 and 2.3): two hosts, or no version. */
function faultOf({ headers, httpVersionMajor }: IncomingMessage): string | undefined {
  if (httpVersionMajor < 1) return 'HTTP/0.9 is not spoken here'
  // Several lines are joined by commas, and no host has one.
  return headers.host?.includes(',') ? 'there is more than one host' : undefined
}

/** Answers a request that was read and is refused all the same. */
function refuseRead(
  fault: string,
  { socket }: IncomingMessage,
  response: ServerResponse,
  onRefused: RequestOptions['onRefused'],
): void {
  const { remoteAddress } = socket
  const body = onRefused?.({ step: 'request', error: new Error(fault), status: 400, remoteAddress }) ?? ''
  response.writeHead(400, { connection: 'close', ...(body !== '' && { 'content-type': 'application/json' }) })
  response.end(body)
}

function statusOf(code: string | undefined): 400 | 408 | 431 {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}

/** Destroys every socket, and with it the TLS session over it: `server.close()` alone waits for hung and idle connections. */
async function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of sockets) socket.destroy()
  await closed
}
