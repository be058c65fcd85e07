import type { ClientRequestArgs } from 'node:http'
import { isIP, Socket, type SocketConstructorOpts } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { isRedirecting } from './redirect-sockets.ts'

/** Captured at module load: interceptors that a test starts later (MSW, nock) do not see this package's own connections. */
const connect: (options: { host: string; port: number }) => Socket = Socket.prototype.connect

/** Begins a connection of this package itself, without TLS. */
export function connectPlain(host: string, port: number, options: SocketConstructorOpts = {}): Socket {
  return connect.call(new Socket(options).setNoDelay(true), { host, port })
}

/** {@link connectPlain} as the `createConnection` of `node:http`, for requests that no interceptor sees. */
export const createConnection = ({ host, port }: ClientRequestArgs): Socket =>
  connectPlain(host ?? 'localhost', Number(port) || 80)

/** Called once, with the open connection or with the error. */
export type OnOpen = (error: Error | null, socket: Socket | null) => void

/** As {@link connectPlain}, with TLS where `secure` has its options. Returns what `destroy` cancels. */
export function openSocket(
  { host, port, secure }: { host: string; port: number; secure?: ConnectionOptions | undefined },
  onOpen: OnOpen,
): Socket {
  const plain = connectPlain(host, port)
  let isOpen = false
  const settle = (error: Error | null, socket: Socket | null) => {
    if (!isOpen) onOpen(error, socket)
    isOpen = true
  }
  const fail = (error: Error) => settle(error, null)
  plain.on('error', fail)
  plain.once('close', () => fail(new Error('the connection was closed before it was open')))
  plain.once('connect', () => {
    if (plain.remoteAddress === undefined) plain.destroy(new Error(INTERCEPTED))
    else if (!secure) settle(null, plain)
    else {
      const session = process.getBuiltinModule('node:tls').connect({ ...secure, socket: plain, host })
      session.once('secureConnect', () => settle(null, session)).on('error', fail)
    }
  })
  return plain
}

/** {@link createConnection} with TLS. It begins once the connection is open: Node crashes if a host's second address is tried meanwhile. */
export function createSecureConnection(
  { host, port }: ClientRequestArgs,
  onOpen: (error: Error | null, socket: Socket) => void,
): undefined {
  const name = host ?? 'localhost'
  const secure = { servername: isIP(name) ? '' : name }
  openSocket({ host: name, port: Number(port) || 443, secure }, (error, socket) => onOpen(error, socket as Socket))
}

/** An interceptor that was there first emulates the connection. */
const INTERCEPTED =
  "connection error: an interceptor in this process (MSW, nock) holds the connection. Import 'backlot' before the interceptor starts"

/** Whether something in the process intercepts connections. */
export const areSocketsIntercepted = (): boolean =>
  Socket.prototype.connect !== connect && !isRedirecting(Socket.prototype.connect)
