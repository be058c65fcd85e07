import { type Cut, SpelledText } from './spelled-text.ts'

/** A key of ours, its prefix by itself, and a webhook secret. */
const KEY = /(svc_(?:sim|acc)_[\w-]{6})[\w-]+/gi
const WEBHOOK_SECRET = /(whsec_)[\w-]+/gi

/** Account keys that an operator has chosen: they have no recognisable form. */
const CHOSEN_KEYS = new Set<string>()
/** Shorter keys are not masked: they may be words of any text. */
const LEAST_CHOSEN = 8
const OUR_FORM = /^svc_(?:sim|acc)_[\w-]{7,}$/i

/** Masks an account key from now on, in every text of this process. Keys of our own form are always masked. */
export function maskChosenKey(key: string): void {
  if (key.length >= LEAST_CHOSEN && !OUR_FORM.test(key)) CHOSEN_KEYS.add(key)
}

/** Texts in base64 and hexadecimal that may hold a key. */
const BASE64 = /[\w+/-]{16,}={0,2}/g
const HEX = /(?:[\da-f]{2}){12,}/gi
const BEGINNINGS = ['svc_', 'whsec_']
const IN_LETTERS = new RegExp(BEGINNINGS.join('|'), 'i')
/** A secret's prefix in base64, after zero, one or two other bytes. */
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
 * `text` with keys cut to the prefix that may be shown, and without webhook secrets (specification, Access and keys),
 * in any case and encoding.
 */
export function maskSecrets(text: string): string {
  if (CHOSEN_KEYS.size === 0 && !mayHoldSecret(new SpelledText(text).meaning)) return text
  const masked = maskSpelled(text)
  const spelled = new SpelledText(masked)
  const { meaning } = spelled
  const cuts = [
    ...(CHOSEN_KEYS.size > 0 || IN_BASE64.test(meaning) ? replacing(meaning, BASE64, maskBase64) : []),
    ...(CHOSEN_KEYS.size > 0 || IN_HEX.test(meaning) ? replacing(meaning, HEX, maskHex) : []),
  ]
  return spelled.without(inOrder(cuts))
}

/**
 * Whether a text may have a secret's prefix: most texts have none and stay as they are. Three tests take a third of the
 * time of one combined expression.
 */
const mayHoldSecret = (text: string): boolean => IN_LETTERS.test(text) || IN_BASE64.test(text) || IN_HEX.test(text)

function maskSpelled(text: string): string {
  const spelled = new SpelledText(text)
  const { meaning } = spelled
  const cuts: Cut[] = []
  for (const form of [KEY, WEBHOOK_SECRET]) {
    for (const { 0: whole, 1: shown = '', index } of meaning.matchAll(form)) {
      cuts.push({ from: index + shown.length, to: index + whole.length, put: '…' })
    }
  }
  for (const key of CHOSEN_KEYS) {
    for (let at = meaning.indexOf(key); at !== -1; at = meaning.indexOf(key, at + key.length)) {
      cuts.push({ from: at, to: at + key.length, put: '…' })
    }
  }
  return spelled.without(inOrder(cuts))
}

/** The parts of a text that `mask` replaces. */
function replacing(text: string, form: RegExp, mask: (part: string) => string | undefined): Cut[] {
  return Array.from(text.matchAll(form)).flatMap(({ 0: part, index }): Cut[] => {
    const put = mask(part)
    return put === undefined ? [] : [{ from: index, to: index + part.length, put }]
  })
}

/** Cuts in order; of two that overlap, the first. */
function inOrder(cuts: readonly Cut[]): Cut[] {
  let end = 0
  return cuts
    .toSorted((left, right) => left.from - right.from)
    .filter(({ from, to }) => {
      if (from < end) return false
      end = to
      return true
    })
}

/** Characters right before a base64 text may look like a part of it: `/x/c3Zj...`. */
function maskBase64(written: string): string | undefined {
  const encoding = /[-_]/.test(written) ? 'base64url' : 'base64'
  for (const shift of [0, 1, 2, 3]) {
    const masked = maskEncoded(written.slice(shift), encoding)
    if (masked !== undefined) return written.slice(0, shift) + masked
  }
  return undefined
}

const maskHex = (digits: string): string | undefined => maskEncoded(digits, 'hex')

/** Undefined without a secret. */
function maskEncoded(written: string, encoding: 'base64' | 'base64url' | 'hex'): string | undefined {
  const text = Buffer.from(written, encoding).toString('latin1')
  const masked = maskSpelled(text)
  return masked === text ? undefined : Buffer.from(masked.replaceAll('…', '...'), 'latin1').toString(encoding)
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
