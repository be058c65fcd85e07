import * as z from 'zod'

const MOST_READ_MS = 60_000

export const storeOptions = () =>
  z.strictObject({
    /** Memory for simulations, in megabytes; unused ones are unloaded and loaded again at the next request. @default 512 */
    cacheMb: z.number().min(1).default(512),
    /**
     * Largest state of one simulation in the store, in megabytes; beyond it, changes that enlarge it answer 507.
     * @default 64
     */
    simulationMb: z.number().min(0.1).default(64),
    /**
     * With several nodes: each read first checks the database for changes (`checked`), or a check is valid for this
     * number of milliseconds. @default 'checked'
     */
    reads: z.union([z.literal('checked'), z.int().min(1).max(MOST_READ_MS)]).default('checked'),
    /**
     * With PostgreSQL: one statement for changes of several simulations (`group`), or, for databases that shard rows, one
     * for `each`. @default 'group'
     */
    append: z.enum(['group', 'each']).default('group'),
    /**
     * With a file: an answered change survives a loss of `power`, or only the end of the `process`, which is faster.
     * @default 'power'
     */
    durability: z.enum(['power', 'process']).default('power'),
    /**
     * Who brings the tables to this release: the `start`, or, with `off`, only `backlot store migrate`; a start then
     * refuses other tables. @default 'start'
     */
    migrate: z.enum(['start', 'off']).default('start'),
  })

/** Options of a store. All have defaults. */
export type StoreOptions = z.input<ReturnType<typeof storeOptions>>
export type StoreSettings = z.output<ReturnType<typeof storeOptions>>
