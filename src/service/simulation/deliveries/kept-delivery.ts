import type { Delivery } from '../../../protocol/webhook.ts'
import type { KeptChunk, KeptDelivery } from '../../store/work.ts'
import type { DeliveryQueue } from '../../webhooks/delivery-queue.ts'
import type { Dispatcher, KeptSending } from '../../webhooks/dispatcher.ts'
import type { EventForm } from '../../webhooks/event-form.ts'
import { EventBody, type KeptBody, OutgoingDelivery } from '../../webhooks/outgoing-delivery.ts'
import type { SentRequest } from '../../webhooks/sent-requests.ts'

/** The text of a stored delivery. */
interface KeptText {
  readonly shown: Delivery
  /** The bodies, if they may be sent again. */
  readonly bodies?: readonly (KeptBody & { readonly number: number })[]
  readonly sent?: readonly KeptSent[]
}

/** Converts a delivery to its stored form. */
export function toKept({ webhook, lanes }: DeliveryQueue, delivery: OutgoingDelivery): KeptDelivery {
  const dueAt = delivery.isWaiting && delivery.dueAt !== null ? Math.round(delivery.dueAt) : null
  const sent = toKeptSent(lanes.sent.of(delivery))
  const isAgain = dueAt !== null || sent !== undefined
  const bodies = isAgain ? delivery.bodies.map((body) => ({ ...body.keep(), number: body.number })) : undefined
  const shown = delivery.describe(false)
  const text: KeptText = { shown, ...(bodies !== undefined && { bodies }), ...(sent !== undefined && { sent }) }
  return { webhook: webhook.id, number: delivery.number, dueAt, text: JSON.stringify(text) }
}

/** A stored delivery as the API shows it, with its requests. */
export function readKept({ text }: KeptDelivery): { readonly shown: Delivery; readonly sent: readonly SentRequest[] } {
  const { shown, sent = [] } = JSON.parse(text) as KeptText
  return { shown, sent: sent.map(fromKeptSent) }
}

/** Adds a stored delivery to its webhook's queue; undefined where its body is no longer kept. */
export function takeKept({ text }: KeptDelivery, queue: DeliveryQueue): OutgoingDelivery | undefined {
  const { shown, bodies = [], sent = [] } = JSON.parse(text) as KeptText
  const [body, ...more] = bodies.map(({ number, ...kept }) => EventBody.again(kept, number, queue.form))
  if (body === undefined) return undefined
  const delivery = new OutgoingDelivery(queue.webhook.id, body, more)
  delivery.goOn(shown)
  queue.add(delivery)
  for (const one of sent) queue.lanes.sent.add(delivery, fromKeptSent(one))
  return delivery
}

/** The latest deliveries of a webhook, oldest first, as the API shows them. @param isOff whether it is disabled */
export function showDeliveries(
  webhook: string,
  { kept, chunks }: { readonly kept: readonly KeptDelivery[]; readonly chunks: readonly KeptChunk[] },
  { form, isOff, most }: { form: EventForm; isOff: boolean; most: number },
): Delivery[] {
  const waiting = chunks
    .flatMap((chunk) => waitingBodies(chunk, form))
    .map((body) => ({ number: body.number, shown: new OutgoingDelivery(webhook, body).describe(isOff) }))
  const noted = kept.map(({ number, text }) => ({
    number,
    shown: showOff((JSON.parse(text) as KeptText).shown, isOff),
  }))
  const all = [...noted, ...waiting].sort((left, right) => left.number - right.number)
  return all.slice(-most).map(({ shown }) => shown)
}

/** The delivery as the API shows it. @param isOff whether its webhook is disabled */
export function showOff(shown: Delivery, isOff: boolean): Delivery {
  const isWaiting = shown.state === 'pending' || shown.state === 'retrying'
  return isWaiting && isOff ? { ...shown, state: 'held', nextAttemptAt: null } : shown
}

/** Most bytes of one delivery's requests and responses; beyond it they are not kept. */
const MOST_BYTES = 64 * 1024

/** A stored request of a delivery: bytes as base64. */
interface KeptSent extends Omit<SentRequest, 'rawBody' | 'answer'> {
  readonly rawBody: string
  readonly answer?: {
    readonly headers: NonNullable<SentRequest['answer']>['headers']
    readonly body: string
    readonly bytes: number
  }
}

/** The stored requests of a delivery; undefined for none, or too much. */
function toKeptSent(sent: readonly SentRequest[]): KeptSent[] | undefined {
  const bytes = sent.reduce((sum, { rawBody, answer }) => sum + rawBody.length + (answer?.bytes ?? 0), 0)
  if (sent.length === 0 || bytes > MOST_BYTES) return undefined
  return sent.map(({ rawBody, answer, ...request }) => ({
    ...request,
    rawBody: Buffer.from(rawBody).toString('base64'),
    ...(answer !== undefined && {
      answer: { headers: answer.headers, body: Buffer.concat(answer.chunks).toString('base64'), bytes: answer.bytes },
    }),
  }))
}

const fromKeptSent = ({ rawBody, answer, ...request }: KeptSent): SentRequest => ({
  ...request,
  rawBody: Buffer.from(rawBody, 'base64'),
  answer: answer && {
    headers: answer.headers,
    chunks: [Buffer.from(answer.body, 'base64')],
    bytes: answer.bytes,
  },
})

const NEW: KeptSending = { offsetMs: 0, faults: [] }

/** The state for the next sender, as text. @param offsetMs offset of the store's clock from this machine's */
export function toNotes(dispatcher: Dispatcher, offsetMs: number): string {
  const kept = dispatcher.keep()
  const notes: KeptSending = { ...kept, offsetMs: kept.offsetMs - offsetMs }
  return JSON.stringify(notes)
}

/** The state of the previous sender; its delivery clock is relative to the store's. */
export const readNotes = (notes: string): KeptSending => (notes === '' ? NEW : (JSON.parse(notes) as KeptSending))

/** Numbers reserved for one chunk's events: more than a chunk can have. */
const NUMBERS = 1_000

/** Events as a chunk's text. */
export const toChunk = (bodies: readonly KeptBody[]): string => JSON.stringify(bodies)

/** The events of a chunk without a saved delivery. */
function waitingBodies({ id, text, done }: KeptChunk, form: EventForm): EventBody[] {
  const past = new Set(toPlaces(done))
  const bodies = JSON.parse(text) as KeptBody[]
  return bodies.flatMap((body, place) => (past.has(place) ? [] : [EventBody.again(body, id * NUMBERS + place, form)]))
}

/** The progress of a sender's chunks. */
export class ChunkProgress {
  readonly #open = new Map<number, { readonly events: number; readonly done: Set<number> }>()
  readonly #moved = new Set<number>()

  /** Adds a chunk. Returns its waiting events. */
  open(chunk: KeptChunk, form: EventForm): EventBody[] {
    const bodies = waitingBodies(chunk, form)
    const done = toPlaces(chunk.done)
    this.#open.set(chunk.id, { events: bodies.length + done.length, done: new Set(done) })
    return bodies
  }

  /** Notes that the delivery of the event with this number is saved. */
  note(number: number): void {
    const id = Math.floor(number / NUMBERS)
    const chunk = this.#open.get(id)
    if (chunk === undefined) return
    chunk.done.add(number % NUMBERS)
    this.#moved.add(id)
  }

  /** Changes since the last call. */
  take(): { emptied: number[]; advanced: { id: number; done: string }[] } {
    const emptied: number[] = []
    const advanced: { id: number; done: string }[] = []
    for (const id of this.#moved) {
      const chunk = this.#open.get(id)
      if (chunk === undefined) continue
      if (chunk.done.size < chunk.events) advanced.push({ id, done: JSON.stringify([...chunk.done]) })
      else {
        emptied.push(id)
        this.#open.delete(id)
      }
    }
    this.#moved.clear()
    return { emptied, advanced }
  }
}

const toPlaces = (done: string): number[] => (done === '' ? [] : (JSON.parse(done) as number[]))
