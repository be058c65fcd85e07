import type { ChangeEvent } from '../../../protocol/event.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { sizeOf } from '../../../protocol/size-of.ts'
import type { AnnouncedChange } from '../../webhooks/event-form.ts'
import type { SimulationCore } from '../core/core.ts'
import type { FreshChange } from '../core/logged-change.ts'
import type { Slices } from '../slices.ts'

/** A change for followers, which compose its event on demand. */
export interface HappenedEvent {
  readonly type: string
  compose(): ChangeEvent
}

/** Receives changes one by one, at its own pace. */
export interface Taker<What> {
  take(what: What): void
  /** Resolves when it can take more; undefined if it can now. */
  room?(): Promise<void> | undefined
  /** Called when waiting changes of requests take too much memory. */
  giveUp?(): void
}

/** Most bytes of waiting changes by requests. The plan's changes have their own limits. */
const MOST_WAITING = 8 * 1024 * 1024

/** Changes announced at once; more follow in slices. */
const AT_ONCE = 100

/** Changes for one receiver, in order, at its pace. */
export class Announcements {
  readonly #taker: Taker<FreshChange>
  readonly #slices: Slices
  #lots: (readonly FreshChange[])[] = []
  /** Number of taken changes in the first batch. */
  #taken = 0
  #isRunning = false
  /** Bytes of waiting changes by requests. */
  #size = 0
  #onIdle: (() => void)[] = []

  constructor(taker: Taker<FreshChange>, slices: Slices) {
    this.#taker = taker
    this.#slices = slices
  }

  /** Whether changes wait. */
  get isWaiting(): boolean {
    return this.#lots.length > 0
  }

  add(changes: readonly FreshChange[]): void {
    let taken = 0
    if (!this.isWaiting) {
      for (; taken < changes.length && taken < AT_ONCE && this.#taker.room?.() === undefined; taken++) {
        this.#taker.take(changes[taken] as FreshChange)
      }
    }
    if (taken === changes.length) return
    const rest = taken === 0 ? changes : changes.slice(taken)
    this.#lots.push(rest)
    for (const { cause, record } of rest) if (cause === 'request' || cause === 'edit') this.#size += sizeOf(record)
    if (this.#size > MOST_WAITING) this.#taker.giveUp?.()
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
    this.#size = 0
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #takeAll(): Promise<void> {
    this.#isRunning = true
    while (this.isWaiting) {
      await this.#taker.room?.()
      await this.#slices.next()
      this.#slices.run(this.#takeSome())
    }
    this.#isRunning = false
    this.clear()
  }

  /** Takes changes while there is room. */
  *#takeSome(): Generator<undefined, void> {
    for (let [lot] = this.#lots; lot !== undefined; [lot] = this.#lots) {
      if (this.#taker.room?.() !== undefined) return
      this.#taker.take(lot[this.#taken++] as FreshChange)
      if (this.#taken >= lot.length) {
        this.#lots.shift()
        this.#taken = 0
      }
      yield
    }
  }
}

/** A core's change for webhooks, composed when it is sent. */
export function toAnnouncedChange(core: SimulationCore, fresh: FreshChange): AnnouncedChange {
  const { before, subject, kind, request, event, part } = fresh
  return {
    type: core.log.typeOf(fresh),
    event,
    collection: subject,
    verb: kind,
    compose: () => core.toEvent(fresh),
    before: () => {
      const shown = before === undefined ? undefined : core.toEvent({ ...fresh, record: before }).data.object
      return isJsonObject(shown) ? shown : undefined
    },
    kept: () => ({ now: fresh.record, before }),
    request,
    part,
  }
}
