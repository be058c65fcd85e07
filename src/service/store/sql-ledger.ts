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

/** A database for statements that both PostgreSQL and SQLite understand, in the words of PostgreSQL. */
export interface LedgerDatabase {
  rows<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Returns the number of changed rows. */
  change(text: string, values: readonly unknown[]): Promise<number>
}

const ACCOUNT = 'name, terms, is_suspended as "isSuspended", credit_usd as "creditUsd"'
const KEY = 'hash, account, prefix, terms, is_revoked as "isRevoked"'

/** Subtracts from the credit of an account; a negative amount adds. */
export const TAKE_CREDIT =
  'update backlot.account set credit_usd = credit_usd - $2 where name = $1 and credit_usd - $2 >= 0'

/** Most counts in one statement: SQLite keeps a statement for each number of counts, with as much memory as it has counts. */
const MOST_COUNTS = 50

/** Accounts and their usage. */
export class SqlLedger implements AccountLedger {
  readonly #database: LedgerDatabase

  constructor(database: LedgerDatabase) {
    this.#database = database
  }

  async tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]> {
    // Rows are written in one order, to avoid deadlocks between nodes.
    const added = counts
      .filter(({ requests }) => requests > 0)
      .toSorted((one, other) => (one.account < other.account ? -1 : 1))
    for (let at = 0; at < added.length; at += MOST_COUNTS) {
      const some = added.slice(at, at + MOST_COUNTS)
      const rows = some.map((_, row) => `($${3 * row + 1}, $${3 * row + 2}, $${3 * row + 3})`)
      await this.#database.change(
        `insert into backlot.usage as u(account, month, requests) values ${rows.join(', ')}
         on conflict (account, month) do update set requests = u.requests + excluded.requests`,
        some.flatMap(({ account, month, requests }) => [account, month, requests]),
      )
    }
    const totals = await this.#database.rows<RequestCount>(
      'select account, month, cast(requests as float8) as requests from backlot.usage where account = any($1) and month = any($2)',
      [counts.map(({ account }) => account), [...new Set(counts.map(({ month }) => month))]],
    )
    const totalOf = new Map(totals.map(({ account, month, requests }) => [`${month} ${account}`, requests]))
    return counts.map(({ account, month }) => {
      return { account, month, requests: totalOf.get(`${month} ${account}`) ?? 0 }
    })
  }

  addAccount({ name, terms, creditUsd }: Omit<StoredAccount, 'isSuspended'>): Promise<boolean> {
    const add = 'insert into backlot.account(name, terms, credit_usd) values ($1, $2, $3) on conflict do nothing'
    return this.#changesOne(add, [name, terms, creditUsd])
  }

  async setTerms(name: string, terms: string): Promise<void> {
    await this.#database.change('update backlot.account set terms = $2 where name = $1 and terms <> $2', [name, terms])
  }

  suspend(name: string, isSuspended: boolean): Promise<boolean> {
    return this.#changesOne('update backlot.account set is_suspended = $2 where name = $1', [name, isSuspended])
  }

  addCredit(name: string, usd: number): Promise<boolean> {
    return this.#changesOne(TAKE_CREDIT, [name, -usd])
  }

  async accounts(names: readonly string[]): Promise<readonly StoredAccount[]> {
    const found = `select ${ACCOUNT} from backlot.account where name = any($1)`
    return (await this.#database.rows<StoredAccount>(found, [names])).map(toAccount)
  }

  addKey({ hash, account, prefix, terms }: Omit<StoredAccountKey, 'isRevoked'>): Promise<boolean> {
    const add = `
      insert into backlot.account_key(hash, account, prefix, terms) select $1, name, $3, $4 from backlot.account where name = $2`
    return this.#changesOne(add, [hash, account, prefix, terms])
  }

  revokeKeys(account: string, beginning: string): Promise<number> {
    const revoke = `
      update backlot.account_key set is_revoked = true
      where account = $1 and substr(prefix, 1, length($2)) = $2 and not is_revoked`
    return this.#database.change(revoke, [account, beginning])
  }

  async findKey(hash: string): Promise<StoredAccountKey | undefined> {
    const found = `select ${KEY} from backlot.account_key where hash = $1`
    return (await this.#database.rows<StoredAccountKey>(found, [hash])).map(toKey)[0]
  }

  async keepSession({ hash, sealedKey, expiresAt }: StoredSession, now: number): Promise<void> {
    const add = 'insert into backlot.session(hash, sealed_key, expires_at) values ($1, $2, $3) on conflict do nothing'
    await this.#database.change(add, [hash, sealedKey, expiresAt])
    const forget = `
      delete from backlot.session
      where expires_at < $1 or number <= (select max(number) from backlot.session) - ${MOST_SESSIONS}`
    await this.#database.change(forget, [now])
  }

  async findSession(hash: string): Promise<StoredSession | undefined> {
    const found = `
      select hash, sealed_key as "sealedKey", cast(expires_at as float8) as "expiresAt" from backlot.session where hash = $1`
    return (await this.#database.rows<StoredSession>(found, [hash]))[0]
  }

  removeSession(hash: string): Promise<boolean> {
    return this.#changesOne('delete from backlot.session where hash = $1', [hash])
  }

  async keepHold(simulation: string, { test, until }: StoredHold): Promise<void> {
    const keep = `
      insert into backlot.test_hold(simulation, test, until) values ($1, $2, $3)
      on conflict (simulation) do update set test = excluded.test, until = excluded.until`
    await this.#database.change(keep, [simulation, test, until])
  }

  async extendHold(simulation: string, until: number): Promise<void> {
    await this.#database.change('update backlot.test_hold set until = $2 where simulation = $1', [simulation, until])
  }

  async findHold(simulation: string): Promise<StoredHold | undefined> {
    const found = 'select test, cast(until as float8) as until from backlot.test_hold where simulation = $1'
    return (await this.#database.rows<StoredHold>(found, [simulation]))[0]
  }

  async removeHold(simulation: string): Promise<void> {
    await this.#database.change('delete from backlot.test_hold where simulation = $1', [simulation])
  }

  async summaries(month: string): Promise<readonly AccountSummary[]> {
    const accounts = await this.#database.rows<Omit<AccountSummary, 'keys'>>(
      `select ${ACCOUNT}, (select cast(count(*) as int) from backlot.simulation where account = name) as simulations,
         coalesce((select cast(requests as float8) from backlot.usage where account = name and month = $1), 0) as requests
       from backlot.account order by name`,
      [month],
    )
    const keys = await this.#database.rows<StoredAccountKey>(
      `select ${KEY} from backlot.account_key order by number`,
      [],
    )
    const keysOf = Map.groupBy(keys.map(toKey), ({ account }) => account)
    return accounts.map((account) => ({ ...toAccount(account), keys: keysOf.get(account.name) ?? [] }))
  }

  async #changesOne(text: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.#database.change(text, values)) === 1
  }
}

/** SQLite has numbers for booleans. */
const toAccount = <Row extends StoredAccount>(row: Row): Row => ({ ...row, isSuspended: Boolean(row.isSuspended) })
const toKey = (row: StoredAccountKey): StoredAccountKey => ({ ...row, isRevoked: Boolean(row.isRevoked) })
