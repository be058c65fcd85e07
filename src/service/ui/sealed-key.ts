import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/** The purpose of a stored account key: each has its own hashes and ciphers, so that a code is not a token. */
type Purpose = 'session' | 'code'

/** The look-up hash of a secret. Secrets are long and random, so that a fast hash is enough. */
export const hashOf = (purpose: Purpose, secret: string): string =>
  createHmac('sha256', `backlot ${purpose}`).update(secret).digest('hex')

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** Each secret encrypts only one text, so that the nonce may be constant. */
const NO_NONCE = Buffer.alloc(12)

/** Encrypts an account key with a secret. */
export function seal(purpose: Purpose, accountKey: string, secret: string): string {
  const cipher = createCipheriv(CIPHER, sealingKey(purpose, secret), NO_NONCE)
  const sealed = Buffer.concat([cipher.update(accountKey, 'utf8'), cipher.final()])
  return Buffer.concat([cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts the result of `seal`. */
export function unseal(purpose: Purpose, sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(CIPHER, sealingKey(purpose, secret), NO_NONCE, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(0, TAG_BYTES))
  return decipher.update(bytes.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** The stored hash must not reveal it. */
const sealingKey = (purpose: Purpose, secret: string): Buffer =>
  createHmac('sha256', `backlot ${purpose} key`).update(secret).digest()
