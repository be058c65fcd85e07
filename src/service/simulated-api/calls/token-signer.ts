import {
  checkPrimeSync,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { isJsonObject, type JsonObject, parseJson } from '../../../protocol/json.ts'
import { keyId } from '../../../protocol/webhook-scheme/keys.ts'

interface Keys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly id: string
}

/** How many keys before the newest are still shown and accepted. */
const SHOWN_KEYS = 2

/** Signs JSON Web Tokens (RFC 7519, RS256) with the newest key of one simulation. Keys are made at first use. */
export class TokenSigner {
  readonly #seed: string
  readonly #rotations: () => number
  readonly #keys = new Map<number, Keys>()

  /**
   * @param seed seed of the keys
   * @param rotations how often a new key has replaced the last
   */
  constructor(seed: string, rotations: () => number = () => 0) {
    this.#seed = seed
    this.#rotations = rotations
  }

  /** A token with these claims. @param header further fields of its header besides `alg`, `kid` and `typ` */
  sign(claims: JsonObject, header: JsonObject): string {
    const { privateKey, id } = this.#open(this.#rotations())
    const signed = `${encode({ alg: 'RS256', kid: id, typ: 'JWT', ...header })}.${encode(claims)}`
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  }

  /** A code that only this simulation can compute for a text. */
  codeFor(text: string): string {
    return createHmac('sha256', this.#seed).update(text).digest('base64url')
  }

  /** The public keys as a set (RFC 7517), the newest first. */
  keySet(): JsonObject {
    return {
      keys: this.#shown().map(({ publicKey, id }) => {
        const { kty = 'RSA', n = '', e = '' } = publicKey.export({ format: 'jwk' })
        return { use: 'sig', kty, kid: id, alg: 'RS256', n, e }
      }),
    }
  }

  /** The public keys in PEM, by id. */
  pem(): JsonObject {
    return Object.fromEntries(
      this.#shown().map(({ publicKey, id }) => [id, String(publicKey.export({ format: 'pem', type: 'spki' }))]),
    )
  }

  /** The claims of a token from this signer, even if expired; undefined for any other text. */
  read(token: string): JsonObject | undefined {
    const [header = '', claims = '', signature = ''] = token.split('.')
    if (signature === '') return undefined
    const signed = Buffer.from(`${header}.${claims}`)
    const bytes = Buffer.from(signature, 'base64url')
    if (!this.#shown().some(({ publicKey }) => verify('sha256', signed, publicKey, bytes))) return undefined
    const read = parseJson(Buffer.from(claims, 'base64url').toString())
    return read !== undefined && isJsonObject(read) ? read : undefined
  }

  #shown(): Keys[] {
    const newest = this.#rotations()
    return Array.from({ length: Math.min(SHOWN_KEYS, newest) + 1 }, (_, back) => this.#open(newest - back))
  }

  #open(rotation: number): Keys {
    const known = this.#keys.get(rotation)
    if (known !== undefined) return known
    const privateKey = rsaKeyFrom(rotation === 0 ? this.#seed : `${this.#seed} ${rotation}`)
    const publicKey = createPublicKey(privateKey)
    const keys = { privateKey, publicKey, id: keyId(publicKey) }
    this.#keys.set(rotation, keys)
    return keys
  }
}

const encode = (part: JsonObject): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const EXPONENT = 65_537n
const PRIME_BYTES = 128
/** Number of small primes for trial division before the costly test. */
const MOST_SMALL_PRIMES = 1_200

/** An RSA key of 2,048 bits derived from `seed`: the same in every run. Takes about a tenth of a second. */
function rsaKeyFrom(seed: string): KeyObject {
  const small = smallPrimes()
  const p = primeFrom(`${seed} p`, small)
  const q = primeFrom(`${seed} q`, small)
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const parts = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const written = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, toBase64url(value)]))
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...written } })
}

/** The first prime after a number derived from `seed`, with the two highest bits set. */
function primeFrom(seed: string, small: readonly number[]): bigint {
  const start = firstCandidate(seed)
  const rests = small.map((prime) => Number(start % BigInt(prime)))
  for (let step = 0; ; step += 2) {
    if (small.some((prime, at) => ((rests[at] ?? 0) + step) % prime === 0)) continue
    const candidate = start + BigInt(step)
    if (checkPrimeSync(candidate) && candidate % EXPONENT !== 1n) return candidate
  }
}

function firstCandidate(seed: string): bigint {
  const blocks = [0, 1].map((block) => createHash('sha512').update(`${seed} ${block}`).digest('hex')).join('')
  const top = 3n << BigInt(8 * PRIME_BYTES - 2)
  return BigInt(`0x${blocks}`) | top | 1n
}

function smallPrimes(): number[] {
  const primes: number[] = []
  for (let number = 3; primes.length < MOST_SMALL_PRIMES; number += 2)
    if (primes.every((prime) => prime * prime > number || number % prime !== 0)) primes.push(number)
  return primes
}

/** By the extended Euclidean algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next, factor, nextFactor] = [value, modulus, 1n, 0n]
  while (next !== 0n) {
    const times = rest / next
    ;[rest, next] = [next, rest - times * next]
    ;[factor, nextFactor] = [nextFactor, factor - times * nextFactor]
  }
  return ((factor % modulus) + modulus) % modulus
}

function toBase64url(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
}
