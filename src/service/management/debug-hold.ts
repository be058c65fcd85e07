import type { TestHold } from '../../protocol/test-hold.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { askPatiently } from '../store/ask-patiently.ts'
import type { SessionLedger } from '../store/ledger.ts'

/** How long a hold lasts without polls of the test, after its runner has ended. */
const FORGOTTEN_MS = 60_000
/** Interval at which a node checks whether another one has ended a hold. */
const LOOK_MS = 200

const OVER: TestHold = { held: false, test: null }

/** Where tests are held, with the clock of that store. */
export interface DebugHolds {
  readonly ledger: SessionLedger
  readonly runtime: Runtime
}

/** The hold of a test while a person looks at its simulation. One at a time: a later hold replaces an earlier one. */
export class DebugHold {
  readonly #simulation: string
  readonly #ledger: SessionLedger
  readonly #runtime: Runtime
  #isClosed = false

  constructor(simulation: string, { ledger, runtime }: DebugHolds) {
    this.#simulation = simulation
    this.#ledger = ledger
    this.#runtime = runtime
  }

  begin(test: string): Promise<void> {
    return this.#ask(() => this.#ledger.keepHold(this.#simulation, { test, until: this.#until() }))
  }

  /** Resolves when the hold ends, or after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<TestHold> {
    const { clock, sleep } = this.#runtime
    const endsAt = clock.monotonic() + timeoutMs
    let hold = await this.#read()
    if (hold.held && timeoutMs > 0) await this.#ask(() => this.#ledger.extendHold(this.#simulation, this.#until()))
    while (hold.held && !this.#isClosed && clock.monotonic() < endsAt) {
      await sleep(Math.min(LOOK_MS, endsAt - clock.monotonic()))
      hold = await this.#read()
    }
    return hold
  }

  end(): Promise<void> {
    return this.#ask(() => this.#ledger.removeHold(this.#simulation))
  }

  /** Answers all waits, since the service closes. */
  close(): void {
    this.#isClosed = true
  }

  async #read(): Promise<TestHold> {
    const hold = await this.#ask(() => this.#ledger.findHold(this.#simulation))
    return hold === undefined || hold.until <= this.#runtime.clock.now() ? OVER : { held: true, test: hold.test }
  }

  #until(): number {
    return this.#runtime.clock.now() + FORGOTTEN_MS
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    return askPatiently(this.#runtime, ask)
  }
}
