import type { DeliveryActivity } from '../../../protocol/activity.ts'
import type { Delivery } from '../../../protocol/webhook.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryQueue } from '../../webhooks/delivery-queue.ts'
import { held, readKept } from './kept-delivery.ts'

/** How far back a settlement may become visible after one that was made later. */
const LATE_MS = 5_000
/** How long after an attempt it may be kept: its lease is renewed until then, or another node makes it again. */
const UNKEPT_MS = 60_000

/** Attempts of other nodes to deliver what one simulation sends, as they become known. */
export class DeliveriesElsewhere {
  readonly #id: string
  readonly #store: Store
  readonly #queues: ReadonlyMap<string, DeliveryQueue>
  /** Attempts that were told, by delivery and how many it has, and when they were kept, or are at the latest, by the store's clock. */
  readonly #known = new Map<string, number>()
  readonly #from: number
  #latest: number

  /** Knows nothing of attempts that were made before. */
  constructor(id: string, store: Store, queues: ReadonlyMap<string, DeliveryQueue>) {
    this.#id = id
    this.#store = store
    this.#queues = queues
    this.#from = store.clockMs
    this.#latest = this.#from
  }

  /** Notes an attempt of this node, which is told at once. */
  pass(delivery: Pick<Delivery, 'id' | 'attempts'>): void {
    this.#known.set(nameOf(delivery), this.#store.clockMs + UNKEPT_MS)
  }

  /** Deliveries with an attempt that was not told before, in the order in which they were kept. */
  async take(): Promise<DeliveryActivity[]> {
    if (this.#queues.size === 0) return []
    const after = Math.max(this.#from, this.#latest - LATE_MS)
    const settled = await this.#store.work.settledAfter(this.#id, after)
    for (const [name, at] of this.#known) if (at < after) this.#known.delete(name)
    return settled.flatMap((kept) => {
      const { shown } = readKept(kept)
      const name = nameOf(shown)
      this.#latest = Math.max(this.#latest, kept.keptAt)
      const isKnown = this.#known.has(name)
      this.#known.set(name, kept.keptAt)
      if (isKnown || shown.attempts.length === 0) return []
      const isOff = this.#queues.get(kept.webhook)?.isActive === false
      return [{ ...held(shown, isOff), webhookId: kept.webhook }]
    })
  }
}

const nameOf = ({ id, attempts }: Pick<Delivery, 'id' | 'attempts'>): string => `${id} ${attempts.length}`
