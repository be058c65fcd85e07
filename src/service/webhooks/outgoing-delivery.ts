import type { WebhookEvent } from '../../protocol/event.ts'
import type { Delivery, DeliveryAttempt } from '../../protocol/webhook.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import type { AttemptOutcome } from './lane.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Delay before each attempt after the first, counted from the previous failure (specification, Retries). */
const RETRY_DELAYS_MS: readonly number[] = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS]

/** An event's body: serialised once, at its first attempt, and the same bytes for every webhook and attempt. */
export class EventBody {
  readonly event: WebhookEvent
  #bytes: Uint8Array | undefined

  constructor(event: WebhookEvent) {
    this.event = event
  }

  get bytes(): Uint8Array {
    const { id, type, created, data } = this.event
    this.#bytes ??= Buffer.from(
      JSON.stringify({ id, type, created, data: { collection: data.collection, id: data.id, object: data.object } }),
    )
    return this.#bytes
  }
}

/** An event on its way to one webhook. */
export class OutgoingDelivery {
  readonly body: EventBody
  readonly attempts: DeliveryAttempt[] = []
  state: 'pending' | 'retrying' | 'delivered' | 'failed' = 'pending'
  /** Delivery-clock time of the next attempt, once one is scheduled. */
  dueAt: number | null = null
  /** Set when the world it belongs to is gone: nothing is sent any more and no outcome counts. */
  isDropped = false
  readonly #webhookId: string
  #id: string | undefined

  constructor(webhookId: string, body: EventBody) {
    this.#webhookId = webhookId
    this.body = body
  }

  /** A UUID that follows from the webhook and the event: the same on every attempt. Computed when first asked for. */
  get id(): string {
    this.#id ??= uuidFrom(this.#webhookId, this.body.event.id)
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
    const { id, type, data } = this.body.event
    const isNext = this.isWaiting && !isHeld && this.dueAt !== null
    return {
      id: this.id,
      event: { id, type, recordId: data.id },
      state: this.isWaiting && isHeld ? 'held' : this.state,
      attempts: [...this.attempts],
      nextAttemptAt: isNext ? new Date(this.dueAt as number).toISOString() : null,
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
