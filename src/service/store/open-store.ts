import type { Store } from './store.ts'

/** Opens what `serve --store` names: a file. Rejects with an Error that says what to do instead. */
export async function openStore(name: string, engine: number): Promise<Store> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name)) {
    throw new Error(
      `Expected the store to be a file such as "backlot.db", got ${JSON.stringify(name.replace(/\/\/.*/s, '//...'))}.`,
    )
  }
  const { openSqlite } = await import('./open-sqlite.ts')
  return openSqlite(name, engine)
}
