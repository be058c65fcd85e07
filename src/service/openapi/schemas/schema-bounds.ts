/** Most properties, and most required names, that are read of one schema; the widest real one that we know has some hundreds. */
export const MOST_PROPERTIES = 5_000

/** Most properties of all schemas that merge others, all together: beyond it fewer are read of each. */
export const MOST_MERGED = 100_000

/** Most alternatives that are read of one choice: what fits none of them is taken to fit one of the others. */
export const MOST_ALTERNATIVES = 1_000

/**
 * Most alternatives of alternatives that are made up for one schema: beyond it a schema is without its choice. Those of a schema
 * that leads to itself have no end.
 */
export const MOST_WAYS = 200

/** Most alternatives that are made up for all schemas together: beyond it fewer of alternatives are, of each. */
export const MOST_MADE = 50_000
