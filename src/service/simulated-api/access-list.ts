import { invalidRequest } from '../../protocol/errors.ts'
import { canonicalIp, type IpRange, isInRanges, parseIpRanges } from '../../protocol/ip-range.ts'
import { LIMITS } from '../../protocol/limits.ts'

/** Access settings in reads and changes (specification, Simulation). */
export interface Access {
  ipRestrictionEnabled: boolean
  ipAllowlist: string[]
}

/** Access settings at creation. */
export interface InitialAccess extends Access {
  /** Added to the list, without counting against its limit (`decisions/specification-deviations.md`). */
  creatorIp?: string | undefined
}

/** Most cached verdicts: a simulation has few clients. */
const MOST_VERDICTS = 1_000

/** The IP allow-list of one simulation, with its switch. */
export class AccessList {
  #isEnabled: boolean
  #ranges: IpRange[]
  /** Whether the ranges include an address, by its form in sockets. */
  readonly #verdicts = new Map<string, boolean>()
  readonly #creatorIp: string | undefined

  /** Throws `bad_request` for an entry that is neither an address nor a CIDR range. */
  constructor({ ipRestrictionEnabled, ipAllowlist, creatorIp }: InitialAccess) {
    this.#isEnabled = ipRestrictionEnabled
    this.#ranges = parseIpRanges(creatorIp === undefined ? ipAllowlist : [...ipAllowlist, creatorIp])
    this.#creatorIp = creatorIp === undefined ? undefined : canonicalIp(creatorIp)
  }

  read(): Access {
    return { ipRestrictionEnabled: this.#isEnabled, ipAllowlist: this.#ranges.map(({ text }) => text) }
  }

  /**
   * Changes the given settings and keeps the others; an invalid entry changes nothing. The result of a read can be
   * written back: the creator's own address does not count.
   */
  change({ ipRestrictionEnabled, ipAllowlist }: { [Name in keyof Access]?: Access[Name] | undefined }): void {
    if (ipAllowlist !== undefined) {
      this.#checkCount(ipAllowlist)
      this.#ranges = parseIpRanges(ipAllowlist)
      this.#verdicts.clear()
    }
    if (ipRestrictionEnabled !== undefined) this.#isEnabled = ipRestrictionEnabled
  }

  admits(ip: string): boolean {
    return !this.#isEnabled || this.#holds(ip)
  }

  #holds(ip: string): boolean {
    let verdict = this.#verdicts.get(ip)
    if (verdict === undefined) {
      if (this.#verdicts.size >= MOST_VERDICTS) this.#verdicts.clear()
      verdict = isInRanges(ip, this.#ranges)
      this.#verdicts.set(ip, verdict)
    }
    return verdict
  }

  #checkCount(entries: readonly string[]): void {
    const most = LIMITS.ipAllowlistEntries
    const creator = this.#creatorIp
    const isCreatorToo = creator !== undefined && entries.length === most + 1
    if (entries.length <= most || (isCreatorToo && entries.some((entry) => canonicalIp(entry) === creator))) return
    throw invalidRequest(
      `Expected \`ipAllowlist\` to have, beside the creator's own address, at most ${most} items, got ${entries.length}.`,
    )
  }
}
