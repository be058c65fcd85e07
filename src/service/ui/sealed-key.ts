import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/** What an account key is kept for: each has hashes and ciphers of its own, so that a code is no token. */
type Purpose = 'session' | 'code'

/** What a secret is found by. Secrets are long and random, so that a fast hash is enough. */
export const hashOf = (purpose: Purpose, secret: string): string =>
  createHmac('sha256', `backlot ${purpose}`).update(secret).digest('hex')

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** Each secret encrypts one text, so that nothing has to tell two apart. */
const NO_NONCE = Buffer.alloc(12)

/** Encrypts an account key, so that only the secret opens it. */
export function seal(purpose: Purpose, accountKey: string, secret: string): string {
  const cipher = createCipheriv(CIPHER, sealingKey(purpose, secret), NO_NONCE)
  const sealed = Buffer.concat([cipher.update(accountKey, 'utf8'), cipher.final()])
  return Buffer.concat([cipher.getAuthTag(), sealed]).toString('base64')
}

/** The account key that `seal` was given. */
export function unseal(purpose: Purpose, sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(CIPHER, sealingKey(purpose, secret), NO_NONCE, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(0, TAG_BYTES))
  return decipher.update(bytes.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** The hash that is kept must not lead to it. */
const sealingKey = (purpose: Purpose, secret: string): Buffer =>
  createHmac('sha256', `backlot ${purpose} key`).update(secret).digest()
