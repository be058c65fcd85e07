/** Most properties, and most required names, that are read of one schema; the widest real one that we know has some hundreds. */
export const MOST_PROPERTIES = 5_000
