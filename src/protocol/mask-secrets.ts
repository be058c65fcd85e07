/** A character of a key, as itself or spelled with its code: percent-encoded, perhaps twice, as JSON or as HTML escapes it. */
const CHARACTER = spell({
  plain: '[\\w-]',
  hex: '(?:2d|3\\d|4[1-9a-f]|5[\\daf]|6[1-9a-f]|7[\\da])',
  decimal: '(?:45|4[89]|5[0-7]|6[5-9]|[78]\\d|90|95|9[7-9]|1[01]\\d|12[0-2])',
})
const KEY = new RegExp(
  `(${spellAll('svc_')}(?:${spellAll('sim')}|${spellAll('acc')})${spellAll('_')}${CHARACTER}{6})${CHARACTER}+`,
  'gi',
)
const WEBHOOK_SECRET = new RegExp(`${spellAll('whsec_')}${CHARACTER}+`, 'gi')

/** A pattern for a character that may be spelled with its code, which `hex` and `decimal` match in digits. */
function spell({ plain, hex, decimal }: { plain: string; hex: string; decimal: string }): string {
  return `(?:${plain}|%(?:25)*${hex}|\\\\{1,8}u00${hex}|&#x0{0,4}${hex};|&#0{0,4}${decimal};)`
}

function spellAll(text: string): string {
  const codeOf = (character: string) => character.charCodeAt(0)
  return [...text]
    .map((plain) => spell({ plain, hex: codeOf(plain).toString(16), decimal: String(codeOf(plain)) }))
    .join('')
}

/** Texts in base64 and in hexadecimal digits that may hold a key. */
const BASE64 = /[\w+/-]{16,}={0,2}/g
const HEX = /(?:[\da-f]{2}){12,}/gi
const BEGINNINGS = ['svc_', 'whsec_']
/** What a beginning looks like in base64, after none, one or two other bytes. */
const IN_BASE64 = new RegExp(
  BEGINNINGS.flatMap((beginning) =>
    [0, 1, 2].map((before) => {
      const encoded = Buffer.from('\0'.repeat(before) + beginning).toString('base64url')
      const whole = Math.floor(((before + beginning.length) * 8) / 6)
      return encoded.slice(Math.ceil((before * 8) / 6), whole)
    }),
  ).join('|'),
)
const IN_HEX = new RegExp(BEGINNINGS.map((beginning) => Buffer.from(beginning).toString('hex')).join('|'), 'i')

/**
 * `text` with keys cut to the prefix that may be shown, and without webhook secrets (specification, Access and keys), in
 * whichever letters and encoding they stand.
 */
export function maskSecrets(text: string): string {
  const masked = maskSpelled(text)
  const shown = IN_BASE64.test(masked) ? masked.replace(BASE64, maskBase64) : masked
  return IN_HEX.test(shown) ? shown.replace(HEX, (digits) => maskEncoded(digits, 'hex') ?? digits) : shown
}

function maskSpelled(text: string): string {
  return text.replace(KEY, '$1…').replace(WEBHOOK_SECRET, 'whsec_…')
}

/** What stands right before a text in base64 may look like a part of it: `/x/c3Zj...`. */
function maskBase64(written: string): string {
  const encoding = /[-_]/.test(written) ? 'base64url' : 'base64'
  for (const shift of [0, 1, 2, 3]) {
    const masked = maskEncoded(written.slice(shift), encoding)
    if (masked !== undefined) return written.slice(0, shift) + masked
  }
  return written
}

/** Undefined where there is nothing to mask. */
function maskEncoded(written: string, encoding: 'base64' | 'base64url' | 'hex'): string | undefined {
  const text = Buffer.from(written, encoding).toString('latin1')
  const masked = maskSpelled(text)
  return masked === text ? undefined : Buffer.from(masked.replaceAll('…', '...'), 'latin1').toString(encoding)
}

/** {@link maskSecrets} for the value of a header, where HTTP Basic may hold a key in base64 (RFC 7617). */
export function maskHeader(value: string): string {
  const basic = readBasic(value)
  if (basic === undefined) return maskSecrets(value)
  const masked = maskSecrets(basic)
  return masked === basic ? value : writeBasic(masked)
}

/** `text` after {@link maskSecrets}, with `key` in its place again. */
export function unmaskKey(text: string, key: string): string {
  return text.replaceAll(maskSecrets(key), key)
}

/** `value` after {@link maskHeader}, with `key` in its place again. */
export function unmaskHeader(value: string, key: string): string {
  const basic = readBasic(value)
  if (basic === undefined) return unmaskKey(value, key)
  const unmasked = unmaskKey(basic, key)
  return unmasked === basic ? value : writeBasic(unmasked)
}

const BASIC = /^basic +/i

function readBasic(value: string): string | undefined {
  return BASIC.test(value) ? Buffer.from(value.replace(BASIC, ''), 'base64').toString() : undefined
}

const writeBasic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`
