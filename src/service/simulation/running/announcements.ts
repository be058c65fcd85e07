import type { ChangeEvent } from '../../../protocol/event.ts'
import type { FreshChange } from '../core/logged-change.ts'
import type { Slices } from '../slices.ts'

/** A change for followers, which compose its event on demand. */
export interface HappenedEvent {
  readonly type: string
  compose(): ChangeEvent
}

/** Changes announced at once; more follow in slices. */
const AT_ONCE = 100

/** Changes for one receiver, in order. */
export class Announcements {
  readonly #take: (change: FreshChange) => void
  readonly #slices: Slices
  #lots: (readonly FreshChange[])[] = []
  /** Number of taken changes in the first batch. */
  #taken = 0
  #isRunning = false
  #onIdle: (() => void)[] = []

  constructor(take: (change: FreshChange) => void, slices: Slices) {
    this.#take = take
    this.#slices = slices
  }

  get isWaiting(): boolean {
    return this.#lots.length > 0
  }

  add(changes: readonly FreshChange[]): void {
    let taken = 0
    if (!this.isWaiting)
      for (; taken < changes.length && taken < AT_ONCE; taken++) this.#take(changes[taken] as FreshChange)
    if (taken === changes.length) return
    this.#lots.push(taken === 0 ? changes : changes.slice(taken))
    if (!this.#isRunning) void this.#takeAll()
  }

  /** Resolves when no change waits. */
  async idle(): Promise<void> {
    while (this.isWaiting) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  /** Drops waiting changes. */
  clear(): void {
    this.#lots = []
    this.#taken = 0
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #takeAll(): Promise<void> {
    this.#isRunning = true
    while (this.isWaiting) {
      await this.#slices.next()
      this.#slices.run(this.#takeSome())
    }
    this.#isRunning = false
    this.clear()
  }

  *#takeSome(): Generator<undefined, void> {
    for (let [lot] = this.#lots; lot !== undefined; [lot] = this.#lots) {
      this.#take(lot[this.#taken++] as FreshChange)
      if (this.#taken >= lot.length) {
        this.#lots.shift()
        this.#taken = 0
      }
      yield
    }
  }
}
