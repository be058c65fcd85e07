/**
 * The number of what turns a description, a seed and commands into bytes. A stored simulation holds changes to data that are
 * made anew from its description, so it belongs to one engine: raise the number when `test/golden` says that output has moved.
 */
export const ENGINE = 1
