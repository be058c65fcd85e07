/** A character of a key, as itself or spelled with its code: percent-encoded, perhaps twice, or as JSON escapes it. */
const CHARACTER = spell('(?:2d|3\\d|4[1-9a-f]|5[\\daf]|6[1-9a-f]|7[\\da])', '[\\w-]')
const KEY = new RegExp(
  `(${spellAll('svc_')}(?:${spellAll('sim')}|${spellAll('acc')})${spellAll('_')}${CHARACTER}{6})${CHARACTER}+`,
  'gi',
)
const WEBHOOK_SECRET = new RegExp(`${spellAll('whsec_')}${CHARACTER}+`, 'gi')

/** A pattern for a character that may be spelled with its code, which `code` matches in hexadecimal digits. */
function spell(code: string, plain: string): string {
  return `(?:${plain}|%(?:25)*${code}|\\\\u00${code})`
}

function spellAll(text: string): string {
  return [...text].map((character) => spell(character.charCodeAt(0).toString(16), character)).join('')
}

/**
 * `text` with keys cut to the prefix that may be shown, and without webhook secrets (specification, Access and keys), in
 * whichever letters and encoding they stand.
 */
export function maskSecrets(text: string): string {
  return text.replace(KEY, '$1…').replace(WEBHOOK_SECRET, 'whsec_…')
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
