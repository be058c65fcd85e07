import { nextTurn } from '../../runtime/timers.ts'
import type { SqliteFile } from './sqlite-file.ts'

/** Most characters written in one turn of the event loop. */
const PIECE = 512 * 1024

/** A text for a row: whole, or in pieces that are already in the file. */
export interface StagedText {
  readonly text: string
  readonly pieces: number | null
}

/** Tables with texts that may be in pieces. */
const PIECED = ['state', 'journal', 'saved_state'].map(
  (table) => `select pieces from ${table} where pieces is not null`,
)
const IS_UNOWNED = `id not in (${PIECED.join(' union all ')})`

/**
 * Texts that are too long for one turn. Their pieces are committed one by one, before their row; pieces without a row,
 * after a crash, are removed when the file is opened.
 */
export class SqlitePieces {
  readonly #file: SqliteFile
  /** Pieces that may have no row. */
  readonly #unowned = new Set<number>()
  #last: number

  constructor(file: SqliteFile) {
    this.#file = file
    file.run(`delete from piece where ${IS_UNOWNED}`)
    this.#last = file.get<{ last: number }>('select coalesce(max(id), 0) as last from piece')?.last ?? 0
  }

  /** Runs `write`, which puts texts into rows, in one transaction. */
  async transact<const Texts extends readonly string[], T>(
    texts: Texts,
    write: (staged: { readonly [At in keyof Texts]: StagedText }) => T,
  ): Promise<T> {
    const staged: StagedText[] = []
    try {
      for (const text of texts) staged.push(text.length > PIECE ? await this.#stage(text) : { text, pieces: null })
      return this.#file.transact(() => write(staged as { [At in keyof Texts]: StagedText }))
    } finally {
      for (const { pieces } of staged) if (pieces !== null) this.#unowned.add(pieces)
      this.#forgetUnowned()
    }
  }

  /** The text of a row. */
  read({ text, pieces }: StagedText): string {
    if (pieces === null) return text
    const found = this.#file.all<{ text: string }>('select text from piece where id = ? order by part', pieces)
    return found.map((piece) => piece.text).join('')
  }

  async #stage(text: string): Promise<StagedText> {
    const id = ++this.#last
    try {
      for (let part = 0, start = 0; start < text.length; part++) {
        const end = endOfPiece(text, start)
        const piece = text.slice(start, end)
        this.#file.transact(() => this.#file.run('insert into piece(id, part, text) values (?, ?, ?)', id, part, piece))
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
    if (this.#unowned.size === 0 || !this.#file.isOpen) return
    try {
      for (const id of this.#unowned) this.#file.run(`delete from piece where id = ? and ${IS_UNOWNED}`, id)
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
