import { parseJson, readPath, valueText } from '../../protocol/json.ts'
import { fillTemplate, parseTemplate } from '../../protocol/template.ts'
import type { Delivery } from '../../protocol/webhook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { nextTurn } from '../../runtime/timers.ts'
import type { DeliveryQueue, DueDelivery } from './delivery-queue.ts'
import { DeliverySchedule } from './delivery-schedule.ts'
import { Faults, type KeptFault } from './faults.ts'
import type { Outgoing } from './guarded-connect.ts'
import { shakeHands } from './handshake.ts'
import type { AttemptOutcome } from './lane.ts'
import { afterAttempt, type EventBody, OutgoingDelivery } from './outgoing-delivery.ts'
import { noWebhook } from './webhook-settings.ts'

/** With an endpoint that answers within ten times 5 ms, all first attempts are sent in order. */
const PATIENCE_TURNS = 10
const PATIENCE_TURN_MS = 5

/** What a test's sink answers by itself. */
const RECEIPT = '{"received":true}'

/** Options of a simulation's sender. */
export interface DispatcherOptions extends Outgoing {
  /** Called with the id of a webhook after its 50th consecutive failed delivery, or a failed handshake. */
  onExhausted?: ((id: string) => void) | undefined
}

/** A request to the simulation itself, of the body of an endpoint's answer. */
export interface AnswerRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Saves the progress of deliveries in a store. */
export interface DeliveryKeeper {
  /** An attempt was made, or a fault delays or loses the delivery. */
  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void
}

/** A sender's state for the next one, besides the deliveries. */
export interface KeptSending {
  /** Offset of the delivery clock from this machine's. */
  readonly offsetMs: number
  readonly faults: readonly KeptFault[]
}

/** Sends the deliveries of one simulation's webhooks: its only outgoing I/O. */
export class Dispatcher {
  /** By the id of the webhook. */
  readonly queues = new Map<string, DeliveryQueue>()
  readonly schedule: DeliverySchedule<DueDelivery>
  readonly underWay: UnderWay
  readonly faults: Faults
  isClosed = false
  /** Called after each attempt. Only for the simulation's activity feed. */
  onAttempt: ((webhookId: string, delivery: OutgoingDelivery, compose: () => Delivery) => void) | undefined
  /** Sends an endpoint's answer to the operation that the format names. */
  onAnswer: ((request: AnswerRequest) => Promise<unknown>) | undefined
  readonly #options: DispatcherOptions
  /** Saves progress, if deliveries are in a store and this is their sender. */
  #keeper: DeliveryKeeper | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.schedule = new DeliverySchedule(options.runtime)
    this.underWay = new UnderWay(options.runtime.startTimer)
    this.faults = new Faults(options.runtime.clock)
  }

  /** The waiting and sent deliveries of a webhook. Throws `not_found`. */
  queue(id: string): DeliveryQueue {
    const queue = this.queues.get(id)
    if (queue === undefined) throw noWebhook(id)
    return queue
  }

  /** Takes events for a webhook, in order; first attempts start in the next turn of the event loop. */
  take(queue: DeliveryQueue, bodies: readonly EventBody[]): void {
    for (const body of bodies) if (!this.#spoil(queue, body)) queue.addFirst(body)
    this.start(queue)
  }

  /** Starts first attempts, or the handshake before them. */
  start(queue: DeliveryQueue): void {
    const isNeeded = queue.first.size > 0 || queue.lanes.greetsAtOnce
    if (isNeeded && !queue.isSending && queue.isActive) void this.#sendFirst(queue)
  }

  /** In real time: starts due work, and sets the timer for the next one. */
  runDue(): void {
    if (this.isClosed || this.underWay.isTurning) return
    for (let due = this.schedule.takeDue(); due; due = this.schedule.takeDue())
      due.queue.makeDue(due.delivery, due.isReordered)
    for (const queue of this.queues.values()) this.#startRetries(queue)
    this.schedule.startTimer(() => this.runDue())
  }

  /** Sends once, and schedules the next attempt. Never rejects. */
  async attempt(queue: DeliveryQueue, delivery: OutgoingDelivery): Promise<void> {
    this.underWay.begin()
    delivery.dueAt = null
    const outcome = await queue.lanes.post(delivery, this.faults.spoilAttempt(delivery))
    queue.noteAttempt(outcome)
    this.#useAnswer(queue, delivery, outcome)
    // An attempt that fails at once, without a network, must not block the event loop.
    if (outcome.error !== null) await nextTurn()
    this.underWay.end()
    if (!delivery.isDropped && delivery.state !== 'delivered') {
      const after = afterAttempt(delivery, outcome, queue.form.format.delivery)
      if (after.state === 'retrying') {
        delivery.state = 'retrying'
        delivery.dueAt = this.schedule.add(after.delayMs, { queue, delivery, isReordered: false })
      } else this.#finish(queue, delivery, after.state)
    }
    this.noteAttempt(queue, delivery)
    this.noteChange()
  }

  /** Reports a delivery's progress to the store and the activity feed. */
  noteAttempt(queue: DeliveryQueue, delivery: OutgoingDelivery): void {
    if (delivery.isDropped) return
    this.#keeper?.note(queue, delivery)
    this.onAttempt?.(queue.webhook.id, delivery, () => delivery.describe(!queue.isActive))
  }

  /** Reports a change without an attempt to the store. */
  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void {
    this.#keeper?.note(queue, delivery)
  }

  /** After every change: starts due work, and resolves finished waits. */
  noteChange(): void {
    this.runDue()
    this.underWay.release()
  }

  /** Counts as activity until `done` resolves: more events will follow. */
  expectMore(done: Promise<unknown>): void {
    this.underWay.begin()
    const end = () => {
      this.underWay.end()
      this.noteChange()
    }
    done.then(end, end)
  }

  /** Restores the delivery clock and the faults from a store, and reports progress to `keeper`. */
  begin({ offsetMs, faults }: KeptSending, keeper: DeliveryKeeper): void {
    this.#keeper = keeper
    this.schedule.offsetMs = offsetMs
    this.faults.restore(faults)
  }

  /** State of the delivery clock and the faults, for {@link begin} elsewhere. */
  keep(): KeptSending {
    return { offsetMs: this.schedule.offsetMs, faults: this.faults.dump() }
  }

  /** Reports webhooks with too many failures that are still enabled. */
  tellExhausted(): void {
    for (const [id, { isExhausted, isOff }] of this.queues) if (isExhausted && !isOff) this.#options.onExhausted?.(id)
  }

  /** Starts sending after a renewed lease. */
  goOn(): void {
    for (const queue of this.queues.values()) this.start(queue)
    this.noteChange()
  }

  /** Drops waiting deliveries: another sender continues from the store. */
  end(): void {
    this.#keeper = undefined
    this.dropWaiting()
    for (const queue of this.queues.values()) queue.forget()
  }

  /** Drops unfinished deliveries: their data was replaced. */
  dropWaiting(): void {
    for (const queue of this.queues.values()) queue.dropWaiting()
    this.schedule.clear()
    this.noteChange()
  }

  /** Resolves with true when nothing is in progress or due; with false after `timeoutMs`. */
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
   * Sends first attempts one after the other, in order of the events. While an endpoint is slow, those of other records
   * are sent in parallel.
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

  #useAnswer({ form }: DeliveryQueue, delivery: OutgoingDelivery, { error, answer }: AttemptOutcome): void {
    const row = form.format.answers?.find(
      ({ types, failed = false }) => types.includes(delivery.type) && failed === (error !== null),
    )
    if (row === undefined || this.onAnswer === undefined) return
    const given = Buffer.concat(answer?.chunks ?? []).toString()
    const body = given === '' || given === RECEIPT ? row.empty : given
    if (body === undefined || !body.includes(row.containing ?? '')) return
    const [method = '', path = ''] = row.to.split(' ')
    const sent = fieldsOf(delivery.bodies[0]?.text ?? '')
    const isWrapped = row.wraps !== undefined && parseJson(body) === undefined
    const type = isWrapped ? 'application/json' : String(answer?.headers['content-type'] ?? 'application/json')
    const text = isWrapped ? JSON.stringify({ [row.wraps ?? '']: body }) : body
    const filled = fillTemplate(parseTemplate(path), (name) => encodeURIComponent(sent(name)))
    this.expectMore(this.onAnswer({ method, path: filled, headers: { 'content-type': type }, body: text }))
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

  /** Applies faults to a whole delivery. Returns true when it must not be sent now. */
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

/** The fields of a body, which is JSON or a form. */
function fieldsOf(text: string): (name: string) => string {
  const pairs = [...new URLSearchParams(text)].map(
    ([name, value]) => [name, (value.startsWith('{') && parseJson(value)) || value] as const,
  )
  const body = parseJson(text) ?? Object.fromEntries(pairs)
  return (name) => valueText(readPath(body, name.split('.')))
}

/**
 * Whether an endpoint that has answered before is slow now. Time alone does not decide: an endpoint in this process
 * gets enough turns of the event loop to answer.
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

/** Number of deliveries in progress, and waits for their end. */
class UnderWay {
  /** Whether the delivery clock is advancing: nothing is settled before its end. */
  isTurning = false
  readonly #startTimer: Runtime['startTimer']
  #count = 0
  #quietWaiters: (() => void)[] = []
  readonly #settledWaiters = new Set<() => void>()

  constructor(startTimer: Runtime['startTimer']) {
    this.#startTimer = startTimer
  }

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
  }

  /** Resolves when nothing is in progress. */
  async quiet(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#quietWaiters.push(resolve))
  }

  /** Resolves with true when nothing is in progress and the clock is not advancing; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean> {
    if (this.#count === 0 && !this.isTurning) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (isSettled: boolean) => {
        cancelTimer()
        this.#settledWaiters.delete(onSettled)
        resolve(isSettled)
      }
      const onSettled = () => finish(true)
      const cancelTimer = this.#startTimer(timeoutMs, () => finish(false))
      this.#settledWaiters.add(onSettled)
    })
  }

  /** Resolves finished waits. */
  release(): void {
    if (this.#count > 0) return
    for (const resolve of this.#quietWaiters.splice(0)) resolve()
    if (!this.isTurning) for (const onSettled of [...this.#settledWaiters]) onSettled()
  }
}
