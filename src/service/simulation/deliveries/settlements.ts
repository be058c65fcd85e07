import type { Runtime } from '../../../runtime/runtime.ts'
import { StoreFull, StoreUnavailable } from '../../store/store.ts'
import type { DueWork, Settlement } from '../../store/work.ts'
import type { DeliveryQueue } from '../../webhooks/delivery-queue.ts'
import type { DeliveryKeeper, Dispatcher } from '../../webhooks/dispatcher.ts'
import type { OutgoingDelivery } from '../../webhooks/outgoing-delivery.ts'
import { ChunkProgress } from './chunk.ts'
import { toKept, toNotes } from './kept-delivery.ts'
import type { SenderLease } from './sender-lease.ts'

/** How long results are collected, to save many together. */
const GATHER_MS = 5
const PAUSE_MS = 200

/** Saves results of deliveries under a lease. */
export class Settlements implements DeliveryKeeper {
  readonly chunks = new ChunkProgress()
  /** Webhooks with saved results. */
  readonly webhooks = new Set<string>()
  readonly #work: DueWork
  readonly #lease: SenderLease
  readonly #dispatcher: Dispatcher
  readonly #runtime: Runtime
  readonly #offsetMs: number
  #noted = new Map<OutgoingDelivery, DeliveryQueue>()
  #isUnderWay = false
  #isLost = false

  /** @param offsetMs offset of the store's clock from this machine's */
  constructor(
    lease: SenderLease,
    {
      work,
      dispatcher,
      runtime,
      offsetMs,
    }: { work: DueWork; dispatcher: Dispatcher; runtime: Runtime; offsetMs: number },
  ) {
    this.#lease = lease
    this.#work = work
    this.#dispatcher = dispatcher
    this.#runtime = runtime
    this.#offsetMs = offsetMs
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
    this.#dispatcher.expectMore(this.#keepAll())
  }

  /** Saves the state for the next sender. */
  async keepNotes(): Promise<void> {
    await this.#keep(this.#toSettlement(new Map()))
  }

  async #keepAll(): Promise<void> {
    while (this.#noted.size > 0 && !this.#isLost) {
      await this.#runtime.sleep(GATHER_MS)
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
        if (await this.#work.settle(this.#lease.now, this.#ofThoseLeft(settlement))) return
        this.#isLost = !(await this.#lease.follow())
        continue
      } catch (error) {
        if (!(error instanceof StoreUnavailable) && !(error instanceof StoreFull)) this.#isLost = true
      }
      await this.#runtime.sleep(PAUSE_MS)
    }
  }

  /** Without results of removed webhooks. */
  #ofThoseLeft(settlement: Settlement): Settlement {
    const { queues } = this.#dispatcher
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
    return { deliveries, ...this.chunks.take(), failures, notes: toNotes(this.#dispatcher, this.#offsetMs) }
  }
}
