import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalIp, type IpRange, isInRanges } from '../../protocol/ip-range.ts'

/** The sender of a request, and the address that it used. */
export interface Visitor {
  /** Canonical form. */
  readonly ip: string
  /** Scheme and authority: `http://127.0.0.1:4010`. */
  readonly origin: string
  /** Whether a page of this machine, or of an origin in `corsOrigins`, sent it. */
  readonly isTrustedPage: boolean
}

export type FindVisitor = (request: IncomingMessage) => Visitor

/** Path and query of a request. A proxy's client sends whole URLs, and `*` with OPTIONS. */
export function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed === undefined ? '/' : parsed.pathname + parsed.search
}

/** An origin without a path. */
const ORIGIN = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/

/**
 * The simulation's URL for the client, from a fixture's local port (`decisions/local-port.md`) or its host names: links in the answer use it, and
 * the log shows the client's host.
 */
export function takeBaseUrl({ headers }: IncomingMessage): string | undefined {
  const { 'svc-base-url': base } = headers
  if (typeof base !== 'string' || !ORIGIN.test(base) || !URL.canParse(base)) return undefined
  delete headers['svc-base-url']
  headers.host = new URL(base).host
  return base
}

/** Trusted proxies and origins. */
interface VisitorOptions {
  /** Proxies whose `X-Forwarded-*` headers count. */
  readonly trustProxy: readonly IpRange[]
  /** Origins of pages that may send credentials, besides those of this machine. */
  readonly corsOrigins: ReadonlySet<string>
}

/** A page of this machine (Secure Contexts, 3.1). */
const LOCAL_PAGE = /^https?:\/\/(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/**
 * Reads the visitor from the socket, and from `X-Forwarded-For`, `-Proto` and `-Host` only when the socket belongs to a
 * proxy in `trustProxy`.
 */
export function createFindVisitor({ trustProxy, corsOrigins }: VisitorOptions): FindVisitor {
  // Parsing an address and a host costs a quarter of a request, so each connection caches them.
  const known = new WeakMap<Socket, Connection>()
  const visitorBy = ({ socket, headers: { host = '' } }: IncomingMessage): Visitor => {
    const before = known.get(socket)
    if (before?.host === host) return before.visitor
    const ip = before?.visitor.ip ?? canonicalIp(socket.remoteAddress ?? '') ?? '0.0.0.0'
    const authority = isHost(host) ? host : `127.0.0.1:${socket.localPort}`
    const origin = `${'encrypted' in socket ? 'https' : 'http'}://${authority}`
    const visitor = { ip, origin, isTrustedPage: false }
    known.set(socket, { host, visitor })
    return visitor
  }
  return (request) => {
    const plain = visitorBy(request)
    const page = request.headers.origin
    const isTrustedPage = page !== undefined && (LOCAL_PAGE.test(page) || corsOrigins.has(page))
    const direct = isTrustedPage ? { ...plain, isTrustedPage } : plain
    return trustProxy.length > 0 && isInRanges(direct.ip, trustProxy) ? forwarded(request, direct, trustProxy) : direct
  }
}

/** The cached visitor of a connection, for one host. */
interface Connection {
  readonly host: string
  readonly visitor: Visitor
}

/** A name or an address, with or without a port. Our URLs contain no other `Host` header. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/
const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}`)

/** The nearest address that is no trusted proxy: the client may have invented earlier ones. */
function forwarded(request: IncomingMessage, direct: Visitor, trustProxy: readonly IpRange[]): Visitor {
  const hops = header(request, 'x-forwarded-for').map((hop) => canonicalIp(withoutPort(hop)))
  const client = hops.findLastIndex((hop) => hop === undefined || !isInRanges(hop, trustProxy))
  const scheme = header(request, 'x-forwarded-proto').at(-1)
  const host = header(request, 'x-forwarded-host').at(-1) ?? ''
  const [directScheme, directHost] = direct.origin.split('://') as [string, string]
  return {
    ...direct,
    // A hop without an address (`unknown`, RFC 7239, 6.2) counts as the proxy that wrote it, never as an earlier one.
    ip: hops.at(Math.max(client, 0)) ?? direct.ip,
    origin: `${scheme === 'http' || scheme === 'https' ? scheme : directScheme}://${isHost(host) ? host : directHost}`,
  }
}

/** Some proxies write `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return hop.replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2')
}

function header(request: IncomingMessage, name: string): string[] {
  const value = request.headers[name]
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : []
}
