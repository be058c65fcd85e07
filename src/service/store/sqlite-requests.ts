import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { LogRow, NewRequestRow, RequestRows } from './request-rows.ts'
import { prepareAll, rowQueries, transact } from './sqlite-rows.ts'

const STATEMENTS = {
  add: `insert into request_log(id, simulation, first, last, requests, size, entries, details)
    select ?, id, ?, ?, ?, ?, ?, ? from simulation where id = ? on conflict do nothing`,
  count: `insert into request_total(simulation, arrived) values (?, ?)
    on conflict do update set arrived = arrived + excluded.arrived`,
  trim: `delete from request_log where rowid in (
    select number from (select rowid as number, sum(requests) over newest - requests as newer, sum(size) over newest as size from request_log
      where simulation = ?1 window newest as (order by last desc, rowid desc))
    where newer >= ?2 or (newer > 0 and size > ?3))`,
}

const prepareQueries = (database: DatabaseSync) => {
  const rows = rowQueries(database)
  return {
    read: rows<{ id: string; entries: string }>(
      'select id, entries from request_log where simulation = ? and last > ? and first < ? order by rowid',
    ),
    details: rows<{ id: string; details: string }>(
      'select id, details from request_log where simulation = ? and id in (select value from json_each(?))',
    ),
    arrived: rows<{ simulation: string; arrived: number }>(
      'select simulation, arrived from request_total where simulation in (select value from json_each(?))',
    ),
  }
}

/** The requests to the simulations of a SQLite file, for the one service that has it open. */
export class SqliteRequests implements RequestRows {
  readonly #database: DatabaseSync
  readonly #statements: Readonly<Record<keyof typeof STATEMENTS, StatementSync>>
  readonly #queries: ReturnType<typeof prepareQueries>
  readonly #sync: 'full' | 'normal'

  /** @param database with the tables of `openSqlite` @param sync durability of other commits */
  constructor(database: DatabaseSync, sync: 'full' | 'normal') {
    this.#database = database
    this.#sync = sync
    this.#statements = prepareAll(database, STATEMENTS)
    this.#queries = prepareQueries(database)
  }

  async add(rows: readonly NewRequestRow[]): Promise<void> {
    const { add, count } = this.#statements
    this.#withoutSync(() => {
      for (const { id, simulation, first, last, requests, arrived, entries, details } of rows) {
        const size = entries.length + details.length
        const { changes } = add.run(id, first, last, requests, size, entries, details, simulation)
        if (changes !== 0) count.run(simulation, arrived)
      }
    })
  }

  async trim(simulation: string, most: { readonly requests: number; readonly characters: number }): Promise<void> {
    this.#withoutSync(() => this.#statements.trim.run(simulation, most.requests, most.characters))
  }

  async read(simulation: string, after: number, before: number): Promise<readonly LogRow[]> {
    return this.#queries.read.all(simulation, after, before)
  }

  async details(simulation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = this.#queries.details.all(simulation, JSON.stringify(ids))
    return new Map(rows.map(({ id, details }) => [id, details]))
  }

  async arrived(simulations: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = this.#queries.arrived.all(JSON.stringify(simulations))
    const known = new Map(rows.map(({ simulation, arrived }) => [simulation, arrived]))
    return new Map(simulations.map((id) => [id, known.get(id) ?? 0]))
  }

  /** The only service saves its answers before it reads. */
  async follow(): Promise<number> {
    return Number.POSITIVE_INFINITY
  }

  isFollowed(): boolean {
    return false
  }

  /** Does not wait for the disk: the next durable commit includes it. */
  #withoutSync(work: () => void): void {
    this.#database.exec('pragma synchronous = normal')
    try {
      transact(this.#database, work)
    } finally {
      this.#database.exec(`pragma synchronous = ${this.#sync}`)
    }
  }
}
