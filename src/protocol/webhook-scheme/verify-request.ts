import { createHmac, timingSafeEqual, verify } from 'node:crypto'
import { isJsonObject, type Json, parseJson, valueText } from '../json.ts'
import { parseTemplate, placeholdersOf } from '../template.ts'
import { WebhookVerificationError } from '../webhook-verification-error.ts'
import { hmacKey, publicKeyOf } from './keys.ts'
import { addQuery, claimOf } from './request-signer.ts'
import type { WebhookScheme } from './scheme.ts'
import { hasKeyPair, timeOf } from './scheme-traits.ts'
import { type HeaderLines, readSignature, type SignatureParts } from './signature-header.ts'
import { type SignedParts, signedContent } from './signed-content.ts'

/** A request to verify. */
export interface RequestToVerify {
  readonly headers: HeaderLines
  readonly rawBody: Uint8Array
  /** The called address, where the scheme signs it. */
  readonly url?: string | undefined
  readonly method?: string | undefined
}

/** The result of a successful verification. */
export interface VerifiedRequest {
  /** The signature that matched, as it was sent. */
  readonly signature: string
  /** When it was signed, milliseconds since the epoch; null where the scheme carries no time. */
  readonly signedAt: number | null
  /** Our clock minus that time, in seconds. */
  readonly skewSeconds: number | null
  /** Index of the secret that matched. */
  readonly secretIndex: number
}

/**
 * Throws a {@link WebhookVerificationError} unless the request is signed in this scheme with one of these secrets, and its
 * time is within the scheme's tolerance. Comparisons take constant time.
 *
 * @param now milliseconds since the epoch
 */
export function verifyRequest(
  scheme: WebhookScheme,
  request: RequestToVerify,
  secrets: readonly string[],
  now: number,
): VerifiedRequest {
  if (scheme.algorithm === 'none') return { signature: '', signedAt: null, skewSeconds: null, secretIndex: 0 }
  const { signatures, carried, where } = readCarried(scheme, request)
  const { rawBody, method, url = '' } = request
  if (url === '' && needsUrl(scheme))
    throw new TypeError('Expected `url` to be the address that was called, which this scheme signs, got none.')
  const parts = { rawBody, method, url, carried: (name: string) => carried.get(name) ?? '' }
  const match = hasQuery(scheme, request) ? findMatch(scheme, signatures, secrets, parts) : undefined
  if (match === undefined) throw mismatch(scheme, where)
  const signedAt = timeFrom(scheme, carried)
  const skewSeconds = signedAt === null ? null : (now - signedAt) / 1_000
  checkAge(scheme, skewSeconds)
  return { ...match, signedAt, skewSeconds }
}

/** Whether verification needs the called address. */
function needsUrl({ content = '', query }: WebhookScheme): boolean {
  return query !== undefined || placeholdersOf(content).includes('url')
}

/** Throws `signature_missing` or `signature_malformed`. */
function readCarried(scheme: WebhookScheme, { headers, rawBody }: RequestToVerify): SignatureParts {
  const { signatures, carried, where } = readSignature(scheme, headers, rawBody)
  if (scheme.algorithm !== 'jwt-es256') return { signatures, carried, where }
  for (const [name, value] of claimsOf(signatures[0] ?? '')) {
    const template = scheme.claims?.[name]
    const [placeholder] = template === undefined ? [] : placeholdersOf(template)
    if (template === `{${placeholder}}` && placeholder !== undefined) carried.set(placeholder, valueText(value))
  }
  return { signatures, carried, where }
}

/** Compares every signature with every secret, even after a match, so that the time reveals nothing. */
function findMatch(
  scheme: WebhookScheme,
  signatures: readonly string[],
  secrets: readonly string[],
  parts: SignedParts,
): Pick<VerifiedRequest, 'signature' | 'secretIndex'> | undefined {
  let match: { signature: string; secretIndex: number } | undefined
  for (const [secretIndex, secret] of secrets.entries()) {
    const check = hasKeyPair(scheme) ? keyPairCheck(scheme, secret, parts) : hmacCheck(scheme, secret, parts)
    for (const signature of signatures) if (check(signature)) match ??= { signature, secretIndex }
  }
  return match
}

function hmacCheck(scheme: WebhookScheme, secret: string, parts: SignedParts): (signature: string) => boolean {
  const hmac = createHmac(scheme.algorithm.slice('hmac-'.length), hmacKey(scheme, secret))
  for (const part of signedContent(parseTemplate(scheme.content ?? ''), parts)) hmac.update(part)
  const expected = hmac.digest()
  return (signature) => {
    const bytes = Buffer.from(signature, scheme.encoding)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  }
}

function keyPairCheck(scheme: WebhookScheme, secret: string, parts: SignedParts): (signature: string) => boolean {
  const key = publicKeyOf(scheme, secret)
  if (scheme.algorithm === 'jwt-es256')
    return (token) => {
      const at = token.lastIndexOf('.')
      const signature = Buffer.from(token.slice(at + 1), 'base64url')
      const isSigned = verify('sha256', Buffer.from(token.slice(0, at)), { key, dsaEncoding: 'ieee-p1363' }, signature)
      return isSigned && hasClaims(scheme, token, parts)
    }
  const content = Buffer.concat(signedContent(parseTemplate(scheme.content ?? ''), parts))
  const digest = scheme.algorithm === 'ed25519' ? null : 'sha256'
  return (signature) => verify(digest, content, key, Buffer.from(signature, scheme.encoding))
}

/** Whether a token names the right algorithm and the right hash of the body. */
function hasClaims(scheme: WebhookScheme, token: string, parts: SignedParts): boolean {
  const head = jsonOf(token.split('.')[0] ?? '')
  const claims = new Map(claimsOf(token))
  if (!isJsonObject(head) || head.alg !== 'ES256') return false
  return Object.entries(scheme.claims ?? {}).every(([name, template]) => claims.get(name) === claimOf(template, parts))
}

function claimsOf(token: string): [string, Json][] {
  const claims = jsonOf(token.split('.')[1] ?? '')
  return isJsonObject(claims) ? Object.entries(claims) : []
}

/** Whether the address has the scheme's additions. */
function hasQuery({ query }: WebhookScheme, { url = '', rawBody }: RequestToVerify): boolean {
  if (query === undefined) return true
  const given = URL.parse(url)?.searchParams
  const wanted = new URL(addQuery('https://backlot.invalid/', query, rawBody)).searchParams
  return [...wanted].every(([name, value]) => given?.get(name) === value)
}

/** The time in the headers, milliseconds. */
function timeFrom(scheme: WebhookScheme, carried: ReadonlyMap<string, string>): number | null {
  const name = timeOf(scheme)
  const value = name === undefined ? undefined : carried.get(name)
  if (value === undefined) return null
  if (name === 't_iso') return Date.parse(value)
  return Number(value) * (name === 't' ? 1_000 : 1)
}

function checkAge({ toleranceSeconds }: WebhookScheme, skewSeconds: number | null): void {
  if (toleranceSeconds === undefined || (skewSeconds !== null && Math.abs(skewSeconds) <= toleranceSeconds)) return
  const got = skewSeconds === null ? 'none' : describeSkew(skewSeconds)
  throw new WebhookVerificationError(
    'timestamp_out_of_tolerance',
    `Failed to verify webhook: expected \`t\` to be within ${toleranceSeconds} seconds of the clock, got ${got}.`,
  )
}

function mismatch(scheme: WebhookScheme, where: string): WebhookVerificationError {
  const { secret, content = '' } = scheme
  const isWhole = secret?.key === 'text' && secret.prefix !== '' && secret.strip === undefined
  const key = isWhole
    ? `the whole \`${secret.prefix}\` secret`
    : `the webhook's own ${hasKeyPair(scheme) ? 'public key' : 'secret'}`
  const body = content.includes('{form}') ? 'the form as received' : 'the raw body as received'
  const url = needsUrl(scheme) ? ' and the address as it was called' : ''
  return new WebhookVerificationError(
    'signature_mismatch',
    `Failed to verify webhook: no signature in ${where} is of these bytes with this secret. Verify ${body}${url}, with ${key}.`,
  )
}

function describeSkew(skewSeconds: number): string {
  const seconds = Math.abs(skewSeconds)
    .toFixed(3)
    .replace(/\.?0+$/, '')
  return skewSeconds > 0 ? `a time ${seconds} s ago` : `a time ${seconds} s ahead`
}

const jsonOf = (part: string): Json | undefined => parseJson(Buffer.from(part, 'base64url').toString())
