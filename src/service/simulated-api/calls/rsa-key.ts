import { checkPrimeSync, createHash, createPrivateKey, type KeyObject } from 'node:crypto'

const EXPONENT = 65_537n
const PRIME_BYTES = 128
/** Number of small primes for trial division before the costly test. */
const MOST_SMALL_PRIMES = 1_200

/** An RSA key of 2,048 bits derived from `seed`: the same in every run. Takes about a tenth of a second. */
export function rsaKeyFrom(seed: string): KeyObject {
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

/** Small odd primes. */
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
