import type { TestHold } from '../../protocol/test-hold.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'

/** How long a hold lasts when the test no longer asks after it: its runner has gone. */
const FORGOTTEN_MS = 60_000

/** A test that waits while a person looks at its simulation. One at a time: a later hold takes the place of an earlier one. */
export class HeldTest {
  readonly #runtime: Pick<Runtime, 'sleep'>
  readonly #timer: WakeTimer
  #test: string | undefined
  #end = Promise.withResolvers<void>()

  constructor(runtime: Pick<Runtime, 'sleep' | 'startTimer'>) {
    this.#runtime = runtime
    this.#timer = new WakeTimer(runtime.startTimer)
  }

  begin(test: string): void {
    this.#test = test
    this.#askedAfter()
  }

  read(): TestHold {
    return { held: this.#test !== undefined, test: this.#test ?? null }
  }

  /** The hold, as soon as it is over or after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<TestHold> {
    if (this.#test === undefined || timeoutMs === 0) return this.read()
    this.#askedAfter()
    const giveUp = new AbortController()
    await Promise.race([this.#end.promise, this.#runtime.sleep(timeoutMs, giveUp.signal).catch(() => undefined)])
    giveUp.abort()
    return this.read()
  }

  end(): void {
    this.#timer.stop()
    this.#test = undefined
    this.#end.resolve()
    this.#end = Promise.withResolvers()
  }

  #askedAfter(): void {
    this.#timer.wakeIn(FORGOTTEN_MS, () => this.end())
  }
}
