import type { Runtime } from '../../../runtime/runtime.ts'
import { StoreFull, StoreUnavailable } from '../../store/store.ts'
import type { DueWork, Settlement } from '../../store/work.ts'
import type { DeliveryQueue } from '../../webhooks/delivery-queue.ts'
import type { DeliveryKeeper, Dispatcher } from '../../webhooks/dispatcher.ts'
import type { OutgoingDelivery } from '../../webhooks/outgoing-delivery.ts'
import { ChunkProgress } from './chunk.ts'
import { toKept } from './kept-delivery.ts'
import { toNotes } from './kept-sending.ts'
import type { SenderLease } from './sender-lease.ts'

/** How long what becomes of deliveries is gathered, so that many are kept in one go. */
const GATHER_MS = 5
const PAUSE_MS = 200

/** Keeps what becomes of deliveries under a lease. */
export class Settlements implements DeliveryKeeper {
  readonly chunks = new ChunkProgress()
  /** Webhooks of which something was kept. */
  readonly webhooks = new Set<string>()
  readonly #work: DueWork
  readonly #lease: SenderLease
  readonly #dispatcher: Dispatcher
  readonly #runtime: Runtime
  readonly #offsetMs: number
  #noted = new Map<OutgoingDelivery, DeliveryQueue>()
  #isUnderWay = false
  #isLost = false

  /** @param offsetMs of the store's clock to this machine's */
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

  /** Whether the lease is lost or past: nothing can be kept any more. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Gives up: nothing more is kept. */
  lose(): void {
    this.#isLost = true
  }

  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void {
    this.#noted.set(delivery, queue)
    this.webhooks.add(queue.webhook.id)
    if (this.#isUnderWay) return
    this.#isUnderWay = true
    // Nothing is settled, and the clock is not turned on, before it is kept.
    this.#dispatcher.expectMore(this.#keepAll())
  }

  /** Keeps what the next sender goes on from. */
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

  /** Tries for as long as the lease may be ours. */
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

  /** Without what was sent to webhooks that are removed by now. */
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
