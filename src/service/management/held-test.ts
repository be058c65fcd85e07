import type { TestHold } from '../../protocol/test-hold.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import { askPatiently } from '../store/ask-patiently.ts'
import type { AccountLedger } from '../store/ledger.ts'

/** How long a hold lasts without polls of the test, after its runner has ended. */
const FORGOTTEN_MS = 60_000
/** Interval at which a node checks whether another one has ended a hold. */
const LOOK_MS = 200

/** A test held while a person looks at its simulation. One at a time: a later hold replaces an earlier one. */
export interface HeldTest {
  begin(test: string): Promise<void>
  /** Resolves when the hold ends, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<TestHold>
  end(): Promise<void>
  /** Answers all waits, since the service closes. */
  close(): void
}

const OVER: TestHold = { held: false, test: null }

/** A hold that ends with the process. */
export class HeldTestInMemory implements HeldTest {
  readonly #runtime: Pick<Runtime, 'sleep'>
  readonly #timer: WakeTimer
  #test: string | undefined
  #end = Promise.withResolvers<void>()

  constructor(runtime: Pick<Runtime, 'sleep' | 'startTimer'>) {
    this.#runtime = runtime
    this.#timer = new WakeTimer(runtime.startTimer)
  }

  async begin(test: string): Promise<void> {
    this.#test = test
    this.#askedAfter()
  }

  async wait(timeoutMs: number): Promise<TestHold> {
    if (this.#test === undefined || timeoutMs === 0) return this.#read()
    this.#askedAfter()
    const giveUp = new AbortController()
    await Promise.race([this.#end.promise, this.#runtime.sleep(timeoutMs, giveUp.signal).catch(() => undefined)])
    giveUp.abort()
    return this.#read()
  }

  async end(): Promise<void> {
    this.close()
  }

  close(): void {
    this.#timer.stop()
    this.#test = undefined
    this.#end.resolve()
    this.#end = Promise.withResolvers()
  }

  #read(): TestHold {
    return this.#test === undefined ? OVER : { held: true, test: this.#test }
  }

  #askedAfter(): void {
    this.#timer.wakeIn(FORGOTTEN_MS, () => this.close())
  }
}

/** Where tests are held, with the clock of that store. */
export interface HeldByStore {
  readonly ledger: AccountLedger
  readonly runtime: Runtime
}

/** A hold in a store: it is begun, asked after and ended on any node. */
export class StoredHeldTest implements HeldTest {
  readonly #simulation: string
  readonly #ledger: AccountLedger
  readonly #runtime: Runtime
  #isClosed = false

  constructor(simulation: string, { ledger, runtime }: HeldByStore) {
    this.#simulation = simulation
    this.#ledger = ledger
    this.#runtime = runtime
  }

  begin(test: string): Promise<void> {
    return this.#ask(() => this.#ledger.keepHold(this.#simulation, { test, until: this.#until() }))
  }

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
