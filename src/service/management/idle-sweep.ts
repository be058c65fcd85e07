import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { Account } from '../account/account.ts'
import type { Accounts } from '../account/accounts.ts'
import type { HostedSimulation } from './hosted-simulation.ts'
import type { StoredSimulations } from './stored-simulations.ts'

/** Interval of noting used simulations, and of removing unused ones. */
const SWEEP_MS = 60_000
const DAY_MS = 86_400_000
/** Most simulations of an account removed at a time, to keep a sweep short. */
const MOST_REMOVED = 20

/** The simulations of a node, and of its store. */
interface SweptSimulations {
  readonly stored: StoredSimulations | undefined
  inMemory(): readonly HostedSimulation[]
  remove(hosted: HostedSimulation): Promise<void>
  drop(id: string): Promise<void>
}

/** Removes simulations unused for the number of days in their account's plan (`idleDays`). */
export class IdleSweep {
  readonly #simulations: SweptSimulations
  readonly #accounts: Accounts
  readonly #runtime: Pick<Runtime, 'clock' | 'startTimer'>
  readonly #timer: WakeTimer
  #sweptAt: number
  #sweep: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(simulations: SweptSimulations, accounts: Accounts, runtime: Pick<Runtime, 'clock' | 'startTimer'>) {
    this.#simulations = simulations
    this.#accounts = accounts
    this.#runtime = runtime
    this.#timer = new WakeTimer(runtime.startTimer)
    this.#sweptAt = runtime.clock.now()
  }

  /** Without a store, only the accounts from the options exist. */
  start(): void {
    const isNeeded = this.#simulations.stored !== undefined || this.#accounts.configured().some(isBounded)
    if (isNeeded && !this.#isClosed) this.#timer.wakeIn(SWEEP_MS, () => this.#begin())
  }

  /** Starts no more sweeps. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer.stop()
    await this.#sweep
  }

  /** After a sweep without an answer of the store, another one follows. */
  #begin(): void {
    const { stored } = this.#simulations
    const done = stored === undefined ? this.#sweepMemory() : this.#sweepStore(stored)
    this.#sweep = done.catch(() => {}).then(() => this.start())
  }

  async #sweepMemory(): Promise<void> {
    const now = this.#runtime.clock.now()
    const idle = this.#simulations.inMemory().filter(({ account, usedAt }) => usedAt < now - idleMs(account))
    for (const hosted of idle) await this.#simulations.remove(hosted)
  }

  async #sweepStore(stored: StoredSimulations): Promise<void> {
    const since = this.#sweptAt
    this.#sweptAt = this.#runtime.clock.now()
    const used = this.#simulations.inMemory().filter(({ usedAt }) => usedAt >= since)
    await stored.noteUses(used.map(({ simulation }) => simulation.id))
    for (const name of await stored.owners()) {
      const account = await this.#accounts.find(name)
      if (account === undefined || !isBounded(account)) continue
      const removed = await stored.removeIdle(account, idleMs(account), MOST_REMOVED)
      for (const id of removed) await this.#simulations.drop(id)
    }
  }
}

const isBounded = ({ plan }: Account): boolean => plan.idleDays < Number.MAX_SAFE_INTEGER

const idleMs = ({ plan }: Account): number => plan.idleDays * DAY_MS
