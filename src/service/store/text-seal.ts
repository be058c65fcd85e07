import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { ApiError, invalidRequest } from '../../protocol/errors.ts'

const LEAST_CHARACTERS = 32
const CIPHER = 'aes-256-gcm'
const SALT_BYTES = 16
const TAG_BYTES = 16
/** Each text has its own key, derived from its salt. */
const NO_NONCE = Buffer.alloc(12)
/** Prefix of sealed texts; other texts of a store are JSON, which never begins with it. */
const SEALED = /^sealed:([0-9a-f]{8}):/

/** Encrypts a store's texts with the operator's secrets, and records which one. */
export class TextSeal {
  readonly #keys: ReadonlyMap<string, Buffer>
  readonly #first: string

  /** @param secrets the first encrypts, all decrypt. @throws {@link ApiError} `invalid_request` for one that is too short. */
  constructor(secrets: readonly string[]) {
    const short = secrets.findIndex((secret) => secret.length < LEAST_CHARACTERS)
    if (secrets.length === 0 || short !== -1) {
      const got = secrets.length === 0 ? 'none' : `${secrets[short]?.length} in number ${short + 1}`
      throw invalidRequest(
        `Expected each secret key of the store to have at least ${LEAST_CHARACTERS} characters, got ${got}. Make one by \`openssl rand -base64 32\`.`,
      )
    }
    const keys = secrets.map((secret) => createHash('sha256').update(`backlot store ${secret}`).digest())
    this.#keys = new Map(keys.map((key) => [idOf(key), key]))
    this.#first = idOf(keys[0] as Buffer)
  }

  seal(text: string): string {
    const salt = randomBytes(SALT_BYTES)
    const cipher = createCipheriv(CIPHER, this.#keyOf(this.#first, salt), NO_NONCE)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `sealed:${this.#first}:${Buffer.concat([salt, cipher.getAuthTag(), sealed]).toString('base64')}`
  }

  /** Decrypts a text. A text from before the first secret is returned unchanged. Throws 503 where its key is missing. */
  open(text: string): string {
    const id = SEALED.exec(text)?.[1]
    if (id === undefined) return text
    const bytes = Buffer.from(text.slice(text.lastIndexOf(':') + 1), 'base64')
    const decipher = createDecipheriv(CIPHER, this.#keyOf(id, bytes.subarray(0, SALT_BYTES)), NO_NONCE, {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(SALT_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }

  #keyOf(id: string, salt: Uint8Array): Buffer {
    const key = this.#keys.get(id)
    if (key === undefined) throw sealedElsewhere(id)
    return createHmac('sha256', key).update(salt).digest()
  }
}

/** Throws 503 for a sealed text. */
export function checkUnsealed(text: string): void {
  const id = SEALED.exec(text)?.[1]
  if (id !== undefined) throw sealedElsewhere(id)
}

/** An id that names a key but does not reveal it. */
const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8)

function sealedElsewhere(id: string): ApiError {
  const message = `Failed to read the store: it is sealed by the key ${id}, which is not among those of BACKLOT_SECRET_KEY. Start the service with it, after the one that seals: "new,old".`
  return new ApiError(503, 'unavailable', message)
}
