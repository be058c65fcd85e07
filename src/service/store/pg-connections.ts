import type { Pool, PoolClient, QueryResult } from 'pg'
import { StoreFull, StoreUnavailable } from './store.ts'

/** The connections of a node to its database. Its errors are those of a {@link Store}. */
export class PgConnections {
  readonly #pool: Pool

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
}

/** Classes and codes of errors (PostgreSQL, appendix A) after which the same may be asked again. */
const UNAVAILABLE = /^(08|57P|53300|25006|40001|40P01|55P03|57014)/
const FULL = /^(53100|53400)/

function toStoreError(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  const state = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
  const options = { cause: error }
  if (state !== undefined && FULL.test(state)) return new StoreFull('The disk of the database is full.', options)
  // An error without a code of PostgreSQL comes from the connection: the statement may or may not have been done.
  if (state === undefined || UNAVAILABLE.test(state))
    return new StoreUnavailable('The database gave no answer.', options)
  return error
}
