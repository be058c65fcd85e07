import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { RowQuery } from './sqlite-rows.ts'
import { transact } from './sqlite-transact.ts'
import {
  type DeliveryLease,
  type DueWork,
  KEPT_DELIVERIES,
  type KeptChunk,
  type KeptDelivery,
  type NextLook,
  type OutboxChange,
  type Settlement,
  TICK_GRACE_MS,
  TICK_LEASE_MS,
  type WebhookLane,
  type WorkBacklog,
} from './work.ts'

/** What is to be done for the simulations of a SQLite file, by the one service that has it open. */
export class SqliteWork implements DueWork {
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #now: () => number

  /** @param database with the tables of `openSqlite`. Leases of a service before are over. */
  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database
    this.#statements = prepare(database)
    this.#now = now
    this.#statements.endLeases.run()
  }

  /** What a commit brings, in its transaction. */
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

  async renew(
    { simulation, lease, epoch }: DeliveryLease,
    ms: number,
  ): Promise<{ readonly pulse: number } | undefined> {
    const { pulseOf, renew } = this.#statements
    return this.#transact(() => {
      const found = pulseOf.get(simulation, lease, epoch)
      if (found !== undefined) renew.run(this.#now() + ms, simulation)
      return found
    })
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
    return this.#transact(() => {
      if (leave.run(settlement.notes, simulation, lease.lease, lease.epoch).changes === 0) return false
      for (const { webhook, number, dueAt, text } of settlement.deliveries) {
        putDelivery.run(simulation, webhook, number, dueAt, text)
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
    return taken && { simulation, lease, epoch: taken.epoch, notes: taken.notes }
  }

  #transact<T>(work: () => T): T {
    return transact(this.#database, work)
  }
}

const DELIVERY = 'webhook, number, due_at as dueAt, text'
const DELIVERY_ROW = { webhook: 'string', number: 'number', dueAt: 'number?', text: 'string' } as const
const CHUNK = 'id, webhook, text, done'
const CHUNK_ROW = { id: 'number', webhook: 'string', text: 'string', done: 'string' } as const
const FREE = '(lease is null or leased_until < ?)'
const NOT_AMONG = 'webhook not in (select value from json_each(?))'

const prepare = (database: DatabaseSync) => {
  const sql = (text: string): StatementSync => database.prepare(text)
  const rows = <const Columns extends ConstructorParameters<typeof RowQuery>[2]>(text: string, columns: Columns) =>
    new RowQuery(database, text, columns)
  return {
    endLeases: sql('update dispatch set lease = null where lease is not null'),
    setWake: sql('update journal_head set wake_at = ? where simulation = ? and wake_at is not ?'),
    dueTicks: rows('select simulation as id from journal_head where wake_at <= ? order by wake_at limit ?', {
      id: 'string',
    }),
    prepareDispatch: sql(
      'insert into dispatch(simulation) select id from simulation where id = ? on conflict do nothing',
    ),
    change: sql(`insert into dispatch(simulation, epoch, pulse, due_at) values (?, ?, 1, ?) on conflict do update
      set epoch = epoch + excluded.epoch, pulse = pulse + 1, due_at = coalesce(excluded.due_at, due_at)`),
    clear: sql('delete from outbox where simulation = ?'),
    clearWaiting: sql('delete from delivery where simulation = ? and due_at is not null'),
    remove: ['outbox', 'delivery', 'lane'].map((table) =>
      sql(`delete from ${table} where simulation = ? and webhook = ?`),
    ),
    addChunk: sql('insert into outbox(simulation, webhook, events, text) values (?, ?, ?, ?)'),
    dueDeliveries: rows(`select simulation from dispatch where due_at <= ? and ${FREE} order by due_at limit ?`, {
      simulation: 'string',
    }),
    take: sql(`update dispatch set lease = ?, leased_until = ? where simulation = ? and ${FREE}`),
    dispatchOf: rows(
      'select epoch, lease, leased_until as leasedUntil, notes, due_at as dueAt from dispatch where simulation = ?',
      { epoch: 'number', lease: 'string?', leasedUntil: 'number', notes: 'string', dueAt: 'number?' },
    ),
    renew: sql('update dispatch set leased_until = ? where simulation = ?'),
    pulseOf: rows('select pulse from dispatch where simulation = ? and lease = ? and epoch = ?', { pulse: 'number' }),
    pulseOfLease: rows('select pulse from dispatch where simulation = ? and lease = ?', { pulse: 'number' }),
    leave: sql('update dispatch set notes = ? where simulation = ? and lease = ? and epoch = ?'),
    release: sql('update dispatch set lease = null, due_at = ? where simulation = ?'),
    chunksAfter: rows(
      `select ${CHUNK} from outbox where simulation = ? and webhook = ? and id > ? order by id limit ?`,
      CHUNK_ROW,
    ),
    chunksPast: rows(
      `select id, events from (select id, events, sum(events) over (order by id) as total from outbox
      where simulation = ? and webhook = ?) where total > ?`,
      { id: 'number', events: 'number' },
    ),
    youngestChunks: rows(
      `select ${CHUNK} from (select ${CHUNK}, sum(events) over (order by id desc) - events as younger
      from outbox where simulation = ? and webhook = ?) where younger < ? order by id`,
      CHUNK_ROW,
    ),
    hasChunks: sql(`select 1 from outbox where simulation = ? and ${NOT_AMONG} limit 1`),
    removeChunk: sql('delete from outbox where id = ?'),
    advanceChunk: sql('update outbox set done = ? where id = ?'),
    waiting: rows(
      `select ${DELIVERY} from (select *, row_number() over (partition by webhook order by due_at) as place
      from delivery where simulation = ? and due_at is not null) where place <= ? order by due_at`,
      DELIVERY_ROW,
    ),
    nextDue: rows(
      `select min(due_at) as dueAt from delivery where simulation = ? and due_at is not null and ${NOT_AMONG}`,
      { dueAt: 'number?' },
    ),
    deliveriesOf: rows(
      `select ${DELIVERY} from delivery where simulation = ? and webhook = ? order by number desc limit ?`,
      DELIVERY_ROW,
    ),
    putDelivery: sql(
      'insert or replace into delivery(simulation, webhook, number, due_at, text) values (?, ?, ?, ?, ?)',
    ),
    forgetOld: sql(`delete from delivery where simulation = ? and webhook = ? and due_at is null and number <
      (select number from delivery where simulation = ? and webhook = ? order by number desc limit 1 offset ${KEPT_DELIVERIES - 1})`),
    putFailures: sql(`insert into lane(simulation, webhook, failures) values (?, ?, ?) on conflict do update
      set failures = excluded.failures`),
    addDropped: sql(`insert into lane(simulation, webhook, dropped) values (?, ?, ?) on conflict do update
      set dropped = dropped + excluded.dropped`),
    backlog: rows(
      `select (select coalesce(sum(events), 0) from outbox) + (select count(*) from delivery where due_at is not null) as waiting,
      (select min(due_at) from dispatch where due_at is not null and ${FREE}) as dueAt,
      (select min(wake_at) from journal_head where wake_at is not null) as wakeAt`,
      { waiting: 'number', dueAt: 'number?', wakeAt: 'number?' },
    ),
    lanes: rows('select webhook, failures, dropped from lane where simulation = ?', {
      webhook: 'string',
      failures: 'number',
      dropped: 'number',
    }),
  }
}

type Statements = ReturnType<typeof prepare>
