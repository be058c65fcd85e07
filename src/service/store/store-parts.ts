import type { Runtime } from '../../runtime/runtime.ts'
import { GroupAppend } from './group-append.ts'
import { GroupHeads } from './group-heads.ts'
import { RequestWriter } from './request-writer.ts'
import type { Store } from './store.ts'

/** Where the simulations of a node are kept, and what they ask of it together. */
export interface StoreParts {
  readonly store: Store
  readonly appends: GroupAppend
  readonly heads: GroupHeads
  readonly requests: RequestWriter
}

export function openStoreParts(store: Store, runtime: Runtime): StoreParts {
  return {
    store,
    appends: new GroupAppend(store),
    heads: new GroupHeads(store),
    requests: new RequestWriter(store, runtime),
  }
}
