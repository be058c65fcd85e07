import { createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from './limits.ts'

/** Why a signature was refused. */
export type WebhookVerificationCode =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'timestamp_out_of_tolerance'

/** A delivery that is not from the service, is damaged or is too old. `code` says which. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A `Svc-Signature` header taken apart. */
export interface WebhookSignature {
  /** Unix seconds at which the attempt was signed. */
  t: number
  /** One or more signatures, 64 lowercase hexadecimal digits each. */
  v1: string[]
}

/** What was proved by {@link verifySignature}. */
export interface VerifiedSignature {
  t: number
  /** The signature that matched. */
  v1: string
  /** Our clock minus `t`, in seconds. */
  skewSeconds: number
  /** Position, among the secrets given, of the one that matched. */
  secretIndex: number
}

const MAX_HEADER_CHARACTERS = 1_024
const MAX_SIGNATURES = 16
const ITEM = /^([\w.-]+)=([\x21-\x2b\x2d-\x7e]*)$/
const TIMESTAMP = /^[1-9]\d{0,11}$/
const SIGNATURE = /^[0-9a-f]{64}$/

/**
 * The `Svc-Signature` header for a body: `t=<unix seconds>,v1=<hex>` (specification, Signature).
 *
 * @param input.t unix seconds at the time of signing
 */
export function signBody(input: { rawBody: Uint8Array | string; secret: string; t: number }): string {
  if (!TIMESTAMP.test(String(input.t))) {
    throw new RangeError(`Expected \`t\` to be unix seconds of at most 12 digits, got ${input.t}.`)
  }
  return `t=${input.t},v1=${hmac(input.secret, input.t, input.rawBody).toString('hex')}`
}

/**
 * Throws a {@link WebhookVerificationError} unless `header` signs exactly these bytes with one of these secrets, within
 * 300 seconds of `now` (specification, Signature). Comparisons take constant time.
 *
 * @param input.header the one `Svc-Signature` line; undefined or null when there was none
 * @param input.now milliseconds since the epoch
 */
export function verifySignature(input: {
  header: string | readonly string[] | null | undefined
  rawBody: Uint8Array | string
  secret: string | readonly string[]
  now: number
}): VerifiedSignature {
  const signature = parseSignatureHeader(input.header)
  const secrets = typeof input.secret === 'string' ? [input.secret] : input.secret
  const match = findMatch(signature, secrets, input.rawBody)
  if (!match) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'Failed to verify webhook: no signature in `Svc-Signature` is of these bytes with this secret. Verify the raw body as received, with the whole `whsec_` secret.',
    )
  }
  const skewSeconds = input.now / 1_000 - signature.t
  if (!(Math.abs(skewSeconds) <= LIMITS.signatureToleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `Failed to verify webhook: expected \`t\` to be within ${LIMITS.signatureToleranceSeconds} seconds of the clock, got ${describeSkew(skewSeconds)}.`,
    )
  }
  return { t: signature.t, skewSeconds, ...match }
}

/** Takes a `Svc-Signature` header apart; throws `signature_missing` or `signature_malformed`. */
export function parseSignatureHeader(header: string | readonly string[] | null | undefined): WebhookSignature {
  const lines = typeof header === 'string' ? [header] : (header ?? [])
  const [line] = lines
  if (line === undefined || line === '') {
    throw new WebhookVerificationError(
      'signature_missing',
      'Failed to verify webhook: it carries no `Svc-Signature` header.',
    )
  }
  if (lines.length > 1) throw malformed(`exactly one line, got ${lines.length}`)
  if (line.length > MAX_HEADER_CHARACTERS) {
    throw malformed(`at most ${MAX_HEADER_CHARACTERS} characters, got ${line.length}`)
  }
  return readItems(line.split(','))
}

function readItems(items: readonly string[]): WebhookSignature {
  let t: number | undefined
  const v1: string[] = []
  for (const item of items) {
    const [, name, value = ''] = ITEM.exec(item) ?? []
    if (name === undefined) throw malformed('items `key=value` divided by `,` without spaces')
    if (name === 't') {
      if (t !== undefined) throw malformed('one `t`, got two')
      if (!TIMESTAMP.test(value)) throw malformed('`t` to be unix seconds of 1 to 12 digits')
      t = Number(value)
    } else if (name === 'v1') {
      if (!SIGNATURE.test(value)) throw malformed('each `v1` to be 64 lowercase hexadecimal digits')
      v1.push(value)
    }
  }
  if (t === undefined) throw malformed('a `t`, got none')
  if (v1.length === 0) throw malformed('a `v1`, got none')
  if (v1.length > MAX_SIGNATURES) throw malformed(`at most ${MAX_SIGNATURES} \`v1\`, got ${v1.length}`)
  return { t, v1 }
}

/** Compares every signature with every secret, also after a match, so that the time taken says nothing. */
function findMatch(signature: WebhookSignature, secrets: readonly string[], rawBody: Uint8Array | string) {
  let match: { v1: string; secretIndex: number } | undefined
  for (const [secretIndex, secret] of secrets.entries()) {
    const expected = hmac(secret, signature.t, rawBody)
    for (const v1 of signature.v1) {
      if (timingSafeEqual(Buffer.from(v1, 'hex'), expected)) match ??= { v1, secretIndex }
    }
  }
  return match
}

/** Throws a TypeError for what cannot be a webhook's secret. */
export function checkSecret(secret: unknown): asserts secret is string {
  if (typeof secret === 'string' && secret !== '') return
  const got = secret === '' ? '""' : typeof secret
  throw new TypeError(`Expected \`secret\` to be the webhook's \`whsec_\` text, got ${got}.`)
}

function hmac(secret: string, t: number, rawBody: Uint8Array | string): Buffer {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) {
    throw new TypeError(`Expected \`rawBody\` to be the bytes or text as received, got ${typeof rawBody}.`)
  }
  checkSecret(secret)
  return createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest()
}

function malformed(expected: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature_malformed',
    `Failed to verify webhook: expected \`Svc-Signature\` to have ${expected}.`,
  )
}

function describeSkew(skewSeconds: number): string {
  const seconds = Math.abs(skewSeconds)
    .toFixed(3)
    .replace(/\.?0+$/, '')
  return skewSeconds > 0 ? `a time ${seconds} s ago` : `a time ${seconds} s ahead`
}
