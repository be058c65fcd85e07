import { notFound } from '../../protocol/errors.ts'
import { matchesEventFilter } from '../../protocol/event.ts'
import type { NewWebhookFault, WebhookFault, WebhookFaultKind } from '../../protocol/webhook.ts'
import { Random } from '../../runtime/random.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

interface ActiveFault {
  readonly fault: WebhookFault
  readonly random: Random
  left: number
}

const MAX_FIRINGS = 1_000

/** The faults that are on, in the order in which they were added. */
export class Faults {
  readonly #runtime: Runtime
  readonly #active = new Map<string, ActiveFault>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  add(request: NewWebhookFault): WebhookFault {
    const { events = '*', times = Number.POSITIVE_INFINITY, seed = 'backlot' } = request
    const filters = typeof events === 'string' ? [events] : [...events]
    const fault = { ...request, id: this.#runtime.uuid(), events: filters, firings: [] }
    this.#active.set(fault.id, { fault, random: Random.for('webhook-fault', seed, request.kind), left: times })
    return describeFault(fault)
  }

  /** Throws `not_found`. */
  remove(id: string): void {
    if (!this.#active.delete(id)) throw notFound(`No webhook fault ${JSON.stringify(id)} in this simulation.`)
  }

  list(): WebhookFault[] {
    return [...this.#active.values()].map(({ fault }) => describeFault(fault))
  }

  /** The first fault of this kind that happens to a delivery now, which is recorded; undefined when none does. */
  fire(kind: WebhookFaultKind, delivery: OutgoingDelivery): WebhookFault | undefined {
    const { type } = delivery.body.event
    for (const active of this.#active.values()) {
      const { fault } = active
      if (fault.kind !== kind || active.left <= 0) continue
      if (!fault.events.some((filter) => matchesEventFilter(filter, type))) continue
      if (active.random.next() >= (fault.probability ?? 1)) continue
      active.left--
      this.#record(fault, delivery)
      return fault
    }
    return undefined
  }

  get isEmpty(): boolean {
    return this.#active.size === 0
  }

  #record(fault: WebhookFault, delivery: OutgoingDelivery): void {
    fault.firings.push({
      at: new Date(this.#runtime.clock.now()).toISOString(),
      deliveryId: delivery.id,
      eventId: delivery.body.event.id,
      attempt: delivery.attempts.length + 1,
    })
    if (fault.firings.length > MAX_FIRINGS) fault.firings.shift()
  }
}

function describeFault(fault: WebhookFault): WebhookFault {
  return { ...fault, events: [...fault.events], firings: [...fault.firings] }
}
