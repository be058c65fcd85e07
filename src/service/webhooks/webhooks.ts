import { ApiError, notFound } from '../../protocol/errors.ts'
import type { WebhookEvent } from '../../protocol/event.ts'
import { signWebhook } from '../../protocol/signature.ts'
import type { Delivery, RegisteredWebhook, Webhook, WebhookRequest, WebhookState } from '../../protocol/webhook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type CancelTimer, nextTurn } from '../../runtime/timers.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import { Schedule } from '../schedule/schedule.ts'
import { DeliveryClock } from './delivery-clock.ts'
import { Endpoint } from './endpoint.ts'
import type { Dial } from './guarded-connect.ts'
import type { Outcome } from './lane.ts'
import { EventBody, OutgoingDelivery } from './outgoing-delivery.ts'
import { RETRY_DELAYS_MS } from './retry-table.ts'
import { checkTarget, parseWebhookUrl } from './safe-url.ts'
import type { SinkExemptions } from './sink-exemptions.ts'

export interface WebhooksOptions {
  runtime: Runtime
  exemptions: SinkExemptions
  /** Most webhooks, as the account's plan sets it. @default no limit */
  maxWebhooks?: number | undefined
  /** How connections are opened once the address guard has agreed. @default undici's connector */
  dial?: Dial | undefined
}

/** Retries of one endpoint that may be under way at once, besides its first attempts. */
const PARALLEL_RETRIES = 4
const USER_AGENT = 'Svc-Webhooks/1.0'
const NOTE =
  'Store the secret now: it is not shown again. Verify each delivery with it and the Svc-Signature header, over the raw body.'

/**
 * The webhooks of one simulation: who is registered, what waits to be delivered, and the sending of it. Changing the
 * state is synchronous; a delivery never holds up the change that it tells of.
 */
export class Webhooks {
  readonly #options: WebhooksOptions
  readonly #clock: DeliveryClock
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #settledWaiters = new Set<() => void>()
  #quietWaiters: (() => void)[] = []
  #schedule = new Schedule(0)
  #inFlight = 0
  #starting = 0
  #advancing: Promise<unknown> | undefined
  #cancelTimer: CancelTimer = () => undefined
  #timerDueAt: number | undefined
  #isClosed = false

  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#clock = new DeliveryClock(options.runtime.clock)
  }

  /** Registers a webhook; throws `invalid_request`, `unsafe_url` or `plan_limit`. No connection is made. */
  async register(request: WebhookRequest): Promise<RegisteredWebhook> {
    const { runtime, exemptions, maxWebhooks = Number.POSITIVE_INFINITY, dial } = this.#options
    const target = parseWebhookUrl(request.url)
    await checkTarget(target, runtime, exemptions)
    if (this.#endpoints.size >= maxWebhooks) {
      throw new ApiError(402, 'plan_limit', `Expected at most ${maxWebhooks} webhooks per simulation on this plan.`)
    }
    const webhook = { id: runtime.uuid(), url: request.url, events: [...request.events] }
    const secret = `whsec_${runtime.secret(32)}`
    this.#endpoints.set(webhook.id, new Endpoint(webhook, secret, { target, runtime, exemptions, dial }))
    return { ...webhook, secret, note: NOTE }
  }

  list(): Webhook[] {
    return [...this.#endpoints.values()].map(({ webhook }) => ({ ...webhook }))
  }

  /** The webhooks, whether each is switched off, and its failed deliveries in a row. */
  states(): WebhookState[] {
    return [...this.#endpoints.values()].map((endpoint) => endpoint.state())
  }

  /** Removes a webhook with everything that waits for it; throws `not_found`. */
  remove(id: string): void {
    const endpoint = this.#get(id)
    endpoint.isRemoved = true
    endpoint.dropWaiting()
    this.#endpoints.delete(id)
    this.#changed()
  }

  /** Switches a webhook on again: its count starts anew and what was held goes on. Throws `not_found`. */
  enable(id: string): void {
    const endpoint = this.#get(id)
    endpoint.isOff = false
    endpoint.failures = 0
    this.#startSending(endpoint)
    this.#runDue()
  }

  /** The latest 1000 deliveries of a webhook, oldest first, with every attempt. Throws `not_found`. */
  deliveries(id: string): Delivery[] {
    return this.#get(id).deliveries()
  }

  /** Whether an active webhook takes events of this kind. Only then is one worth composing. */
  wants(type: string): boolean {
    for (const endpoint of this.#endpoints.values()) if (endpoint.wants(type)) return true
    return false
  }

  /** Takes an event for every webhook that wants it; sending starts in the next turn of the event loop. */
  enqueue(event: WebhookEvent): void {
    if (this.#isClosed) return
    const body = new EventBody(event)
    for (const endpoint of this.#endpoints.values()) {
      if (!endpoint.wants(event.type)) continue
      endpoint.add(new OutgoingDelivery(uuidFrom(endpoint.webhook.id, event.id), body))
      this.#startSending(endpoint)
    }
  }

  /** Turns the delivery clock, running each retry that falls due at its own time. Returns how many were run. */
  advance(seconds: number): Promise<{ attempts: number }> {
    return this.#oneAtATime(async () => {
      await this.#quiet()
      const target = this.#clock.now() + seconds * 1_000
      return this.#turnTo(() => target)
    })
  }

  /** Runs the next retry, turning the delivery clock to it. Returns how many were run: 0 when none waits. */
  runNext(): Promise<{ attempts: number }> {
    return this.#oneAtATime(async () => {
      await this.#quiet()
      return this.#turnTo(() => this.#schedule.nextDueAt ?? Number.NEGATIVE_INFINITY, 1)
    })
  }

  /** Runs every retry until each delivery is delivered, failed or held. Returns how many were run. */
  drain(): Promise<{ attempts: number }> {
    return this.#oneAtATime(async () => {
      await this.#quiet()
      return this.#turnTo(() => this.#schedule.nextDueAt ?? Number.NEGATIVE_INFINITY)
    })
  }

  /** Resolves with true once nothing is under way and nothing is due; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean> {
    this.#runDue()
    if (this.#isQuiet && !this.#advancing) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (isSettled: boolean) => {
        cancelTimer()
        this.#settledWaiters.delete(onSettled)
        resolve(isSettled)
      }
      const onSettled = () => finish(true)
      const cancelTimer = this.#options.runtime.startTimer(timeoutMs, () => finish(false))
      this.#settledWaiters.add(onSettled)
    })
  }

  /** Forgets the deliveries that are not finished: the world that they tell of is gone. */
  dropWaiting(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.dropWaiting()
    this.#schedule = new Schedule(0)
    this.#changed()
  }

  /** Cancels every timer and connection. Nothing is sent afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer()
    this.dropWaiting()
    await this.#quiet()
  }

  get #isQuiet(): boolean {
    return this.#inFlight === 0 && this.#starting === 0
  }

  #get(id: string): Endpoint {
    const endpoint = this.#endpoints.get(id)
    if (!endpoint) throw notFound(`No webhook ${JSON.stringify(id)} in this simulation.`)
    return endpoint
  }

  /** First attempts leave one after the other, in the order of the events. */
  async #startSending(endpoint: Endpoint): Promise<void> {
    if (endpoint.isSending || !endpoint.isActive || !endpoint.hasQueued) return
    endpoint.isSending = true
    this.#starting++
    await nextTurn()
    for (let next = endpoint.takeQueued(); next; next = endpoint.takeQueued()) await this.#attempt(endpoint, next)
    endpoint.isSending = false
    this.#starting--
    this.#changed()
  }

  /** Sends once, records what came of it and schedules what follows. */
  async #attempt(endpoint: Endpoint, delivery: OutgoingDelivery): Promise<void> {
    const { clock } = this.#options.runtime
    this.#inFlight++
    const at = clock.now()
    const startedAt = clock.monotonic()
    const lane = endpoint.takeLane()
    const outcome = await lane.post(composeHeaders(endpoint, delivery, at), delivery.body.bytes)
    endpoint.giveLane(lane)
    this.#inFlight--
    if (!delivery.isDropped) this.#record(endpoint, delivery, { at, startedAt, outcome })
    this.#changed()
  }

  #record(
    endpoint: Endpoint,
    delivery: OutgoingDelivery,
    attempt: { at: number; startedAt: number; outcome: Outcome },
  ): void {
    const { at, startedAt, outcome } = attempt
    const durationMs = Math.round((this.#options.runtime.clock.monotonic() - startedAt) * 1_000) / 1_000
    delivery.attempts.push({ at: new Date(at).toISOString(), ...outcome, durationMs })
    this.#settle(endpoint, delivery, outcome.error === null)
  }

  #settle(endpoint: Endpoint, delivery: OutgoingDelivery, isDelivered: boolean): void {
    const delayMs = RETRY_DELAYS_MS[delivery.attempts.length - 1]
    if (isDelivered || delayMs === undefined) {
      endpoint.finish(delivery, isDelivered ? 'delivered' : 'failed')
      return
    }
    delivery.state = 'retrying'
    delivery.dueAt = this.#clock.now() + delayMs
    this.#schedule.add(delivery.dueAt, () => {
      if (!delivery.isDropped) endpoint.due.push(delivery)
    })
  }

  /** In real time: starts what is due, and keeps the one timer for what comes next. */
  #runDue(): void {
    if (this.#isClosed || this.#advancing) return
    const now = this.#clock.now()
    while (this.#schedule.runNext(now)) {}
    for (const endpoint of this.#endpoints.values()) this.#startRetries(endpoint)
    const dueAt = this.#schedule.nextDueAt
    if (dueAt === this.#timerDueAt) return
    this.#stopTimer()
    if (dueAt === undefined) return
    this.#timerDueAt = dueAt
    this.#cancelTimer = this.#options.runtime.startTimer(dueAt - now, () => {
      this.#timerDueAt = undefined
      this.#runDue()
    })
  }

  #stopTimer(): void {
    this.#cancelTimer()
    this.#timerDueAt = undefined
  }

  #startRetries(endpoint: Endpoint): void {
    while (endpoint.isActive && endpoint.retriesInFlight < PARALLEL_RETRIES && endpoint.due.length > 0) {
      const delivery = endpoint.due.shift() as OutgoingDelivery
      endpoint.retriesInFlight++
      this.#attempt(endpoint, delivery).then(() => {
        endpoint.retriesInFlight--
        this.#runDue()
      })
    }
  }

  /** Turns the stopped clock from due time to due time, awaiting each real attempt, and rests at the target. */
  async #turnTo(target: () => number, limit: number = Number.POSITIVE_INFINITY): Promise<{ attempts: number }> {
    let attempts = 0
    this.#clock.stopAt(this.#clock.now())
    for (;;) {
      await this.#quiet()
      if (this.#isClosed || attempts >= limit) break
      const retry = this.#takeRetry(target())
      if (!retry) break
      attempts++
      await this.#attempt(retry.endpoint, retry.delivery)
    }
    const rest = target()
    if (limit === Number.POSITIVE_INFINITY && Number.isFinite(rest)) this.#clock.stopAt(rest)
    return { attempts }
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
      this.#schedule.runNext(target)
    }
  }

  /** Turning the clock by hand excludes the timer, and another hand. */
  async #oneAtATime<T>(run: () => Promise<T>): Promise<T> {
    while (this.#advancing) await this.#advancing
    this.#stopTimer()
    const running = run().finally(() => {
      this.#clock.resume()
      this.#advancing = undefined
      this.#runDue()
      this.#changed()
    })
    this.#advancing = running
    return running
  }

  async #quiet(): Promise<void> {
    while (!this.#isQuiet) await new Promise<void>((resolve) => this.#quietWaiters.push(resolve))
  }

  /** Called after every change: starts what became due and tells those who wait for quiet. */
  #changed(): void {
    this.#runDue()
    if (!this.#isQuiet) return
    for (const resolve of this.#quietWaiters.splice(0)) resolve()
    if (!this.#advancing) for (const onSettled of [...this.#settledWaiters]) onSettled()
  }
}

function composeHeaders(endpoint: Endpoint, delivery: OutgoingDelivery, at: number): string[] {
  const rawBody = delivery.body.bytes
  return [
    'content-type',
    'application/json',
    'user-agent',
    USER_AGENT,
    'svc-event',
    delivery.body.event.type,
    'svc-delivery',
    delivery.id,
    'svc-signature',
    signWebhook({ rawBody, secret: endpoint.secret, t: Math.floor(at / 1_000) }),
  ]
}
