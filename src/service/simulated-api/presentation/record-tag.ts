import { hashText } from '../../../runtime/random.ts'

/** Two hashes of one text, each of 32 bits. */
export type Hashes = readonly [first: number, second: number]

/** @param text of a record, as JSON */
export const hashesOf = (text: string): Hashes => [hashText(text) | 0, hashText(text, 0x9e3779b9) | 0]

/** Entity tag of a record. */
export const toTag = ([first, second]: Hashes): string =>
  `"${(first >>> 0).toString(36)}${(second >>> 0).toString(36)}"`
