/** Most properties, and most required names, read of one schema; the widest known real one has some hundreds. */
export const MOST_PROPERTIES = 5_000

/** Most properties of all merged schemas together: beyond it, fewer are read of each. */
export const MOST_MERGED = 100_000

/** Most alternatives read of one choice: beyond it, a value that fits none is assumed to fit. */
export const MOST_ALTERNATIVES = 1_000

/** Most combined alternatives generated for one schema: beyond it, a schema has no choice. A recursive schema has endlessly many. */
export const MOST_WAYS = 200

/** Most combined alternatives generated for all schemas together: beyond it, fewer are generated for each. */
export const MOST_MADE = 50_000
