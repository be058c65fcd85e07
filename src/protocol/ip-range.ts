import { isIPv4 } from 'node:net'
import { badRequest } from './errors.ts'

/** An address as a number. An IPv4-mapped IPv6 address is an IPv6 address here. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** An address or a CIDR range, parsed once. */
export interface IpRange {
  /** Canonical form: no prefix for a single address, host bits cleared, IPv4-mapped addresses as IPv4. */
  readonly text: string
  readonly bits: 32 | 128
  /** The network's address as a number, shifted right by `hostBits`. */
  readonly network: bigint
  readonly hostBits: number
}

/** The bits of `::ffff:` before the last 32 bits of an IPv4-mapped address. */
const MAPPED_PREFIX = 0xffffn
const MAPPED_PREFIX_BITS = 96
const ZONE = /%[\w.~-]{1,64}$/

/**
 * Reads an address: four decimal numbers without leading zeros (`010.0.0.1` means another address to other readers), or
 * IPv6 without a zone. Undefined for other texts.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { bits: 32, value: BigInt(`0x${toHex(text)}`) }
  // The first `isIPv6` of a process compiles its expression for 4 ms.
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]`)) return undefined
  const [head = '', tail] = text.split('::').map((half) => half.split(':').map(toHex).join(''))
  return { bits: 128, value: BigInt(`0x${tail === undefined ? head : head.padEnd(32 - tail.length, '0') + tail}`) }
}

/** A group of an address as hexadecimal digits: four, or eight for dotted decimal; empty without a group. */
function toHex(group: string): string {
  if (group === '') return ''
  if (!group.includes('.')) return group.padStart(4, '0')
  return group
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
}

/**
 * The one spelling of an address: dotted decimal for IPv4 and IPv4-mapped IPv6, RFC 5952 for IPv6, no zone. Undefined for
 * other texts.
 */
export function canonicalIp(text: string): string | undefined {
  if (isIPv4(text)) return text
  const ip = parseClientIp(text)
  return ip === undefined ? undefined : formatIp(ip)
}

/**
 * Parses an IP address or a CIDR range of either version: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`.
 *
 * @param field what the error message calls it.
 * @throws {@link ApiError} `bad_request` when `text` is neither.
 */
export function parseIpRange(text: string, field = 'ipAllowlist'): IpRange {
  const range = readRange(text.trim())
  if (range !== undefined) return range
  throw badRequest(
    `Expected \`${field}\` to be an IP address or a CIDR range, got ${JSON.stringify(text.slice(0, 80))}.`,
  )
}

/**
 * Parses an allow-list: canonical forms, in the order given, each once.
 *
 * @throws {@link ApiError} `bad_request` that names the first entry that is neither an address nor a range.
 */
export function parseIpRanges(texts: readonly string[], field = 'ipAllowlist'): IpRange[] {
  const ranges = texts.map((text, index) => parseIpRange(text, `${field}[${index}]`))
  return [...new Map(ranges.map((range) => [range.text, range])).values()]
}

/** Whether a client's address lies in one of `ranges`. False for a text that is not an address. An IPv4 address lies in no IPv6 range. */
export function isInRanges(ip: string, ranges: readonly IpRange[]): boolean {
  const address = parseClientIp(ip)
  return address !== undefined && ranges.some((range) => isInRange(address, range))
}

/** Whether an address lies in a range of its own version. */
export function isInRange({ bits, value }: IpAddress, range: IpRange): boolean {
  return bits === range.bits && value >> BigInt(range.hostBits) === range.network
}

/** Reads the address of a client as sockets and proxies write it: a zone does not count, a mapped address is IPv4. */
function parseClientIp(text: string): IpAddress | undefined {
  const ip = parseIp(text.includes(':') ? text.replace(ZONE, '') : text)
  return ip !== undefined && isMapped(ip) ? { bits: 32, value: ip.value & 0xffffffffn } : ip
}

function isMapped({ bits, value }: IpAddress): boolean {
  return bits === 128 && value >> 32n === MAPPED_PREFIX
}

function readRange(text: string): IpRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const ip = parseClientIp(address)
  if (ip === undefined || rest.length > 0) return undefined
  if (prefix === undefined) return { text: formatIp(ip), bits: ip.bits, network: ip.value, hostBits: 0 }
  // A prefix after a mapped address includes the 96 bits before the IPv4 address.
  const isWrittenAsIpv6 = address.includes(':')
  const length = Number(prefix) - (isWrittenAsIpv6 && ip.bits === 32 ? MAPPED_PREFIX_BITS : 0)
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || length < 0 || length > ip.bits) return undefined
  const hostBits = ip.bits - length
  const network = ip.value >> BigInt(hostBits)
  const first = formatIp({ bits: ip.bits, value: network << BigInt(hostBits) })
  return { text: hostBits === 0 ? first : `${first}/${length}`, bits: ip.bits, network, hostBits }
}

function formatIp({ bits, value }: IpAddress): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
  return compressIpv6(
    value
      .toString(16)
      .padStart(32, '0')
      .replace(/.{4}(?!$)/g, '$&:'),
  )
}

/** Any spelling of an IPv6 address as RFC 5952 has it, with hexadecimal groups alone. */
function compressIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
