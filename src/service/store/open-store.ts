import type { Clock } from '../../runtime/clock.ts'
import type { OpenLedger } from './ledger.ts'
import type { OpenTables } from './open-tables.ts'
import type { Store, StoreFindings } from './store.ts'
import type { StoreSettings } from './store-options.ts'

/** Opens what `serve --store` names: a database of PostgreSQL, or a file. Rejects with an Error that says what to do instead. */
export async function openStore(
  name: string,
  { engine, clock, durability }: { engine: number; clock: Clock; durability: StoreSettings['durability'] },
): Promise<Store> {
  if (isPostgres(name)) return (await import('./open-pg.ts')).openPg(name, engine, clock)
  return (await import('./open-sqlite.ts')).openSqlite(name, engine, { clock, durability })
}

/** Opens the accounts of what `serve --store` names, beside services that have it open. Its tables have to be there, of this release. */
export async function openLedger(name: string): Promise<OpenLedger> {
  if (isPostgres(name)) return (await import('./open-pg.ts')).openPgLedger(name)
  return (await import('./open-sqlite.ts')).openSqliteLedger(name)
}

/** Opens the tables of what `serve --store` names, beside services that have it open. */
export async function openTables(name: string): Promise<OpenTables> {
  if (isPostgres(name)) return (await import('./open-pg.ts')).openPgTables(name)
  return (await import('./open-sqlite.ts')).openSqliteTables(name)
}

/** Looks at what `serve --store` names, and changes nothing. Rejects with the Error that a start over it would end with. */
export async function checkStore(name: string, engine: number): Promise<StoreFindings> {
  if (isPostgres(name)) return (await import('./open-pg.ts')).checkPg(name, engine)
  return (await import('./open-sqlite.ts')).checkSqlite(name, engine)
}

/** What a host has to know of a store that a service has open. */
export async function warnOfStore(name: string): Promise<string[]> {
  return isPostgres(name) ? (await import('./open-pg.ts')).warnOfPg(name) : []
}

/** False for a file. Throws where a store is neither. */
function isPostgres(name: string): boolean {
  if (/^postgres(ql)?:\/\//i.test(name)) return true
  if (name !== '' && !/^([a-z][a-z0-9+.-]+:\/\/|postgres(ql)?:)/i.test(name)) return false
  const shown = JSON.stringify(name.replace(/:.*/s, '://...'))
  throw new Error(`Expected the store to be a file such as "backlot.db", or "postgres://host/database", got ${shown}.`)
}
