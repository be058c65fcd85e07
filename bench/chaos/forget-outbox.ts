import { PgStore } from '../../src/service/store/pg-store.ts'
import { SqliteStore } from '../../src/service/store/sqlite-store.ts'
import type { Appended, Entry, Store } from '../../src/service/store/store.ts'

// A control of the checker, loaded before a service: every second commit adds nothing to the outbox.

let commits = 0
for (const store of [SqliteStore.prototype, PgStore.prototype] as Pick<Store, 'append'>[]) {
  const write = store.append
  store.append = function append(entries: readonly Entry[]): Promise<readonly Appended[]> {
    return write.call(
      this,
      entries.map((entry) => (++commits % 2 === 0 ? { ...entry, outbox: null } : entry)),
    )
  }
}
