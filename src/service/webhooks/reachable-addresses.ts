import { type IpRange, isInRanges, parseIpRanges } from '../../protocol/ip-range.ts'
import { once } from '../../runtime/once.ts'
import { isPublicAddress, isSameAddress } from './address.ts'

/** A sink of this run on loopback: deliveries may reach it, only with this authority. */
export interface SinkAddress {
  ip: string
  port: number
  /** PEM of the authority that its certificate must have; a promise, or a function called at first use. */
  ca: string | Promise<string> | (() => Promise<string>)
}

/**
 * Addresses that no option allows: this host's unspecified address, link-local addresses, and the metadata addresses of
 * clouds, which give out credentials (AWS, Google and Azure use 169.254.169.254; Alibaba, Oracle, and AWS and Google
 * over IPv6 the others).
 */
const never = once(() =>
  parseIpRanges(
    `0.0.0.0/8 169.254.0.0/16 100.100.100.200 192.0.0.192 168.63.129.16 :: fe80::/10 fd00:ec2::/32 fd20:ce::254
    64:ff9b::a9fe:0/112`.split(/\s+/),
  ),
)

/** Allowed addresses of deliveries: public ones, private ranges of an option, and the sinks of this run. */
export class ReachableAddresses {
  readonly #privateRanges: readonly IpRange[]
  readonly #sinks = new Set<SinkAddress>()

  /** @throws {@link ApiError} `bad_request` that names the first entry that is neither an address nor a CIDR range. */
  constructor(allowPrivateWebhooks: readonly string[] = []) {
    this.#privateRanges = parseIpRanges(allowPrivateWebhooks, 'allowPrivateWebhooks')
  }

  /** Whether private addresses are allowed: then names of local networks are resolved. */
  get hasPrivate(): boolean {
    return this.#privateRanges.length > 0
  }

  /** Whether deliveries may reach this address, on any port. */
  includes(address: string): boolean {
    return isPublicAddress(address) || this.includesPrivate(address)
  }

  /** Whether an option allows this address: only then may a delivery go without TLS. */
  includesPrivate(address: string): boolean {
    return isInRanges(address, this.#privateRanges) && !isInRanges(address, never())
  }

  /** Allows deliveries to a sink until the returned function is called. */
  add(sink: SinkAddress): () => void {
    const entry = { ...sink }
    this.#sinks.add(entry)
    return () => {
      this.#sinks.delete(entry)
    }
  }

  /** The sink at exactly this address and port. Names are not resolved for it. */
  findSink(ip: string, port: number): SinkAddress | undefined {
    for (const sink of this.#sinks) if (sink.port === port && isSameAddress(sink.ip, ip)) return sink
    return undefined
  }
}
