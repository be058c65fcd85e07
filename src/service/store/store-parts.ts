import { parseRequest } from '../../protocol/parse-request.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { GroupAppend } from './group-append.ts'
import { GroupHeads } from './group-heads.ts'
import { RequestWriter } from './request-writer.ts'
import type { Store } from './store.ts'
import { type StoreOptions, storeOptions } from './store-options.ts'

/** Where the simulations of a node are kept, and what they ask of it together. */
export interface StoreParts {
  readonly store: Store
  readonly appends: GroupAppend
  readonly heads: GroupHeads
  readonly requests: RequestWriter
  /** For how long a look at the head of a simulation counts, in milliseconds; 0: each read looks. */
  readonly trustMs: number
  /** What simulations may take in memory. */
  readonly cacheBytes: number
  /** Characters that the state of one simulation may have. */
  readonly mostState: number
}

export function openStoreParts(store: Store, runtime: Runtime, options: StoreOptions = {}): StoreParts {
  const { append, reads, cacheMb, simulationMb } = parseRequest(storeOptions, options, 'storeOptions')
  return {
    store,
    trustMs: reads === 'checked' ? 0 : reads,
    cacheBytes: cacheMb * 1_000_000,
    mostState: simulationMb * 1_000_000,
    appends: new GroupAppend(store, append),
    heads: new GroupHeads(store),
    requests: new RequestWriter(store, runtime),
  }
}
