import type { WebhookEvent } from '../../protocol/event.ts'
import { idFrom } from '../../protocol/expression.ts'
import type { Delivery, DeliveryAttempt } from '../../protocol/webhook.ts'
import type { DeliveryTerms } from '../../protocol/webhook-scheme/webhook-format.ts'
import { publish } from '../../runtime/diagnostics.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import type { AnnouncedChange, EventForm, WrittenEvent } from './event-form.ts'
import type { AttemptOutcome } from './lane.ts'

/** Place of an event's record, for a sink of the run. */
export interface EventPlace {
  readonly type: string
  readonly id: string
  readonly created: string
  readonly collection: string
  readonly recordId: string
  /** JSON pointer within the event's part of the body. */
  readonly place: string | undefined
}

/** A stored event body. */
export interface KeptBody extends EventPlace {
  readonly text: string
}

/** An event's body in one form: composed and serialised at its first attempt, and the same text for every webhook and attempt. */
export class EventBody {
  readonly type: string
  /** Order among the bodies of a simulation. */
  readonly number: number
  readonly #form: EventForm
  /** Undefined once it is composed, or no longer needed. */
  #change: AnnouncedChange | undefined
  #event: WebhookEvent | undefined
  #place: EventPlace | undefined
  #written: WrittenEvent | undefined

  constructor(change: AnnouncedChange | undefined, number: number, form: EventForm, type: string) {
    this.type = type
    this.number = number
    this.#change = change
    this.#form = form
  }

  /** Restores a stored body. */
  static again({ text, ...place }: KeptBody, number: number, form: EventForm): EventBody {
    const body = new EventBody(undefined, number, form, place.type)
    body.#place = { ...place, place: undefined }
    body.#written = { text, place: place.place }
    return body
  }

  /** The stored form for {@link again}. */
  keep(): KeptBody {
    return { ...this.place, text: this.text }
  }

  /** The event in lists of deliveries. */
  get event(): Delivery['event'] {
    const { id, recordId } = this.#facts()
    return { id, type: this.type, recordId }
  }

  get text(): string {
    if (this.#written === undefined) {
      this.#facts()
      this.#written = this.#form.write(this.#source(), this.#composed(), this.type)
      this.#change = undefined
      this.#event = undefined
    }
    return this.#written.text
  }

  /** The event's labels for a sink of the run. */
  get place(): EventPlace {
    return { ...this.#facts(), place: this.text === '' ? undefined : this.#written?.place }
  }

  /** Identifies the event, also among other types of the same change. */
  get identity(): string {
    return this.#form.format.events === undefined ? this.#facts().id : `${this.#facts().id}:${this.type}`
  }

  /** The event's id in the form of the scheme. */
  get id(): string {
    const { id } = this.#form.format.scheme
    return id === undefined ? this.#facts().id : idFrom(this.identity, id)
  }

  #facts(): EventPlace {
    if (this.#place === undefined) {
      const { id, created, data } = this.#composed()
      this.#place = { type: this.type, id, created, collection: data.collection, recordId: data.id, place: undefined }
    }
    return this.#place
  }

  #composed(): WebhookEvent {
    this.#event ??= this.#source().compose()
    return this.#event
  }

  #source(): AnnouncedChange {
    if (this.#change === undefined) throw new Error('Failed to compose an event: its body was given away.')
    return this.#change
  }
}

/** Time of an attempt, and whether it was scheduled. */
interface AttemptFacts {
  /** Real time, milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  readonly isManual: boolean
}

const DROPPED =
  'The last ten attempts at this endpoint have failed, and 10,000 deliveries wait for it already. Repair it, and make the change again.'

/** Events for one webhook: one, or several where the scheme sends batches. */
export class OutgoingDelivery {
  readonly type: string
  /** Order among the deliveries of a simulation, by events. */
  readonly number: number
  readonly attempts: DeliveryAttempt[] = []
  state: 'pending' | 'retrying' | 'delivered' | 'failed' | 'dropped' = 'pending'
  /** Delivery-clock time of the next scheduled attempt. */
  dueAt: number | null = null
  /** Set when its data was replaced: nothing is sent any more and no outcome counts. */
  isDropped = false
  /** Headers besides those of the scheme, alternating names and values. */
  headers: readonly string[] = []
  readonly #webhookId: string
  #id: string | undefined
  /** Undefined once nothing more is to be sent. */
  #bodies: readonly EventBody[] | undefined
  #events: readonly Delivery['event'][] | undefined
  /** Numbers of its events. */
  readonly numbers: readonly number[]
  #bytes: Uint8Array | undefined

  constructor(webhookId: string, body: EventBody, more: readonly EventBody[] = []) {
    this.#webhookId = webhookId
    this.#bodies = [body, ...more]
    this.type = body.type
    this.number = body.number
    this.numbers = more.length === 0 ? [body.number] : [body, ...more].map(({ number }) => number)
  }

  /** Continues from a delivery as the API shows it. */
  goOn({ attempts, state }: Delivery): void {
    this.attempts.push(...attempts)
    if (state !== 'held') this.state = state
  }

  /** The first event in lists of deliveries. */
  get event(): Delivery['event'] {
    return this.events[0] as Delivery['event']
  }

  get events(): readonly Delivery['event'][] {
    this.#events ??= this.bodies.map(({ event }) => event)
    return this.#events
  }

  /** The bodies of its events. Throws after they were dropped. */
  get bodies(): readonly EventBody[] {
    if (this.#bodies === undefined) throw new Error('Failed to send a delivery: its body was given away.')
    return this.#bodies
  }

  /** The body to send. @param isBatch whether it is an array */
  bytes(isBatch: boolean): Uint8Array {
    const texts = this.bodies.map(({ text }) => text)
    this.#bytes ??= Buffer.from(isBatch ? `[${texts.join(',')}]` : (texts[0] ?? ''))
    return this.#bytes
  }

  /** Drops the body: nothing more is to be sent. */
  forgetBody(): void {
    this.#events = this.events
    this.#id = this.id
    this.#bodies = undefined
    this.#bytes = undefined
  }

  /** A UUID derived from the webhook and the event: the same on every attempt. Computed at first use. */
  get id(): string {
    this.#id ??= uuidFrom(this.#webhookId, ...this.bodies.map(({ identity }) => identity))
    return this.#id
  }

  get isWaiting(): boolean {
    return this.state === 'pending' || this.state === 'retrying'
  }

  /** Adds the result of an attempt. @param attempt.at real time, milliseconds since the epoch */
  record({ at, durationMs, status, error, address, isManual }: AttemptOutcome & AttemptFacts): void {
    publish('attempt', () => ({ isDelivered: error === null, durationMs }))
    const rounded = Math.round(durationMs * 1_000) / 1_000
    const manual = isManual ? ({ trigger: 'manual' } as const) : {}
    this.attempts.push({ at: new Date(at).toISOString(), status, error, durationMs: rounded, address, ...manual })
  }

  /** Notes that the endpoint's response to the latest attempt does not suffice. */
  refuse(error: string): void {
    const latest = this.attempts.at(-1)
    if (latest !== undefined) this.attempts[this.attempts.length - 1] = { ...latest, error }
  }

  /** The delivery as the API shows it. @param isHeld whether its webhook is disabled */
  describe(isHeld: boolean): Delivery {
    const isNext = this.isWaiting && !isHeld && this.dueAt !== null
    return {
      id: this.id,
      event: { ...this.event },
      ...(this.events.length > 1 && { events: this.events.map((event) => ({ ...event })) }),
      state: this.isWaiting && isHeld ? 'held' : this.state,
      attempts: [...this.attempts],
      nextAttemptAt: isNext ? new Date(this.dueAt as number).toISOString() : null,
      ...(this.state === 'dropped' && { reason: DROPPED }),
    }
  }
}

/** The next step of a delivery. */
type AfterAttempt =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'retrying'; readonly delayMs: number }

/** The next step of a delivery after its latest attempt, by outcome and terms (specification, Retries). */
export function afterAttempt(
  { attempts }: Pick<Delivery, 'attempts'>,
  { error, status }: Pick<AttemptOutcome, 'error' | 'status'>,
  { retrySeconds, finalStatus }: Pick<DeliveryTerms, 'retrySeconds' | 'finalStatus'>,
): AfterAttempt {
  if (error === null) return { state: 'delivered' }
  const scheduled = attempts.filter(({ trigger }) => trigger === undefined).length
  const delay = retrySeconds[scheduled - 1]
  const isFinal = delay === undefined || (status !== null && finalStatus.includes(status))
  return isFinal ? { state: 'failed' } : { state: 'retrying', delayMs: delay * 1_000 }
}
