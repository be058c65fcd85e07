import { parseRequest } from '../../protocol/parse-request.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type Append, groupAppends, groupHeads, type ReadHead } from './group-append.ts'
import { RequestWriter } from './request-writer.ts'
import type { Store } from './store.ts'
import { type StoreOptions, storeOptions } from './store-options.ts'

/** The store of a node's simulations, and their shared access to it. */
export interface StoreParts {
  readonly store: Store
  readonly append: Append
  readonly head: ReadHead
  readonly requests: RequestWriter
  /** How long a read head of a simulation is valid, in milliseconds; 0: each read checks. */
  readonly trustMs: number
  /** Limit of simulations in memory. */
  readonly cacheBytes: number
  /** Most characters in the state of one simulation. */
  readonly mostState: number
}

export function openStoreParts(store: Store, runtime: Runtime, options: StoreOptions = {}): StoreParts {
  const { append: how, reads, cacheMb, simulationMb } = parseRequest(storeOptions(), options, 'storeOptions')
  return {
    store,
    trustMs: reads === 'checked' ? 0 : reads,
    cacheBytes: cacheMb * 1_000_000,
    mostState: simulationMb * 1_000_000,
    append: groupAppends(store, how),
    head: groupHeads(store),
    requests: new RequestWriter(store, runtime),
  }
}
