import type { WebhookEvent } from '../../protocol/event.ts'
import type { Delivery, Webhook, WebhookFault, WebhookState } from '../../protocol/webhook.ts'
import { nextTurn } from '../../runtime/timers.ts'
import { ClockTurns } from './clock-turns.ts'
import type { DeliveryKeeper, KeptSending } from './delivery-keeper.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import { DeliverySchedule } from './delivery-schedule.ts'
import type { DueDelivery } from './due-delivery.ts'
import { type AnnouncedChange, type EventForm, toAnnounced } from './event-form.ts'
import { EventForms } from './event-forms.ts'
import { Faults } from './faults.ts'
import { shakeHands } from './handshake.ts'
import { afterAttempt, type EventBody, OutgoingDelivery } from './outgoing-delivery.ts'
import { sendByRecord } from './send-by-record.ts'
import { UnderWay } from './under-way.ts'
import { noWebhook, shownWebhook, type WebhookSettings } from './webhook-settings.ts'
import type { WebhooksOptions } from './webhooks-options.ts'

/** The deliveries of one simulation, and its only outgoing I/O. A delivery never holds up the change that it reports. */
export class Webhooks {
  readonly queues = new Map<string, DeliveryQueue>()
  readonly schedule: DeliverySchedule<DueDelivery>
  readonly underWay: UnderWay
  isClosed = false
  readonly #options: WebhooksOptions
  readonly #faults: Faults
  #settingsRevision = -1
  readonly forms: EventForms
  readonly #turns: ClockTurns
  /** Keeps what becomes of deliveries, where they are in a store and this is their sender. */
  #keeper: DeliveryKeeper | undefined
  /** Called after each attempt. At most one watches: the activities of the simulation. */
  onAttempt: ((webhookId: string, delivery: OutgoingDelivery, compose: () => Delivery) => void) | undefined

  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#faults = new Faults(options.runtime.clock)
    this.schedule = new DeliverySchedule(options.runtime)
    this.underWay = new UnderWay(options.runtime.startTimer)
    this.forms = new EventForms(options.entry)
    this.#turns = new ClockTurns(this)
  }

  /** Goes by these settings from now on. What waits for a webhook that is gone is dropped. */
  update(settings: WebhookSettings): void {
    if (this.isClosed || settings.revision === this.#settingsRevision) return
    this.#settingsRevision = settings.revision
    this.#faults.update(settings.faults())
    const webhooks = settings.list()
    const ids = new Set(webhooks.map(({ id }) => id))
    for (const [id, queue] of this.queues) {
      if (ids.has(id)) continue
      this.queues.delete(id)
      queue.close()
    }
    for (const webhook of webhooks) {
      const known = this.queues.get(webhook.id)
      const queue = known ?? new DeliveryQueue(webhook, this.forms.formOf(webhook), this.#options)
      if (known === undefined) this.queues.set(webhook.id, queue)
      else if (known.webhook !== webhook) known.change(webhook)
      queue.isOff = settings.isOff(webhook.id)
      this.#startSending(queue)
    }
    this.#runDue()
  }

  list(): Webhook[] {
    return [...this.queues.values()].map(({ webhook }) => shownWebhook(webhook))
  }

  /** The webhooks, whether each is switched off, and its failed deliveries in a row. */
  states(): WebhookState[] {
    return [...this.queues.values()].map((queue) => queue.state())
  }

  /** The latest 1000 deliveries of a webhook, oldest first, with every attempt. Throws `not_found`. */
  deliveries(id: string): Delivery[] {
    return this.queue(id).deliveries()
  }

  /** How changes are told to a webhook; undefined for one that is unknown. */
  formOf(id: string): EventForm | undefined {
    return this.queues.get(id)?.form
  }

  /** The faults that are on, each with its latest 1000 firings. */
  faults(): WebhookFault[] {
    return this.#faults.list()
  }

  /** Counts the failures of a webhook anew; what was held goes on. */
  forgiveFailures(id: string): void {
    const queue = this.queues.get(id)
    if (queue === undefined) return
    queue.setFailures()
    this.#startSending(queue)
    this.#runDue()
  }

  /** Takes a change for every webhook that wants it; first attempts leave from the next turn of the event loop on. */
  enqueue(announced: WebhookEvent | AnnouncedChange): void {
    if (this.isClosed) return
    const change = 'compose' in announced ? announced : toAnnounced(announced)
    for (const queue of this.queues.values()) {
      for (const type of queue.wantedOf(change)) {
        const body = this.forms.bodyOf(change, queue.form, type)
        if (this.#spoil(queue, body)) continue
        queue.addFirst(body)
        this.#startSending(queue)
      }
    }
  }

  /** Goes on from what a store has of the delivery clock and the faults, and tells `keeper` what becomes of deliveries. */
  begin({ offsetMs, faults }: KeptSending, keeper: DeliveryKeeper): void {
    this.#keeper = keeper
    this.schedule.offsetMs = offsetMs
    this.#faults.restore(faults)
  }

  /** Where the delivery clock and the faults stand, for {@link begin} elsewhere. */
  keep(): KeptSending {
    return { offsetMs: this.schedule.offsetMs, faults: this.#faults.dump() }
  }

  /** Tells of the webhooks that have failed too often and are not switched off. */
  tellExhausted(): void {
    for (const [id, { isExhausted, isOff }] of this.queues) if (isExhausted && !isOff) this.#options.onExhausted?.(id)
  }

  /** Forgets what waits: another sender goes on with what the store has. */
  end(): void {
    this.#keeper = undefined
    this.dropWaiting()
    for (const queue of this.queues.values()) queue.forget()
  }

  /** Notes what has become of a delivery, for a store that keeps it. */
  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void {
    if (!delivery.isDropped) this.#keeper?.note(queue, delivery)
  }

  /** Takes events that a store has kept for a webhook, in their order. */
  take(id: string, bodies: readonly EventBody[]): void {
    const queue = this.queues.get(id)
    if (queue === undefined) return
    for (const body of bodies) if (!this.#spoil(queue, body)) queue.addFirst(body)
    this.#startSending(queue)
  }

  /** Starts what may be sent: leases were renewed. */
  goOn(): void {
    for (const queue of this.queues.values()) this.#startSending(queue)
    this.noteChange()
  }

  /** Counts as something under way until `done` resolves: more events are on their way. */
  expectMore(done: Promise<void>): void {
    this.underWay.begin()
    void done.then(() => {
      this.underWay.end()
      this.noteChange()
    })
  }

  /** Turns the delivery clock, running each retry that falls due at its own time. Returns how many were run. */
  advance(seconds: number): Promise<{ attempts: number }> {
    return this.#turns.turn({ ms: seconds * 1_000, most: Number.POSITIVE_INFINITY })
  }

  /** Runs the next retry, turning the delivery clock to it. Returns how many were run: 0 when none waits. */
  runNext(): Promise<{ attempts: number }> {
    return this.#turns.turn({ ms: Number.POSITIVE_INFINITY, most: 1 })
  }

  /** Runs every retry until each delivery is delivered, failed or held. Returns how many were run. */
  drain(): Promise<{ attempts: number }> {
    return this.#turns.turn({ ms: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY })
  }

  /** How many deliveries were dropped, since too many waited behind an endpoint that fails. */
  get dropped(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.dropped, 0)
  }

  /** Resolves with true once nothing is under way and nothing is due; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean> {
    this.#runDue()
    return this.underWay.settled(timeoutMs)
  }

  /** Forgets the deliveries that are not finished: the world that they report on is gone. */
  dropWaiting(): void {
    for (const queue of this.queues.values()) queue.dropWaiting()
    this.schedule.clear()
    this.noteChange()
  }

  /** Cancels the timer and every connection. Nothing is sent afterwards. */
  async close(): Promise<void> {
    this.isClosed = true
    this.schedule.stopTimer()
    this.dropWaiting()
    await this.underWay.quiet()
  }

  /** What waits for a webhook, and was sent to it. Throws `not_found`. */
  queue(id: string): DeliveryQueue {
    const queue = this.queues.get(id)
    if (queue === undefined) throw noWebhook(id)
    return queue
  }

  #startSending(queue: DeliveryQueue): void {
    const isNeeded = queue.hasFirst || queue.lanes.greetsAtOnce
    if (isNeeded && !queue.isSending && queue.isActive) void this.#sendFirst(queue)
  }

  async #sendFirst(queue: DeliveryQueue): Promise<void> {
    queue.isSending = true
    this.underWay.begin()
    await nextTurn()
    const { runtime, onExhausted } = this.#options
    if (!(await shakeHands(queue, runtime))) onExhausted?.(queue.webhook.id)
    else await sendByRecord(queue, (delivery) => this.attempt(queue, delivery), runtime.startTimer)
    queue.isSending = false
    this.underWay.end()
    this.noteChange()
  }

  /** Sends once, and schedules what follows. Never rejects. */
  async attempt(queue: DeliveryQueue, delivery: OutgoingDelivery): Promise<void> {
    this.underWay.begin()
    const outcome = await queue.post(delivery, this.#faults)
    // An attempt that fails at once, without a network, must not keep the process from all else.
    if (outcome.error !== null) await nextTurn()
    this.underWay.end()
    if (!delivery.isDropped && delivery.state !== 'delivered') {
      const after = afterAttempt(delivery, outcome, queue.form.dialect.delivery)
      if (after.state === 'retrying') {
        delivery.state = 'retrying'
        delivery.dueAt = this.schedule.add(after.delayMs, { queue, delivery, isReordered: false })
      } else this.#finish(queue, delivery, after.state)
    }
    this.note(queue, delivery)
    if (!delivery.isDropped) this.onAttempt?.(queue.webhook.id, delivery, () => delivery.describe(!queue.isActive))
    this.noteChange()
  }

  #finish(queue: DeliveryQueue, delivery: OutgoingDelivery, state: 'delivered' | 'failed'): void {
    const wasExhausted = queue.isExhausted
    queue.finish(delivery, state)
    if (queue.isExhausted && !wasExhausted) this.#options.onExhausted?.(queue.webhook.id)
    if (state === 'delivered' && this.#faults.fire('duplicate', delivery)) queue.due.push(delivery)
    else if (!queue.lanes.sent.has(delivery)) delivery.forgetBody()
  }

  /** Lets faults spoil a whole delivery. Returns true when it is not to be sent now. */
  #spoil(queue: DeliveryQueue, body: EventBody): boolean {
    if (!this.#faults.areOn) return false
    const delivery = new OutgoingDelivery(queue.webhook.id, body)
    const fate = this.#faults.spoil(delivery)
    if (fate === undefined) return false
    queue.add(delivery)
    if (fate === 'lost') queue.lose(delivery)
    else {
      const { delayMs, isReordered } = fate
      if (isReordered) queue.overtaken.add(delivery)
      delivery.dueAt = this.schedule.add(delayMs, { queue, delivery, isReordered })
    }
    this.note(queue, delivery)
    this.#runDue()
    return true
  }

  /** In real time: starts what is due, and keeps the one timer for what comes next. */
  #runDue(): void {
    if (this.isClosed || this.#turns.isTurning) return
    for (let due = this.schedule.takeDue(); due; due = this.schedule.takeDue())
      due.queue.makeDue(due.delivery, due.isReordered)
    for (const queue of this.queues.values()) this.#startRetries(queue)
    this.schedule.startTimer(() => this.#runDue())
  }

  #startRetries(queue: DeliveryQueue): void {
    for (let delivery = queue.takeRetry(); delivery; delivery = queue.takeRetry()) {
      queue.retriesUnderWay++
      this.attempt(queue, delivery).then(() => {
        queue.retriesUnderWay--
        this.#runDue()
      })
    }
  }

  /** After every change: starts what became due, and resolves the waits that are over. */
  noteChange(): void {
    this.#runDue()
    this.underWay.release()
  }
}
