import { createHash } from 'node:crypto'

/**
 * A UUID that is a pure function of `parts` (RFC 9562, version 8: custom, here the first 128 bits of a SHA-256), for
 * ids that must come out the same in every run: events and deliveries.
 */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(parts.join('\u0000')).digest()
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUID = /^[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{12}$/
const PREFIX = /^urn:uuid:/i

/** Whether `text` is a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** {@link isUuid}, or the URN of one (RFC 9562, section 4). */
export function isUuidOrUrn(text: string): boolean {
  return isUuid(text) || isUuid(text.replace(PREFIX, ''))
}
