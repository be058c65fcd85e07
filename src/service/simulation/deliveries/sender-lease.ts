import type { DeliveryLease, DueWork } from '../../store/work.ts'
import type { Dispatcher } from '../../webhooks/dispatcher.ts'

export interface LeaseParts {
  readonly work: DueWork
  readonly dispatcher: Dispatcher
  /** Updates the webhooks to the current settings of all nodes. Returns the number of restores of the data. */
  look(): Promise<number>
}

/** This node's lease for sending, during other nodes' changes to the webhooks. */
export class SenderLease {
  readonly #parts: LeaseParts
  readonly #generation: number
  #now: DeliveryLease

  /** @param generation the result of `look` since the claim */
  constructor(claimed: DeliveryLease, generation: number, parts: LeaseParts) {
    this.#now = claimed
    this.#generation = generation
    this.#parts = parts
  }

  get now(): DeliveryLease {
    return this.#now
  }

  /** Notes the new end of the lease, from a store that has not lost commits. */
  noteRenewed(until: number): void {
    this.#now = { ...this.#now, until: Math.max(until, this.#now.until) }
  }

  /**
   * Continues after a webhook was removed or enabled: this node still saves the results of other running requests.
   * False where another node has the lease, or the data was restored.
   */
  async follow(): Promise<boolean> {
    const held = await this.#parts.work.held(this.#now)
    if (held === undefined || (await this.#parts.look()) !== this.#generation) return false
    await this.takeFailures()
    this.#now = held
    return true
  }

  /** Loads the consecutive failures of each webhook. */
  async takeFailures(): Promise<void> {
    const { work, dispatcher } = this.#parts
    const lanes = await work.lanes(this.#now.simulation)
    const failuresOf = new Map(lanes.map(({ webhook, failures }) => [webhook, failures]))
    for (const [id, queue] of dispatcher.queues) queue.setFailures(failuresOf.get(id))
  }
}
