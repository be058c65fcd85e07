import { constants, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'

/** A description has a few megabytes. */
const MOST_BYTES = 100_000_000

/**
 * The text of a file. Rejects with the system's error, and with an Error for a folder, a pipe, a socket or a device
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
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}
