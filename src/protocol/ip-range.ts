import { badRequest } from './errors.ts'

/** An address or a CIDR range, parsed once. */
export interface IpRange {
  /** Canonical form: no prefix for a single address, host bits cleared, IPv4-mapped addresses as IPv4. */
  readonly text: string
  readonly version: 4 | 6
  /** The network's address as a number, shifted right by `hostBits`. */
  readonly network: bigint
  readonly hostBits: number
}

interface IpAddress {
  readonly version: 4 | 6
  readonly value: bigint
}

const BITS = { 4: 32, 6: 128 } as const
const MAPPED_PREFIX = 0xffffn

/**
 * Parses an IP address or a CIDR range of either version: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`.
 *
 * @param field what the error message calls it.
 * @throws {@link ApiError} `bad_request` when `text` is neither.
 */
export function parseIpRange(text: string, field = 'ipAllowlist'): IpRange {
  const [address, prefix, ...rest] = text.trim().split('/')
  const ip = parseIp(address ?? '')
  const range = ip === undefined || rest.length > 0 ? undefined : toRange(ip, prefix)
  if (range === undefined) {
    throw badRequest(
      `Expected \`${field}\` to be an IP address or a CIDR range, got ${JSON.stringify(text.slice(0, 80))}.`,
    )
  }
  return range
}

/**
 * Parses an allow-list: canonical forms, in the order given, each once.
 *
 * @throws {@link ApiError} `bad_request` that names the first entry that is neither an address nor a range.
 */
export function parseIpRanges(texts: readonly string[], field = 'ipAllowlist'): IpRange[] {
  const ranges = new Map<string, IpRange>()
  for (const [index, text] of texts.entries()) {
    const range = parseIpRange(text, `${field}[${index}]`)
    ranges.set(range.text, range)
  }
  return [...ranges.values()]
}

/** Whether `ip` lies in one of `ranges`. False for what is no address. An IPv4 address never lies in an IPv6 range. */
export function isInRanges(ip: string, ranges: readonly IpRange[]): boolean {
  const address = parseIp(ip)
  if (address === undefined) return false
  return ranges.some(
    ({ version, network, hostBits }) => version === address.version && address.value >> BigInt(hostBits) === network,
  )
}

/**
 * The one spelling of an address: dotted decimal for IPv4 and IPv4-mapped IPv6, RFC 5952 for IPv6, no zone. Undefined for
 * what is no address.
 */
export function canonicalIp(text: string): string | undefined {
  const ip = parseIp(text)
  return ip === undefined ? undefined : formatIp(ip)
}

function toRange(ip: IpAddress, prefix: string | undefined): IpRange | undefined {
  const bits = BITS[ip.version]
  if (prefix === undefined) return { text: formatIp(ip), version: ip.version, network: ip.value, hostBits: 0 }
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined
  const length = Number(prefix) - (isMapped(ip) ? 96 : 0)
  if (length < 0 || length > bits) return undefined
  const hostBits = bits - length
  const network = ip.value >> BigInt(hostBits)
  const text = formatIp({ version: ip.version, value: network << BigInt(hostBits) })
  return { text: hostBits === 0 ? text : `${text}/${length}`, version: ip.version, network, hostBits }
}

/** Mapped addresses carry a mark, so that a prefix that was written for 128 bits is read as one for 32. */
interface MappedAddress extends IpAddress {
  readonly mapped: true
}

const isMapped = (ip: IpAddress): ip is MappedAddress => 'mapped' in ip

function parseIp(text: string): IpAddress | MappedAddress | undefined {
  const v4 = parseIpv4(text)
  if (v4 !== undefined) return { version: 4, value: v4 }
  const v6 = parseIpv6(text.replace(/%[\w.~-]{1,64}$/, ''))
  if (v6 === undefined) return undefined
  return v6 >> 32n === MAPPED_PREFIX ? { version: 4, value: v6 & 0xffffffffn, mapped: true } : { version: 6, value: v6 }
}

/** Strict: four decimal numbers without leading zeros, since `010.0.0.1` means another address to other readers. */
function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0] as string, halves.length === 1)
  const tail = halves.length === 2 ? parseGroups(halves[1] as string, true) : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array<number>(missing).fill(0), ...tail]
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n)
}

/** Groups of 16 bits; the last of an address may be dotted decimal, which makes two. */
function parseGroups(text: string, atEnd: boolean): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    const v4 = atEnd && index === parts.length - 1 ? parseIpv4(part) : undefined
    if (v4 !== undefined) groups.push(Number(v4 >> 16n), Number(v4 & 0xffffn))
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

function formatIp({ version, value }: IpAddress): string {
  return version === 4 ? formatIpv4(value) : formatIpv6(value)
}

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
}

/** RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups as `::`. */
function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn))
  const run = longestZeroRun(groups)
  const text = (part: number[]) => part.map((group) => group.toString(16)).join(':')
  if (run.length < 2) return text(groups)
  return `${text(groups.slice(0, run.start))}::${text(groups.slice(run.start + run.length))}`
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === 0) end++
    if (end - start > best.length) best = { start, length: end - start }
  }
  return best
}
