import type { AccountLedger, RequestCount } from './ledger.ts'
import type { PgConnections } from './pg-connections.ts'

/** Rows are written in one order, so that two nodes do not wait for each other. */
const ADD = `
  insert into backlot.usage as u(account, month, requests)
  select * from unnest($1::text[], $2::text[], $3::bigint[]) as g(account, month, requests) where requests > 0 order by 1, 2
  on conflict (account, month) do update set requests = u.requests + excluded.requests`
const READ = `
  select g.account, g.month, coalesce(u.requests, 0)::float8 as requests
  from unnest($1::text[], $2::text[]) as g(account, month) left join backlot.usage u using (account, month)`

/** What is counted of accounts by several nodes. */
export class PgLedger implements AccountLedger {
  readonly #connections: PgConnections

  constructor(connections: PgConnections) {
    this.#connections = connections
  }

  async tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]> {
    const names = [counts.map(({ account }) => account), counts.map(({ month }) => month)]
    const requests = counts.map((count) => count.requests)
    if (requests.some((count) => count > 0)) await this.#connections.query(ADD, [...names, requests])
    return (await this.#connections.query<RequestCount>(READ, names)).rows
  }
}
