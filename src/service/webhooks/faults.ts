import { matchesEventFilter } from '../../protocol/event.ts'
import type { WebhookFault, WebhookFaultFiring, WebhookFaultKind } from '../../protocol/webhook.ts'
import type { Clock } from '../../runtime/clock.ts'
import { Random } from '../../runtime/random.ts'
import type { SpoiledAttempt } from './compose-request.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'
import type { FaultSetting } from './webhook-settings.ts'

/** Number of a fault's firings, and the latest ones. */
interface FaultRecord {
  readonly fault: FaultSetting
  count: number
  readonly firings: WebhookFaultFiring[]
}

/** A fault's stored counters. */
export interface KeptFault extends Pick<FaultRecord, 'count' | 'firings'> {
  readonly id: string
}

/** Default delay of a delayed or reordered delivery. */
const DELAY_SECONDS = 5
const STALE_SECONDS = 600
const MAX_FIRINGS = 1_000

/** The active faults in order of addition, with their counters. */
export class Faults {
  readonly #clock: Clock
  #records: readonly FaultRecord[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Sets the active faults. Existing ones keep their counters. */
  update(settings: readonly FaultSetting[]): void {
    const known = new Map(this.#records.map((record) => [record.fault.id, record]))
    this.#records = settings.map((fault) => known.get(fault.id) ?? { fault, count: 0, firings: [] })
  }

  /** The counters of faults. */
  dump(): readonly KeptFault[] {
    return this.#records.flatMap(({ fault, count, firings }) => (count > 0 ? [{ id: fault.id, count, firings }] : []))
  }

  /** Restores a result of `dump`. */
  restore(kept: readonly KeptFault[]): void {
    const known = new Map(kept.map((one) => [one.id, one]))
    this.#records = this.#records.map(({ fault }) => {
      const { count = 0, firings = [] } = known.get(fault.id) ?? {}
      return { fault, count, firings: [...firings] }
    })
  }

  get areOn(): boolean {
    return this.#records.length > 0
  }

  list(): WebhookFault[] {
    return this.#records.map(({ fault, firings }) => ({ ...fault, events: [...fault.events], firings: [...firings] }))
  }

  /** Applies faults to a whole delivery. */
  spoil(delivery: OutgoingDelivery): 'lost' | { readonly delayMs: number; readonly isReordered: boolean } | undefined {
    if (this.fire('drop', delivery)) return 'lost'
    const fault = this.fire('delay', delivery) ?? this.fire('reorder', delivery)
    if (fault === undefined) return undefined
    return { delayMs: (fault.seconds ?? DELAY_SECONDS) * 1_000, isReordered: fault.kind === 'reorder' }
  }

  /** Applies faults to the next attempt of a delivery. */
  spoilAttempt(delivery: OutgoingDelivery): SpoiledAttempt {
    const stale = this.fire('staleTimestamp', delivery)
    return {
      staleSeconds: stale && Math.round(stale.seconds ?? STALE_SECONDS),
      isForged: this.fire('badSignature', delivery) !== undefined,
      isAltered: this.fire('alteredPayload', delivery) !== undefined,
    }
  }

  /** The first firing fault of this kind, which is counted; undefined without one. */
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

/** Whether a fault affects the next attempt of a delivery, by a draw from fault, event and attempt. */
function isHit({ fault, count }: FaultRecord, { event, attempts }: OutgoingDelivery): boolean {
  const { kind, events, times = Number.POSITIVE_INFINITY, probability = 1, seed = 'backlot' } = fault
  if (count >= times || !events.some((filter) => matchesEventFilter(filter, event.type))) return false
  return probability === 1 || Random.for('webhook-fault', seed, kind, event.id, attempts.length).next() < probability
}
