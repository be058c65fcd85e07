import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AccountLedger, RequestCount } from './ledger.ts'
import { transact } from './sqlite-transact.ts'

/** What is counted of accounts in a SQLite file. */
export class SqliteLedger implements AccountLedger {
  readonly #database: DatabaseSync
  readonly #add: StatementSync
  readonly #read: StatementSync

  /** @param database with the tables of `openSqlite` */
  constructor(database: DatabaseSync) {
    this.#database = database
    this.#add = database.prepare(
      'insert into usage(account, month, requests) values (?, ?, ?) on conflict do update set requests = requests + excluded.requests',
    )
    this.#read = database.prepare('select requests from usage where account = ? and month = ?')
  }

  async tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]> {
    const added = counts.filter(({ requests }) => requests > 0)
    if (added.length > 0) {
      transact(this.#database, () => {
        for (const { account, month, requests } of added) this.#add.run(account, month, requests)
      })
    }
    return counts.map(({ account, month }) => {
      const row = this.#read.get(account, month) as { requests: number } | undefined
      return { account, month, requests: row?.requests ?? 0 }
    })
  }
}
