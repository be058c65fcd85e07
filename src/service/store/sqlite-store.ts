import type { DatabaseSync } from 'node:sqlite'
import { LIMITS } from '../../protocol/limits.ts'
import { SqlLedger, TAKE_CREDIT } from './sql-ledger.ts'
import { SqliteFile, sqliteLedgerDatabase, toSqlite } from './sqlite-file.ts'
import { SqlitePieces, type StagedText } from './sqlite-pieces.ts'
import { SqliteRequests } from './sqlite-requests.ts'
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

const SIMULATION = 'id, account, slug, genesis, description, engine'
const HEAD_OF = 'select head, tip from journal_head where simulation = ?'
const FORGET_DESCRIPTIONS = 'delete from description where hash not in (select description from simulation)'

type CommitRow = JournalMark & StagedText & { at: number }

/** One machine's simulations in a SQLite file. Answered changes are on the disk. */
export class SqliteStore implements Store {
  readonly isShared = false
  readonly offsetMs = 0
  readonly schema: number
  readonly work: SqliteWork
  readonly requests: SqliteRequests
  readonly ledger: SqlLedger
  readonly #database: DatabaseSync
  readonly #release: () => void
  readonly #file: SqliteFile
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
    this.#file = new SqliteFile(database)
    this.schema = this.#file.get<{ user_version: number }>('pragma user_version')?.user_version ?? 0
    this.#pieces = new SqlitePieces(this.#file)
    this.ledger = new SqlLedger(sqliteLedgerDatabase(this.#file))
    this.#now = () => clock.now()
    this.work = new SqliteWork(this.#file, this.#now)
    this.requests = new SqliteRequests(this.#file, sync)
  }

  get clockMs(): number {
    return this.#now()
  }

  async create({ descriptionText, state, ...simulation }: NewSimulation, most: number, priceUsd = 0): Promise<Created> {
    const { id, account, slug, genesis, description, engine } = simulation
    return this.#file.transact(() => {
      if (this.#countOf(account) >= most) return 'plan limit'
      if (this.#findBySlug(slug) !== undefined) return 'slug taken'
      if (priceUsd > 0 && this.#file.run(toSqlite(TAKE_CREDIT), account, priceUsd) === 0) return 'no credit'
      const describe = 'insert into description(hash, text) values (?, ?) on conflict do nothing'
      this.#file.run(describe, description, descriptionText)
      const add = `insert into simulation(${SIMULATION}) values (?, ?, ?, ?, ?, ?)`
      this.#file.run(add, id, account, slug, genesis, description, engine)
      const addHead = 'insert into journal_head(simulation, head, tip, used_at) values (?, ?, ?, ?)'
      this.#file.run(addHead, id, state.head, state.tip, this.#now())
      this.#putState(id, state, { text: state.dump, pieces: null })
      return 'created'
    })
  }

  async find(by: SimulationName): Promise<StoredSimulation | undefined> {
    const select = `select ${SIMULATION} from simulation where`
    if ('id' in by) return this.#file.get<StoredSimulation>(`${select} id = ?`, by.id)
    if ('slug' in by) return this.#findBySlug(by.slug)
    return this.#file.get<StoredSimulation>(
      `${select} account = ?1 and (id = ?2 or slug = ?2)`,
      by.account,
      by.idOrSlug,
    )
  }

  async list(account: string): Promise<readonly StoredSimulation[]> {
    return this.#file.all(`select ${SIMULATION} from simulation where account = ? order by number`, account)
  }

  async count(account: string): Promise<number> {
    return this.#countOf(account)
  }

  async load(id: string, after: JournalMark | undefined): Promise<Missed | undefined> {
    const stateOf = 'select head, tip, at, dump as text, pieces from state where simulation = ?'
    const state = this.#file.get<CommitRow>(stateOf, id)
    if (state === undefined) return undefined
    const isKnown = after !== undefined && (isAt(state, after) || this.#hasMark(id, after))
    const commitsAfter =
      'select head, tip, at, delta as text, pieces from journal where simulation = ? and head > ? order by head'
    const rows = this.#file.all<CommitRow>(commitsAfter, id, isKnown ? after.head : state.head)
    const commits = rows.map(({ text, pieces, ...commit }) => ({
      ...commit,
      delta: this.#pieces.read({ text, pieces }),
    }))
    if (isKnown) return { commits }
    const { text, pieces, ...mark } = state
    return { state: { ...mark, dump: this.#pieces.read({ text, pieces }) }, commits }
  }

  async heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>> {
    const found = ids.map((id) => [id, this.#file.get<JournalMark>(HEAD_OF, id)] as const)
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
    const mark = this.#file.get<JournalMark>(HEAD_OF, id)
    if (mark === undefined) return 'gone'
    return isAt(mark, from) ? 'kept' : 'behind'
  }

  async compact(id: string, state: StateAt): Promise<void> {
    if (!this.#mayCompact(id, state)) return
    await this.#pieces.transact([state.dump], ([dump]) => {
      if (!this.#mayCompact(id, state)) return
      this.#putState(id, state, dump)
      this.#file.run('delete from journal where simulation = ? and head <= ?', id, state.head)
    })
  }

  async remove(id: string): Promise<void> {
    this.#remove([id])
  }

  async noteUses(ids: readonly string[], at: number): Promise<void> {
    const note = 'update journal_head set used_at = ?2 where simulation = ?1 and used_at < ?2'
    this.#file.transact(() => {
      for (const id of ids) this.#file.run(note, id, at)
    })
  }

  async owners(): Promise<readonly string[]> {
    const found = this.#file.all<{ account: string }>('select distinct account from simulation')
    return found.map(({ account }) => account)
  }

  async removeIdle(account: string, before: number, most: number): Promise<readonly string[]> {
    const found = this.#file.all<{ id: string }>(
      `select id from simulation join journal_head on simulation = id where account = ? and used_at < ?
       order by number limit ?`,
      ...[account, before, most],
    )
    const ids = found.map(({ id }) => id)
    if (ids.length > 0) this.#remove(ids)
    return ids
  }

  async description(hash: string): Promise<string | undefined> {
    return this.#file.get<{ text: string }>('select text from description where hash = ?', hash)?.text
  }

  async save(id: string, { dump, about }: SavedState): Promise<number> {
    return this.#pieces.transact([dump], ([whole]) => {
      const number = this.#savedRange(id).last + 1
      const add = 'insert into saved_state(simulation, number, dump, about, pieces) values (?, ?, ?, ?, ?)'
      this.#file.run(add, id, number, whole.text, about, whole.pieces)
      this.#file.run('delete from saved_state where simulation = ? and number <= ?', id, number - LIMITS.snapshots)
      return number
    })
  }

  async saved(id: string, number: number): Promise<{ dump?: string; first: number; last: number }> {
    const found = 'select dump as text, pieces from saved_state where simulation = ? and number = ?'
    const kept = this.#file.get<StagedText>(found, id, number)
    return { ...(kept && { dump: this.#pieces.read(kept) }), ...this.#savedRange(id) }
  }

  async listSaved(id: string): Promise<{ number: number; about: string }[]> {
    return this.#file.all('select number, about from saved_state where simulation = ? order by number desc', id)
  }

  async close(): Promise<void> {
    if (!this.#database.isOpen) return
    this.#database.close()
    this.#release()
  }

  #findBySlug(slug: string): StoredSimulation | undefined {
    return this.#file.get(`select ${SIMULATION} from simulation where slug = ?`, slug)
  }

  #countOf(account: string): number {
    const count = 'select count(*) as count from simulation where account = ?'
    return this.#file.get<{ count: number }>(count, account)?.count ?? 0
  }

  #savedRange(id: string): { first: number; last: number } {
    const range =
      'select coalesce(min(number), 0) as first, coalesce(max(number), 0) as last from saved_state where simulation = ?'
    return { first: 0, last: 0, ...this.#file.get<{ first: number; last: number }>(range, id) }
  }

  #remove(ids: readonly string[]): void {
    this.#file.transact(() => {
      for (const id of ids) this.#file.run('delete from simulation where id = ?', id)
      this.#file.run(FORGET_DESCRIPTIONS)
    })
  }

  /** Replacing a whole row would not fire its trigger. */
  #putState(id: string, { head, tip, at }: StateAt, { text, pieces }: StagedText): void {
    this.#file.run(
      `insert into state(simulation, head, tip, at, dump, pieces) values (?, ?, ?, ?, ?, ?) on conflict do update
       set head = excluded.head, tip = excluded.tip, at = excluded.at, dump = excluded.dump, pieces = excluded.pieces`,
      ...[id, head, tip, at, text, pieces],
    )
  }

  #hasMark(id: string, { head, tip }: JournalMark): boolean {
    return (
      this.#file.get('select 1 from journal where simulation = ? and head = ? and tip = ?', id, head, tip) !== undefined
    )
  }

  /** Whether a state may replace the stored one. */
  #mayCompact(id: string, state: StateAt): boolean {
    // Without its text, which may be long.
    const stored = this.#file.get<{ head: number }>('select head from state where simulation = ?', id)
    return stored !== undefined && stored.head < state.head && this.#hasMark(id, state)
  }

  #append({ id, from, next, at, wakeAt, outbox }: Entry, { text, pieces }: StagedText): Appended {
    const head = from.head + 1
    const move = 'update journal_head set head = ?, tip = ? where simulation = ? and head = ? and tip = ?'
    if (this.#file.run(move, head, next, id, from.head, from.tip) === 0) {
      return this.#file.get(HEAD_OF, id) === undefined ? 'gone' : 'behind'
    }
    const add = 'insert into journal(simulation, head, tip, at, delta, pieces) values (?, ?, ?, ?, ?, ?)'
    this.#file.run(add, id, head, next, at, text, pieces)
    this.work.commit(id, wakeAt, outbox)
    return 'kept'
  }
}

const isAt = ({ head, tip }: JournalMark, mark: JournalMark): boolean => head === mark.head && tip === mark.tip
