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
import type { PgConnections } from './pg-connections.ts'

const ACCOUNT = 'name, terms, is_suspended as "isSuspended", credit_usd as "creditUsd"'
const KEY = 'hash, account, prefix, terms, is_revoked as "isRevoked"'

const STATEMENTS = {
  /** Rows are written in one order, to avoid deadlocks between nodes. */
  addCounts: `
    insert into backlot.usage as u(account, month, requests)
    select * from unnest($1::text[], $2::text[], $3::bigint[]) as g(account, month, requests) where requests > 0 order by 1, 2
    on conflict (account, month) do update set requests = u.requests + excluded.requests`,
  counts: `
    select g.account, g.month, coalesce(u.requests, 0)::float8 as requests
    from unnest($1::text[], $2::text[]) as g(account, month) left join backlot.usage u using (account, month)`,
  addAccount: 'insert into backlot.account(name, terms, credit_usd) values ($1, $2, $3) on conflict do nothing',
  setTerms: 'update backlot.account set terms = $2 where name = $1 and terms <> $2',
  suspend: 'update backlot.account set is_suspended = $2 where name = $1',
  accounts: `select ${ACCOUNT} from backlot.account where name = any($1)`,
  addKey: `
    insert into backlot.account_key(hash, account, prefix, terms) select $1, name, $3, $4 from backlot.account where name = $2`,
  revokeKeys: `
    update backlot.account_key set is_revoked = true where account = $1 and starts_with(prefix, $2) and not is_revoked`,
  findKey: `select ${KEY} from backlot.account_key where hash = $1`,
  keepSession: 'insert into backlot.session(hash, sealed_key, expires_at) values ($1, $2, $3) on conflict do nothing',
  forgetSessions: `
    delete from backlot.session
    where expires_at < $1 or number <= (select max(number) from backlot.session) - ${MOST_SESSIONS}`,
  findSession: `
    select hash, sealed_key as "sealedKey", expires_at::float8 as "expiresAt" from backlot.session where hash = $1`,
  removeSession: 'delete from backlot.session where hash = $1',
  keepHold: `
    insert into backlot.test_hold(simulation, test, until) values ($1, $2, $3)
    on conflict (simulation) do update set test = excluded.test, until = excluded.until`,
  extendHold: 'update backlot.test_hold set until = $2 where simulation = $1',
  findHold: 'select test, until::float8 as "until" from backlot.test_hold where simulation = $1',
  removeHold: 'delete from backlot.test_hold where simulation = $1',
  summaries: `
    select ${ACCOUNT}, (select count(*)::int from backlot.simulation where account = name) as simulations,
      coalesce((select requests::float8 from backlot.usage where account = name and month = $1), 0) as requests
    from backlot.account order by name`,
  keys: `select ${KEY} from backlot.account_key order by number`,
}

/** Subtracts from the credit of an account; a negative amount adds. */
export const PG_TAKE_CREDIT =
  'update backlot.account set credit_usd = credit_usd - $2 where name = $1 and credit_usd - $2 >= 0'

/** Accounts and their usage, for several nodes. */
export class PgLedger implements AccountLedger {
  readonly #connections: PgConnections

  constructor(connections: PgConnections) {
    this.#connections = connections
  }

  async tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]> {
    const names = [counts.map(({ account }) => account), counts.map(({ month }) => month)]
    const requests = counts.map((count) => count.requests)
    if (requests.some((count) => count > 0)) await this.#change(STATEMENTS.addCounts, [...names, requests])
    return this.#connections.rows<RequestCount>(STATEMENTS.counts, names)
  }

  async addAccount({ name, terms, creditUsd }: Omit<StoredAccount, 'isSuspended'>): Promise<boolean> {
    return (await this.#change(STATEMENTS.addAccount, [name, terms, creditUsd])) === 1
  }

  async setTerms(name: string, terms: string): Promise<void> {
    await this.#change(STATEMENTS.setTerms, [name, terms])
  }

  async suspend(name: string, isSuspended: boolean): Promise<boolean> {
    return (await this.#change(STATEMENTS.suspend, [name, isSuspended])) === 1
  }

  async addCredit(name: string, usd: number): Promise<boolean> {
    return (await this.#change(PG_TAKE_CREDIT, [name, -usd])) === 1
  }

  async accounts(names: readonly string[]): Promise<readonly StoredAccount[]> {
    return this.#connections.rows<StoredAccount>(STATEMENTS.accounts, [names])
  }

  async addKey({ hash, account, prefix, terms }: Omit<StoredAccountKey, 'isRevoked'>): Promise<boolean> {
    return (await this.#change(STATEMENTS.addKey, [hash, account, prefix, terms])) === 1
  }

  async revokeKeys(account: string, beginning: string): Promise<number> {
    return this.#change(STATEMENTS.revokeKeys, [account, beginning])
  }

  async findKey(hash: string): Promise<StoredAccountKey | undefined> {
    return (await this.#connections.rows<StoredAccountKey>(STATEMENTS.findKey, [hash]))[0]
  }

  async keepSession({ hash, sealedKey, expiresAt }: StoredSession, now: number): Promise<void> {
    await this.#change(STATEMENTS.keepSession, [hash, sealedKey, expiresAt])
    await this.#change(STATEMENTS.forgetSessions, [now])
  }

  async findSession(hash: string): Promise<StoredSession | undefined> {
    return (await this.#connections.rows<StoredSession>(STATEMENTS.findSession, [hash]))[0]
  }

  async removeSession(hash: string): Promise<boolean> {
    return (await this.#change(STATEMENTS.removeSession, [hash])) === 1
  }

  async keepHold(simulation: string, { test, until }: StoredHold): Promise<void> {
    await this.#change(STATEMENTS.keepHold, [simulation, test, until])
  }

  async extendHold(simulation: string, until: number): Promise<void> {
    await this.#change(STATEMENTS.extendHold, [simulation, until])
  }

  async findHold(simulation: string): Promise<StoredHold | undefined> {
    return (await this.#connections.rows<StoredHold>(STATEMENTS.findHold, [simulation]))[0]
  }

  async removeHold(simulation: string): Promise<void> {
    await this.#change(STATEMENTS.removeHold, [simulation])
  }

  async summaries(month: string): Promise<readonly AccountSummary[]> {
    const accounts = await this.#connections.rows<Omit<AccountSummary, 'keys'>>(STATEMENTS.summaries, [month])
    const keys = Map.groupBy(
      await this.#connections.rows<StoredAccountKey>(STATEMENTS.keys, []),
      ({ account }) => account,
    )
    return accounts.map((account) => ({ ...account, keys: keys.get(account.name) ?? [] }))
  }

  async #change(text: string, values: readonly unknown[]): Promise<number> {
    return (await this.#connections.query(text, values)).rowCount ?? 0
  }
}
