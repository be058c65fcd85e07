/** Size of the pieces of memory that bodies are written into. */
const SLAB_BYTES = 256 * 1024

/** Longer texts get memory of their own. */
const LONGEST_TEXT = 32 * 1024

/** Most bytes of UTF-8 that one UTF-16 unit becomes. */
const BYTES_PER_UNIT = 3

let slab = Buffer.alloc(0)
let used = 0

/**
 * Hands the UTF-8 bytes of `text` to `send`. They stand in memory that the next text takes too, unless `send` answers that
 * they are still needed when it returns: memory of its own for every body costs more than writing it.
 */
export function sendBytes(text: string, send: (bytes: Uint8Array) => boolean): void {
  if (text.length > LONGEST_TEXT) {
    send(Buffer.from(text))
    return
  }
  if (used + text.length * BYTES_PER_UNIT > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    used = 0
  }
  const end = used + slab.write(text, used, 'utf8')
  if (send(slab.subarray(used, end))) used = end
}
