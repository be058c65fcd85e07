import type { KeptChunk } from '../../store/work.ts'
import type { EventForm } from '../../webhooks/event-form.ts'
import { EventBody, type KeptBody } from '../../webhooks/outgoing-delivery.ts'

/** Numbers reserved for one chunk's events: more than a chunk can have. */
const NUMBERS = 1_000

/** Events as a chunk's text. */
export const toChunk = (bodies: readonly KeptBody[]): string => JSON.stringify(bodies)

/** The events of a chunk without a saved delivery. */
export function waitingBodies({ id, text, done }: KeptChunk, form: EventForm): EventBody[] {
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
