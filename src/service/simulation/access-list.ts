import { badRequest } from '../../protocol/errors.ts'
import { type IpRange, isInRanges, parseIpRanges } from '../../protocol/ip-range.ts'
import { LIMITS } from '../../protocol/limits.ts'

/** Access settings as they are read and changed (specification, Simulation). */
export interface Access {
  ipRestrictionEnabled: boolean
  ipAllowlist: string[]
}

/** The IP allow-list of one simulation, with its switch. */
export class AccessList {
  #isEnabled: boolean
  #ranges: IpRange[]
  /** The caller that was last looked at, and whether it may pass: requests come in rows from the same one. */
  #latest: { readonly ip: string; readonly isIn: boolean } | undefined

  /** Throws `bad_request` for an entry that is neither an address nor a CIDR range. */
  constructor({ ipRestrictionEnabled, ipAllowlist }: Access) {
    this.#isEnabled = ipRestrictionEnabled
    this.#ranges = parseIpRanges(ipAllowlist)
  }

  read(): Access {
    return { ipRestrictionEnabled: this.#isEnabled, ipAllowlist: this.#ranges.map(({ text }) => text) }
  }

  /** Changes what is given and keeps the rest; nothing is changed when an entry is invalid. */
  change({ ipRestrictionEnabled, ipAllowlist }: { [Name in keyof Access]?: Access[Name] | undefined }): void {
    if (ipAllowlist !== undefined && ipAllowlist.length > LIMITS.ipAllowlistEntries) {
      throw badRequest(
        `Expected \`ipAllowlist\` to have at most ${LIMITS.ipAllowlistEntries} entries, got ${ipAllowlist.length}.`,
      )
    }
    if (ipAllowlist !== undefined) {
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
}
