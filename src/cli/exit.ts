/** Exit codes of all commands. */
export const EXIT = { done: 0, failed: 1, usage: 2, found: 3 } as const
