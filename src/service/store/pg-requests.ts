import type { PgConnections } from './pg-connections.ts'
import { pgTextArray } from './pg-query.ts'
import { FOLLOWED_MS, type LogRow, type NewRequestRow, type RequestRows } from './request-rows.ts'

const STATEMENTS = {
  /** Rows are written in one order, to avoid deadlocks between nodes. */
  add: `
    with given as (
        select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::text[], $8::text[])
          as g(id, simulation, first, last, requests, arrived, entries, details)
        where exists (select from backlot.simulation s where s.id = g.simulation)),
      added as (
        insert into backlot.request_log(id, simulation, first, last, requests, size, entries, details)
        select id, simulation, first, last, requests, octet_length(entries) + octet_length(details), entries, details from given
        on conflict (id) do nothing returning id)
    insert into backlot.request_total as t(simulation, arrived)
    select g.simulation, sum(g.arrived) from given g join added using (id) group by 1 order by 1
    on conflict (simulation) do update set arrived = t.arrived + excluded.arrived`,
  trim: `
    delete from backlot.request_log l using (
      select id, sum(requests) over newest - requests as newer, sum(size) over newest as size from backlot.request_log
      where simulation = $1 window newest as (order by last desc, id)) o
    where l.id = o.id and (o.newer >= $2 or (o.newer > 0 and o.size > $3))`,
  read: 'select id, entries from backlot.request_log where simulation = $1 and last > $2 and first < $3',
  details: 'select id, details from backlot.request_log where simulation = $1 and id = any($2)',
  arrived: 'select simulation, arrived::float8 as arrived from backlot.request_total where simulation = any($1)',
  /** The head's row changes at most twice a minute. */
  follow: `
    with now as (select clock_timestamp() as now),
      renewed as (
        update backlot.journal_head h set followed_until = now + $2::float8 * interval '1 millisecond',
          followed_since = case when h.followed_until > now then h.followed_since else now end
        from now where h.simulation = $1 and (h.followed_until is null or h.followed_until < now + $2::float8 / 2 * interval '1 millisecond')
        returning h.followed_since)
    select greatest(0, extract(epoch from now - coalesce((select followed_since from renewed),
      (select followed_since from backlot.journal_head where simulation = $1), now)) * 1000)::float8 as "sinceMs" from now`,
}

/** The requests to the simulations of several nodes. */
export class PgRequests implements RequestRows {
  readonly #connections: PgConnections
  /** Simulations whose log is followed, by the latest reads of their heads. */
  readonly #followed = new Set<string>()

  constructor(connections: PgConnections) {
    this.#connections = connections
  }

  async add(rows: readonly NewRequestRow[]): Promise<void> {
    await this.#connections.queryPrepared(STATEMENTS.add, [
      pgTextArray(rows.map(({ id }) => id)),
      pgTextArray(rows.map(({ simulation }) => simulation)),
      rows.map(({ first }) => first),
      rows.map(({ last }) => last),
      rows.map(({ requests }) => requests),
      rows.map(({ arrived }) => arrived),
      pgTextArray(rows.map(({ entries }) => entries)),
      pgTextArray(rows.map(({ details }) => details)),
    ])
  }

  async trim(simulation: string, most: { readonly requests: number; readonly characters: number }): Promise<void> {
    await this.#connections.query(STATEMENTS.trim, [simulation, most.requests, most.characters])
  }

  async read(simulation: string, after: number, before: number): Promise<readonly LogRow[]> {
    return this.#connections.rows<LogRow>(STATEMENTS.read, [simulation, after, before])
  }

  async details(simulation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const given = [simulation, ids]
    const rows = await this.#connections.rows<{ id: string; details: string }>(STATEMENTS.details, given)
    return new Map(rows.map(({ id, details }) => [id, details]))
  }

  async arrived(simulations: readonly string[]): Promise<ReadonlyMap<string, number>> {
    type Row = { simulation: string; arrived: number }
    const rows = await this.#connections.rows<Row>(STATEMENTS.arrived, [simulations])
    const known = new Map(rows.map(({ simulation, arrived }) => [simulation, arrived]))
    return new Map(simulations.map((id) => [id, known.get(id) ?? 0]))
  }

  async follow(simulation: string): Promise<number> {
    const [row] = await this.#connections.rows<{ sinceMs: number }>(STATEMENTS.follow, [simulation, FOLLOWED_MS])
    return row?.sinceMs ?? 0
  }

  isFollowed(simulation: string): boolean {
    return this.#followed.has(simulation)
  }

  /** Notes the result of reading a simulation's head. */
  noteFollowed(simulation: string, isFollowed: boolean): void {
    if (isFollowed) this.#followed.add(simulation)
    else this.#followed.delete(simulation)
  }
}
