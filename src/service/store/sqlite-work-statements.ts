import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { rowQueries } from './sqlite-rows.ts'
import { KEPT_DELIVERIES, type KeptChunk, type KeptDelivery, type SettledDelivery, type WebhookLane } from './work.ts'

const DELIVERY = 'webhook, number, due_at as dueAt, text'
const CHUNK = 'id, webhook, text, done'
const FREE = '(lease is null or leased_until < ?)'
const NOT_AMONG = 'webhook not in (select value from json_each(?))'

/** Prepares every statement of the work of a SQLite file. */
export const prepareWork = (database: DatabaseSync) => {
  const sql = (text: string): StatementSync => database.prepare(text)
  const rows = rowQueries(database)
  return {
    endLeases: sql('update dispatch set lease = null where lease is not null'),
    setWake: sql('update journal_head set wake_at = ? where simulation = ? and wake_at is not ?'),
    dueTicks: rows<{ id: string }>(
      'select simulation as id from journal_head where wake_at <= ? order by wake_at limit ?',
    ),
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
    dueDeliveries: rows<{ simulation: string }>(
      `select simulation from dispatch where due_at <= ? and ${FREE} order by due_at limit ?`,
    ),
    take: sql(`update dispatch set lease = ?, leased_until = ? where simulation = ? and ${FREE}`),
    dispatchOf: rows<{ epoch: number; lease: string | null; leasedUntil: number; notes: string; dueAt: number | null }>(
      'select epoch, lease, leased_until as leasedUntil, notes, due_at as dueAt from dispatch where simulation = ?',
    ),
    renew: sql('update dispatch set leased_until = ? where simulation = ?'),
    pulseOf: rows<{ pulse: number }>('select pulse from dispatch where simulation = ? and lease = ? and epoch = ?'),
    pulseOfLease: rows<{ pulse: number }>('select pulse from dispatch where simulation = ? and lease = ?'),
    leave: sql('update dispatch set notes = ? where simulation = ? and lease = ? and epoch = ?'),
    release: sql('update dispatch set lease = null, due_at = ? where simulation = ?'),
    chunksAfter: rows<KeptChunk>(
      `select ${CHUNK} from outbox where simulation = ? and webhook = ? and id > ? order by id limit ?`,
    ),
    chunksPast: rows<{
      id: number
      events: number
    }>(`select id, events from (select id, events, sum(events) over (order by id) as total from outbox
      where simulation = ? and webhook = ?) where total > ?`),
    youngestChunks:
      rows<KeptChunk>(`select ${CHUNK} from (select ${CHUNK}, sum(events) over (order by id desc) - events as younger
      from outbox where simulation = ? and webhook = ?) where younger < ? order by id`),
    hasChunks: sql(`select 1 from outbox where simulation = ? and ${NOT_AMONG} limit 1`),
    removeChunk: sql('delete from outbox where id = ?'),
    advanceChunk: sql('update outbox set done = ? where id = ?'),
    waiting:
      rows<KeptDelivery>(`select ${DELIVERY} from (select *, row_number() over (partition by webhook order by due_at) as place
      from delivery where simulation = ? and due_at is not null) where place <= ? order by due_at`),
    nextDue: rows<{ dueAt: number | null }>(
      `select min(due_at) as dueAt from delivery where simulation = ? and due_at is not null and ${NOT_AMONG}`,
    ),
    deliveriesOf: rows<KeptDelivery>(
      `select ${DELIVERY} from delivery where simulation = ? and webhook = ? order by number desc limit ?`,
    ),
    settledAfter:
      rows<SettledDelivery>(`select ${DELIVERY}, kept_at as keptAt from delivery where simulation = ? and kept_at > ?
      order by kept_at desc, number desc limit ${KEPT_DELIVERIES}`),
    putDelivery: sql(
      'insert or replace into delivery(simulation, webhook, number, due_at, text, kept_at) values (?, ?, ?, ?, ?, ?)',
    ),
    forgetOld: sql(`delete from delivery where simulation = ? and webhook = ? and due_at is null and number <
      (select number from delivery where simulation = ? and webhook = ? order by number desc limit 1 offset ${KEPT_DELIVERIES - 1})`),
    putFailures: sql(`insert into lane(simulation, webhook, failures) values (?, ?, ?) on conflict do update
      set failures = excluded.failures`),
    addDropped: sql(`insert into lane(simulation, webhook, dropped) values (?, ?, ?) on conflict do update
      set dropped = dropped + excluded.dropped`),
    backlog: rows<{
      waiting: number
      dueAt: number | null
      wakeAt: number | null
    }>(`select (select coalesce(sum(events), 0) from outbox) + (select count(*) from delivery where due_at is not null) as waiting,
      (select min(due_at) from dispatch where due_at is not null and ${FREE}) as dueAt,
      (select min(wake_at) from journal_head where wake_at is not null) as wakeAt`),
    lanes: rows<WebhookLane>('select webhook, failures, dropped from lane where simulation = ?'),
  }
}

export type WorkStatements = ReturnType<typeof prepareWork>
