import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalIp, type IpRange, isInRanges } from '../../protocol/ip-range.ts'

/** Who sent a request, and by which address it reached us. */
export interface Caller {
  /** Canonical form. */
  readonly ip: string
  /** Scheme and authority: `http://127.0.0.1:4010`. */
  readonly origin: string
}

/** Finds the caller of a request. */
export type FindCaller = (request: IncomingMessage) => Caller

/**
 * Reads the caller from the socket, and from `X-Forwarded-For`, `-Proto` and `-Host` only when the socket belongs to a
 * proxy that `trustProxy` names.
 */
export function createFindCaller(trustProxy: readonly IpRange[]): FindCaller {
  const ips = new WeakMap<Socket, string>()
  const ipOf = (socket: Socket): string => {
    const known = ips.get(socket)
    if (known !== undefined) return known
    const ip = canonicalIp(socket.remoteAddress ?? '') ?? '0.0.0.0'
    ips.set(socket, ip)
    return ip
  }
  return (request) => {
    const ip = ipOf(request.socket)
    const direct = { ip, origin: originOf(request, 'encrypted' in request.socket ? 'https' : 'http') }
    return trustProxy.length > 0 && isInRanges(ip, trustProxy) ? forwarded(request, direct, trustProxy) : direct
  }
}

function originOf(request: IncomingMessage, scheme: string): string {
  return `${scheme}://${request.headers.host ?? `127.0.0.1:${request.socket.localPort}`}`
}

/** The nearest address that no trusted proxy has: what stands before it may have been made up by the client. */
function forwarded(request: IncomingMessage, direct: Caller, trustProxy: readonly IpRange[]): Caller {
  const hops = header(request, 'x-forwarded-for').map((hop) => canonicalIp(hop))
  const client = hops.findLast((hop) => hop === undefined || !isInRanges(hop, trustProxy))
  const scheme = header(request, 'x-forwarded-proto').at(-1)
  const host = header(request, 'x-forwarded-host').at(-1)
  const [directScheme, directHost] = direct.origin.split('://') as [string, string]
  return {
    ip: client ?? hops[0] ?? direct.ip,
    origin: `${scheme === 'http' || scheme === 'https' ? scheme : directScheme}://${host ?? directHost}`,
  }
}

function header(request: IncomingMessage, name: string): string[] {
  const value = request.headers[name]
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : []
}
