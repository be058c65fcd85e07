import type { SqliteFile } from './sqlite-file.ts'
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
} from './work.ts'

const DELIVERY = 'webhook, number, due_at as dueAt, text'
const CHUNK = 'id, webhook, text, done'
const FREE = '(lease is null or leased_until < ?)'
const NOT_AMONG = 'webhook not in (select value from json_each(?))'

interface DispatchRow {
  readonly epoch: number
  readonly lease: string | null
  readonly leasedUntil: number
  readonly notes: string
  readonly dueAt: number | null
}

/** Due work of the simulations in a SQLite file, for the one service that has it open. */
export class SqliteWork implements DueWork {
  readonly #file: SqliteFile
  readonly #now: () => number

  /** Earlier leases are void. */
  constructor(file: SqliteFile, now: () => number) {
    this.#file = file
    this.#now = now
    file.run('update dispatch set lease = null where lease is not null')
  }

  /** Applies a commit's changes to work, in its transaction. */
  commit(simulation: string, wakeAt: number | null, outbox: OutboxChange | null): void {
    this.#setWake(simulation, wakeAt)
    if (outbox === null) return
    const { added, removed, isCleared } = outbox
    const moved = isCleared || removed.length > 0 ? 1 : 0
    this.#noteChange(simulation, moved, added.length > 0 ? this.#now() : null)
    if (isCleared) {
      this.#file.run('delete from outbox where simulation = ?', simulation)
      this.#file.run('delete from delivery where simulation = ? and due_at is not null', simulation)
    }
    for (const webhook of removed)
      for (const table of ['outbox', 'delivery', 'lane'])
        this.#file.run(`delete from ${table} where simulation = ? and webhook = ?`, simulation, webhook)
    const add = 'insert into outbox(simulation, webhook, events, text) values (?, ?, ?, ?)'
    for (const { webhook, events, text } of added) this.#file.run(add, simulation, webhook, events, text)
  }

  async claimTicks(most: number): Promise<readonly string[]> {
    const now = this.#now()
    const found = 'select simulation as id from journal_head where wake_at <= ? order by wake_at limit ?'
    const due = this.#file.all<{ id: string }>(found, now - TICK_GRACE_MS, most)
    if (due.length === 0) return []
    return this.#file.transact(() => {
      for (const { id } of due) this.#setWake(id, now + TICK_LEASE_MS)
      return due.map(({ id }) => id)
    })
  }

  async claimDeliveries(lease: string, ms: number, most: number): Promise<readonly DeliveryLease[]> {
    const now = this.#now()
    const found = `select simulation from dispatch where due_at <= ? and ${FREE} order by due_at limit ?`
    const due = this.#file.all<{ simulation: string }>(found, now, now, most)
    if (due.length === 0) return []
    return this.#file.transact(() => due.flatMap(({ simulation }) => this.#claim(simulation, lease, ms) ?? []))
  }

  async claim(simulation: string, lease: string, ms: number): Promise<DeliveryLease | undefined> {
    const prepare = 'insert into dispatch(simulation) select id from simulation where id = ? on conflict do nothing'
    return this.#file.transact(() => {
      this.#file.run(prepare, simulation)
      return this.#claim(simulation, lease, ms)
    })
  }

  async renew(lease: DeliveryLease, ms: number): Promise<RenewedLease | undefined> {
    return this.#file.transact(() => {
      const found = this.#pulseOf(lease)
      if (found === undefined) return undefined
      this.#file.run('update dispatch set leased_until = ? where simulation = ?', this.#now() + ms, lease.simulation)
      return { ...found, until: lease.until }
    })
  }

  async findLease(lease: DeliveryLease): Promise<DeliveryLease | undefined> {
    const found = this.#dispatchOf(lease.simulation)
    return found?.lease === lease.lease ? { ...lease, epoch: found.epoch } : undefined
  }

  async chunks(
    simulation: string,
    of: readonly { readonly webhook: string; readonly after: number }[],
    most: number,
  ): Promise<readonly KeptChunk[]> {
    const found = `select ${CHUNK} from outbox where simulation = ? and webhook = ? and id > ? order by id limit ?`
    return of.flatMap(({ webhook, after }) => this.#file.all<KeptChunk>(found, simulation, webhook, after, most))
  }

  async waiting(simulation: string, most: number): Promise<readonly KeptDelivery[]> {
    return this.#file.all<KeptDelivery>(
      `select ${DELIVERY} from (select *, row_number() over (partition by webhook order by due_at) as place
       from delivery where simulation = ? and due_at is not null) where place <= ? order by due_at`,
      ...[simulation, most],
    )
  }

  async settle(lease: DeliveryLease, settlement: Settlement): Promise<boolean> {
    const { simulation } = lease
    const keptAt = this.#now()
    const leave = 'update dispatch set notes = ? where simulation = ? and lease = ? and epoch = ?'
    const put =
      'insert or replace into delivery(simulation, webhook, number, due_at, text, kept_at) values (?, ?, ?, ?, ?, ?)'
    return this.#file.transact(() => {
      if (this.#file.run(leave, settlement.notes, simulation, lease.lease, lease.epoch) === 0) return false
      for (const { webhook, number, dueAt, text } of settlement.deliveries)
        this.#file.run(put, simulation, webhook, number, dueAt, text, keptAt)
      for (const id of settlement.emptied) this.#removeChunk(id)
      for (const { id, done } of settlement.advanced)
        this.#file.run('update outbox set done = ? where id = ?', done, id)
      for (const { webhook, failures } of settlement.failures) this.#putFailures(simulation, webhook, failures)
      return true
    })
  }

  async drop(lease: DeliveryLease, webhook: string, most: number): Promise<number> {
    const { simulation } = lease
    return this.#file.transact(() => {
      if (this.#pulseOf(lease) === undefined) return 0
      const past = this.#file.all<{ id: number; events: number }>(
        `select id, events from (select id, events, sum(events) over (order by id) as total from outbox
         where simulation = ? and webhook = ?) where total > ?`,
        ...[simulation, webhook, most],
      )
      for (const { id } of past) this.#removeChunk(id)
      const dropped = past.reduce((sum, { events }) => sum + events, 0)
      const add = `insert into lane(simulation, webhook, dropped) values (?, ?, ?) on conflict do update
        set dropped = dropped + excluded.dropped`
      if (dropped > 0) this.#file.run(add, simulation, webhook, dropped)
      return dropped
    })
  }

  async release({ simulation, lease }: DeliveryLease, { pulse, off, offsetMs }: NextLook): Promise<number | undefined> {
    return this.#file.transact(() => {
      const pulseOfLease = 'select pulse from dispatch where simulation = ? and lease = ?'
      const held = this.#file.get<{ pulse: number }>(pulseOfLease, simulation, lease)
      if (held === undefined) return undefined
      const others = JSON.stringify(off)
      const hasChunks = `select 1 from outbox where simulation = ? and ${NOT_AMONG} limit 1`
      const isDue = held.pulse !== pulse || this.#file.get(hasChunks, simulation, others) !== undefined
      const nextDue = `select min(due_at) as dueAt from delivery where simulation = ? and due_at is not null and ${NOT_AMONG}`
      const dueAt = this.#file.get<{ dueAt: number | null }>(nextDue, simulation, others)?.dueAt ?? null
      const now = this.#now()
      const next = Math.min(
        isDue ? now : Number.POSITIVE_INFINITY,
        dueAt === null ? Number.POSITIVE_INFINITY : dueAt - offsetMs,
      )
      const isNext = Number.isFinite(next)
      const free = 'update dispatch set lease = null, due_at = ? where simulation = ?'
      this.#file.run(free, isNext ? Math.round(next) : null, simulation)
      return isNext ? next - now : undefined
    })
  }

  async forgetOld(simulation: string, webhooks: readonly string[]): Promise<void> {
    const forget = `delete from delivery where simulation = ?1 and webhook = ?2 and due_at is null and number <
      (select number from delivery where simulation = ?1 and webhook = ?2 order by number desc limit 1 offset ${KEPT_DELIVERIES - 1})`
    this.#file.transact(() => {
      for (const webhook of webhooks) this.#file.run(forget, simulation, webhook)
    })
  }

  async deliveries(simulation: string, webhook: string, most: number) {
    const latest = `select ${DELIVERY} from delivery where simulation = ? and webhook = ? order by number desc limit ?`
    const kept = this.#file.all<KeptDelivery>(latest, simulation, webhook, most)
    const chunks = this.#file.all<KeptChunk>(
      `select ${CHUNK} from (select ${CHUNK}, sum(events) over (order by id desc) - events as younger
       from outbox where simulation = ? and webhook = ?) where younger < ? order by id`,
      ...[simulation, webhook, most],
    )
    return { kept: kept.reverse(), chunks }
  }

  async settledAfter(simulation: string, after: number): Promise<readonly SettledDelivery[]> {
    const latest = this.#file.all<SettledDelivery>(
      `select ${DELIVERY}, kept_at as keptAt from delivery where simulation = ? and kept_at > ?
       order by kept_at desc, number desc limit ${KEPT_DELIVERIES}`,
      ...[simulation, after],
    )
    return latest.reverse()
  }

  async lanes(simulation: string): Promise<readonly WebhookLane[]> {
    return this.#file.all<WebhookLane>('select webhook, failures, dropped from lane where simulation = ?', simulation)
  }

  async notes(simulation: string): Promise<string> {
    return this.#dispatchOf(simulation)?.notes ?? ''
  }

  async isSettled(simulation: string): Promise<boolean> {
    const found = this.#dispatchOf(simulation)
    if (found === undefined) return true
    const isFree = found.lease === null || found.leasedUntil < this.#now()
    return isFree && (found.dueAt === null || found.dueAt > this.#now())
  }

  async backlog(): Promise<WorkBacklog> {
    const now = this.#now()
    const found = this.#file.get<{ waiting: number; dueAt: number | null; wakeAt: number | null }>(
      `select (select coalesce(sum(events), 0) from outbox) + (select count(*) from delivery where due_at is not null) as waiting,
       (select min(due_at) from dispatch where due_at is not null and ${FREE}) as dueAt,
       (select min(wake_at) from journal_head where wake_at is not null) as wakeAt`,
      now,
    )
    const lateMs = (at: number | null = null) => (at === null ? 0 : Math.max(0, now - at))
    return { waiting: found?.waiting ?? 0, deliveryLateMs: lateMs(found?.dueAt), tickLateMs: lateMs(found?.wakeAt) }
  }

  async forgive(simulation: string, webhook: string): Promise<void> {
    this.#file.transact(() => {
      this.#putFailures(simulation, webhook, 0)
      this.#noteChange(simulation, 1, this.#now())
    })
  }

  #setWake(simulation: string, wakeAt: number | null): void {
    this.#file.run(
      'update journal_head set wake_at = ?1 where simulation = ?2 and wake_at is not ?1',
      wakeAt,
      simulation,
    )
  }

  /** @param moved 1 where waiting deliveries are dropped or due again */
  #noteChange(simulation: string, moved: 0 | 1, dueAt: number | null): void {
    this.#file.run(
      `insert into dispatch(simulation, epoch, pulse, due_at) values (?, ?, 1, ?) on conflict do update
       set epoch = epoch + excluded.epoch, pulse = pulse + 1, due_at = coalesce(excluded.due_at, due_at)`,
      ...[simulation, moved, dueAt],
    )
  }

  #putFailures(simulation: string, webhook: string, failures: number): void {
    this.#file.run(
      `insert into lane(simulation, webhook, failures) values (?, ?, ?) on conflict do update
       set failures = excluded.failures`,
      ...[simulation, webhook, failures],
    )
  }

  #removeChunk(id: number): void {
    this.#file.run('delete from outbox where id = ?', id)
  }

  #dispatchOf(simulation: string): DispatchRow | undefined {
    return this.#file.get(
      'select epoch, lease, leased_until as leasedUntil, notes, due_at as dueAt from dispatch where simulation = ?',
      simulation,
    )
  }

  #pulseOf({ simulation, lease, epoch }: DeliveryLease): { pulse: number } | undefined {
    const found = 'select pulse from dispatch where simulation = ? and lease = ? and epoch = ?'
    return this.#file.get<{ pulse: number }>(found, simulation, lease, epoch)
  }

  #claim(simulation: string, lease: string, ms: number): DeliveryLease | undefined {
    const now = this.#now()
    const take = `update dispatch set lease = ?, leased_until = ? where simulation = ? and ${FREE}`
    if (this.#file.run(take, lease, now + ms, simulation, now) === 0) return undefined
    const taken = this.#dispatchOf(simulation)
    return taken && { simulation, lease, epoch: taken.epoch, notes: taken.notes, until: 0 }
  }
}
