import { timingSafeEqual } from 'node:crypto'

/** Whether a text is this secret, in a time that does not tell how much of it is the same. */
export function isSecret(secret: string): (given: unknown) => boolean {
  const wanted = Buffer.from(secret)
  return (given) => {
    // How long a secret is, its provider's documentation tells.
    if (typeof given !== 'string' || given.length !== secret.length) return false
    const bytes = Buffer.from(given)
    return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
  }
}
