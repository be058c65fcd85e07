import type { Delivery } from '../../protocol/webhook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { nextTurn } from '../../runtime/timers.ts'
import type { DeliveryQueue, DueDelivery } from './delivery-queue.ts'
import { DeliverySchedule } from './delivery-schedule.ts'
import { Faults, type KeptFault } from './faults.ts'
import type { Outgoing } from './guarded-connect.ts'
import { shakeHands } from './handshake.ts'
import { afterAttempt, type EventBody, OutgoingDelivery } from './outgoing-delivery.ts'
import { UnderWay } from './under-way.ts'
import { noWebhook } from './webhook-settings.ts'

/** An endpoint that answers within ten times 5 ms gets all first attempts in order. */
const PATIENCE_TURNS = 10
const PATIENCE_TURN_MS = 5

/** What the deliveries of one simulation are sent by. */
export interface DispatcherOptions extends Outgoing {
  /** Called with the id of a webhook when its 50th delivery in a row has failed, or its endpoint has not answered the handshake. */
  onExhausted?: ((id: string) => void) | undefined
}

/** Keeps what becomes of deliveries in a store. */
export interface DeliveryKeeper {
  /** An attempt was made, or a fault lets the delivery wait or loses it. */
  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void
}

/** What a sender leaves to the next one, beside the deliveries. */
export interface KeptSending {
  /** How far the delivery clock is ahead of this machine's. */
  readonly offsetMs: number
  readonly faults: readonly KeptFault[]
}

/** Sends what waits for the webhooks of one simulation: its only outgoing I/O. */
export class Dispatcher {
  /** By the id of the webhook. */
  readonly queues = new Map<string, DeliveryQueue>()
  readonly schedule: DeliverySchedule<DueDelivery>
  readonly underWay: UnderWay
  readonly faults: Faults
  isClosed = false
  /** Called after each attempt. At most one watches: the activities of the simulation. */
  onAttempt: ((webhookId: string, delivery: OutgoingDelivery, compose: () => Delivery) => void) | undefined
  readonly #options: DispatcherOptions
  /** Keeps what becomes of deliveries, where they are in a store and this is their sender. */
  #keeper: DeliveryKeeper | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.schedule = new DeliverySchedule(options.runtime)
    this.underWay = new UnderWay(options.runtime.startTimer)
    this.faults = new Faults(options.runtime.clock)
  }

  /** What waits for a webhook, and was sent to it. Throws `not_found`. */
  queue(id: string): DeliveryQueue {
    const queue = this.queues.get(id)
    if (queue === undefined) throw noWebhook(id)
    return queue
  }

  /** Takes events for a webhook, in their order; first attempts leave from the next turn of the event loop on. */
  take(queue: DeliveryQueue, bodies: readonly EventBody[]): void {
    for (const body of bodies) if (!this.#spoil(queue, body)) queue.addFirst(body)
    this.start(queue)
  }

  /** Starts first attempts, or the handshake that stands before them. */
  start(queue: DeliveryQueue): void {
    const isNeeded = queue.first.size > 0 || queue.lanes.greetsAtOnce
    if (isNeeded && !queue.isSending && queue.isActive) void this.#sendFirst(queue)
  }

  /** In real time: starts what is due, and keeps the one timer for what comes next. */
  runDue(): void {
    if (this.isClosed || this.underWay.isTurning) return
    for (let due = this.schedule.takeDue(); due; due = this.schedule.takeDue())
      due.queue.makeDue(due.delivery, due.isReordered)
    for (const queue of this.queues.values()) this.#startRetries(queue)
    this.schedule.startTimer(() => this.runDue())
  }

  /** Sends once, and schedules what follows. Never rejects. */
  async attempt(queue: DeliveryQueue, delivery: OutgoingDelivery): Promise<void> {
    this.underWay.begin()
    delivery.dueAt = null
    const outcome = await queue.lanes.post(delivery, this.faults.spoilAttempt(delivery))
    queue.noteAttempt(outcome)
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
    this.noteAttempt(queue, delivery)
    this.noteChange()
  }

  /** Tells a store, and whoever watches, what has become of a delivery. */
  noteAttempt(queue: DeliveryQueue, delivery: OutgoingDelivery): void {
    if (delivery.isDropped) return
    this.#keeper?.note(queue, delivery)
    this.onAttempt?.(queue.webhook.id, delivery, () => delivery.describe(!queue.isActive))
  }

  /** Notes what has become of a delivery without an attempt, for a store that keeps it. */
  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void {
    this.#keeper?.note(queue, delivery)
  }

  /** After every change: starts what became due, and resolves the waits that are over. */
  noteChange(): void {
    this.runDue()
    this.underWay.release()
  }

  /** Counts as something under way until `done` resolves: more events are on their way. */
  expectMore(done: Promise<unknown>): void {
    this.underWay.begin()
    void done.then(() => {
      this.underWay.end()
      this.noteChange()
    })
  }

  /** Goes on from what a store has of the delivery clock and the faults, and tells `keeper` what becomes of deliveries. */
  begin({ offsetMs, faults }: KeptSending, keeper: DeliveryKeeper): void {
    this.#keeper = keeper
    this.schedule.offsetMs = offsetMs
    this.faults.restore(faults)
  }

  /** Where the delivery clock and the faults stand, for {@link begin} elsewhere. */
  keep(): KeptSending {
    return { offsetMs: this.schedule.offsetMs, faults: this.faults.dump() }
  }

  /** Tells of the webhooks that have failed too often and are not switched off. */
  tellExhausted(): void {
    for (const [id, { isExhausted, isOff }] of this.queues) if (isExhausted && !isOff) this.#options.onExhausted?.(id)
  }

  /** Starts what may be sent: leases were renewed. */
  goOn(): void {
    for (const queue of this.queues.values()) this.start(queue)
    this.noteChange()
  }

  /** Forgets what waits: another sender goes on with what the store has. */
  end(): void {
    this.#keeper = undefined
    this.dropWaiting()
    for (const queue of this.queues.values()) queue.forget()
  }

  /** Forgets the deliveries that are not finished: the world that they report on is gone. */
  dropWaiting(): void {
    for (const queue of this.queues.values()) queue.dropWaiting()
    this.schedule.clear()
    this.noteChange()
  }

  /** Resolves with true once nothing is under way and nothing is due; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean> {
    this.runDue()
    return this.underWay.settled(timeoutMs)
  }

  /** Cancels the timer and every connection. Nothing is sent afterwards. */
  async close(): Promise<void> {
    this.isClosed = true
    this.schedule.stopTimer()
    this.dropWaiting()
    await this.underWay.quiet()
  }

  async #sendFirst(queue: DeliveryQueue): Promise<void> {
    queue.isSending = true
    this.underWay.begin()
    await nextTurn()
    const { runtime, onExhausted } = this.#options
    if (await shakeHands(queue, runtime)) await this.#sendByRecord(queue)
    else onExhausted?.(queue.webhook.id)
    queue.isSending = false
    this.underWay.end()
    this.noteChange()
  }

  /**
   * Sends first attempts one after the other, in the order of the events, until none is left. Behind an endpoint that takes
   * its time, those of other records leave meanwhile.
   */
  async #sendByRecord(queue: DeliveryQueue): Promise<void> {
    const sent = new Set<Promise<void>>()
    let isSlow = false
    for (;;) {
      const next = queue.takeFirst()
      if (next !== undefined) {
        const sending: Promise<void> = this.#sendNew(queue, next).finally(() => sent.delete(sending))
        sent.add(sending)
        if (!isSlow) isSlow = await takesItsTime(queue, sending, this.#options.runtime.startTimer)
      } else if (sent.size > 0) await Promise.race(sent)
      else return
      if (sent.size === 0) isSlow = false
    }
  }

  async #sendNew(queue: DeliveryQueue, delivery: OutgoingDelivery): Promise<void> {
    await queue.first.hold(delivery, this.attempt(queue, delivery))
    for (const overtaken of queue.takeOvertaken(delivery)) await this.attempt(queue, overtaken)
  }

  #startRetries(queue: DeliveryQueue): void {
    for (let delivery = queue.takeRetry(); delivery; delivery = queue.takeRetry()) {
      queue.retriesUnderWay++
      this.attempt(queue, delivery).then(() => {
        queue.retriesUnderWay--
        this.runDue()
      })
    }
  }

  #finish(queue: DeliveryQueue, delivery: OutgoingDelivery, state: 'delivered' | 'failed'): void {
    const wasExhausted = queue.isExhausted
    queue.finish(delivery, state)
    if (queue.isExhausted && !wasExhausted) this.#options.onExhausted?.(queue.webhook.id)
    if (state === 'delivered' && this.faults.fire('duplicate', delivery)) queue.due.push(delivery)
    else if (!queue.lanes.sent.has(delivery)) delivery.forgetBody()
  }

  /** Lets faults spoil a whole delivery. Returns true when it is not to be sent now. */
  #spoil(queue: DeliveryQueue, body: EventBody): boolean {
    if (!this.faults.areOn) return false
    const delivery = new OutgoingDelivery(queue.webhook.id, body)
    const fate = this.faults.spoil(delivery)
    if (fate === undefined) return false
    queue.add(delivery)
    if (fate === 'lost') queue.lose(delivery)
    else {
      const { delayMs, isReordered } = fate
      if (isReordered) queue.overtaken.add(delivery)
      delivery.dueAt = this.schedule.add(delayMs, { queue, delivery, isReordered })
    }
    this.note(queue, delivery)
    this.runDue()
    return true
  }
}

/**
 * Whether an endpoint that has answered before takes its time now. Time alone does not tell: an endpoint of this process
 * gets as many turns of the event loop as it needs to answer.
 */
async function takesItsTime(
  queue: DeliveryQueue,
  sending: Promise<void>,
  startTimer: Runtime['startTimer'],
): Promise<boolean> {
  if (!queue.hasAnswered) {
    await sending
    return false
  }
  let isOver = false
  const over = sending.then(() => {
    isOver = true
  })
  for (let turn = 0; turn < PATIENCE_TURNS && !isOver; turn++) await oneTurn(over, startTimer)
  return !isOver
}

function oneTurn(over: Promise<void>, startTimer: Runtime['startTimer']): Promise<void> {
  return new Promise((resolve) => {
    const cancel = startTimer(PATIENCE_TURN_MS, resolve)
    void over.then(() => {
      cancel()
      resolve()
    })
  })
}
