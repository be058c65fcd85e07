import type { Fields } from './values.ts'

/** A word with the space before it, and parts of a long one. */
const PIECE = /\s*\S{1,12}|\s+$/gu

/** A text as a stream sends it. */
export const toPieces = (text: string): string[] => text.match(PIECE) ?? []

/** The likelihood of each piece, and of others in its place. */
export function toLogprobs({ top_logprobs: most = 0 }: Fields, pieces: readonly string[]): Fields[] {
  return pieces.map((token) => {
    const likely = (text: string, logprob: number): Fields => ({ token: text, logprob, bytes: [...Buffer.from(text)] })
    const others = Array.from({ length: Number(most) }, (_, at) =>
      likely(at === 0 ? token : `${token}${at}`, -0.01 - at * 5),
    )
    return { ...likely(token, -0.01), top_logprobs: others }
  })
}
