import { createHash } from 'node:crypto'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { type CancelTimer, startTimer } from '../../runtime/timers.ts'
import { PgQuery, type PgValue, type PreparedStatements } from './pg-query.ts'
import type { LedgerDatabase } from './sql-ledger.ts'
import { StoreFull, StoreUnavailable } from './store.ts'

/** As many as concurrent appends. */
const MOST_AT_HAND = 2
const AT_HAND_MS = 1_000

/** The connections of a node to its database. They throw the errors of a {@link Store}. */
export class PgConnections implements LedgerDatabase {
  readonly #pool: Pool
  /** Names of prepared statements, by text. */
  readonly #names = new Map<string, string>()
  /** Whether prepared statements persist on a connection. */
  #isPreparing = true
  readonly #prepared: PreparedStatements = new WeakMap()
  /** Connections that have just answered a statement. */
  readonly #atHand: PoolClient[] = []
  /** Connections whose end is observed. */
  readonly #known = new WeakSet<PoolClient>()
  #cancelGiving: CancelTimer | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Statements that wait for a connection. */
  get waiting(): number {
    return this.#pool.waitingCount
  }

  async query<Row extends object>(text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    try {
      return await this.#pool.query<Row>({ text, values: [...values] })
    } catch (error) {
      throw toStoreError(error)
    }
  }

  async change(text: string, values: readonly unknown[]): Promise<number> {
    return (await this.query(text, values)).rowCount ?? 0
  }

  async rows<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.query<Row>(text, values)).rows
  }

  /**
   * The rows of a statement that each connection prepares once: for frequent statements, which cost the database more
   * than twice as much otherwise. Unprepared behind a pooler that changes connections.
   */
  async queryPrepared(text: string, values: readonly PgValue[]): Promise<PgQuery['rows']> {
    const isPreparing = this.#isPreparing
    try {
      const name = isPreparing ? this.#nameOf(text) : ''
      return await this.#send(new PgQuery({ name, text }, values, this.#prepared))
    } catch (error) {
      if (!isPreparing || !NOT_PREPARED.test(codeOf(error) ?? '')) throw toStoreError(error)
    }
    // The database has refused it before execution.
    this.#isPreparing = false
    return this.queryPrepared(text, values)
  }

  /** Runs in a transaction. */
  async transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw toStoreError(error)
    })
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      // Closing the connection ends its transaction.
      client.release(true)
      throw toStoreError(error)
    }
  }

  async close(): Promise<void> {
    this.#giveBack()
    if (!this.#pool.ended) await this.#pool.end()
  }

  /** Sends a statement over a ready connection: getting one from the pool costs as much as the statement. */
  async #send(query: PgQuery): Promise<PgQuery['rows']> {
    const client = this.#atHand.pop() ?? (await this.#pool.connect())
    try {
      await new Promise((resolve, reject) => {
        query.callback = (error, done) => (error ? reject(error) : resolve(done))
        client.query(query)
      })
    } catch (error) {
      client.release(true)
      throw error
    }
    this.#keepAtHand(client)
    return query.rows
  }

  /** Keeps a connection for the next statement for at most a second, if none is waiting: the pool knows old ones. */
  #keepAtHand(client: PoolClient): void {
    if (this.#atHand.length >= MOST_AT_HAND || this.#pool.waitingCount > 0 || this.#pool.ending) {
      client.release()
      return
    }
    this.#atHand.push(client)
    if (!this.#known.has(client)) {
      this.#known.add(client)
      client.once('end', () => {
        const at = this.#atHand.indexOf(client)
        if (at !== -1) this.#atHand.splice(at, 1)[0]?.release(true)
      })
    }
    this.#cancelGiving ??= startTimer(AT_HAND_MS, () => this.#giveBack())
  }

  #giveBack(): void {
    this.#cancelGiving?.()
    this.#cancelGiving = undefined
    for (const client of this.#atHand.splice(0)) client.release()
  }

  /** Nodes of two releases behind one pooler have different texts, so different names. */
  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `backlot_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    this.#names.set(text, name)
    return name
  }
}

/** Classes and codes of PostgreSQL errors (appendix A) after which a retry is allowed. */
const UNAVAILABLE = /^(08|57P|53300|25006|40001|40P01|55P03|57014)/
const FULL = /^(53100|53400)/
/** The connection does not know the statement's name, or already knows it. */
const NOT_PREPARED = /^(26000|42P05)$/

/** PostgreSQL's code of an error; undefined for errors of the connection. */
function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

function toStoreError(error: unknown): unknown {
  const state = codeOf(error)
  const options = { cause: error }
  if (state !== undefined && FULL.test(state)) return new StoreFull('The disk of the database is full.', options)
  // An error without a code of PostgreSQL comes from the connection: the statement may have been executed.
  if (state === undefined || UNAVAILABLE.test(state))
    return new StoreUnavailable('The database gave no answer.', options)
  return error
}
