import type { Runtime } from '../../../runtime/runtime.ts'
import { StoreFull, StoreUnavailable } from '../../store/store.ts'
import type { DeliveryLease, DueWork, Settlement } from '../../store/work.ts'
import type { DeliveryQueue } from '../../webhooks/delivery-queue.ts'
import type { DeliveryKeeper, Dispatcher } from '../../webhooks/dispatcher.ts'
import type { OutgoingDelivery } from '../../webhooks/outgoing-delivery.ts'
import { ChunkProgress, toKept, toNotes } from './kept-delivery.ts'

/** How long results are collected, to save many together. */
const GATHER_MS = 5
const PAUSE_MS = 200

export interface SettlementParts extends LeaseParts {
  readonly runtime: Runtime
  /** Offset of the store's clock from this machine's. */
  readonly offsetMs: number
}

/** Saves results of deliveries under a lease. */
export class Settlements implements DeliveryKeeper {
  readonly chunks = new ChunkProgress()
  /** Webhooks with saved results. */
  readonly webhooks = new Set<string>()
  readonly #lease: SenderLease
  readonly #parts: SettlementParts
  #noted = new Map<OutgoingDelivery, DeliveryQueue>()
  #isUnderWay = false
  #isLost = false

  constructor(lease: SenderLease, parts: SettlementParts) {
    this.#lease = lease
    this.#parts = parts
  }

  /** Whether the lease is lost or expired: nothing can be saved any more. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Stops saving. */
  lose(): void {
    this.#isLost = true
  }

  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void {
    this.#noted.set(delivery, queue)
    this.webhooks.add(queue.webhook.id)
    if (this.#isUnderWay) return
    this.#isUnderWay = true
    // Deliveries count as settled, and the clock advances, only after this.
    this.#parts.dispatcher.expectMore(this.#keepAll())
  }

  /** Saves the state for the next sender. */
  async keepNotes(): Promise<void> {
    await this.#keep(this.#toSettlement(new Map()))
  }

  async #keepAll(): Promise<void> {
    while (this.#noted.size > 0 && !this.#isLost) {
      await this.#parts.runtime.sleep(GATHER_MS)
      const noted = this.#noted
      this.#noted = new Map()
      await this.#keep(this.#toSettlement(noted))
    }
    this.#isUnderWay = false
  }

  /** Retries while the lease may be valid. */
  async #keep(settlement: Settlement): Promise<void> {
    while (!this.#isLost) {
      try {
        if (await this.#parts.work.settle(this.#lease.now, this.#ofThoseLeft(settlement))) return
        this.#isLost = !(await this.#lease.follow())
        continue
      } catch (error) {
        if (!(error instanceof StoreUnavailable) && !(error instanceof StoreFull)) this.#isLost = true
      }
      await this.#parts.runtime.sleep(PAUSE_MS)
    }
  }

  /** Without results of removed webhooks. */
  #ofThoseLeft(settlement: Settlement): Settlement {
    const { queues } = this.#parts.dispatcher
    const deliveries = settlement.deliveries.filter(({ webhook }) => queues.has(webhook))
    const failures = settlement.failures.filter(({ webhook }) => queues.has(webhook))
    return { ...settlement, deliveries, failures }
  }

  #toSettlement(noted: ReadonlyMap<OutgoingDelivery, DeliveryQueue>): Settlement {
    const deliveries = [...noted].map(([delivery, queue]) => toKept(queue, delivery))
    for (const { numbers } of noted.keys()) for (const number of numbers) this.chunks.note(number)
    const failures = [...new Set(noted.values())].map(({ webhook, failures: count }) => ({
      webhook: webhook.id,
      failures: count,
    }))
    return { deliveries, ...this.chunks.take(), failures, notes: toNotes(this.#parts.dispatcher, this.#parts.offsetMs) }
  }
}

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
    const lease = await this.#parts.work.findLease(this.#now)
    if (lease === undefined || (await this.#parts.look()) !== this.#generation) return false
    await this.takeFailures()
    this.#now = lease
    return true
  }

  /** Loads the consecutive failures of each webhook. */
  async takeFailures(): Promise<void> {
    const { work, dispatcher } = this.#parts
    const lanes = await work.lanes(this.#now.simulation)
    const failuresOf = new Map(lanes.map(({ webhook, failures }) => [webhook, failures]))
    for (const [id, queue] of dispatcher.queues) queue.failures = failuresOf.get(id) ?? 0
  }
}
