/** A word with the space before it, and parts of a long one. */
const PIECE = /\s*\S{1,12}|\s+$/gu

/** A text as a stream sends it. */
export const toPieces = (text: string): string[] => text.match(PIECE) ?? []
