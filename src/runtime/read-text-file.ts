import { constants, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'

/** A description has a few megabytes. */
const MOST_BYTES = 100_000_000

/**
 * The text of a file, in UTF-8 or UTF-16. Rejects with the system's error, and with an Error for a folder, a pipe, a socket or a device
 * (which may never end), and for a file of more than 100 MB.
 */
export async function readTextFile(path: string): Promise<string> {
  // Without O_NONBLOCK, opening a pipe waits until another process writes to it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new Error(`it is ${kindOf(found)}. Files alone are read`)
    if (found.size > MOST_BYTES) {
      const [got, most] = [found.size, MOST_BYTES].map((bytes) => bytes.toLocaleString('en-US'))
      throw new Error(`it has ${got} bytes. At most ${most} are read`)
    }
    return toText(await file.readFile())
  } finally {
    await file.close()
  }
}

/** UTF-8, or the UTF-16 that Windows PowerShell writes, which a mark at its start shows. */
function toText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return bytes.toString('utf16le')
  return mark === 'feff'
    ? bytes
        .subarray(0, bytes.length & ~1)
        .swap16()
        .toString('utf16le')
    : bytes.toString()
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}
