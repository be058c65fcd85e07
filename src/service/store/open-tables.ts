/** A row of a table, by the names of its columns. */
export type TableRow = Readonly<Record<string, unknown>>

/** The tables of a store, asked in SQL beside services that have it open. Parameters are `$1`, `$2` and so on. */
export interface OpenTables {
  /** What names of tables begin with. */
  readonly schema: string
  /** SQL of a text of a table as a whole. */
  textOf(table: string, column: string): string
  read(statement: string, values: readonly unknown[]): Promise<readonly TableRow[]>
  /** Returns how many rows were changed. */
  change(statement: string, values: readonly unknown[]): Promise<number>
  /** Has the place of what was overwritten used by nothing that it could be read from, where the store does not do so by itself. */
  forgetOld(): Promise<void>
  close(): Promise<void>
}
