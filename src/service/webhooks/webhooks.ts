import type {
  AdvanceRequest,
  Delivery,
  DeliveryDetail,
  ReplayRequest,
  Webhook,
  WebhookFault,
  WebhookState,
} from '../../protocol/webhook.ts'
import type { Deliveries } from './deliveries.ts'
import { DeliveryQueue, type DueDelivery } from './delivery-queue.ts'
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import type { AnnouncedChange } from './event-form.ts'
import { type ApiWebhooks, EventForms } from './event-forms.ts'
import type { Outgoing } from './guarded-connect.ts'
import { readDelivery, replayDelivery } from './replay.ts'
import { shownWebhook, type WebhookSettings } from './webhook-settings.ts'

/** Options of one simulation's webhooks. */
export interface WebhooksOptions extends DispatcherOptions {
  /** The webhook format of the simulation's library entry. */
  entry?: ApiWebhooks | undefined
}

/** The webhooks of one simulation: their events and deliveries. A delivery never delays the change that it reports. */
export class Webhooks implements Deliveries {
  readonly dispatcher: Dispatcher
  readonly forms: EventForms
  readonly #options: Outgoing
  readonly #turns: ClockTurns
  #settingsRevision = -1

  constructor({ entry, ...options }: WebhooksOptions) {
    this.#options = options
    this.dispatcher = new Dispatcher(options)
    this.forms = new EventForms(entry)
    this.#turns = new ClockTurns(this.dispatcher)
  }

  /** Applies new settings. Drops waiting deliveries of removed webhooks. */
  update(settings: WebhookSettings): void {
    const { isClosed, queues, faults } = this.dispatcher
    if (isClosed || settings.revision === this.#settingsRevision) return
    this.#settingsRevision = settings.revision
    faults.update(settings.faults())
    const webhooks = settings.list()
    const ids = new Set(webhooks.map(({ id }) => id))
    for (const [id, queue] of queues) {
      if (ids.has(id)) continue
      queues.delete(id)
      queue.close()
    }
    for (const webhook of webhooks) {
      const known = queues.get(webhook.id)
      const queue = known ?? new DeliveryQueue(webhook, this.forms.formOf(webhook), this.#options)
      if (known === undefined) queues.set(webhook.id, queue)
      else if (known.webhook !== webhook) known.change(webhook)
      queue.isOff = settings.isOff(webhook.id)
      this.dispatcher.start(queue)
    }
    this.dispatcher.runDue()
  }

  /** Adds a change for every webhook that wants it. */
  enqueue(change: AnnouncedChange): void {
    if (this.dispatcher.isClosed) return
    for (const queue of this.dispatcher.queues.values()) {
      const bodies = queue.wantedOf(change).map((type) => this.forms.bodyOf(change, queue.form, type))
      if (bodies.length > 0) this.dispatcher.take(queue, bodies)
    }
  }

  list(): Webhook[] {
    return [...this.dispatcher.queues.values()].map(({ webhook }) => shownWebhook(webhook))
  }

  states(): WebhookState[] {
    return [...this.dispatcher.queues.values()].map((queue) => queue.state())
  }

  deliveries(id: string): Delivery[] {
    return this.dispatcher.queue(id).deliveries()
  }

  read(id: string, deliveryId: string): DeliveryDetail {
    return readDelivery(this.dispatcher.queue(id), deliveryId)
  }

  replay(webhookId: string, deliveryId: string, request: ReplayRequest): Promise<DeliveryDetail> {
    return replayDelivery(this.dispatcher, { webhookId, deliveryId, ...request })
  }

  faults(): WebhookFault[] {
    return this.dispatcher.faults.list()
  }

  forgiveFailures(id: string): void {
    const queue = this.dispatcher.queues.get(id)
    if (queue === undefined) return
    queue.failures = 0
    this.dispatcher.start(queue)
    this.dispatcher.runDue()
  }

  advance({ seconds = Number.POSITIVE_INFINITY, until }: AdvanceRequest): Promise<{ attempts: number }> {
    return this.#turns.turn({ ms: seconds * 1_000, most: until === 'next' ? 1 : Number.POSITIVE_INFINITY })
  }

  settled(timeoutMs: number): Promise<boolean> {
    return this.dispatcher.settled(timeoutMs)
  }

  get dropped(): number {
    return [...this.dispatcher.queues.values()].reduce((sum, queue) => sum + queue.dropped, 0)
  }
}

/** Advances of the delivery clock, one after the other. */
class ClockTurns {
  readonly #dispatcher: Dispatcher
  #turning: Promise<unknown> | undefined

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  /**
   * Advances the stopped clock by `ms`, from due time to due time, and waits for each real attempt, `most` at most. The
   * timer and other advances wait meanwhile; it starts when nothing is in progress.
   */
  async turn({ ms, most }: { ms: number; most: number }): Promise<{ attempts: number }> {
    const { schedule, underWay } = this.#dispatcher
    while (this.#turning) await this.#turning
    schedule.stopTimer()
    underWay.isTurning = true
    const turning = this.#turn(ms, most).finally(() => {
      schedule.resume()
      this.#turning = undefined
      underWay.isTurning = false
      this.#dispatcher.noteChange()
    })
    this.#turning = turning
    return { attempts: await turning }
  }

  async #turn(ms: number, most: number): Promise<number> {
    const { schedule, underWay } = this.#dispatcher
    await underWay.quiet()
    schedule.stopAt(schedule.now)
    const target = schedule.now + ms
    let attempts = 0
    while (attempts < most && !this.#dispatcher.isClosed) {
      const retry = this.#takeRetry(target)
      if (!retry) break
      attempts++
      await this.#dispatcher.attempt(retry.queue, retry.delivery)
      await underWay.quiet()
    }
    if (Number.isFinite(target)) schedule.stopAt(target)
    return attempts
  }

  /** The earliest retry due by `target`, with the clock at its time. Skips held deliveries. */
  #takeRetry(target: number): Pick<DueDelivery, 'queue' | 'delivery'> | undefined {
    const { queues, schedule } = this.#dispatcher
    for (;;) {
      for (const queue of queues.values()) {
        const delivery = queue.isActive ? queue.due.shift() : undefined
        if (delivery) return { queue, delivery }
      }
      const due = schedule.turnToNext(target)
      if (due === undefined) return undefined
      due.queue.makeDue(due.delivery, due.isReordered)
    }
  }
}
