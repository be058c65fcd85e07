import type { Runtime } from '../../runtime/runtime.ts'
import { type CancelTimer, nextTurn } from '../../runtime/timers.ts'
import { Schedule } from '../schedule/schedule.ts'
import { composeRequest } from './compose-request.ts'
import { DeliveryClock } from './delivery-clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { Faults } from './faults.ts'
import type { Outcome } from './lane.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'
import { RETRY_DELAYS_MS } from './retry-table.ts'

/** Retries of one endpoint that may be under way at once, besides its first attempts. */
const PARALLEL_RETRIES = 4
/** How long a delayed or reordered delivery waits where its fault does not say. */
const FAULT_DELAY_SECONDS = 5

/** The only outgoing I/O of a simulation: sends what its endpoints hold, when it is due on the delivery clock. */
export class Dispatcher {
  readonly #runtime: Runtime
  readonly #faults: Faults
  readonly #endpoints: ReadonlyMap<string, Endpoint>
  readonly #clock: DeliveryClock
  readonly #settledWaiters = new Set<() => void>()
  #quietWaiters: (() => void)[] = []
  #schedule = new Schedule(0)
  #underWay = 0
  #turning: Promise<unknown> | undefined
  #cancelTimer: CancelTimer = () => undefined
  #timerDueAt: number | undefined
  #isClosed = false

  constructor(options: { runtime: Runtime; faults: Faults; endpoints: ReadonlyMap<string, Endpoint> }) {
    this.#runtime = options.runtime
    this.#faults = options.faults
    this.#endpoints = options.endpoints
    this.#clock = new DeliveryClock(options.runtime.clock)
  }

  /** Takes a delivery; its first attempt leaves in the next turn of the event loop, behind those before it. */
  send(endpoint: Endpoint, delivery: OutgoingDelivery): void {
    endpoint.add(delivery)
    if (!this.#faults.isEmpty && this.#spoil(endpoint, delivery)) return
    endpoint.queue(delivery)
    this.#startSending(endpoint)
  }

  /** Goes on with what an endpoint has held. */
  resume(endpoint: Endpoint): void {
    this.#startSending(endpoint)
    this.#runDue()
  }

  /** Turns the delivery clock, running each retry that falls due at its own time. Returns how many were run. */
  advance(seconds: number): Promise<number> {
    return this.#oneAtATime(async () => {
      const target = this.#clock.now() + seconds * 1_000
      const attempts = await this.#turnTo(target)
      this.#clock.stopAt(target)
      return attempts
    })
  }

  /** Runs the next `limit` retries, turning the delivery clock to each. Returns how many were run. */
  runNext(limit: number): Promise<number> {
    return this.#oneAtATime(() => this.#turnTo(Number.POSITIVE_INFINITY, limit))
  }

  /** Resolves with true once nothing is under way and nothing is due; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean> {
    this.#runDue()
    if (this.#underWay === 0 && !this.#turning) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (isSettled: boolean) => {
        cancelTimer()
        this.#settledWaiters.delete(onSettled)
        resolve(isSettled)
      }
      const onSettled = () => finish(true)
      const cancelTimer = this.#runtime.startTimer(timeoutMs, () => finish(false))
      this.#settledWaiters.add(onSettled)
    })
  }

  /** Forgets every delivery that is not finished. */
  dropWaiting(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.dropWaiting()
    this.#schedule = new Schedule(0)
    this.#changed()
  }

  /** Cancels the timer and every connection. Nothing is sent afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer()
    this.dropWaiting()
    await this.#quiet()
  }

  #startSending(endpoint: Endpoint): void {
    if (!endpoint.isSending && endpoint.isActive && endpoint.hasQueued) this.#sendQueued(endpoint)
  }

  /** First attempts leave one after the other, in the order of the events. */
  async #sendQueued(endpoint: Endpoint): Promise<void> {
    endpoint.isSending = true
    this.#underWay++
    await nextTurn()
    for (let next = endpoint.takeQueued(); next; next = endpoint.takeQueued()) {
      await this.#attempt(endpoint, next)
      for (const overtaken of endpoint.takeOvertaken(next)) await this.#attempt(endpoint, overtaken)
    }
    endpoint.isSending = false
    this.#underWay--
    this.#changed()
  }

  /** Sends once, records what came of it and schedules what follows. */
  async #attempt(endpoint: Endpoint, delivery: OutgoingDelivery): Promise<void> {
    const { clock } = this.#runtime
    const at = clock.now()
    const startedAt = clock.monotonic()
    delivery.dueAt = null
    this.#underWay++
    const outcome = await this.#post(endpoint, delivery, at)
    this.#underWay--
    if (!delivery.isDropped) {
      delivery.record({ at, durationMs: clock.monotonic() - startedAt, ...outcome })
      this.#settle(endpoint, delivery, outcome)
    }
    this.#changed()
  }

  /** Never rejects: an error of our own is an attempt that failed, so that it is seen and nothing waits for ever. */
  async #post(endpoint: Endpoint, delivery: OutgoingDelivery, at: number): Promise<Outcome> {
    const lane = endpoint.takeLane()
    try {
      const { headers, rawBody } = composeRequest(endpoint, delivery, { at, faults: this.#faults })
      return await lane.post(headers, rawBody)
    } catch (error) {
      const fact = error instanceof Error ? error.message : String(error)
      return { status: null, error: `internal error: ${fact}`, address: null }
    } finally {
      endpoint.giveLane(lane)
    }
  }

  #settle(endpoint: Endpoint, delivery: OutgoingDelivery, outcome: Outcome): void {
    if (delivery.state === 'delivered') return
    const delayMs = RETRY_DELAYS_MS[delivery.attempts.length - 1]
    if (outcome.error === null) {
      endpoint.finish(delivery, 'delivered')
      if (!this.#faults.isEmpty && this.#faults.fire('duplicate', delivery)) endpoint.due.push(delivery)
    } else if (delayMs === undefined) {
      endpoint.finish(delivery, 'failed')
    } else {
      delivery.state = 'retrying'
      this.#schedule.add(this.#setDue(delivery, delayMs), () => makeDue(endpoint, delivery))
    }
  }

  /** Faults of whole deliveries. Returns true when the delivery is not to be queued now. */
  #spoil(endpoint: Endpoint, delivery: OutgoingDelivery): boolean {
    if (this.#faults.fire('drop', delivery)) {
      endpoint.lose(delivery)
      return true
    }
    const fault = this.#faults.fire('delay', delivery) ?? this.#faults.fire('reorder', delivery)
    if (!fault) return false
    const dueAt = this.#setDue(delivery, (fault.seconds ?? FAULT_DELAY_SECONDS) * 1_000)
    if (fault.kind === 'reorder') endpoint.overtaken.add(delivery)
    this.#schedule.add(dueAt, () => {
      if (fault.kind === 'delay' || endpoint.overtaken.delete(delivery)) makeDue(endpoint, delivery)
    })
    this.#runDue()
    return true
  }

  #setDue(delivery: OutgoingDelivery, delayMs: number): number {
    const dueAt = this.#clock.now() + delayMs
    delivery.dueAt = dueAt
    return dueAt
  }

  /** In real time: starts what is due, and keeps the one timer for what comes next. */
  #runDue(): void {
    if (this.#isClosed || this.#turning) return
    const now = this.#clock.now()
    while (this.#schedule.runNext(now)) {}
    for (const endpoint of this.#endpoints.values()) this.#startRetries(endpoint)
    const dueAt = this.#schedule.nextDueAt
    if (dueAt === this.#timerDueAt) return
    this.#stopTimer()
    if (dueAt === undefined) return
    this.#timerDueAt = dueAt
    this.#cancelTimer = this.#runtime.startTimer(dueAt - now, () => {
      this.#timerDueAt = undefined
      this.#runDue()
    })
  }

  #stopTimer(): void {
    this.#cancelTimer()
    this.#timerDueAt = undefined
  }

  #startRetries(endpoint: Endpoint): void {
    while (endpoint.isActive && endpoint.retriesUnderWay < PARALLEL_RETRIES) {
      const delivery = endpoint.due.shift()
      if (!delivery) return
      endpoint.retriesUnderWay++
      this.#attempt(endpoint, delivery).then(() => {
        endpoint.retriesUnderWay--
        this.#runDue()
      })
    }
  }

  /** Turns the stopped clock from due time to due time, awaiting each real attempt. */
  async #turnTo(target: number, limit: number = Number.POSITIVE_INFINITY): Promise<number> {
    let attempts = 0
    while (attempts < limit && !this.#isClosed) {
      const retry = this.#takeRetry(target)
      if (!retry) break
      attempts++
      await this.#attempt(retry.endpoint, retry.delivery)
      await this.#quiet()
    }
    return attempts
  }

  /** The earliest retry that is due by `target`, with the clock at its time. What is held is passed over. */
  #takeRetry(target: number): { endpoint: Endpoint; delivery: OutgoingDelivery } | undefined {
    for (;;) {
      for (const endpoint of this.#endpoints.values()) {
        const delivery = endpoint.isActive ? endpoint.due.shift() : undefined
        if (delivery) return { endpoint, delivery }
      }
      const dueAt = this.#schedule.nextDueAt
      if (dueAt === undefined || dueAt > target) return undefined
      this.#clock.stopAt(dueAt)
      this.#schedule.runNext(dueAt)
    }
  }

  /** Turning the clock by hand excludes the timer, and another hand. Begins once nothing is under way. */
  async #oneAtATime(turn: () => Promise<number>): Promise<number> {
    while (this.#turning) await this.#turning
    this.#stopTimer()
    const run = async () => {
      await this.#quiet()
      this.#clock.stopAt(this.#clock.now())
      return turn()
    }
    const turning = run().finally(() => {
      this.#clock.resume()
      this.#turning = undefined
      this.#changed()
    })
    this.#turning = turning
    return turning
  }

  async #quiet(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resolve) => this.#quietWaiters.push(resolve))
  }

  /** Called after every change: starts what became due and tells those who wait for quiet. */
  #changed(): void {
    this.#runDue()
    if (this.#underWay > 0) return
    for (const resolve of this.#quietWaiters.splice(0)) resolve()
    if (!this.#turning) for (const onSettled of [...this.#settledWaiters]) onSettled()
  }
}

function makeDue(endpoint: Endpoint, delivery: OutgoingDelivery): void {
  if (!delivery.isDropped) endpoint.due.push(delivery)
}
