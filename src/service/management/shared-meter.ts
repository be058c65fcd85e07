import type { Account } from '../account/account.ts'
import type { RequestMeter } from '../simulation/origin/simulation-init.ts'
import type { UsageTally } from './usage-tally.ts'

/** From this number of remaining requests on, all nodes count each request before the next is accepted. */
const EXACT_FROM = 1_000

/** Counts the requests of an account whose simulations several nodes serve. */
export class SharedMeter implements RequestMeter {
  readonly #account: Account
  readonly #usage: Pick<UsageTally, 'tally'>

  constructor(account: Account, usage: Pick<UsageTally, 'tally'>) {
    this.#account = account
    this.#usage = usage
  }

  get isOverRequestLimit(): boolean {
    return this.#account.isOverRequestLimit
  }

  countRequest(): void {
    this.#account.countRequest()
  }

  whenCounted(): Promise<void> | undefined {
    // If the store does not answer, the last known count applies.
    return this.#account.requestsLeft > EXACT_FROM ? undefined : this.#usage.tally().catch(() => {})
  }
}
