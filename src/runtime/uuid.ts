import { hash } from 'node:crypto'

/**
 * A UUID that is a pure function of `parts` (RFC 9562, version 8: custom, here the first 128 bits of a SHA-256), for
 * ids that must be the same in every run: events and deliveries.
 */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const hex = hash('sha256', parts.join('\u0000'))
  const variant = (Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant.toString(16)}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
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
