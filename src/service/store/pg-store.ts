import type { Pool, PoolClient, QueryResult } from 'pg'
import { LIMITS } from '../../protocol/limits.ts'
import { PG_MIGRATIONS, PG_STATEMENTS } from './pg-statements.ts'
import {
  type Appended,
  type Commit,
  type Entry,
  type JournalMark,
  type Missed,
  type NewSimulation,
  type StateAt,
  type Store,
  type StoredSimulation,
  StoreFull,
  StoreUnavailable,
} from './store.ts'

/** The simulations of several nodes in PostgreSQL. No method leaves anything behind in a session, so that connections may be pooled. */
export class PgStore implements Store {
  readonly isShared = true
  readonly schema = PG_MIGRATIONS.length
  readonly #pool: Pool
  /** The sample of the distance between the clocks with the shortest way. */
  #clock = { offsetMs: 0, wayMs: Number.POSITIVE_INFINITY }

  readonly #now: () => number

  /** @param pool of connections to a database with the tables of `openPg` */
  constructor(pool: Pool, clock: { now: () => number }) {
    this.#pool = pool
    this.#now = () => clock.now()
  }

  get offsetMs(): number {
    return this.#clock.offsetMs
  }

  get waiting(): number {
    return this.#pool.waitingCount
  }

  async create(
    { descriptionText, state, ...simulation }: NewSimulation,
    most: number,
  ): Promise<'created' | 'slug taken' | 'plan limit'> {
    const { id, account, slug, genesis, description, engine } = simulation
    const row = [id, account, slug, genesis, description, engine, descriptionText]
    return this.#transact(async (client) => {
      await client.query(PG_STATEMENTS.lockAccount, [account])
      const found = (await client.query<StoredSimulation>(PG_STATEMENTS.bySlug, [slug])).rows[0]
      // A creation that is asked for again, since its first answer was lost, is still the same one.
      if (found !== undefined) return found.id === id ? 'created' : 'slug taken'
      const { rows } = await client.query<{ count: number }>(PG_STATEMENTS.countOf, [account])
      if ((rows[0]?.count ?? 0) >= most) return 'plan limit'
      const { rowCount } = await client.query(PG_STATEMENTS.create, [
        ...row,
        state.head,
        state.tip,
        state.at,
        state.dump,
      ])
      return rowCount === 1 ? 'created' : 'slug taken'
    })
  }

  async find(by: { slug: string } | { account: string; idOrSlug: string }): Promise<StoredSimulation | undefined> {
    const { rows } =
      'slug' in by
        ? await this.#query<StoredSimulation>(PG_STATEMENTS.bySlug, [by.slug])
        : await this.#query<StoredSimulation>(PG_STATEMENTS.byIdOrSlug, [by.account, by.idOrSlug])
    return rows[0]
  }

  async list(account: string): Promise<readonly StoredSimulation[]> {
    return (await this.#query<StoredSimulation>(PG_STATEMENTS.ofAccount, [account])).rows
  }

  async count(account: string): Promise<number> {
    return (await this.#query<{ count: number }>(PG_STATEMENTS.countOf, [account])).rows[0]?.count ?? 0
  }

  async load(id: string, after: JournalMark | undefined): Promise<Missed | undefined> {
    const { rows } = await this.#query<LoadedRow>(PG_STATEMENTS.load, [id, after?.head ?? -1, after?.tip ?? ''])
    if (rows.length === 0) return undefined
    const state = rows.find(({ kind }) => kind === 'state')
    const commits = rows.filter(({ kind }) => kind === 'commit').map(toCommit)
    return state === undefined ? { commits } : { state: toState(state), commits }
  }

  async heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>> {
    const { rows } = await this.#timed<HeadRow>(PG_STATEMENTS.heads, [ids])
    return new Map(rows.map(({ id, head, tip }) => [id, { head: Number(head), tip }]))
  }

  async append(entries: readonly Entry[]): Promise<readonly Appended[]> {
    const { rows } = await this.#timed<AppendedRow>(PG_STATEMENTS.append, [
      entries.map(({ id }) => id),
      entries.map(({ from }) => from.head),
      entries.map(({ from }) => from.tip),
      entries.map(({ next }) => next),
      entries.map(({ at }) => at),
      entries.map(({ delta }) => delta),
      entries.map(({ hold }) => hold),
    ])
    const kept = new Set(rows.filter(({ isKept }) => isKept).map(({ number }) => Number(number)))
    if (kept.size === entries.length) return entries.map(() => 'kept')
    const heads = await this.#headsOf(entries.map(({ id }) => id))
    return entries.map((entry, at) => (kept.has(at + 1) ? 'kept' : whyNot(heads.get(entry.id), entry.from)))
  }

  async hold(id: string, from: JournalMark, hold: string, ms: number): Promise<Appended> {
    const { rowCount } = await this.#query(PG_STATEMENTS.hold, [id, from.head, from.tip, hold, ms])
    return rowCount === 1 ? 'kept' : whyNot((await this.#headsOf([id])).get(id), from)
  }

  async compact(id: string, state: StateAt): Promise<void> {
    await this.#query(PG_STATEMENTS.compact, [id, state.head, state.tip, state.at, state.dump])
  }

  async remove(id: string): Promise<void> {
    await this.#query(PG_STATEMENTS.remove, [id])
    await this.#query(PG_STATEMENTS.forgetDescriptions, [])
  }

  async description(hash: string): Promise<string | undefined> {
    return (await this.#query<{ text: string }>(PG_STATEMENTS.description, [hash])).rows[0]?.text
  }

  async save(id: string, dump: string): Promise<number> {
    const { rows } = await this.#query<{ number: number }>(PG_STATEMENTS.save, [id, dump])
    const number = rows[0]?.number ?? 0
    await this.#query(PG_STATEMENTS.forgetSaved, [id, number - LIMITS.snapshots])
    return number
  }

  async saved(id: string, number: number): Promise<{ dump?: string; first: number; last: number }> {
    const { rows } = await this.#query<{ dump: string | null; first: number; last: number }>(PG_STATEMENTS.saved, [
      id,
      number,
    ])
    const { dump = null, first = 0, last = 0 } = rows[0] ?? {}
    return { ...(dump !== null && { dump }), first, last }
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end()
  }

  async #headsOf(ids: readonly string[]): Promise<Map<string, HeadRow>> {
    const { rows } = await this.#query<HeadRow>(PG_STATEMENTS.heads, [ids])
    return new Map(rows.map((row) => [row.id, row]))
  }

  /** A query whose rows tell the time of the database. */
  async #timed<Row extends { readonly now: number }>(text: string, values: readonly unknown[]) {
    const sentAt = this.#now()
    const result = await this.#query<Row>(text, values)
    const wayMs = this.#now() - sentAt
    const now = result.rows[0]?.now
    if (now !== undefined && wayMs <= this.#clock.wayMs)
      this.#clock = { offsetMs: Math.round(now - sentAt - wayMs / 2), wayMs }
    return result
  }

  async #transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
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

  async #query<Row extends object>(text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    try {
      return await this.#pool.query<Row>({ text, values: [...values] })
    } catch (error) {
      throw toStoreError(error)
    }
  }
}

interface HeadRow {
  readonly id: string
  readonly head: string
  readonly tip: string
  readonly isHeld: boolean
  readonly now: number
}

interface AppendedRow {
  readonly number: string
  readonly isKept: boolean
  readonly now: number
}

interface LoadedRow {
  readonly kind: 'head' | 'state' | 'commit'
  readonly head: string
  readonly tip: string
  readonly at: string
  readonly text: string
}

const toCommit = ({ head, tip, at, text }: LoadedRow): Commit => ({
  head: Number(head),
  tip,
  at: Number(at),
  delta: text,
})

const toState = ({ head, tip, at, text }: LoadedRow): StateAt => ({
  head: Number(head),
  tip,
  at: Number(at),
  dump: text,
})

function whyNot(head: HeadRow | undefined, from: JournalMark): Appended {
  if (head === undefined) return 'gone'
  return Number(head.head) === from.head && head.tip === from.tip && head.isHeld ? 'held' : 'behind'
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
