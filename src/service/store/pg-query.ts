import type { Connection, Submittable } from 'pg'

/** A parameter. A list is an array of the database; one of texts is given by `pgTextArray`. */
export type PgValue = string | number | null | Buffer | readonly (number | boolean | null)[]

/** Names of statements prepared on connections. A connection with a failed preparation is closed. */
export type PreparedStatements = WeakMap<Connection, Set<string>>

/**
 * A statement for `pg`. The class of `pg` asks the database for the columns each time, and makes objects of the rows:
 * more than half of this process's time for a statement (`decisions/store.md`).
 */
export class PgQuery implements Submittable {
  readonly text: string
  /** The columns of each row, in order, as texts. */
  readonly rows: (readonly (string | null)[])[] = []
  readonly #name: string
  readonly #values: readonly PgValue[]
  readonly #prepared: PreparedStatements
  /** Called at the end. `pg` wraps it with its own. */
  callback: ((error: unknown, done?: PgQuery) => void) | undefined

  /** @param name name for preparation, once per connection; '' for none */
  constructor(statement: { name: string; text: string }, values: readonly PgValue[], prepared: PreparedStatements) {
    this.#name = statement.name
    this.text = statement.text
    this.#values = values
    this.#prepared = prepared
  }

  submit(connection: Connection): void {
    const { stream } = connection
    const prepared = this.#prepared.get(connection) ?? new Set()
    this.#prepared.set(connection, prepared)
    stream.cork()
    if (!prepared.has(this.#name)) connection.parse({ name: this.#name, text: this.text, types: [] }, true)
    if (this.#name !== '') prepared.add(this.#name)
    connection.bind({ statement: this.#name, values: this.#values.map(toSent) }, true)
    connection.execute({}, true)
    connection.sync()
    stream.uncork()
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.rows.push(fields)
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.callback?.(error)
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this)
  }
}

function toSent(value: PgValue): string | Buffer | null {
  if (value === null || Buffer.isBuffer(value)) return value
  if (typeof value !== 'object') return String(value)
  return `{${value.map((one) => one ?? 'NULL').join(',')}}`
}

/** PostgreSQL's number of the type `text`. */
const TEXT = 25
/** Dimensions, null flag, type, length and first index. */
const HEAD_BYTES = 20

/**
 * A parameter of the type `text[]` in PostgreSQL's binary format. Texts stay unchanged; an array literal would need a
 * backslash before each quote of their JSON, added by this process and removed by the database.
 */
export function pgTextArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)))
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, HEAD_BYTES))
  for (const [at, value] of [1, texts.includes(null) ? 1 : 0, TEXT, texts.length, 1].entries()) {
    bytes.writeInt32BE(value, 4 * at)
  }
  let end = HEAD_BYTES
  for (const [at, text] of texts.entries()) {
    const length = lengths[at] as number
    bytes.writeInt32BE(text === null ? -1 : length, end)
    end += 4
    if (text !== null) bytes.write(text, end, length)
    end += length
  }
  return bytes
}
