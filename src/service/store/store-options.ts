import * as z from 'zod'

const MOST_READ_MS = 60_000

/** How a store is kept and asked. */
export const storeOptions = z.strictObject({
  /** What simulations may take in memory, in megabytes; those that are not used leave it, and come back with the next request. @default 512 */
  cacheMb: z.number().min(1).default(512),
  /**
   * What the state of one simulation may take in the store, in megabytes; past it changes that make it larger answer 507.
   * @default 64
   */
  simulationMb: z.number().min(0.1).default(64),
  /**
   * With several nodes, whether each read asks the database first if another node has changed something (`checked`), or for how many milliseconds
   * a node may go by its last look. @default 'checked'
   */
  reads: z.union([z.literal('checked'), z.int().min(1).max(MOST_READ_MS)]).default('checked'),
  /** With PostgreSQL: whether changes of several simulations go in one statement, or, for databases that shard rows, `each` in its own. @default 'group' */
  append: z.enum(['group', 'each']).default('group'),
  /** With a file: whether an answered change survives loss of `power`, or only the end of the `process`, which is quicker. @default 'power' */
  durability: z.enum(['power', 'process']).default('power'),
})

/** How a store is kept and asked. Everything has a default. */
export type StoreOptions = z.input<typeof storeOptions>
export type StoreSettings = z.output<typeof storeOptions>
