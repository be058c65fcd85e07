import { isIP } from 'node:net'
import { type IpAddress, isInRange, parseIp, parseIpRange } from '../../protocol/ip-range.ts'
import { once } from '../../runtime/once.ts'

/**
 * Forbidden IPv4 ranges of webhooks: this host, private, shared, loopback, link-local and cloud metadata, protocol
 * assignments, documentation, relay, benchmarking, multicast, reserved (IANA special-purpose registry), and Azure's
 * host.
 */
const FORBIDDEN_IPV4 =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  168.63.129.16/32`.split(/\s+/)

/** The only public range of IPv6. All else is refused, including mapped IPv4 addresses. */
const PUBLIC_IPV6 = '2000::/3'

/** Parts of 2000::/3 that are not public: protocol assignments with Teredo, documentation, 6to4. */
const FORBIDDEN_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** NAT64 (RFC 6052): on a network with DNS64 the last four bytes are the IPv4 address actually reached. */
const NAT64 = '64:ff9b::/96'

/** The ranges as they are compared. They are read for the first address that is judged: a test file whose deliveries go to its sink judges none. */
const ranges = once(() => ({
  forbiddenIpv4: FORBIDDEN_IPV4.map((range) => parseIpRange(range)),
  publicIpv6: parseIpRange(PUBLIC_IPV6),
  forbiddenIpv6: FORBIDDEN_IPV6.map((range) => parseIpRange(range)),
  nat64: parseIpRange(NAT64),
}))

/** Whether an address is public. Unreadable addresses, and those with a zone, are not. */
export function isPublicAddress(address: string): boolean {
  const ip = parseIp(address)
  if (ip === undefined) return false
  if (ip.bits === 32) return isPublicIpv4(ip)
  const { nat64, publicIpv6, forbiddenIpv6 } = ranges()
  if (isInRange(ip, nat64)) return isPublicIpv4({ bits: 32, value: ip.value & 0xffffffffn })
  return isInRange(ip, publicIpv6) && !forbiddenIpv6.some((range) => isInRange(ip, range))
}

/** Whether two addresses are equal, in any spelling. A mapped IPv4 address is different from that IPv4 address. */
export function isSameAddress(left: string, right: string): boolean {
  if (left === right && isIP(left) !== 0) return true
  const [one, other] = [parseIp(left), parseIp(right)]
  return one !== undefined && one.bits === other?.bits && one.value === other.value
}

function isPublicIpv4(ip: IpAddress): boolean {
  return !ranges().forbiddenIpv4.some((range) => isInRange(ip, range))
}
