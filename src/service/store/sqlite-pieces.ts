import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { nextTurn } from '../../runtime/timers.ts'
import { type RowQuery, rowQueries, transact } from './sqlite-rows.ts'

/** Most characters written in one turn of the event loop. */
const PIECE = 512 * 1024

/** A text for a row: whole, or in pieces that are already in the file. */
export interface StagedText {
  readonly text: string
  readonly pieces: number | null
}

/** Tables with texts that may be in pieces. */
const PIECED = ['state', 'journal', 'saved_state']

/**
 * Texts that are too long for one turn. Their pieces are committed one by one, before their row; pieces without a row,
 * after a crash, are removed when the file is opened.
 */
export class SqlitePieces {
  readonly #database: DatabaseSync
  readonly #add: StatementSync
  readonly #removeUnowned: StatementSync
  readonly #pieces: RowQuery<{ text: string }>
  /** Pieces that may have no row. */
  readonly #unowned = new Set<number>()
  #last: number

  constructor(database: DatabaseSync) {
    this.#database = database
    const owned = PIECED.map((table) => `select pieces from ${table} where pieces is not null`)
    const isUnowned = `id not in (${owned.join(' union all ')})`
    database.exec(`delete from piece where ${isUnowned}`)
    const lastOf = rowQueries(database)<{ last: number }>('select coalesce(max(id), 0) as last from piece')
    this.#last = lastOf.get()?.last ?? 0
    this.#add = database.prepare('insert into piece(id, part, text) values (?, ?, ?)')
    this.#removeUnowned = database.prepare(`delete from piece where id = ? and ${isUnowned}`)
    this.#pieces = rowQueries(database)<{ text: string }>('select text from piece where id = ? order by part')
  }

  /** Runs `write`, which puts texts into rows, in one transaction. */
  async transact<const Texts extends readonly string[], T>(
    texts: Texts,
    write: (staged: { readonly [At in keyof Texts]: StagedText }) => T,
  ): Promise<T> {
    const staged: StagedText[] = []
    try {
      for (const text of texts) staged.push(text.length > PIECE ? await this.#stage(text) : { text, pieces: null })
      return transact(this.#database, () => write(staged as { [At in keyof Texts]: StagedText }))
    } finally {
      for (const { pieces } of staged) if (pieces !== null) this.#unowned.add(pieces)
      this.#forgetUnowned()
    }
  }

  /** The text of a row. */
  read({ text, pieces }: StagedText): string {
    if (pieces === null) return text
    return this.#pieces
      .all(pieces)
      .map((piece) => piece.text)
      .join('')
  }

  async #stage(text: string): Promise<StagedText> {
    const id = ++this.#last
    try {
      for (let part = 0, start = 0; start < text.length; part++) {
        const end = endOfPiece(text, start)
        transact(this.#database, () => this.#add.run(id, part, text.slice(start, end)))
        start = end
        await nextTurn()
      }
      return { text: '', pieces: id }
    } catch (error) {
      this.#unowned.add(id)
      throw error
    }
  }

  /** On a full disk they are removed later. */
  #forgetUnowned(): void {
    if (this.#unowned.size === 0 || !this.#database.isOpen) return
    try {
      for (const id of this.#unowned) this.#removeUnowned.run(id)
      this.#unowned.clear()
    } catch {}
  }
}

/** The boundary between two characters, even where one takes two units. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}
