import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalIp, type IpRange, isInRanges } from '../../protocol/ip-range.ts'

/** Who sent a request, and by which address it reached us. */
export interface Visitor {
  /** Canonical form. */
  readonly ip: string
  /** Scheme and authority: `http://127.0.0.1:4010`. */
  readonly origin: string
  /** Whether a page of this machine, or of an origin that `corsOrigins` names, sent it. */
  readonly isTrustedPage: boolean
}

/** Finds the visitor of a request. */
export type FindVisitor = (request: IncomingMessage) => Visitor

/** Whom to trust. */
interface VisitorOptions {
  /** Proxies whose `X-Forwarded-*` headers count. */
  readonly trustProxy: readonly IpRange[]
  /** Origins of pages that may send credentials, beside those of this machine. */
  readonly corsOrigins: ReadonlySet<string>
}

/** A page of this machine (Secure Contexts, 3.1). */
const LOCAL_PAGE = /^https?:\/\/(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/**
 * Reads the visitor from the socket, and from `X-Forwarded-For`, `-Proto` and `-Host` only when the socket belongs to a
 * proxy that `trustProxy` names.
 */
export function createFindVisitor({ trustProxy, corsOrigins }: VisitorOptions): FindVisitor {
  // To read an address and a host costs a quarter of what a request costs; a connection keeps its own.
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

/** What the requests of a connection say of their visitor, for as long as they name one host. */
interface Connection {
  readonly host: string
  readonly visitor: Visitor
}

/** A name or an address, with a port or without. What else a `Host` header may hold goes into no URL of ours. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/
const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}`)

/** The nearest address that no trusted proxy has: what stands before it may have been made up by the client. */
function forwarded(request: IncomingMessage, direct: Visitor, trustProxy: readonly IpRange[]): Visitor {
  const hops = header(request, 'x-forwarded-for').map((hop) => canonicalIp(withoutPort(hop)))
  const client = hops.findLastIndex((hop) => hop === undefined || !isInRanges(hop, trustProxy))
  const scheme = header(request, 'x-forwarded-proto').at(-1)
  const host = header(request, 'x-forwarded-host').at(-1) ?? ''
  const [directScheme, directHost] = direct.origin.split('://') as [string, string]
  return {
    ...direct,
    // A hop that names no address (`unknown`, RFC 7239, 6.2) counts as the proxy that wrote it, never as one before it.
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
