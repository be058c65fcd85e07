import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type AccountLedger,
  type AccountSummary,
  MOST_SESSIONS,
  type RequestCount,
  type StoredAccount,
  type StoredAccountKey,
  type StoredHold,
  type StoredSession,
} from './ledger.ts'
import { prepareAll, rowQueries, transact } from './sqlite-rows.ts'

const ACCOUNT = 'name, terms, is_suspended as isSuspended, credit_usd as creditUsd'
const KEY = 'hash, account, prefix, terms, is_revoked as isRevoked'

/** Subtracts from the credit of an account; a negative amount adds. */
export const SQLITE_TAKE_CREDIT =
  'update account set credit_usd = credit_usd - ?2 where name = ?1 and credit_usd - ?2 >= 0'

const STATEMENTS = {
  takeCredit: SQLITE_TAKE_CREDIT,
  addCount:
    'insert into usage(account, month, requests) values (?, ?, ?) on conflict do update set requests = requests + excluded.requests',
  addAccount: 'insert into account(name, terms, credit_usd) values (?, ?, ?) on conflict do nothing',
  setTerms: 'update account set terms = ?2 where name = ?1 and terms <> ?2',
  suspend: 'update account set is_suspended = ?2 where name = ?1',
  addKey: 'insert into account_key(hash, account, prefix, terms) select ?1, name, ?3, ?4 from account where name = ?2',
  revokeKeys: `
    update account_key set is_revoked = 1 where account = ?1 and substr(prefix, 1, length(?2)) = ?2 and is_revoked = 0`,
  keepSession: 'insert into session(hash, sealed_key, expires_at) values (?, ?, ?)',
  forgetSessions: `
    delete from session where expires_at < ? or number <= (select max(number) from session) - ${MOST_SESSIONS}`,
  removeSession: 'delete from session where hash = ?',
  keepHold: 'insert or replace into test_hold(simulation, test, until) values (?, ?, ?)',
  extendHold: 'update test_hold set until = ? where simulation = ?',
  removeHold: 'delete from test_hold where simulation = ?',
}

const prepareQueries = (database: DatabaseSync) => {
  const rows = rowQueries(database)
  return {
    count: rows<{ requests: number }>('select requests from usage where account = ? and month = ?'),
    account: rows<AccountRow>(`select ${ACCOUNT} from account where name = ?`),
    findKey: rows<KeyRow>(`select ${KEY} from account_key where hash = ?`),
    findSession: rows<{ hash: string; sealedKey: string; expiresAt: number }>(
      'select hash, sealed_key as sealedKey, expires_at as expiresAt from session where hash = ?',
    ),
    findHold: rows<{ test: string; until: number }>('select test, until from test_hold where simulation = ?'),
    summaries: rows<AccountRow & { simulations: number; requests: number }>(`
    select ${ACCOUNT}, (select count(*) from simulation where account = name) as simulations,
      coalesce((select requests from usage where account = name and month = ?), 0) as requests from account order by name`),
    keys: rows<KeyRow>(`select ${KEY} from account_key order by number`),
  }
}

/** Accounts and their usage, in a SQLite file. */
export class SqliteLedger implements AccountLedger {
  readonly #database: DatabaseSync
  readonly #statements: Readonly<Record<keyof typeof STATEMENTS, StatementSync>>
  readonly #queries: ReturnType<typeof prepareQueries>

  /** @param database with the tables of `openSqlite` */
  constructor(database: DatabaseSync) {
    this.#database = database
    this.#statements = prepareAll(database, STATEMENTS)
    this.#queries = prepareQueries(database)
  }

  async tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]> {
    const { addCount } = this.#statements
    const added = counts.filter(({ requests }) => requests > 0)
    if (added.length > 0) {
      transact(this.#database, () => {
        for (const { account, month, requests } of added) addCount.run(account, month, requests)
      })
    }
    return counts.map(({ account, month }) => {
      return { account, month, requests: this.#queries.count.get(account, month)?.requests ?? 0 }
    })
  }

  async addAccount({ name, terms, creditUsd }: Omit<StoredAccount, 'isSuspended'>): Promise<boolean> {
    return this.#change(this.#statements.addAccount, name, terms, creditUsd) === 1
  }

  async setTerms(name: string, terms: string): Promise<void> {
    this.#change(this.#statements.setTerms, name, terms)
  }

  async suspend(name: string, isSuspended: boolean): Promise<boolean> {
    return this.#change(this.#statements.suspend, name, isSuspended ? 1 : 0) === 1
  }

  async addCredit(name: string, usd: number): Promise<boolean> {
    return this.#change(this.#statements.takeCredit, name, -usd) === 1
  }

  async accounts(names: readonly string[]): Promise<readonly StoredAccount[]> {
    return names.flatMap((name) => {
      const row = this.#queries.account.get(name)
      return row === undefined ? [] : [{ ...row, isSuspended: row.isSuspended === 1 }]
    })
  }

  async addKey({ hash, account, prefix, terms }: Omit<StoredAccountKey, 'isRevoked'>): Promise<boolean> {
    return this.#change(this.#statements.addKey, hash, account, prefix, terms) === 1
  }

  async revokeKeys(account: string, beginning: string): Promise<number> {
    return this.#change(this.#statements.revokeKeys, account, beginning)
  }

  async findKey(hash: string): Promise<StoredAccountKey | undefined> {
    const row = this.#queries.findKey.get(hash)
    return row && toKey(row)
  }

  async keepSession({ hash, sealedKey, expiresAt }: StoredSession, now: number): Promise<void> {
    transact(this.#database, () => {
      this.#statements.keepSession.run(hash, sealedKey, expiresAt)
      this.#statements.forgetSessions.run(now)
    })
  }

  async findSession(hash: string): Promise<StoredSession | undefined> {
    return this.#queries.findSession.get(hash)
  }

  async removeSession(hash: string): Promise<boolean> {
    return this.#change(this.#statements.removeSession, hash) === 1
  }

  async keepHold(simulation: string, { test, until }: StoredHold): Promise<void> {
    this.#change(this.#statements.keepHold, simulation, test, until)
  }

  async extendHold(simulation: string, until: number): Promise<void> {
    this.#change(this.#statements.extendHold, until, simulation)
  }

  async findHold(simulation: string): Promise<StoredHold | undefined> {
    return this.#queries.findHold.get(simulation)
  }

  async removeHold(simulation: string): Promise<void> {
    this.#change(this.#statements.removeHold, simulation)
  }

  async summaries(month: string): Promise<readonly AccountSummary[]> {
    const accounts = this.#queries.summaries.all(month)
    const keys = Map.groupBy(this.#queries.keys.all().map(toKey), ({ account }) => account)
    return accounts.map((row) => ({ ...row, isSuspended: row.isSuspended === 1, keys: keys.get(row.name) ?? [] }))
  }

  #change(statement: StatementSync, ...values: SQLInputValue[]): number {
    return transact(this.#database, () => Number(statement.run(...values).changes))
  }
}

type AccountRow = Omit<StoredAccount, 'isSuspended'> & { readonly isSuspended: number }
type KeyRow = Omit<StoredAccountKey, 'isRevoked'> & { readonly isRevoked: number }

const toKey = (row: KeyRow): StoredAccountKey => ({ ...row, isRevoked: row.isRevoked === 1 })
