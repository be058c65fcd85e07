/** PostgreSQL's number of the type `text`. */
const TEXT = 25
/** Dimensions, whether one is null, the type, the length and the first index. */
const HEAD_BYTES = 20

/**
 * A parameter of the type `text[]` as PostgreSQL sends and receives it in binary: texts go as they are, where the array's literal would have a
 * backslash before each quote of their JSON, to be put there by this process and taken away by the database.
 */
export function pgTextArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)))
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, HEAD_BYTES))
  for (const [at, value] of [1, texts.includes(null) ? 1 : 0, TEXT, texts.length, 1].entries()) {
    bytes.writeInt32BE(value, 4 * at)
  }
  let end = HEAD_BYTES
  for (const [at, text] of texts.entries()) {
    const length = lengths[at] as number
    bytes.writeInt32BE(text === null ? -1 : length, end)
    end += 4
    if (text !== null) bytes.write(text, end, length)
    end += length
  }
  return bytes
}
