import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { Accounts } from '../account/accounts.ts'
import { KEPT_WITHIN_MS } from '../store/request-rows.ts'
import type { Store } from '../store/store.ts'

/** Interval of adding this node's counts to the total, with and without other nodes. */
const SHARED_MS = 100
const ALONE_MS = 1_000
/** Interval of checking accounts and other nodes' counts. */
const LOOK_MS = 1_000

/** The requests of accounts, counted by all nodes of a store. Counts that are not in the store yet are lost with the node. */
export class UsageTally {
  readonly #store: Store
  readonly #accounts: Accounts
  readonly #runtime: Pick<Runtime, 'startTimer' | 'clock' | 'sleep'>
  readonly #timer: WakeTimer
  #current: Promise<void> = Promise.resolve()
  /** A tally that has not started. */
  #next: Promise<void> | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #isKnown = false
  #isClosed = false

  constructor(store: Store, accounts: Accounts, runtime: Pick<Runtime, 'startTimer' | 'clock' | 'sleep'>) {
    this.#store = store
    this.#accounts = accounts
    this.#runtime = runtime
    this.#timer = new WakeTimer(runtime.startTimer)
  }

  /** Resolves when earlier counts are known. */
  async start(): Promise<void> {
    await this.tally()
    this.#wake()
  }

  /** Adds this node's counts to the store, and reads the totals. Rejects where the store does not answer. */
  tally(): Promise<void> {
    if (this.#next !== undefined) return this.#next
    const done = this.#current.then(() => {
      this.#next = undefined
      return this.#exchange()
    })
    this.#next = done
    this.#current = done.catch(() => {})
    return done
  }

  /** {@link tally} with the latest counts of other nodes. */
  async read(): Promise<void> {
    if (this.#store.isShared) await this.#runtime.sleep(KEPT_WITHIN_MS)
    await this.tally()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer.stop()
    await this.tally().catch(() => {})
  }

  #wake(): void {
    if (this.#isClosed) return
    this.#timer.wakeIn(this.#store.isShared ? SHARED_MS : ALONE_MS, () => {
      const isLate = this.#runtime.clock.monotonic() - this.#lookedAt >= LOOK_MS - 1
      const isDue = isLate || this.#accounts.known().some(({ hasCounted }) => hasCounted)
      // Counts without an answer of the store are lost: they may have been added.
      void (isDue ? this.tally() : Promise.resolve()).catch(() => {}).then(() => this.#wake())
    })
  }

  async #exchange(): Promise<void> {
    this.#lookedAt = this.#runtime.clock.monotonic()
    await this.#accounts.refresh()
    const accounts = this.#accounts.known()
    const counts = accounts.map((account) => ({ account: account.name, ...account.takeCounted() }))
    // A single service knows every count.
    if (!this.#store.isShared && this.#isKnown && counts.every(({ requests }) => requests === 0)) return
    const totals = await this.#store.ledger.tally(counts)
    this.#isKnown = true
    const byName = new Map(accounts.map((account) => [account.name, account]))
    for (const { account, month, requests } of totals) byName.get(account)?.noteTotal(month, requests)
  }
}
