/** Size of the pieces of memory that bodies are written into. */
const SLAB_BYTES = 256 * 1024

/** Longer texts get memory of their own. */
const LONGEST_TEXT = 32 * 1024

/** Most bytes of UTF-8 that one UTF-16 unit becomes. */
const BYTES_PER_UNIT = 3

let slab = Buffer.alloc(0)
let used = 0

/**
 * Text as the bytes of UTF-8. Bodies stand side by side in large pieces of memory, each place used once: memory of its own
 * for every body costs as much as writing it.
 */
export function toBytes(text: string): Uint8Array {
  if (text.length > LONGEST_TEXT) return Buffer.from(text)
  if (used + text.length * BYTES_PER_UNIT > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    used = 0
  }
  const start = used
  used += slab.write(text, start, 'utf8')
  return slab.subarray(start, used)
}
