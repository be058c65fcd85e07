import {
  type DeliveryLease,
  type DueWork,
  KEPT_DELIVERIES,
  type KeptChunk,
  type KeptDelivery,
  type NextLook,
  type OutboxChange,
  type RenewedLease,
  type SettledDelivery,
  type Settlement,
  TICK_GRACE_MS,
  TICK_LEASE_MS,
  type WebhookLane,
  type WorkBacklog,
} from '../../../src/service/store/work.ts'

/** The deliveries of one simulation. */
interface HeldDeliveries {
  epoch: number
  pulse: number
  dueAt: number | null
  lease: { readonly id: string; until: number } | undefined
  notes: string
  chunks: (KeptChunk & { readonly events: number; done: string })[]
  deliveries: SettledDelivery[]
  readonly lanes: Map<string, WebhookLane>
}

/** The work of a {@link MemoryStore}. */
export class MemoryWork implements DueWork {
  readonly #now: () => number
  readonly #wakeAt = new Map<string, number>()
  readonly #held = new Map<string, HeldDeliveries>()
  #chunks = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Applies a commit's changes to work. */
  commit(simulation: string, wakeAt: number | null, outbox: OutboxChange | null): void {
    if (wakeAt === null) this.#wakeAt.delete(simulation)
    else this.#wakeAt.set(simulation, wakeAt)
    if (outbox === null) return
    const held = this.#of(simulation)
    const { added, removed, isCleared } = outbox
    if (isCleared || removed.length > 0) held.epoch++
    held.pulse++
    held.chunks = held.chunks.filter(({ webhook }) => !isCleared && !removed.includes(webhook))
    held.deliveries = held.deliveries.filter(
      ({ webhook, dueAt }) => !removed.includes(webhook) && (dueAt === null || !isCleared),
    )
    for (const webhook of removed) held.lanes.delete(webhook)
    for (const chunk of added) held.chunks.push({ ...chunk, id: ++this.#chunks, done: '' })
    if (added.length > 0) held.dueAt = this.#now()
  }

  forget(simulation: string): void {
    this.#wakeAt.delete(simulation)
    this.#held.delete(simulation)
  }

  async claimTicks(most: number): Promise<readonly string[]> {
    const now = this.#now()
    const due = [...this.#wakeAt].filter(([, at]) => at <= now - TICK_GRACE_MS).slice(0, most)
    for (const [simulation] of due) this.#wakeAt.set(simulation, now + TICK_LEASE_MS)
    return due.map(([simulation]) => simulation)
  }

  async claimDeliveries(lease: string, ms: number, most: number): Promise<readonly DeliveryLease[]> {
    const due = [...this.#held].filter(([, { dueAt }]) => dueAt !== null && dueAt <= this.#now())
    return due.flatMap(([simulation]) => this.#claim(simulation, lease, ms) ?? []).slice(0, most)
  }

  async claim(simulation: string, lease: string, ms: number): Promise<DeliveryLease | undefined> {
    this.#of(simulation)
    return this.#claim(simulation, lease, ms)
  }

  async renew(lease: DeliveryLease, ms: number): Promise<RenewedLease | undefined> {
    const held = this.#mine(lease)
    if (held?.lease === undefined) return undefined
    held.lease.until = this.#now() + ms
    return { pulse: held.pulse, until: lease.until }
  }

  async findLease(lease: DeliveryLease): Promise<DeliveryLease | undefined> {
    const held = this.#held.get(lease.simulation)
    return held?.lease?.id === lease.lease ? { ...lease, epoch: held.epoch } : undefined
  }

  async chunks(
    simulation: string,
    of: readonly { readonly webhook: string; readonly after: number }[],
    most: number,
  ): Promise<readonly KeptChunk[]> {
    const { chunks } = this.#of(simulation)
    return of.flatMap(({ webhook, after }) =>
      chunks.filter((chunk) => chunk.webhook === webhook && chunk.id > after).slice(0, most),
    )
  }

  async waiting(simulation: string, most: number): Promise<readonly KeptDelivery[]> {
    const waiting = this.#of(simulation).deliveries.filter(({ dueAt }) => dueAt !== null)
    const sorted = waiting.toSorted((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0))
    return [...Map.groupBy(sorted, ({ webhook }) => webhook).values()].flatMap((of) => of.slice(0, most))
  }

  async settle(lease: DeliveryLease, settlement: Settlement): Promise<boolean> {
    const held = this.#mine(lease)
    if (held === undefined) return false
    const { deliveries, emptied, advanced, failures, notes } = settlement
    const names = new Set(deliveries.map(nameOf))
    const settled = deliveries.map((delivery) => ({ ...delivery, keptAt: this.#now() }))
    held.deliveries = [...held.deliveries.filter((one) => !names.has(nameOf(one))), ...settled]
    held.chunks = held.chunks.filter(({ id }) => !emptied.includes(id))
    for (const { id, done } of advanced) for (const chunk of held.chunks) if (chunk.id === id) chunk.done = done
    for (const { webhook, failures: count } of failures) this.#setLane(held, webhook, { failures: count })
    held.notes = notes
    return true
  }

  async drop(lease: DeliveryLease, webhook: string, most: number): Promise<number> {
    const held = this.#mine(lease)
    if (held === undefined) return 0
    let total = 0
    let dropped = 0
    held.chunks = held.chunks.filter((chunk) => {
      if (chunk.webhook !== webhook) return true
      total += chunk.events
      if (total > most) dropped += chunk.events
      return total <= most
    })
    const before = held.lanes.get(webhook)?.dropped ?? 0
    if (dropped > 0) this.#setLane(held, webhook, { dropped: before + dropped })
    return dropped
  }

  async release(lease: DeliveryLease, { pulse, off, offsetMs }: NextLook): Promise<number | undefined> {
    const held = this.#held.get(lease.simulation)
    if (held?.lease?.id !== lease.lease) return undefined
    held.lease = undefined
    const isOn = ({ webhook }: { readonly webhook: string }) => !off.includes(webhook)
    const due = held.deliveries.filter(isOn).flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt - offsetMs]))
    if (held.pulse !== pulse || held.chunks.some(isOn)) due.push(this.#now())
    held.dueAt = due.length === 0 ? null : Math.min(...due)
    return held.dueAt === null ? undefined : held.dueAt - this.#now()
  }

  async forgetOld(simulation: string, webhooks: readonly string[]): Promise<void> {
    const held = this.#of(simulation)
    for (const webhook of webhooks) {
      const numbers = held.deliveries.filter((one) => one.webhook === webhook).map(({ number }) => number)
      const least = numbers.toSorted((left, right) => right - left)[KEPT_DELIVERIES - 1] ?? 0
      held.deliveries = held.deliveries.filter(
        (one) => one.webhook !== webhook || one.dueAt !== null || one.number >= least,
      )
    }
  }

  async deliveries(simulation: string, webhook: string, most: number) {
    const held = this.#of(simulation)
    const kept = held.deliveries.filter((one) => one.webhook === webhook)
    const chunks = held.chunks.filter((one) => one.webhook === webhook)
    return {
      kept: kept.toSorted((left, right) => left.number - right.number).slice(-most),
      chunks: youngest(chunks, most),
    }
  }

  async settledAfter(simulation: string, after: number): Promise<readonly SettledDelivery[]> {
    const { deliveries } = this.#of(simulation)
    return deliveries.filter(({ keptAt }) => keptAt > after).slice(-KEPT_DELIVERIES)
  }

  async lanes(simulation: string): Promise<readonly WebhookLane[]> {
    return [...this.#of(simulation).lanes.values()]
  }

  async notes(simulation: string): Promise<string> {
    return this.#of(simulation).notes
  }

  async isSettled(simulation: string): Promise<boolean> {
    const { dueAt } = this.#of(simulation)
    return this.#isFree(simulation) && (dueAt === null || dueAt > this.#now())
  }

  async backlog(): Promise<WorkBacklog> {
    const held = [...this.#held]
    const waitingOf = ({ chunks, deliveries }: HeldDeliveries) =>
      chunks.reduce((sum, { events }) => sum + events, 0) + deliveries.filter(({ dueAt }) => dueAt !== null).length
    const free = held.filter(([simulation]) => this.#isFree(simulation))
    const late = (times: readonly number[]) => Math.max(0, this.#now() - Math.min(...times))
    return {
      waiting: held.reduce((sum, [, one]) => sum + waitingOf(one), 0),
      deliveryLateMs: late(free.flatMap(([, { dueAt }]) => dueAt ?? [])),
      tickLateMs: late([...this.#wakeAt.values()]),
    }
  }

  async forgive(simulation: string, webhook: string): Promise<void> {
    const held = this.#of(simulation)
    this.#setLane(held, webhook, { failures: 0 })
    held.epoch++
    held.pulse++
    held.dueAt = this.#now()
  }

  #claim(simulation: string, id: string, ms: number): DeliveryLease | undefined {
    if (!this.#isFree(simulation)) return undefined
    const held = this.#of(simulation)
    held.lease = { id, until: this.#now() + ms }
    return { simulation, lease: id, epoch: held.epoch, notes: held.notes, until: 0 }
  }

  #isFree(simulation: string): boolean {
    const { lease } = this.#of(simulation)
    return lease === undefined || lease.until < this.#now()
  }

  #mine({ simulation, lease, epoch }: DeliveryLease): HeldDeliveries | undefined {
    const held = this.#held.get(simulation)
    return held?.lease?.id === lease && held.epoch === epoch ? held : undefined
  }

  #setLane({ lanes }: HeldDeliveries, webhook: string, change: Partial<WebhookLane>): void {
    lanes.set(webhook, { webhook, failures: 0, dropped: 0, ...lanes.get(webhook), ...change })
  }

  #of(simulation: string): HeldDeliveries {
    const held = this.#held.get(simulation) ?? {
      epoch: 0,
      pulse: 0,
      dueAt: null,
      lease: undefined,
      notes: '',
      chunks: [],
      deliveries: [],
      lanes: new Map<string, WebhookLane>(),
    }
    this.#held.set(simulation, held)
    return held
  }
}

const nameOf = ({ webhook, number }: KeptDelivery): string => `${webhook} ${number}`

/** The youngest chunks with at most this many events together, and the one before. */
function youngest<Chunk extends { readonly events: number }>(chunks: readonly Chunk[], most: number): Chunk[] {
  let events = 0
  const taken = chunks.toReversed().filter((chunk) => {
    const isWanted = events < most
    events += chunk.events
    return isWanted
  })
  return taken.reverse()
}
