import { timingSafeEqual } from 'node:crypto'

/** Whether a text is this secret. The time does not depend on how many characters match. */
export function isSecret(secret: string): (given: unknown) => boolean {
  const wanted = Buffer.from(secret)
  return (given) => {
    // The length of a secret is no secret: the provider documents it.
    if (typeof given !== 'string' || given.length !== secret.length) return false
    const bytes = Buffer.from(given)
    return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
  }
}
