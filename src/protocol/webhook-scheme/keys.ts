import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { WebhookScheme } from './scheme.ts'
import { hasKeyPair } from './scheme-traits.ts'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8 and in SPKI (RFC 8410). */
const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const ED25519_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')

/** A webhook's secret in the provider's form, and the public key of a key pair. */
export interface SchemeSecret {
  secret: string
  publicKey?: string
}

/**
 * Makes a secret; for a key pair, the private key in PKCS #8, base64.
 *
 * @param random gives that many random bytes as lowercase hexadecimal digits
 */
export function makeSecret(scheme: WebhookScheme, random: (bytes: number) => string): SchemeSecret {
  if (hasKeyPair(scheme)) {
    const key = makePrivateKey(scheme, Buffer.from(random(32), 'hex'))
    return {
      secret: key.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      publicKey: showPublicKey(scheme, createPublicKey(key)),
    }
  }
  const { prefix = '', bytes = 32, shown = 'hex' } = scheme.secret ?? {}
  const drawn = Buffer.from(random(bytes), 'hex')
  if (shown !== 'alphanumeric') return { secret: prefix + drawn.toString(shown) }
  return { secret: prefix + [...drawn].map((byte) => ALPHANUMERIC[byte % ALPHANUMERIC.length]).join('') }
}

/** The key of an HMAC. Throws a TypeError for a secret that does not have the scheme's form. */
export function hmacKey({ secret: form }: WebhookScheme, secret: string): Buffer {
  const { key = 'text', strip, normalize } = form ?? {}
  const bare = strip !== undefined && secret.startsWith(strip) ? secret.slice(strip.length) : secret
  const whole = normalize === undefined ? bare : bare.normalize(normalize)
  if (key === 'text') return Buffer.from(whole)
  const isSpelled = key === 'hex' ? /^(?:[0-9a-f]{2})+$/i.test(whole) : /^[A-Za-z0-9+/_-]+={0,2}$/.test(whole)
  if (isSpelled) return Buffer.from(whole, key)
  const front = strip === undefined ? '' : ` after \`${strip}\``
  throw new TypeError(`Expected \`secret\` to be ${key}${front}, got a text of ${whole.length} characters.`)
}

/** The signing key. Throws a TypeError for a text that is not a private key. */
export function privateKey(secret: string): KeyObject {
  try {
    if (secret.includes('-----BEGIN')) return createPrivateKey(secret)
    return createPrivateKey({ key: Buffer.from(secret, 'base64'), type: 'pkcs8', format: 'der' })
  } catch (cause) {
    throw new TypeError('Expected `secret` to be a private key, PKCS #8 in base64 or PEM, to sign with.', { cause })
  }
}

/** The verification key: the public key as the provider shows it, or the public half of a private key. */
export function publicKeyOf(scheme: WebhookScheme, shown: string): KeyObject {
  try {
    return readPublicKey(scheme, shown)
  } catch (cause) {
    throw new TypeError(`Expected the public key to be ${scheme.publicKey}, as the provider shows it.`, { cause })
  }
}

/** A key different from `secret`, for deliberately wrong signatures. */
export function otherSecret(scheme: WebhookScheme, secret: string): string {
  const seed = createHash('sha256').update(`${secret}!`).digest('hex')
  return makeSecret(scheme, (bytes) => seed.repeat(Math.ceil(bytes / 32)).slice(0, 2 * bytes)).secret
}

function makePrivateKey({ algorithm }: WebhookScheme, seed: Buffer): KeyObject {
  if (algorithm === 'ed25519')
    return createPrivateKey({ key: Buffer.concat([ED25519_PRIVATE, seed]), type: 'pkcs8', format: 'der' })
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(seed)
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const key = { kty: 'EC', crv: 'P-256', d: toBase64url(seed), x: toBase64url(x), y: toBase64url(y) }
  return createPrivateKey({ key, format: 'jwk' })
}

function showPublicKey(scheme: WebhookScheme, key: KeyObject): string {
  const spki = key.export({ type: 'spki', format: 'der' })
  if (scheme.publicKey === 'jwk')
    return JSON.stringify({ ...key.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: keyId(key) })
  if (scheme.publicKey === 'spki-base64') return spki.toString('base64')
  return spki.subarray(ED25519_PUBLIC.length).toString(scheme.publicKey === 'raw-hex' ? 'hex' : 'base64')
}

/** Derives an id from a key, in the form of a UUID, as Plaid does. */
export function keyId(key: KeyObject): string {
  const hex = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

function readPublicKey(scheme: WebhookScheme, shown: string): KeyObject {
  if (shown.includes('-----BEGIN')) return createPublicKey(shown)
  if (scheme.publicKey === 'jwk' && shown.startsWith('{'))
    return createPublicKey({ key: JSON.parse(shown), format: 'jwk' })
  const bytes = Buffer.from(shown, scheme.publicKey === 'raw-hex' && /^[0-9a-f]{64}$/i.test(shown) ? 'hex' : 'base64')
  if (bytes.length === 32)
    return createPublicKey({ key: Buffer.concat([ED25519_PUBLIC, bytes]), type: 'spki', format: 'der' })
  if (isPrivate(bytes)) return createPublicKey(createPrivateKey({ key: bytes, type: 'pkcs8', format: 'der' }))
  return createPublicKey({ key: bytes, type: 'spki', format: 'der' })
}

const toBase64url = (bytes: Buffer): string => bytes.toString('base64url')

/** PKCS #8 begins with its version, an integer; SPKI with a sequence. */
function isPrivate(der: Buffer): boolean {
  const at = der[1] === undefined || der[1] < 0x80 ? 2 : 2 + (der[1] & 0x7f)
  return der[at] === 0x02
}
