import type { DeliveryLease, DueWork } from '../../store/work.ts'
import type { Dispatcher } from '../../webhooks/dispatcher.ts'

/** What a lease is followed with. */
export interface LeaseParts {
  readonly work: DueWork
  readonly dispatcher: Dispatcher
  /** Has the webhooks be what they are by now, on all nodes. Returns how often the data was put back. */
  look(): Promise<number>
}

/** The right of this node to send, through what others do to the webhooks meanwhile. */
export class SenderLease {
  readonly #parts: LeaseParts
  readonly #generation: number
  #now: DeliveryLease

  /** @param generation what `look` has given since the lease was claimed */
  constructor(claimed: DeliveryLease, generation: number, parts: LeaseParts) {
    this.#now = claimed
    this.#generation = generation
    this.#parts = parts
  }

  get now(): DeliveryLease {
    return this.#now
  }

  /**
   * Goes on where a webhook was removed, or switched on again: what is under way to the others is this node's to keep. False where the lease is
   * another's, or the data was put back.
   */
  async follow(): Promise<boolean> {
    const held = await this.#parts.work.held(this.#now)
    if (held === undefined || (await this.#parts.look()) !== this.#generation) return false
    await this.takeFailures()
    this.#now = held
    return true
  }

  /** Takes the failures in a row of each webhook. */
  async takeFailures(): Promise<void> {
    const { work, dispatcher } = this.#parts
    const lanes = await work.lanes(this.#now.simulation)
    const failuresOf = new Map(lanes.map(({ webhook, failures }) => [webhook, failures]))
    for (const [id, queue] of dispatcher.queues) queue.setFailures(failuresOf.get(id))
  }
}
