import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { keyId } from '../../../protocol/dialect/keys.ts'
import { isJsonObject, type JsonObject, jsonOr } from '../../../protocol/json.ts'
import { rsaKeyFrom } from './rsa-key.ts'

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
    const read = jsonOr(Buffer.from(claims, 'base64url').toString(), undefined)
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
