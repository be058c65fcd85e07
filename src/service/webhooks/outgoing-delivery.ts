import type { WebhookEvent } from '../../protocol/event.ts'
import type { Delivery, DeliveryAttempt } from '../../protocol/webhook.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import type { AttemptOutcome } from './lane.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Delay before each attempt after the first, counted from the previous failure (specification, Retries). */
const RETRY_DELAYS_MS: readonly number[] = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS]

/** An event that is composed when it is to be sent. Until then it costs little. */
export interface UncomposedEvent {
  readonly type: string
  compose(): WebhookEvent
}

/** An event's body: composed and serialised at its first attempt, and the same bytes for every webhook and attempt. */
export class EventBody {
  readonly type: string
  /** Orders the bodies of a simulation. */
  readonly number: number
  /** Undefined once it is composed, or not needed any more. */
  #source: UncomposedEvent | undefined
  #event: Delivery['event'] | undefined
  #bytes: Uint8Array | undefined

  constructor(source: UncomposedEvent, number: number) {
    this.type = source.type
    this.number = number
    this.#source = source
  }

  /** What a list of deliveries shows of the event. */
  get event(): Delivery['event'] {
    this.#event ??= toFacts(this.#compose())
    return this.#event
  }

  get bytes(): Uint8Array {
    if (this.#bytes === undefined) {
      const { id, type, created, data } = this.#compose()
      this.#event = { id, type, recordId: data.id }
      this.#bytes = Buffer.from(
        JSON.stringify({ id, type, created, data: { collection: data.collection, id: data.id, object: data.object } }),
      )
      this.#source = undefined
    }
    return this.#bytes
  }

  #compose(): WebhookEvent {
    if (this.#source === undefined) throw new Error('Failed to compose an event: its body was given away.')
    return this.#source.compose()
  }
}

const toFacts = ({ id, type, data }: WebhookEvent): Delivery['event'] => ({ id, type, recordId: data.id })

const DROPPED =
  'The last ten attempts at this endpoint have failed, and 10,000 deliveries wait for it already. Repair it, and make the change again.'

/** An event on its way to one webhook. */
export class OutgoingDelivery {
  readonly type: string
  /** Orders the deliveries of a simulation as their events. */
  readonly number: number
  readonly attempts: DeliveryAttempt[] = []
  state: 'pending' | 'retrying' | 'delivered' | 'failed' | 'dropped' = 'pending'
  /** Delivery-clock time of the next attempt, once one is scheduled. */
  dueAt: number | null = null
  /** Set when the world it belongs to is gone: nothing is sent any more and no outcome counts. */
  isDropped = false
  readonly #webhookId: string
  #id: string | undefined
  /** Undefined once nothing is to be sent any more. */
  #body: EventBody | undefined
  #event: Delivery['event'] | undefined

  constructor(webhookId: string, body: EventBody) {
    this.#webhookId = webhookId
    this.#body = body
    this.type = body.type
    this.number = body.number
  }

  /** What a list of deliveries shows of the event. */
  get event(): Delivery['event'] {
    if (this.#event === undefined) {
      if (this.#body === undefined) throw new Error('Failed to describe a delivery: its body was given away.')
      this.#event = this.#body.event
    }
    return this.#event
  }

  /** The body that is sent. Throws once it was given away. */
  get bytes(): Uint8Array {
    if (this.#body === undefined) throw new Error('Failed to send a delivery: its body was given away.')
    return this.#body.bytes
  }

  /** Gives the body away: nothing is to be sent any more. */
  forgetBody(): void {
    this.#event = this.event
    this.#body = undefined
  }

  /** A UUID that follows from the webhook and the event: the same on every attempt. Computed when first asked for. */
  get id(): string {
    this.#id ??= uuidFrom(this.#webhookId, this.event.id)
    return this.#id
  }

  get isWaiting(): boolean {
    return this.state === 'pending' || this.state === 'retrying'
  }

  /** Adds what came of an attempt. @param attempt.at real time, milliseconds since the epoch */
  record({ at, durationMs, status, error, address }: AttemptOutcome & { at: number; durationMs: number }): void {
    const rounded = Math.round(durationMs * 1_000) / 1_000
    this.attempts.push({ at: new Date(at).toISOString(), status, error, durationMs: rounded, address })
  }

  /** As the API shows it. @param isHeld whether its webhook is switched off */
  describe(isHeld: boolean): Delivery {
    const isNext = this.isWaiting && !isHeld && this.dueAt !== null
    return {
      id: this.id,
      event: { ...this.event },
      state: this.isWaiting && isHeld ? 'held' : this.state,
      attempts: [...this.attempts],
      nextAttemptAt: isNext ? new Date(this.dueAt as number).toISOString() : null,
      ...(this.state === 'dropped' && { reason: DROPPED }),
    }
  }
}

/** What becomes of a delivery. */
type AfterAttempt =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'retrying'; readonly delayMs: number }

/** What becomes of a delivery after its latest attempt, which had this outcome. */
export function afterAttempt(
  { attempts }: Pick<Delivery, 'attempts'>,
  { error }: Pick<AttemptOutcome, 'error'>,
): AfterAttempt {
  if (error === null) return { state: 'delivered' }
  const delayMs = RETRY_DELAYS_MS[attempts.length - 1]
  return delayMs === undefined ? { state: 'failed' } : { state: 'retrying', delayMs }
}
