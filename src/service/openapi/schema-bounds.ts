/** Most properties, and most required names, that are read of one schema; the widest real one that we know has some hundreds. */
export const MOST_PROPERTIES = 5_000

/** Most properties of all schemas that merge others, all together: beyond it fewer are read of each. */
export const MOST_MERGED = 100_000
