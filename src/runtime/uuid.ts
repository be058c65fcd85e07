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

const UUID_LENGTH = 36
const PREFIX = 'urn:uuid:'
const DASH = 0x2d

/** Texts that were found to be UUIDs, by their first characters: the same ids come again and again. */
const known: string[] = Array.from({ length: 256 }, () => '')

/** Whether `text` is a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  if (text.length !== UUID_LENGTH) return false
  const place = ((text.charCodeAt(0) << 4) ^ (text.charCodeAt(1) << 2) ^ text.charCodeAt(2)) & 255
  if (text === known[place]) return true
  if (!hasFormOfUuid(text)) return false
  known[place] = text
  return true
}

function hasFormOfUuid(text: string): boolean {
  for (let at = 0; at < UUID_LENGTH; at++) {
    const code = text.charCodeAt(at)
    const isDashPlace = at === 8 || at === 13 || at === 18 || at === 23
    if (isDashPlace ? code !== DASH : !isHexDigit(code)) return false
  }
  return true
}

/** {@link isUuid}, or the URN of one. */
export function isUuidOrUrn(text: string): boolean {
  if (text.length !== PREFIX.length + UUID_LENGTH) return isUuid(text)
  return text.slice(0, PREFIX.length).toLowerCase() === PREFIX && isUuid(text.slice(PREFIX.length))
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66)
}
