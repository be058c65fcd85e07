import { LIMITS } from '../../protocol/limits.ts'
import type { PgConnections } from './pg-connections.ts'
import { PG_MIGRATIONS } from './pg-migrations.ts'
import { type PgQuery, type PgValue, pgTextArray } from './pg-query.ts'
import { PgRequests } from './pg-requests.ts'
import { PG_STATEMENTS } from './pg-statements.ts'
import { outboxParameters, PgWork } from './pg-work.ts'
import { SqlLedger, TAKE_CREDIT } from './sql-ledger.ts'
import type {
  Appended,
  Created,
  Entry,
  JournalMark,
  Missed,
  NewSimulation,
  SavedState,
  SimulationName,
  StateAt,
  Store,
  StoredSimulation,
} from './store.ts'

/** The simulations of several nodes in PostgreSQL. No method leaves anything behind in a session, so that connections may be pooled. */
export class PgStore implements Store {
  readonly isShared = true
  readonly schema = PG_MIGRATIONS.length
  readonly work: PgWork
  readonly requests: PgRequests
  readonly ledger: SqlLedger
  readonly #connections: PgConnections
  /** The latest database time in an answer. */
  clockMs = 0
  readonly #distance = new ClockDistance()
  readonly #now: () => number

  /** @param connections to a database with the tables of `openPg` @param clock of this machine: call {@link lookAtClock} before the first use */
  constructor(connections: PgConnections, clock: { now: () => number }) {
    this.#connections = connections
    this.work = new PgWork(connections)
    this.requests = new PgRequests(connections)
    this.ledger = new SqlLedger(connections)
    this.#now = () => clock.now()
  }

  /** Learns how far the database's clock is from this machine's, which may be set wrong. */
  async lookAtClock(): Promise<void> {
    await this.#timed(PG_STATEMENTS.now, [])
  }

  get offsetMs(): number {
    return this.#distance.offsetMs
  }

  get waiting(): number {
    return this.#connections.waiting
  }

  async create({ descriptionText, state, ...simulation }: NewSimulation, most: number, priceUsd = 0): Promise<Created> {
    const { id, account, slug, genesis, description, engine } = simulation
    const { head, tip, at, dump } = state
    const row = [id, account, slug, genesis, description, engine, descriptionText, head, tip, at, dump]
    return this.#connections.transact(async (client) => {
      await client.query(PG_STATEMENTS.lockAccount, [account])
      const found = (await client.query<StoredSimulation>(PG_STATEMENTS.bySlug, [slug])).rows[0]
      // A repeated creation, after a lost answer, is the same creation.
      if (found !== undefined) return found.id === id ? 'created' : 'slug taken'
      const { rows } = await client.query<{ count: number }>(PG_STATEMENTS.countOf, [account])
      if ((rows[0]?.count ?? 0) >= most) return 'plan limit'
      const { rowCount } = await client.query(PG_STATEMENTS.create, row)
      if (rowCount !== 1) return 'slug taken'
      if (priceUsd === 0 || (await client.query(TAKE_CREDIT, [account, priceUsd])).rowCount === 1) return 'created'
      await client.query(PG_STATEMENTS.remove, [id])
      return 'no credit'
    })
  }

  async find(by: SimulationName): Promise<StoredSimulation | undefined> {
    const [statement, values] =
      'id' in by
        ? [PG_STATEMENTS.byId, [by.id]]
        : 'slug' in by
          ? [PG_STATEMENTS.bySlug, [by.slug]]
          : [PG_STATEMENTS.byIdOrSlug, [by.account, by.idOrSlug]]
    return (await this.#connections.rows<StoredSimulation>(statement, values))[0]
  }

  async list(account: string): Promise<readonly StoredSimulation[]> {
    return this.#connections.rows<StoredSimulation>(PG_STATEMENTS.ofAccount, [account])
  }

  async count(account: string): Promise<number> {
    return (await this.#connections.rows<{ count: number }>(PG_STATEMENTS.countOf, [account]))[0]?.count ?? 0
  }

  async load(id: string, after: JournalMark | undefined): Promise<Missed | undefined> {
    const { head, tip } = after ?? { head: -1, tip: '' }
    const rows = await this.#connections.rows<LoadedRow>(PG_STATEMENTS.load, [id, head, tip])
    if (rows.length === 0) return undefined
    const commits = rows.flatMap(({ kind, text, ...mark }) => (kind === 'commit' ? { ...mark, delta: text } : []))
    const [state] = rows.flatMap(({ kind, text, ...mark }) => (kind === 'state' ? { ...mark, dump: text } : []))
    return state === undefined ? { commits } : { state, commits }
  }

  async heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>> {
    const rows = (await this.#timed(PG_STATEMENTS.heads, [pgTextArray(ids)])).map(toHead)
    for (const { id, isFollowed } of rows) this.requests.noteFollowed(id, isFollowed)
    return new Map(rows.map(({ id, head, tip }) => [id, { head, tip }]))
  }

  async append(entries: readonly Entry[]): Promise<readonly Appended[]> {
    const outbox = outboxParameters(entries)
    const [only] = entries
    const rows =
      only !== undefined && entries.length === 1 && outbox === undefined
        ? await this.#timed(PG_STATEMENTS.appendOne, parametersOf(only))
        : await this.#timed(outbox === undefined ? PG_STATEMENTS.append : PG_STATEMENTS.appendWithOutbox, [
            ...columnsOf(entries),
            ...(outbox ?? []),
          ])
    const kept = new Set<number>()
    for (const [, number, isKept, isFollowed] of rows) {
      if (isKept !== 't') continue
      kept.add(Number(number))
      this.requests.noteFollowed(entries[Number(number) - 1]?.id ?? '', isFollowed === 't')
    }
    if (kept.size === entries.length) return entries.map(() => 'kept')
    const heads = await this.#headsOf(entries.map(({ id }) => id))
    return entries.map((entry, at) => (kept.has(at + 1) ? 'kept' : whyNot(heads.get(entry.id), entry.from)))
  }

  async hold(id: string, from: JournalMark, hold: string, ms: number): Promise<Appended> {
    const { rowCount } = await this.#connections.query(PG_STATEMENTS.hold, [id, from.head, from.tip, hold, ms])
    return rowCount === 1 ? 'kept' : whyNot((await this.#headsOf([id])).get(id), from)
  }

  async compact(id: string, state: StateAt): Promise<void> {
    await this.#connections.query(PG_STATEMENTS.compact, [id, state.head, state.tip, state.at, state.dump])
  }

  async remove(id: string): Promise<void> {
    await this.#connections.transact(async (client) => {
      await client.query(PG_STATEMENTS.remove, [id])
      // A separate statement sees a commit for which the previous one has waited.
      await client.query(PG_STATEMENTS.forgetJournal, [id])
    })
    await this.#connections.query(PG_STATEMENTS.forgetDescriptions, [])
  }

  async noteUses(ids: readonly string[], at: number): Promise<void> {
    await this.#connections.query(PG_STATEMENTS.noteUses, [ids, Math.round(at)])
  }

  async owners(): Promise<readonly string[]> {
    const rows = await this.#connections.rows<{ account: string }>(PG_STATEMENTS.owners, [])
    return rows.map(({ account }) => account)
  }

  async removeIdle(account: string, before: number, most: number): Promise<readonly string[]> {
    const removed = await this.#connections.transact(async (client) => {
      const { rows } = await client.query<{ id: string }>(PG_STATEMENTS.idleOf, [account, Math.round(before), most])
      for (const { id } of rows) {
        await client.query(PG_STATEMENTS.remove, [id])
        await client.query(PG_STATEMENTS.forgetJournal, [id])
      }
      return rows.map(({ id }) => id)
    })
    if (removed.length > 0) await this.#connections.query(PG_STATEMENTS.forgetDescriptions, [])
    return removed
  }

  async description(hash: string): Promise<string | undefined> {
    return (await this.#connections.rows<{ text: string }>(PG_STATEMENTS.description, [hash]))[0]?.text
  }

  async save(id: string, { dump, about }: SavedState): Promise<number> {
    const [kept] = await this.#connections.rows<{ number: number }>(PG_STATEMENTS.save, [id, dump, about])
    const number = kept?.number ?? 0
    await this.#connections.query(PG_STATEMENTS.forgetSaved, [id, number - LIMITS.snapshots])
    return number
  }

  async saved(id: string, number: number): Promise<{ dump?: string; first: number; last: number }> {
    type Row = { dump: string | null; first: number; last: number }
    const [row] = await this.#connections.rows<Row>(PG_STATEMENTS.saved, [id, number])
    const { dump = null, first = 0, last = 0 } = row ?? {}
    return { ...(dump !== null && { dump }), first, last }
  }

  async listSaved(id: string): Promise<readonly { number: number; about: string }[]> {
    return this.#connections.rows<{ number: number; about: string }>(PG_STATEMENTS.allSaved, [id])
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }

  async #headsOf(ids: readonly string[]): Promise<Map<string, HeadRow>> {
    const rows = await this.#connections.queryPrepared(PG_STATEMENTS.heads, [pgTextArray(ids)])
    return new Map(rows.map(toHead).map((row) => [row.id, row]))
  }

  /** A frequent statement whose rows begin with the database's time. */
  async #timed(text: string, values: readonly PgValue[]) {
    const sentAt = this.#now()
    const rows = await this.#connections.queryPrepared(text, values)
    const [row] = rows
    if (row === undefined) return rows
    const at = this.#now()
    const now = Number(row[0])
    this.clockMs = Math.max(this.clockMs, now)
    this.#distance.note(now, { sentAt, at })
    return rows
  }
}

interface HeadRow extends JournalMark {
  readonly id: string
  readonly isHeld: boolean
  readonly isFollowed: boolean
}

const toHead = ([, id, head, tip, isHeld, isFollowed]: PgQuery['rows'][number]): HeadRow => ({
  id: id ?? '',
  head: Number(head),
  tip: tip ?? '',
  isHeld: isHeld === 't',
  isFollowed: isFollowed === 't',
})

interface LoadedRow extends JournalMark {
  readonly kind: 'head' | 'state' | 'commit'
  readonly at: number
  readonly text: string
}

const parametersOf = ({ id, from, next, at, delta, hold, wakeAt }: Entry): PgValue[] => [
  id,
  from.head,
  from.tip,
  next,
  at,
  delta,
  hold,
  wakeAt === null ? null : Math.round(wakeAt),
]

const columnsOf = (entries: readonly Entry[]): PgValue[] => [
  pgTextArray(entries.map(({ id }) => id)),
  entries.map(({ from }) => from.head),
  pgTextArray(entries.map(({ from }) => from.tip)),
  pgTextArray(entries.map(({ next }) => next)),
  entries.map(({ at }) => at),
  pgTextArray(entries.map(({ delta }) => delta)),
  pgTextArray(entries.map(({ hold }) => hold)),
  entries.map(({ wakeAt }) => (wakeAt === null ? null : Math.round(wakeAt))),
]

function whyNot(head: HeadRow | undefined, from: JournalMark): Appended {
  if (head === undefined) return 'gone'
  return head.head === from.head && head.tip === from.tip && head.isHeld ? 'held' : 'behind'
}

/** How many times a way's length a sample may be old until one with a way that is longer by as much counts as much. */
const AGE_OF_WAY = 1_000

/** How far a database's clock is before this machine's: by the answer with the shortest way, which is worth less as it grows old, since clocks are put right. */
class ClockDistance {
  offsetMs = 0
  #wayMs = Number.POSITIVE_INFINITY
  #at = 0

  /** Takes what the database's clock showed between two times of this machine's. */
  note(shown: number, { sentAt, at }: { readonly sentAt: number; readonly at: number }): void {
    const wayMs = at - sentAt
    const isSetBack = at < this.#at
    if (wayMs < 0 || (!isSetBack && wayMs > this.#wayMs + (at - this.#at) / AGE_OF_WAY)) return
    this.offsetMs = Math.round(shown - (sentAt + at) / 2)
    this.#wayMs = wayMs
    this.#at = at
  }
}
