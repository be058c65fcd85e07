import type { Clock } from '../../runtime/clock.ts'
import type { OpenLedger } from './ledger.ts'
import type { Store, StoreFindings } from './store.ts'
import type { StoreSettings } from './store-options.ts'

/** How a service opens its store. */
interface OpenOptions extends Pick<StoreSettings, 'durability' | 'migrate'> {
  readonly engine: number
  readonly clock: Clock
}

/** Opens the store of `serve --store`: a database of PostgreSQL, or a file. Rejects with an Error that names the next step. */
export async function openStore(name: string, { engine, clock, durability, migrate }: OpenOptions): Promise<Store> {
  if (isPostgres(name)) return (await import('./open-pg.ts')).openPg(name, engine, clock, migrate)
  return (await import('./open-sqlite.ts')).openSqlite(name, engine, { clock, durability, migrate })
}

/** Opens the accounts of the store of `serve --store`, while services use it. Its tables must be of this release. */
export async function openLedger(name: string): Promise<OpenLedger> {
  if (isPostgres(name)) return (await import('./open-pg.ts')).openPgLedger(name)
  return (await import('./open-sqlite.ts')).openSqliteLedger(name)
}

/** Checks the store of `serve --store` without changing it. Rejects with the Error of a failing start. */
export async function checkStore(
  name: string,
  engine: number,
  migrate?: OpenOptions['migrate'],
): Promise<StoreFindings> {
  if (isPostgres(name)) return (await import('./open-pg.ts')).checkPg(name, engine, migrate)
  return (await import('./open-sqlite.ts')).checkSqlite(name, engine, migrate)
}

/** Warnings for the operator of an open store. */
export async function warnOfStore(name: string): Promise<string[]> {
  return isPostgres(name) ? (await import('./open-pg.ts')).warnOfPg(name) : []
}

/** False for a file. Throws for any other name. */
function isPostgres(name: string): boolean {
  if (/^postgres(ql)?:\/\//i.test(name)) return true
  if (name !== '' && !/^([a-z][a-z0-9+.-]+:\/\/|postgres(ql)?:)/i.test(name)) return false
  const shown = JSON.stringify(name.replace(/:.*/s, '://...'))
  throw new Error(`Expected the store to be a file such as "backlot.db", or "postgres://host/database", got ${shown}.`)
}
