import { getPreset } from './webhook-scheme/presets.ts'
import { RequestSigner } from './webhook-scheme/request-signer.ts'
import { type HeaderLines, readSignature } from './webhook-scheme/signature-header.ts'
import { verifyRequest } from './webhook-scheme/verify-request.ts'

/** The result of verifying a `Svc-Signature`. */
export interface VerifiedSignature {
  /** Unix seconds at which the attempt was signed. */
  t: number
  /** The signature that matched. */
  v1: string
  /** Our clock minus `t`, in seconds. */
  skewSeconds: number
  /** Index of the secret that matched. */
  secretIndex: number
}

const TIMESTAMP = /^[1-9]\d{0,11}$/
const SVC = getPreset('svc').scheme

/**
 * The `Svc-Signature` header for a body: `t=<unix seconds>,v1=<hex>` (specification, Signature).
 *
 * @param input.t unix seconds at the time of signing
 */
export function signBody(input: { rawBody: Uint8Array | string; secret: string; t: number }): string {
  if (!TIMESTAMP.test(String(input.t))) {
    throw new RangeError(`Expected \`t\` to be unix seconds of at most 12 digits, got ${input.t}.`)
  }
  checkSecret(input.secret)
  const signer = new RequestSigner(SVC, input.secret)
  const { headers } = signer.sign({ at: input.t * 1_000, rawBody: toBytes(input.rawBody), url: '', id: '', type: '' })
  return headers.find(([name]) => name === 'svc-signature')?.[1] ?? ''
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
  const secrets = typeof input.secret === 'string' ? [input.secret] : input.secret
  checkSignatureHeader(input.header)
  for (const secret of secrets) checkSecret(secret)
  const rawBody = toBytes(input.rawBody)
  const { signature, signedAt, skewSeconds, secretIndex } = verifyRequest(
    SVC,
    { headers: linesOf(input.header), rawBody },
    secrets,
    input.now,
  )
  return { t: (signedAt ?? 0) / 1_000, v1: signature, skewSeconds: skewSeconds ?? 0, secretIndex }
}

/** Throws `signature_missing` or `signature_malformed` for a `Svc-Signature` header without the right form. */
export function checkSignatureHeader(header: string | readonly string[] | null | undefined): void {
  readSignature(SVC, linesOf(header), EMPTY)
}

/** Throws a TypeError for a value that cannot be a webhook's secret. */
export function checkSecret(secret: unknown): asserts secret is string {
  if (typeof secret === 'string' && secret !== '') return
  const got = secret === '' ? '""' : typeof secret
  throw new TypeError(`Expected \`secret\` to be the webhook's \`whsec_\` text, got ${got}.`)
}

/** A body as bytes. Throws a TypeError for a parsed body. */
export function toBytes(rawBody: Uint8Array | string): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody)
  if (ArrayBuffer.isView(rawBody)) return rawBody
  throw new TypeError(`Expected \`rawBody\` to be the bytes or text as received, got ${typeof rawBody}.`)
}

const EMPTY = new Uint8Array()

const linesOf =
  (header: string | readonly string[] | null | undefined): HeaderLines =>
  () =>
    typeof header === 'string' ? [header] : (header ?? [])
