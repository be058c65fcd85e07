/** PostgreSQL's number of the type `text`. */
const TEXT = 25
/** Dimensions, null flag, type, length and first index. */
const HEAD_BYTES = 20

/**
 * A parameter of the type `text[]` in PostgreSQL's binary format. Texts stay unchanged; an array literal would need a
 * backslash before each quote of their JSON, added by this process and removed by the database.
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
