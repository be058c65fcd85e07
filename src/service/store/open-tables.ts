/** A row of a table, by the names of its columns. */
export type TableRow = Readonly<Record<string, unknown>>

/** The tables of a store, accessed with SQL while services use it. Parameters are `$1`, `$2` and so on. */
export interface OpenTables {
  /** Prefix of table names. */
  readonly schema: string
  /** SQL for a whole text of a table. */
  textOf(table: string, column: string): string
  read(statement: string, values: readonly unknown[]): Promise<readonly TableRow[]>
  /** Returns the number of changed rows. */
  change(statement: string, values: readonly unknown[]): Promise<number>
  /** Overwrites freed space, where the store does not do so itself, so that old texts cannot be read. */
  forgetOld(): Promise<void>
  close(): Promise<void>
}
