import type { DatabaseSync } from 'node:sqlite'
import { transact } from './sqlite-rows.ts'
import { prepareWork, type WorkStatements } from './sqlite-work-statements.ts'
import {
  type DeliveryLease,
  type DueWork,
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
} from './work.ts'

/** Due work of the simulations in a SQLite file, for the one service that has it open. */
export class SqliteWork implements DueWork {
  readonly #database: DatabaseSync
  readonly #statements: WorkStatements
  readonly #now: () => number

  /** @param database with the tables of `openSqlite`. Earlier leases are void. */
  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database
    this.#statements = prepareWork(database)
    this.#now = now
    this.#statements.endLeases.run()
  }

  /** Applies a commit's changes to work, in its transaction. */
  commit(simulation: string, wakeAt: number | null, outbox: OutboxChange | null): void {
    const { setWake, change, clear, clearWaiting, remove, addChunk } = this.#statements
    setWake.run(wakeAt, simulation, wakeAt)
    if (outbox === null) return
    const { added, removed, isCleared } = outbox
    const moved = isCleared || removed.length > 0 ? 1 : 0
    change.run(simulation, moved, added.length > 0 ? this.#now() : null)
    if (isCleared) {
      clear.run(simulation)
      clearWaiting.run(simulation)
    }
    for (const webhook of removed) for (const statement of remove) statement.run(simulation, webhook)
    for (const { webhook, events, text } of added) addChunk.run(simulation, webhook, events, text)
  }

  async claimTicks(most: number): Promise<readonly string[]> {
    const { dueTicks, setWake } = this.#statements
    const now = this.#now()
    const due = dueTicks.all(now - TICK_GRACE_MS, most)
    if (due.length === 0) return []
    return this.#transact(() => {
      for (const { id } of due) setWake.run(now + TICK_LEASE_MS, id, now + TICK_LEASE_MS)
      return due.map(({ id }) => id)
    })
  }

  async claimDeliveries(lease: string, ms: number, most: number): Promise<readonly DeliveryLease[]> {
    const now = this.#now()
    const due = this.#statements.dueDeliveries.all(now, now, most)
    if (due.length === 0) return []
    return this.#transact(() => due.flatMap(({ simulation }) => this.#claim(simulation, lease, ms) ?? []))
  }

  async claim(simulation: string, lease: string, ms: number): Promise<DeliveryLease | undefined> {
    return this.#transact(() => {
      this.#statements.prepareDispatch.run(simulation)
      return this.#claim(simulation, lease, ms)
    })
  }

  async renew({ simulation, lease, epoch, until }: DeliveryLease, ms: number): Promise<RenewedLease | undefined> {
    const { pulseOf, renew } = this.#statements
    return this.#transact(() => {
      const found = pulseOf.get(simulation, lease, epoch)
      if (found !== undefined) renew.run(this.#now() + ms, simulation)
      return found && { ...found, until }
    })
  }

  async findLease(lease: DeliveryLease): Promise<DeliveryLease | undefined> {
    const found = this.#statements.dispatchOf.get(lease.simulation)
    return found?.lease === lease.lease ? { ...lease, epoch: found.epoch } : undefined
  }

  async chunks(
    simulation: string,
    of: readonly { readonly webhook: string; readonly after: number }[],
    most: number,
  ): Promise<readonly KeptChunk[]> {
    const { chunksAfter } = this.#statements
    return of.flatMap(({ webhook, after }) => chunksAfter.all(simulation, webhook, after, most))
  }

  async waiting(simulation: string, most: number): Promise<readonly KeptDelivery[]> {
    return this.#statements.waiting.all(simulation, most)
  }

  async settle(lease: DeliveryLease, settlement: Settlement): Promise<boolean> {
    const { leave, putDelivery, removeChunk, advanceChunk, putFailures } = this.#statements
    const { simulation } = lease
    const keptAt = this.#now()
    return this.#transact(() => {
      if (leave.run(settlement.notes, simulation, lease.lease, lease.epoch).changes === 0) return false
      for (const { webhook, number, dueAt, text } of settlement.deliveries) {
        putDelivery.run(simulation, webhook, number, dueAt, text, keptAt)
      }
      for (const id of settlement.emptied) removeChunk.run(id)
      for (const { id, done } of settlement.advanced) advanceChunk.run(done, id)
      for (const { webhook, failures } of settlement.failures) putFailures.run(simulation, webhook, failures)
      return true
    })
  }

  async drop(lease: DeliveryLease, webhook: string, most: number): Promise<number> {
    const { pulseOf, chunksPast, removeChunk, addDropped } = this.#statements
    const { simulation } = lease
    return this.#transact(() => {
      if (pulseOf.get(simulation, lease.lease, lease.epoch) === undefined) return 0
      const past = chunksPast.all(simulation, webhook, most)
      for (const { id } of past) removeChunk.run(id)
      const dropped = past.reduce((sum, { events }) => sum + events, 0)
      if (dropped > 0) addDropped.run(simulation, webhook, dropped)
      return dropped
    })
  }

  async release(lease: DeliveryLease, { pulse, off, offsetMs }: NextLook): Promise<number | undefined> {
    const { pulseOfLease, hasChunks, nextDue, release } = this.#statements
    const { simulation } = lease
    return this.#transact(() => {
      const held = pulseOfLease.get(simulation, lease.lease)
      if (held === undefined) return undefined
      const others = JSON.stringify(off)
      const isDue = held.pulse !== pulse || hasChunks.get(simulation, others) !== undefined
      const dueAt = nextDue.get(simulation, others)?.dueAt ?? null
      const now = this.#now()
      const next = Math.min(
        isDue ? now : Number.POSITIVE_INFINITY,
        dueAt === null ? Number.POSITIVE_INFINITY : dueAt - offsetMs,
      )
      const isNext = Number.isFinite(next)
      release.run(isNext ? Math.round(next) : null, simulation)
      return isNext ? next - now : undefined
    })
  }

  async forgetOld(simulation: string, webhooks: readonly string[]): Promise<void> {
    this.#transact(() => {
      for (const webhook of webhooks) this.#statements.forgetOld.run(simulation, webhook, simulation, webhook)
    })
  }

  async deliveries(simulation: string, webhook: string, most: number) {
    const { deliveriesOf, youngestChunks } = this.#statements
    const kept = deliveriesOf.all(simulation, webhook, most)
    const chunks = youngestChunks.all(simulation, webhook, most)
    return { kept: kept.reverse(), chunks }
  }

  async settledAfter(simulation: string, after: number): Promise<readonly SettledDelivery[]> {
    return this.#statements.settledAfter.all(simulation, after).reverse()
  }

  async lanes(simulation: string): Promise<readonly WebhookLane[]> {
    return this.#statements.lanes.all(simulation)
  }

  async notes(simulation: string): Promise<string> {
    const found = this.#statements.dispatchOf.get(simulation)
    return found?.notes ?? ''
  }

  async isSettled(simulation: string): Promise<boolean> {
    const found = this.#statements.dispatchOf.get(simulation)
    if (found === undefined) return true
    const isFree = found.lease === null || found.leasedUntil < this.#now()
    return isFree && (found.dueAt === null || found.dueAt > this.#now())
  }

  async backlog(): Promise<WorkBacklog> {
    const now = this.#now()
    const found = this.#statements.backlog.get(now)
    const lateMs = (at: number | null = null) => (at === null ? 0 : Math.max(0, now - at))
    return { waiting: found?.waiting ?? 0, deliveryLateMs: lateMs(found?.dueAt), tickLateMs: lateMs(found?.wakeAt) }
  }

  async forgive(simulation: string, webhook: string): Promise<void> {
    this.#transact(() => {
      this.#statements.putFailures.run(simulation, webhook, 0)
      this.#statements.change.run(simulation, 1, this.#now())
    })
  }

  #claim(simulation: string, lease: string, ms: number): DeliveryLease | undefined {
    const { dispatchOf, take } = this.#statements
    const now = this.#now()
    if (take.run(lease, now + ms, simulation, now).changes === 0) return undefined
    const taken = dispatchOf.get(simulation)
    return taken && { simulation, lease, epoch: taken.epoch, notes: taken.notes, until: 0 }
  }

  #transact<T>(work: () => T): T {
    return transact(this.#database, work)
  }
}
