import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LIMITS } from '../../protocol/limits.ts'
import { SQLITE_TAKE_CREDIT, SqliteLedger } from './sqlite-ledger.ts'
import { SqlitePieces, type StagedText } from './sqlite-pieces.ts'
import { SqliteRequests } from './sqlite-requests.ts'
import { rowQueries, transact } from './sqlite-rows.ts'
import { SqliteWork } from './sqlite-work.ts'
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

/** One machine's simulations in a SQLite file. Answered changes are on the disk. */
export class SqliteStore implements Store {
  readonly isShared = false
  readonly offsetMs = 0
  readonly schema: number
  readonly work: SqliteWork
  readonly requests: SqliteRequests
  readonly ledger: SqliteLedger
  readonly #database: DatabaseSync
  readonly #release: () => void
  readonly #statements: Statements
  readonly #pieces: SqlitePieces
  readonly #now: () => number

  /** @param database with the tables of `openSqlite` @param release releases the file @param sync SQLite's pragma `synchronous` */
  constructor(
    database: DatabaseSync,
    release: () => void,
    { clock = Date, sync = 'full' }: { clock?: { now: () => number } | undefined; sync?: 'full' | 'normal' } = {},
  ) {
    database.exec(`pragma synchronous = ${sync}`)
    this.#database = database
    this.#release = release
    const { user_version: version } = database.prepare('pragma user_version').get() as { user_version: number }
    this.schema = version
    this.#statements = prepare(database)
    this.#pieces = new SqlitePieces(database)
    this.ledger = new SqliteLedger(database)
    this.#now = () => clock.now()
    this.work = new SqliteWork(database, this.#now)
    this.requests = new SqliteRequests(database, sync)
  }

  get clockMs(): number {
    return this.#now()
  }

  async create({ descriptionText, state, ...simulation }: NewSimulation, most: number, priceUsd = 0): Promise<Created> {
    const { countOf, takeCredit, bySlug, addDescription, addSimulation, addHead, putState } = this.#statements
    return transact(this.#database, () => {
      if ((countOf.get(simulation.account)?.count ?? 0) >= most) return 'plan limit'
      if (bySlug.get(simulation.slug) !== undefined) return 'slug taken'
      const { id, account, slug, genesis, description, engine } = simulation
      if (priceUsd > 0 && takeCredit.run(account, priceUsd).changes === 0) return 'no credit'
      addDescription.run(description, descriptionText)
      addSimulation.run(id, account, slug, genesis, description, engine)
      addHead.run(id, state.head, state.tip, this.#now())
      putState.run(id, state.head, state.tip, state.at, state.dump, null)
      return 'created'
    })
  }

  async find(by: SimulationName): Promise<StoredSimulation | undefined> {
    const { byId, bySlug, byIdOrSlug } = this.#statements
    if ('id' in by) return byId.get(by.id)
    return 'slug' in by ? bySlug.get(by.slug) : byIdOrSlug.get(by.account, by.idOrSlug, by.idOrSlug)
  }

  async list(account: string): Promise<readonly StoredSimulation[]> {
    return this.#statements.ofAccount.all(account)
  }

  async count(account: string): Promise<number> {
    return this.#statements.countOf.get(account)?.count ?? 0
  }

  async load(id: string, after: JournalMark | undefined): Promise<Missed | undefined> {
    const { stateOf, commitsAfter, markAt } = this.#statements
    const state = stateOf.get(id)
    if (state === undefined) return undefined
    const isKnown = after !== undefined && (isAt(state, after) || markAt.get(id, after.head, after.tip) !== undefined)
    const commits = commitsAfter.all(id, isKnown ? after.head : state.head).map(({ text, pieces, ...commit }) => ({
      ...commit,
      delta: this.#pieces.read({ text, pieces }),
    }))
    if (isKnown) return { commits }
    const { text, pieces, ...mark } = state
    return { state: { ...mark, dump: this.#pieces.read({ text, pieces }) }, commits }
  }

  async heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>> {
    const found = ids.map((id) => [id, this.#statements.headOf.get(id)] as const)
    return new Map(found.filter((entry): entry is [string, JournalMark] => entry[1] !== undefined))
  }

  async append(entries: readonly Entry[]): Promise<readonly Appended[]> {
    return this.#pieces.transact(
      entries.map(({ delta }) => delta),
      (deltas) => entries.map((entry, at) => this.#append(entry, deltas[at] as StagedText)),
    )
  }

  /** There is no other node. */
  async hold(id: string, from: JournalMark): Promise<Appended> {
    const mark = this.#statements.headOf.get(id)
    if (mark === undefined) return 'gone'
    return isAt(mark, from) ? 'kept' : 'behind'
  }

  async compact(id: string, state: StateAt): Promise<void> {
    const { putState, forgetCommits } = this.#statements
    if (!this.#mayCompact(id, state)) return
    await this.#pieces.transact([state.dump], ([dump]) => {
      if (!this.#mayCompact(id, state)) return
      putState.run(id, state.head, state.tip, state.at, dump.text, dump.pieces)
      forgetCommits.run(id, state.head)
    })
  }

  async remove(id: string): Promise<void> {
    const { removeSimulation, forgetDescriptions } = this.#statements
    transact(this.#database, () => {
      removeSimulation.run(id)
      forgetDescriptions.run()
    })
  }

  async noteUses(ids: readonly string[], at: number): Promise<void> {
    transact(this.#database, () => {
      for (const id of ids) this.#statements.noteUse.run(id, at)
    })
  }

  async owners(): Promise<readonly string[]> {
    return this.#statements.owners.all().map(({ account }) => account)
  }

  async removeIdle(account: string, before: number, most: number): Promise<readonly string[]> {
    const { idleOf, removeSimulation, forgetDescriptions } = this.#statements
    const found = idleOf.all(account, before, most)
    if (found.length === 0) return []
    transact(this.#database, () => {
      for (const { id } of found) removeSimulation.run(id)
      forgetDescriptions.run()
    })
    return found.map(({ id }) => id)
  }

  async description(hash: string): Promise<string | undefined> {
    return this.#statements.descriptionOf.get(hash)?.text
  }

  async save(id: string, { dump, about }: SavedState): Promise<number> {
    const { rangeOf, addSaved, forgetSaved } = this.#statements
    return this.#pieces.transact([dump], ([whole]) => {
      const { last = 0 } = rangeOf.get(id) ?? {}
      addSaved.run(id, last + 1, whole.text, about, whole.pieces)
      forgetSaved.run(id, last + 1 - LIMITS.snapshots)
      return last + 1
    })
  }

  async saved(id: string, number: number): Promise<{ dump?: string; first: number; last: number }> {
    const { rangeOf, savedState } = this.#statements
    const { first = 0, last = 0 } = rangeOf.get(id) ?? {}
    const kept = savedState.get(id, number)
    return { ...(kept && { dump: this.#pieces.read(kept) }), first, last }
  }

  async listSaved(id: string): Promise<{ number: number; about: string }[]> {
    return this.#statements.allSaved.all(id)
  }

  async close(): Promise<void> {
    if (!this.#database.isOpen) return
    this.#database.close()
    this.#release()
  }

  /** Whether a state may replace the stored one. */
  #mayCompact(id: string, { head, tip }: StateAt): boolean {
    const { markAt, stateHeadOf } = this.#statements
    const stored = stateHeadOf.get(id)
    return stored !== undefined && stored.head < head && markAt.get(id, head, tip) !== undefined
  }

  #append({ id, from, next, at, wakeAt, outbox }: Entry, { text, pieces }: StagedText): Appended {
    const { moveHead, addCommit, headOf } = this.#statements
    const head = from.head + 1
    if (moveHead.run(head, next, id, from.head, from.tip).changes === 0) {
      return headOf.get(id) === undefined ? 'gone' : 'behind'
    }
    addCommit.run(id, head, next, at, text, pieces)
    this.work.commit(id, wakeAt, outbox)
    return 'kept'
  }
}

const isAt = ({ head, tip }: JournalMark, mark: JournalMark): boolean => head === mark.head && tip === mark.tip

const SIMULATION = 'id, account, slug, genesis, description, engine'
type CommitRow = JournalMark & StagedText & { at: number }

const prepare = (database: DatabaseSync) => {
  const sql = (text: string): StatementSync => database.prepare(text)
  const rows = rowQueries(database)
  return {
    takeCredit: sql(SQLITE_TAKE_CREDIT),
    addDescription: sql('insert into description(hash, text) values (?, ?) on conflict do nothing'),
    addSimulation: sql(`insert into simulation(${SIMULATION}) values (?, ?, ?, ?, ?, ?)`),
    addHead: sql('insert into journal_head(simulation, head, tip, used_at) values (?, ?, ?, ?)'),
    // Replacing a whole row would not fire its trigger.
    putState:
      sql(`insert into state(simulation, head, tip, at, dump, pieces) values (?, ?, ?, ?, ?, ?) on conflict do update
      set head = excluded.head, tip = excluded.tip, at = excluded.at, dump = excluded.dump, pieces = excluded.pieces`),
    byId: rows<StoredSimulation>(`select ${SIMULATION} from simulation where id = ?`),
    bySlug: rows<StoredSimulation>(`select ${SIMULATION} from simulation where slug = ?`),
    byIdOrSlug: rows<StoredSimulation>(
      `select ${SIMULATION} from simulation where account = ? and (id = ? or slug = ?)`,
    ),
    ofAccount: rows<StoredSimulation>(`select ${SIMULATION} from simulation where account = ? order by number`),
    countOf: rows<{ count: number }>('select count(*) as count from simulation where account = ?'),
    stateOf: rows<CommitRow>('select head, tip, at, dump as text, pieces from state where simulation = ?'),
    // Without its text, which may be long.
    stateHeadOf: rows<{ head: number }>('select head from state where simulation = ?'),
    headOf: rows<JournalMark>('select head, tip from journal_head where simulation = ?'),
    commitsAfter: rows<CommitRow>(
      'select head, tip, at, delta as text, pieces from journal where simulation = ? and head > ? order by head',
    ),
    markAt: sql('select 1 from journal where simulation = ? and head = ? and tip = ?'),
    moveHead: sql('update journal_head set head = ?, tip = ? where simulation = ? and head = ? and tip = ?'),
    addCommit: sql('insert into journal(simulation, head, tip, at, delta, pieces) values (?, ?, ?, ?, ?, ?)'),
    forgetCommits: sql('delete from journal where simulation = ? and head <= ?'),
    removeSimulation: sql('delete from simulation where id = ?'),
    noteUse: sql('update journal_head set used_at = ?2 where simulation = ?1 and used_at < ?2'),
    owners: rows<{ account: string }>('select distinct account from simulation'),
    idleOf: rows<{
      id: string
    }>(`select id from simulation join journal_head on simulation = id where account = ? and used_at < ?
      order by number limit ?`),
    forgetDescriptions: sql('delete from description where hash not in (select description from simulation)'),
    descriptionOf: rows<{ text: string }>('select text from description where hash = ?'),
    rangeOf: rows<{ first: number; last: number }>(
      'select coalesce(min(number), 0) as first, coalesce(max(number), 0) as last from saved_state where simulation = ?',
    ),
    addSaved: sql('insert into saved_state(simulation, number, dump, about, pieces) values (?, ?, ?, ?, ?)'),
    allSaved: rows<{ number: number; about: string }>(
      'select number, about from saved_state where simulation = ? order by number desc',
    ),
    forgetSaved: sql('delete from saved_state where simulation = ? and number <= ?'),
    savedState: rows<StagedText>('select dump as text, pieces from saved_state where simulation = ? and number = ?'),
  }
}

type Statements = ReturnType<typeof prepare>
