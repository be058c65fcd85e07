const KEY = /(svc_(?:sim|acc)_[\w-]{6})[\w-]+/g
const WEBHOOK_SECRET = /\bwhsec_\w+/g

/** `text` with keys cut to the prefix that may be shown, and without webhook secrets (specification, Access and keys). */
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
