import type { Webhooks } from '../../webhooks/webhooks.ts'
import type { SimulationCore } from '../core/core.ts'
import { toAnnouncedChange } from '../core/event-collection.ts'
import type { FreshChange } from '../core/logged-change.ts'
import type { Slices } from '../slices.ts'
import { Announcements, type HappenedEvent } from './announcements.ts'

/** The receivers of one core's changes: its webhooks, and the readers of its events. */
export class ChangeReceivers {
  readonly #core: SimulationCore
  readonly #webhooks: Webhooks
  readonly #slices: Slices
  readonly #isStored: boolean
  readonly #toWebhooks: Announcements
  readonly #toFollowers = new Set<Announcements>()
  /** Number of restores of the data at the last announcement. */
  #generation: number

  /** @param isStored whether a store keeps the events for webhooks */
  constructor(core: SimulationCore, webhooks: Webhooks, { slices, isStored }: { slices: Slices; isStored: boolean }) {
    this.#core = core
    this.#webhooks = webhooks
    this.#slices = slices
    this.#isStored = isStored
    this.#generation = core.log.generation
    this.#toWebhooks = new Announcements((logged) => {
      if (!logged.isQuiet) webhooks.enqueue(toAnnouncedChange(core, logged))
    }, slices)
  }

  /** Whether events have readers. */
  get hasFollowers(): boolean {
    return this.#toFollowers.size > 0
  }

  /** Whether changes have receivers. */
  get areOpen(): boolean {
    return this.#toFollowers.size > 0 || this.#core.webhooks.count > 0
  }

  /** Announces changes since the last call, with the current settings of webhooks. */
  announce(): void {
    this.#dropPast()
    const fresh = this.#core.log.takeFresh()
    if (fresh.length > 0) {
      // A new webhook of a client gets the event of its own registration: a ping.
      const { webhooks } = this.#core
      const isRegistration = ({ kind, key }: FreshChange) => kind === 'created' && webhooks.find(key)?.isRecord === true
      if (webhooks.count > 0 && fresh.some(isRegistration)) this.#webhooks.update(webhooks)
      if (!this.#isStored) this.#enqueue(fresh)
      for (const announcements of this.#toFollowers) announcements.add(fresh)
    }
    this.#webhooks.update(this.#core.webhooks)
  }

  /** Whether the data was restored since the last announcement. */
  get isPutBack(): boolean {
    return this.#core.log.generation !== this.#generation
  }

  #enqueue(fresh: readonly FreshChange[]): void {
    const wasWaiting = this.#toWebhooks.isWaiting
    this.#toWebhooks.add(fresh)
    if (!wasWaiting && this.#toWebhooks.isWaiting) this.#webhooks.dispatcher.expectMore(this.#toWebhooks.idle())
  }

  /** Announces changes of another core that this one applied. The other one sends their webhooks. */
  relay(changes: readonly FreshChange[]): void {
    this.#dropPast()
    for (const announcements of this.#toFollowers) announcements.add(changes)
    this.#webhooks.update(this.#core.webhooks)
  }

  /** Passes each event from now on to `follower`, until the returned function is called. */
  follow(follower: (event: HappenedEvent) => void): () => void {
    // Earlier events of a lane's batch are announced when it is saved. A follower that starts within the batch has read
    // them.
    const earlier = new Set(this.#core.log.fresh)
    const announcements = new Announcements((logged) => {
      if (earlier.delete(logged)) return
      follower({ type: this.#core.log.typeOf(logged), compose: () => this.#core.toEvent(logged) })
    }, this.#slices)
    this.#toFollowers.add(announcements)
    this.#core.timeline.hasListeners = true
    return () => {
      announcements.clear()
      this.#toFollowers.delete(announcements)
      this.#core.timeline.hasListeners = this.#toFollowers.size > 0
    }
  }

  close(): void {
    this.#toWebhooks.clear()
    for (const announcements of this.#toFollowers) announcements.clear()
    this.#toFollowers.clear()
  }

  /** Drops unfinished deliveries after a restore of the data, since their events are outdated. */
  #dropPast(): void {
    if (!this.isPutBack) return
    this.#generation = this.#core.log.generation
    this.#toWebhooks.clear()
    this.#webhooks.dispatcher.dropWaiting()
  }
}
