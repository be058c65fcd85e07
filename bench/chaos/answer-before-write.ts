import { SqliteStore } from '../../src/service/store/sqlite-store.ts'
import type { Appended, Entry } from '../../src/service/store/store.ts'

// Loaded before a service, it breaks its store: answers leave before what they tell of is written. A control of the checker.

const write = SqliteStore.prototype.append

SqliteStore.prototype.append = async function append(entries: readonly Entry[]): Promise<readonly Appended[]> {
  setTimeout(() => void write.call(this, entries), 100)
  return entries.map(() => 'kept')
}
