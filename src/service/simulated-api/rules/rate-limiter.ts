import type { RuleConfig } from './rule-config.ts'

/** What a caller has used. `since`: start of its window, or the moment up to which its bucket was filled. */
interface Account {
  since: number
  left: number
}

/** Callers that are counted at most; who has not called for the longest time is forgotten first. */
const MOST_ACCOUNTS = 10_000

/** What callers have used, by rule and caller. */
export type RateLimiterState = readonly (readonly [name: string, account: Readonly<Account>])[]

/** Whether a request may pass, and what the caller is told. */
export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds, rounded up, until a request may pass again (or the window ends). */
  readonly resetSeconds: number
}

/** Counts requests by rule and caller, on the world clock. */
export class RateLimiter {
  /** Who called last is last. */
  readonly #accounts = new Map<string, Account>()

  /** Counts one request of `caller` at world time `at` against a rule. */
  take(ruleId: string, caller: string, config: RuleConfig<'rateLimit'>, at: number): Allowance {
    const name = `${ruleId}\u0000${caller}`
    const account = this.#accounts.get(name) ?? { since: at, left: capacityOf(config) }
    this.#accounts.delete(name)
    this.#accounts.set(name, account)
    if (this.#accounts.size > MOST_ACCOUNTS) this.#accounts.delete(this.#accounts.keys().next().value as string)
    if (config.algorithm === 'fixed') renewWindow(account, config, at)
    else fillBucket(account, config, at)
    const isAllowed = account.left >= 1
    if (isAllowed) account.left--
    return {
      isAllowed,
      limit: config.limit,
      remaining: Math.floor(account.left),
      resetSeconds: Math.max(1, Math.ceil(waitMs(account, config, at) / 1000)),
    }
  }

  /** Forgets what callers have used. */
  clear(): void {
    this.#accounts.clear()
  }

  dump(): RateLimiterState {
    return [...this.#accounts].map(([name, account]) => [name, { ...account }])
  }

  load(state: RateLimiterState): void {
    this.#accounts.clear()
    for (const [name, account] of state) this.#accounts.set(name, { ...account })
  }
}

/** Headers that tell a caller its allowance. */
export function allowanceHeaders(
  allowance: Allowance,
  style: RuleConfig<'rateLimit'>['headers'],
): Record<string, string> {
  if (style === 'none') return {}
  const prefix = style === 'x' ? 'X-RateLimit' : 'RateLimit'
  return {
    [`${prefix}-Limit`]: String(allowance.limit),
    [`${prefix}-Remaining`]: String(allowance.remaining),
    [`${prefix}-Reset`]: String(allowance.resetSeconds),
  }
}

const capacityOf = ({ algorithm, burst, limit }: RuleConfig<'rateLimit'>): number =>
  algorithm === 'tokenBucket' ? (burst ?? limit) : limit

function renewWindow(account: Account, config: RuleConfig<'rateLimit'>, at: number): void {
  const windowMs = config.windowSeconds * 1000
  const passed = Math.floor((at - account.since) / windowMs)
  if (passed < 1) return
  account.since += passed * windowMs
  account.left = config.limit
}

function fillBucket(account: Account, config: RuleConfig<'rateLimit'>, at: number): void {
  const perMs = config.limit / (config.windowSeconds * 1000)
  account.left = Math.min(capacityOf(config), account.left + (at - account.since) * perMs)
  account.since = at
}

function waitMs(account: Account, config: RuleConfig<'rateLimit'>, at: number): number {
  const windowMs = config.windowSeconds * 1000
  if (config.algorithm === 'fixed') return account.since + windowMs - at
  return ((1 - Math.min(1, account.left)) * windowMs) / config.limit
}
