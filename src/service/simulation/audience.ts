import type { ChangeEvent } from '../../protocol/event.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { SimulationCore } from './core.ts'

/** Who hears of a simulation's changes: its webhooks, and whoever listens to the stream. */
export class Audience {
  readonly #webhooks: Webhooks
  readonly #listeners = new Set<(event: ChangeEvent) => void>()

  constructor(webhooks: Webhooks) {
    this.#webhooks = webhooks
  }

  /** Whether somebody wants to hear of changes when they happen. */
  get isThere(): boolean {
    return this.#listeners.size > 0 || this.#webhooks.count > 0
  }

  /** Calls `listener` with each event as it happens, until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Announces what has changed since the last call; an event that nobody wants is never composed. */
  announce(core: SimulationCore): void {
    for (const logged of core.takeFresh()) {
      const isWanted = this.#webhooks.wants(core.typeOf(logged))
      if (!isWanted && this.#listeners.size === 0) continue
      const { cause, ...event } = core.toEvent(logged)
      if (isWanted) this.#webhooks.enqueue(event)
      for (const listener of this.#listeners) listener({ ...event, cause })
    }
  }

  close(): void {
    this.#listeners.clear()
  }
}
