/** A key of ours, its prefix by itself, and a webhook secret. */
const OURS = /(svc_(?:sim|acc)_[\w-]{6}|whsec_)[\w-]+/gi

/** Account keys that an operator has chosen: they have no recognisable form. */
const CHOSEN_KEYS = new Set<string>()
/** Shorter keys are not masked: they may be words of any text. */
const LEAST_CHOSEN = 8
const OUR_FORM = /^svc_(?:sim|acc)_[\w-]{7,}$/i

/** Masks an account key from now on, in every text of this process. Keys of our own form are always masked. */
export function maskChosenKey(key: string): void {
  if (key.length < LEAST_CHOSEN || OUR_FORM.test(key)) return
  CHOSEN_KEYS.add(key)
  CHOSEN_KEYS.add(encodeURIComponent(key))
}

/**
 * `text` with keys cut to the prefix that may be shown, and without webhook secrets (specification, Access and keys), in
 * any case.
 */
export function maskSecrets(text: string): string {
  let masked = text.replace(OURS, '$1…')
  for (const key of CHOSEN_KEYS) masked = masked.replaceAll(key, '…')
  return masked
}

/** The session of a sign-in, which every port of this machine gets. */
const SESSION = /(\bbacklot_[\da-f]{10}=)[^;,\s]+/g
/** Names of codes, tokens and secrets of a sign-in, and of a card on a page. */
const NAMES =
  'code|code_verifier|user_code|device_code|(?:access_|refresh_|id_|logout_|subject_|actor_)?token|id_token_hint|client_secret|client_assertion|assertion|password|interaction|number|cvc'
/** Their values in JSON and in fields of a page, and in a query or a form. */
const QUOTED = new RegExp(String.raw`(?<![\w-])((?:${NAMES})"(?:\s*:\s*|\s+value=)")((?:\\.|[^"\\])+)`, 'g')
const PAIR = new RegExp(String.raw`(?<![\w-])((?:${NAMES})=)([^&\s<>#"]+)`, 'g')
const BEARER = /^((?:bearer|token) +)(\S+)$/i

/** Whether a text is a page with a form of ours, or what was sent with one. */
export const hasFormToken = (text: string): boolean => /\binteraction(?:=|" value=)/.test(text)

/** A text of a request to a sign-in, after {@link maskSecrets}, without codes, tokens, secrets and sessions. */
export function maskSignIn(text: string): string {
  const basic = readBasic(text)
  if (basic !== undefined) return isMasked(basic) ? text : writeBasic(basic.replace(/:.*$/s, ':…'))
  const mask = (whole: string, name: string, value: string) => (isMasked(value) ? whole : `${name}…`)
  return text.replace(BEARER, mask).replace(QUOTED, mask).replace(PAIR, mask)
}

/** A key of the simulation stays recognisable. */
const isMasked = (text: string): boolean => text.includes('…')

/** The token of an `Authorization` header. */
export const bearerIn = (value: string): string | undefined => BEARER.exec(value)?.[2]

/** {@link maskSecrets} for the value of a header, where HTTP Basic may hold a key in base64 (RFC 7617), and a cookie a session. */
export function maskHeader(value: string): string {
  const basic = readBasic(value)
  if (basic === undefined) return maskSecrets(value).replace(SESSION, '$1…')
  const masked = maskSecrets(basic)
  return masked === basic ? value : writeBasic(masked)
}

/** `text` after {@link maskSecrets}, with `key` restored. */
export function unmaskKey(text: string, key: string): string {
  return text.replaceAll(maskSecrets(key), key)
}

/** `value` after {@link maskHeader}, with `key` restored. */
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
