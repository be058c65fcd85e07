import type { LogRow, NewRequestRow, RequestRows } from './request-rows.ts'
import type { SqliteFile } from './sqlite-file.ts'

/** The requests to the simulations of a SQLite file, for the one service that has it open. */
export class SqliteRequests implements RequestRows {
  readonly #file: SqliteFile
  readonly #sync: 'full' | 'normal'

  /** @param sync durability of other commits */
  constructor(file: SqliteFile, sync: 'full' | 'normal') {
    this.#file = file
    this.#sync = sync
  }

  async add(rows: readonly NewRequestRow[]): Promise<void> {
    this.#withoutSync(() => {
      for (const { id, simulation, first, last, requests, arrived, entries, details } of rows) {
        const size = entries.length + details.length
        const added = this.#file.run(
          `insert into request_log(id, simulation, first, last, requests, size, entries, details)
           select ?, id, ?, ?, ?, ?, ?, ? from simulation where id = ? on conflict do nothing`,
          ...[id, first, last, requests, size, entries, details, simulation],
        )
        if (added === 0) continue
        this.#file.run(
          `insert into request_total(simulation, arrived) values (?, ?)
           on conflict do update set arrived = arrived + excluded.arrived`,
          ...[simulation, arrived],
        )
      }
    })
  }

  async trim(simulation: string, most: { readonly requests: number; readonly characters: number }): Promise<void> {
    this.#withoutSync(() =>
      this.#file.run(
        `delete from request_log where rowid in (
          select number from (select rowid as number, sum(requests) over newest - requests as newer, sum(size) over newest as size from request_log
            where simulation = ?1 window newest as (order by last desc, rowid desc))
          where newer >= ?2 or (newer > 0 and size > ?3))`,
        ...[simulation, most.requests, most.characters],
      ),
    )
  }

  async read(simulation: string, after: number, before: number): Promise<readonly LogRow[]> {
    const found = 'select id, entries from request_log where simulation = ? and last > ? and first < ? order by rowid'
    return this.#file.all<LogRow>(found, simulation, after, before)
  }

  async details(simulation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = this.#file.all<{ id: string; details: string }>(
      'select id, details from request_log where simulation = ? and id in (select value from json_each(?))',
      ...[simulation, JSON.stringify(ids)],
    )
    return new Map(rows.map(({ id, details }) => [id, details]))
  }

  async arrived(simulations: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = this.#file.all<{ simulation: string; arrived: number }>(
      'select simulation, arrived from request_total where simulation in (select value from json_each(?))',
      JSON.stringify(simulations),
    )
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
    this.#file.exec('pragma synchronous = normal')
    try {
      this.#file.transact(work)
    } finally {
      this.#file.exec(`pragma synchronous = ${this.#sync}`)
    }
  }
}
