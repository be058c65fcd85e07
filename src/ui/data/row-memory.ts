import type { Activities } from '../../protocol/activity.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { Delivery } from '../../protocol/webhook.ts'
import { differencesOf } from './json-value.ts'
import type { ChangeRow, DeliveryRow, Row } from './rows.ts'

/** Makes rows of events and deliveries, with remembered states: the former record, and world times. */
export class RowMemory {
  /** Records as the page last saw them, by collection and id. */
  readonly #seen = new Map<string, Json>()
  readonly #offsets = new KnownOffsets()
  /** World time of events, by id: a delivery is later than its event. */
  readonly #created = new Map<string, string>()

  toChangeRow(event: ChangeEvent): ChangeRow {
    const before = this.#seen.get(`${event.data.collection} ${event.data.id}`)
    const differences = before === undefined ? undefined : differencesOf(before, event.data.object)
    this.#remember(event)
    return { kind: 'change', key: `change ${event.id}`, at: event.created, event, differences }
  }

  toDeliveryRow(delivery: Activities['delivery']): DeliveryRow {
    const { id, attempts, event } = delivery
    const real = Date.parse(attempts.at(-1)?.at ?? '') || Date.now()
    const created = Date.parse(this.#created.get(event.id) ?? '') || 0
    const at = new Date(Math.max(created, this.#offsets.worldAt(real))).toISOString()
    return { kind: 'delivery', key: `delivery ${id} ${attempts.length}`, at, delivery }
  }

  /** A first attempt follows its event at once: this gives the offset of world time from real time. */
  noteFirstAttempt({ event, attempts: [first] }: Delivery): void {
    const created = this.#created.get(event.id)
    if (created === undefined || first === undefined) return
    const real = Date.parse(first.at)
    this.#offsets.note(real, Date.parse(created) - real)
  }

  /** Notes the current offset of world time from real time. */
  noteOffset(offsetMs: number): void {
    this.#offsets.note(Date.now(), offsetMs)
  }

  /** Keeps only the data of these rows. */
  keepOnly(rows: readonly Row[]): void {
    this.#seen.clear()
    this.#created.clear()
    for (const row of rows) if (row.kind === 'change') this.#remember(row.event)
  }

  #remember({ id, created, data }: ChangeEvent): void {
    this.#seen.set(`${data.collection} ${data.id}`, data.object)
    this.#created.set(id, created)
  }
}

/** Known offsets of world time from real time: now, and before earlier turns of the clock. */
class KnownOffsets {
  /** Oldest first. */
  #known: { readonly at: number; readonly offsetMs: number }[] = []

  /** @param at real time of the offset, milliseconds */
  note(at: number, offsetMs: number): void {
    const before = this.#known.findLastIndex((known) => known.at <= at)
    if (Math.abs((this.#known[before]?.offsetMs ?? Number.NaN) - offsetMs) < NEARLY_MS) return
    this.#known.splice(before + 1, 0, { at, offsetMs })
  }

  /** World time at a real time, milliseconds. */
  worldAt(realMs: number): number {
    const known = this.#known.findLast(({ at }) => at <= realMs) ?? this.#known[0]
    return realMs + (known?.offsetMs ?? 0)
  }
}

/** Smaller differences of offsets are ignored: an attempt is slightly later than its event. */
const NEARLY_MS = 2_000
