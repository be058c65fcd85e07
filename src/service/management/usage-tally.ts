import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { Accounts } from '../account/accounts.ts'
import type { Store } from '../store/store.ts'

/** How often what this node has counted is added to what all have, and accounts are looked at. */
const TALLY_MS = 1_000

/** The requests of accounts, counted by all nodes of a store. What a node counted in its last second may be lost with it. */
export class UsageTally {
  readonly #store: Store
  readonly #accounts: Accounts
  readonly #timer: WakeTimer
  #current: Promise<void> = Promise.resolve()
  #isKnown = false
  #isClosed = false

  constructor(store: Store, accounts: Accounts, { startTimer }: Pick<Runtime, 'startTimer'>) {
    this.#store = store
    this.#accounts = accounts
    this.#timer = new WakeTimer(startTimer)
  }

  /** Resolves when it is known what has been counted before. */
  async start(): Promise<void> {
    await this.tally()
    this.#wake()
  }

  /** Tells the store what was counted here, and takes what it knows. Rejects where it gives no answer. */
  tally(): Promise<void> {
    const done = this.#current.then(() => this.#tell())
    this.#current = done.catch(() => {})
    return done
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer.stop()
    await this.tally().catch(() => {})
  }

  #wake(): void {
    if (this.#isClosed) return
    this.#timer.wakeIn(TALLY_MS, () => {
      // A second that the store gives no answer to is lost: it may have been added.
      void this.tally()
        .catch(() => {})
        .then(() => this.#wake())
    })
  }

  async #tell(): Promise<void> {
    await this.#accounts.refresh()
    const accounts = this.#accounts.known()
    const counts = accounts.map((account) => ({ account: account.name, ...account.takeCounted() }))
    // One service alone knows every count.
    if (!this.#store.isShared && this.#isKnown && counts.every(({ requests }) => requests === 0)) return
    const totals = await this.#store.ledger.tally(counts)
    this.#isKnown = true
    const byName = new Map(accounts.map((account) => [account.name, account]))
    for (const { account, month, requests } of totals) byName.get(account)?.noteTotal(month, requests)
  }
}
