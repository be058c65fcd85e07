/** Characters of a token, by the kind of text: within a fifth of what providers count for prose, code and JSON. */
export const LETTERS_PER_TOKEN = 6
const DIGITS_PER_TOKEN = 3
const MARKS_PER_TOKEN = 2
const OTHERS_PER_TOKEN = 1.2

const RUNS = /(\p{Script=Latin}+)|(\d+)|(\s+)|([\p{L}\p{M}]+)|([^\p{L}\p{M}\d\s]+)/gu

/** An estimate of the tokens of a text: the tables of providers are megabytes, or secret. */
export function countTokens(text: string): number {
  let tokens = 0
  for (const [run, letters, digits, space, others] of text.matchAll(RUNS)) {
    if (letters !== undefined) tokens += Math.ceil(run.length / LETTERS_PER_TOKEN)
    else if (digits !== undefined) tokens += Math.ceil(run.length / DIGITS_PER_TOKEN)
    else if (others !== undefined) tokens += Math.ceil(run.length / OTHERS_PER_TOKEN)
    else if (space === undefined) tokens += Math.ceil(run.length / MARKS_PER_TOKEN)
  }
  return tokens
}
