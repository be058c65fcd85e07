import { invalidRequest } from '../../protocol/errors.ts'
import { canonicalIp, type IpRange, isInRanges, parseIpRanges } from '../../protocol/ip-range.ts'
import { LIMITS } from '../../protocol/limits.ts'

/** Access settings as they are read and changed (specification, Simulation). */
export interface Access {
  ipRestrictionEnabled: boolean
  ipAllowlist: string[]
}

/** Access settings at creation. */
export interface InitialAccess extends Access {
  /** Joins the list, beside the entries that it may have (`decisions/001`). */
  creatorIp?: string | undefined
}

/** The IP allow-list of one simulation, with its switch. */
export class AccessList {
  #isEnabled: boolean
  #ranges: IpRange[]
  readonly #creatorIp: string | undefined
  /** The caller that was last looked at, and whether it may pass: requests come in rows from the same one. */
  #latest: { readonly ip: string; readonly isIn: boolean } | undefined

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
   * Changes what is given and keeps the rest; nothing is changed when an entry is invalid. What was read can be written
   * back: the creator's own address, where it is among the entries, is not counted.
   */
  change({ ipRestrictionEnabled, ipAllowlist }: { [Name in keyof Access]?: Access[Name] | undefined }): void {
    if (ipAllowlist !== undefined) {
      this.#checkCount(ipAllowlist)
      this.#ranges = parseIpRanges(ipAllowlist)
      this.#latest = undefined
    }
    if (ipRestrictionEnabled !== undefined) this.#isEnabled = ipRestrictionEnabled
  }

  admits(ip: string): boolean {
    if (!this.#isEnabled) return true
    if (this.#latest?.ip !== ip) this.#latest = { ip, isIn: isInRanges(ip, this.#ranges) }
    return this.#latest.isIn
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
