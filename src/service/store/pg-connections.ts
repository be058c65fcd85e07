import { createHash } from 'node:crypto'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { PgQuery, type PgValue } from './pg-query.ts'
import { StoreFull, StoreUnavailable } from './store.ts'

/** The connections of a node to its database. Its errors are those of a {@link Store}. */
export class PgConnections {
  readonly #pool: Pool
  /** Names of the statements that connections prepare, by their texts. */
  readonly #names = new Map<string, string>()
  /** Whether a statement that a connection has prepared is found there again. */
  #isPreparing = true

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

  /**
   * The rows of a statement that each connection parses and plans once: for those of every request, which cost the database more than twice as much otherwise.
   * Behind a pooler that sends statements over changing connections they go unprepared.
   */
  async queryPrepared(text: string, values: readonly PgValue[]): Promise<PgQuery['rows']> {
    try {
      const name = this.#isPreparing ? this.#nameOf(text) : ''
      return (await this.#pool.query(new PgQuery(name, text, values))).rows
    } catch (error) {
      if (!this.#isPreparing || !NOT_PREPARED.test(codeOf(error) ?? '')) throw toStoreError(error)
    }
    // The database has refused it before it did anything.
    this.#isPreparing = false
    return this.queryPrepared(text, values)
  }

  /** All or nothing. */
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
      // The connection ends, and with it what it had begun.
      client.release(true)
      throw toStoreError(error)
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end()
  }

  /** Nodes of two releases behind one pooler have different texts, hence different names. */
  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `backlot_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    this.#names.set(text, name)
    return name
  }
}

/** Classes and codes of errors (PostgreSQL, appendix A) after which the same may be asked again. */
const UNAVAILABLE = /^(08|57P|53300|25006|40001|40P01|55P03|57014)/
const FULL = /^(53100|53400)/
/** The name of a statement is unknown to the connection, or known already. */
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
  // An error without a code of PostgreSQL comes from the connection: the statement may or may not have been done.
  if (state === undefined || UNAVAILABLE.test(state))
    return new StoreUnavailable('The database gave no answer.', options)
  return error
}
