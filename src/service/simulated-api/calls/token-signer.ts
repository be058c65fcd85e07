import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { keyId } from '../../../protocol/dialect/keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { rsaKeyFrom } from './rsa-key.ts'

interface Keys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly id: string
}

/** Signs JSON Web Tokens (RFC 7519, RS256) with the key of one simulation, which is made at first use. */
export class TokenSigner {
  readonly #seed: string
  #keys: Keys | undefined

  /** @param seed seed of the key */
  constructor(seed: string) {
    this.#seed = seed
  }

  /** A token with these claims. @param header further fields of its header besides `alg`, `kid` and `typ` */
  sign(claims: JsonObject, header: JsonObject): string {
    const { privateKey, id } = this.#open()
    const signed = `${encode({ alg: 'RS256', kid: id, typ: 'JWT', ...header })}.${encode(claims)}`
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  }

  /** The public key as a set (RFC 7517). */
  keySet(): JsonObject {
    const { publicKey, id } = this.#open()
    const { kty = 'RSA', n = '', e = '' } = publicKey.export({ format: 'jwk' })
    return { keys: [{ use: 'sig', kty, kid: id, alg: 'RS256', n, e }] }
  }

  /** The claims of a token from this signer, even if expired; undefined for any other text. */
  read(token: string): JsonObject | undefined {
    const [header = '', claims = '', signature = ''] = token.split('.')
    if (signature === '') return undefined
    const signed = Buffer.from(`${header}.${claims}`)
    if (!verify('sha256', signed, this.#open().publicKey, Buffer.from(signature, 'base64url'))) return undefined
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json
    return isJsonObject(read) ? read : undefined
  }

  #open(): Keys {
    if (this.#keys === undefined) {
      const privateKey = rsaKeyFrom(this.#seed)
      const publicKey = createPublicKey(privateKey)
      this.#keys = { privateKey, publicKey, id: keyId(publicKey) }
    }
    return this.#keys
  }
}

const encode = (part: JsonObject): string => Buffer.from(JSON.stringify(part)).toString('base64url')
