import type { Clock } from '../../runtime/clock.ts'
import type { Store } from './store.ts'

/** Opens what `serve --store` names: a database of PostgreSQL, or a file. Rejects with an Error that says what to do instead. */
export async function openStore(name: string, engine: number, clock: Clock): Promise<Store> {
  if (/^postgres(ql)?:\/\//i.test(name)) {
    const { openPg } = await import('./open-pg.ts')
    return openPg(name, engine, clock)
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name)) {
    const shown = JSON.stringify(name.replace(/\/\/.*/s, '//...'))
    throw new Error(
      `Expected the store to be a file such as "backlot.db", or "postgres://host/database", got ${shown}.`,
    )
  }
  const { openSqlite } = await import('./open-sqlite.ts')
  return openSqlite(name, engine)
}
