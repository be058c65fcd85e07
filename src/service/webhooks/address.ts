import { isIPv4, isIPv6 } from 'node:net'

/** An IP address as bytes: 4 or 16 of them. */
export type AddressBytes = readonly number[]

/**
 * IPv4 ranges that no webhook may reach: this host, private, shared, loopback, link-local and cloud metadata, protocol
 * assignments, documentation, relay, benchmarking, multicast, reserved (IANA special-purpose registry), and Azure's host.
 */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
].map(parseRange)

/** The one part of IPv6 that is handed out for public use. Everything outside is refused. */
const PUBLIC_IPV6 = parseRange('2000::/3')

/** Parts of 2000::/3 that are not public: protocol assignments with Teredo, documentation, 6to4. */
const FORBIDDEN_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(parseRange)

/** NAT64 (RFC 6052): on a network with DNS64 the last four bytes are the IPv4 address that is really reached. */
const NAT64 = parseRange('64:ff9b::/96')

interface Range {
  bytes: AddressBytes
  bits: number
}

/** Whether an address is public, judged by its bytes. What cannot be read, or names a zone, is not. */
export function isPublicAddress(address: string): boolean {
  const bytes = parseAddress(address)
  if (!bytes) return false
  if (bytes.length === 4) return isPublicIpv4(bytes)
  if (isInRange(bytes, NAT64)) return isPublicIpv4(bytes.slice(12))
  return isInRange(bytes, PUBLIC_IPV6) && !FORBIDDEN_IPV6.some((range) => isInRange(bytes, range))
}

/** The bytes of an IPv4 or IPv6 address; undefined for anything else, zones (`fe80::1%eth0`) included. */
export function parseAddress(address: string): AddressBytes | undefined {
  if (isIPv4(address)) return address.split('.').map(Number)
  if (!isIPv6(address) || address.includes('%')) return undefined
  return parseIpv6(address)
}

/** Whether two addresses are the same, whatever their spelling. A mapped IPv4 address is not that IPv4 address. */
export function isSameAddress(left: string, right: string): boolean {
  const bytes = parseAddress(left)
  return bytes !== undefined && bytes.join() === parseAddress(right)?.join()
}

function isPublicIpv4(bytes: AddressBytes): boolean {
  return !FORBIDDEN_IPV4.some((range) => isInRange(bytes, range))
}

function isInRange(bytes: AddressBytes, range: Range): boolean {
  if (bytes.length !== range.bytes.length) return false
  for (let bit = 0; bit < range.bits; bit += 8) {
    const width = Math.min(8, range.bits - bit)
    const mask = (0xff << (8 - width)) & 0xff
    const at = bit >> 3
    if (((bytes[at] ?? 0) & mask) !== ((range.bytes[at] ?? 0) & mask)) return false
  }
  return true
}

/** The text is known to be legal, so there is at most one `::` and an IPv4 tail only at the end. */
function parseIpv6(address: string): AddressBytes {
  const [left = '', right] = address.split('::')
  const head = toBytes(left)
  if (right === undefined) return head
  const tail = toBytes(right)
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail]
}

function toBytes(groups: string): number[] {
  if (groups === '') return []
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

function parseRange(text: string): Range {
  const [address = '', bits] = text.split('/')
  return { bytes: parseAddress(address) ?? [], bits: Number(bits) }
}
