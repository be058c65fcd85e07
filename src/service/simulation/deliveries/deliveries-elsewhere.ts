import type { DeliveryActivity } from '../../../protocol/activity.ts'
import type { Delivery } from '../../../protocol/webhook.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryQueue } from '../../webhooks/delivery-queue.ts'
import { held, readKept } from './kept-delivery.ts'

/** How late a settlement may become visible, after later ones. */
const LATE_MS = 5_000
/** Longest time from an attempt to saving it: its lease is renewed until then, or another node repeats it. */
const UNKEPT_MS = 60_000

/** Other nodes' delivery attempts of one simulation, as they become known. */
export class DeliveriesElsewhere {
  readonly #id: string
  readonly #store: Store
  readonly #queues: ReadonlyMap<string, DeliveryQueue>
  /**
   * Announced attempts, by delivery and number of attempts, with the time of saving, or its latest possible time, by
   * the store's clock.
   */
  readonly #known = new Map<string, number>()
  readonly #from: number
  #latest: number

  /** Ignores earlier attempts. */
  constructor(id: string, store: Store, queues: ReadonlyMap<string, DeliveryQueue>) {
    this.#id = id
    this.#store = store
    this.#queues = queues
    this.#from = store.clockMs
    this.#latest = this.#from
  }

  /** Notes an attempt of this node, which is announced at once. */
  pass(delivery: Pick<Delivery, 'id' | 'attempts'>): void {
    this.#known.set(nameOf(delivery), this.#store.clockMs + UNKEPT_MS)
  }

  /** Deliveries with a new attempt, in order of saving. */
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
