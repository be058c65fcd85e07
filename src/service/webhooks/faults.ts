import { matchesEventFilter } from '../../protocol/event.ts'
import type { WebhookFault, WebhookFaultFiring, WebhookFaultKind } from '../../protocol/webhook.ts'
import type { Clock } from '../../runtime/clock.ts'
import { Random } from '../../runtime/random.ts'
import type { SpoiledAttempt } from './compose-request.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'
import type { FaultSetting } from './webhook-settings.ts'

/** How often a fault has fired, and its latest firings. */
interface FaultRecord {
  readonly fault: FaultSetting
  count: number
  readonly firings: WebhookFaultFiring[]
}

/** What a fault has done, as it is kept. */
export interface KeptFault extends Pick<FaultRecord, 'count' | 'firings'> {
  readonly id: string
}

/** How long a delayed or reordered delivery waits where its fault does not say. */
const DELAY_SECONDS = 5
const STALE_SECONDS = 600
const MAX_FIRINGS = 1_000

/** The faults that spoil deliveries, in the order in which they were added, with what they have done. */
export class Faults {
  readonly #clock: Clock
  #records: readonly FaultRecord[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Puts exactly these faults on. What was on before keeps its count. */
  update(settings: readonly FaultSetting[]): void {
    const known = new Map(this.#records.map((record) => [record.fault.id, record]))
    this.#records = settings.map((fault) => known.get(fault.id) ?? { fault, count: 0, firings: [] })
  }

  /** What the faults have done so far. */
  dump(): readonly KeptFault[] {
    return this.#records.flatMap(({ fault, count, firings }) => (count > 0 ? [{ id: fault.id, count, firings }] : []))
  }

  /** Goes on from what `dump` gave. */
  restore(kept: readonly KeptFault[]): void {
    const known = new Map(kept.map((one) => [one.id, one]))
    this.#records = this.#records.map(({ fault }) => {
      const { count = 0, firings = [] } = known.get(fault.id) ?? {}
      return { fault, count, firings: [...firings] }
    })
  }

  /** Whether there is any. */
  get areOn(): boolean {
    return this.#records.length > 0
  }

  list(): WebhookFault[] {
    return this.#records.map(({ fault, firings }) => ({ ...fault, events: [...fault.events], firings: [...firings] }))
  }

  /** What faults do to a whole delivery. */
  spoil(delivery: OutgoingDelivery): 'lost' | { readonly delayMs: number; readonly isReordered: boolean } | undefined {
    if (this.fire('drop', delivery)) return 'lost'
    const fault = this.fire('delay', delivery) ?? this.fire('reorder', delivery)
    if (fault === undefined) return undefined
    return { delayMs: (fault.seconds ?? DELAY_SECONDS) * 1_000, isReordered: fault.kind === 'reorder' }
  }

  /** What faults do to the next attempt of a delivery. */
  spoilAttempt(delivery: OutgoingDelivery): SpoiledAttempt {
    const stale = this.fire('staleTimestamp', delivery)
    return {
      staleSeconds: stale && Math.round(stale.seconds ?? STALE_SECONDS),
      isForged: this.fire('badSignature', delivery) !== undefined,
      isAltered: this.fire('alteredPayload', delivery) !== undefined,
    }
  }

  /** The first fault of this kind that happens to a delivery now, which is recorded; undefined when none does. */
  fire(kind: WebhookFaultKind, delivery: OutgoingDelivery): FaultSetting | undefined {
    const record = this.#records.find((one) => one.fault.kind === kind && isHit(one, delivery))
    if (record === undefined) return undefined
    record.count++
    record.firings.push({
      at: new Date(this.#clock.now()).toISOString(),
      deliveryId: delivery.id,
      eventId: delivery.event.id,
      attempt: delivery.attempts.length + 1,
    })
    if (record.firings.length > MAX_FIRINGS) record.firings.shift()
    return record.fault
  }
}

/** Whether a fault happens to the next attempt of a delivery: drawn from the fault, the event and the attempt alone. */
function isHit({ fault, count }: FaultRecord, { event, attempts }: OutgoingDelivery): boolean {
  const { kind, events, times = Number.POSITIVE_INFINITY, probability = 1, seed = 'backlot' } = fault
  if (count >= times || !events.some((filter) => matchesEventFilter(filter, event.type))) return false
  return probability === 1 || Random.for('webhook-fault', seed, kind, event.id, attempts.length).next() < probability
}
