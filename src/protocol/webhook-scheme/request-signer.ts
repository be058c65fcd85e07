import { createHmac, createPublicKey, createSecretKey, type KeyObject, sign } from 'node:crypto'
import { actionOf, subjectOf } from '../event-type.ts'
import { isJsonObject, type JsonObject, writeField } from '../json.ts'
import { fromPointer, toPointer } from '../json-pointer.ts'
import { fillTemplate, parseTemplate, type TemplatePart } from '../template.ts'
import { hmacKey, keyId, otherSecret, privateKey } from './keys.ts'
import type { WebhookScheme } from './scheme.ts'
import { hasKeyPair } from './scheme-traits.ts'
import { bodySha256, type SignedParts, signedContent } from './signed-content.ts'

/** A delivery attempt before it is signed. */
export interface UnsignedRequest {
  /** Real time of signing, milliseconds since the epoch. */
  readonly at: number
  readonly rawBody: Uint8Array
  /** The address as registered. */
  readonly url: string
  /** `{id}`. */
  readonly id: string
  readonly type: string
  /** `{delivery}`: the same on each attempt. @default the id */
  readonly delivery?: string
  /** `{hook}`: a number for the webhook. @default '1' */
  readonly hook?: string
  /** Number of earlier attempts. @default 0 */
  readonly retry?: number
  /** Why the previous attempt failed. */
  readonly retryReason?: string
}

/** The request as sent: names and values of headers, the body, and the address. */
export interface SignedRequest {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly rawBody: Uint8Array
  readonly url: string
}

interface HeaderTemplate {
  readonly name: string
  readonly parts: readonly TemplatePart[]
}

const CONTENT_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' }

/** Signs requests with one scheme and one secret. Templates and key are parsed once. */
export class RequestSigner {
  readonly #scheme: WebhookScheme
  readonly #secret: string
  readonly #headers: readonly HeaderTemplate[]
  readonly #retryHeaders: readonly HeaderTemplate[]
  readonly #content: readonly TemplatePart[]
  /** With a `Buffer`, Node takes 21 µs more to begin an HMAC. */
  readonly #key: KeyObject
  #forger: RequestSigner | undefined

  /** Throws a TypeError for a secret that does not have the scheme's form. */
  constructor(scheme: WebhookScheme, secret: string) {
    this.#scheme = scheme
    this.#secret = secret
    this.#headers = toTemplates(scheme.headers)
    this.#retryHeaders = toTemplates(scheme.retryHeaders)
    this.#content = parseTemplate(scheme.content ?? '')
    this.#key = hasKeyPair(scheme) ? privateKey(secret) : createSecretKey(hmacKey(scheme, secret))
  }

  /** A signer with another secret, for a receiver that must refuse the request. */
  get forger(): RequestSigner {
    this.#forger ??= new RequestSigner(this.#scheme, otherSecret(this.#scheme, this.#secret))
    return this.#forger
  }

  /** The headers and signature of one attempt. */
  sign(request: UnsignedRequest): SignedRequest {
    const { at } = request
    if (!(at >= 1_000 && at < 1e15))
      throw new RangeError(`Expected \`t\` to be unix seconds of at most 12 digits, got ${at / 1_000}.`)
    const facts = (name: string) => factOf(name, request)
    const stamped = this.#stamp(request.rawBody, facts)
    const url = addQuery(request.url, this.#scheme.query, stamped)
    const parts = { rawBody: stamped, url, carried: facts }
    const signature = this.#signatureOf(parts)
    const rawBody = this.#place(stamped, signature)
    const valueFor = (name: string) => {
      if (name === 'signature') return signature
      if (name === 'body_sha256') return bodySha256(rawBody)
      return name === 'secret_body_sha256' ? bodySha256(rawBody, this.#secret) : headerText(facts(name))
    }
    const templates = request.retry ? [...this.#headers, ...this.#retryHeaders] : this.#headers
    const headers = templates.map(({ name, parts }) => [name, fillTemplate(parts, valueFor)] as const)
    return { headers: [['content-type', CONTENT_TYPES[this.#scheme.contentType]], ...headers], rawBody, url }
  }

  #signatureOf(parts: SignedParts): string {
    const { algorithm, encoding } = this.#scheme
    if (algorithm === 'none') return ''
    if (algorithm === 'jwt-es256') return this.#token(parts)
    const content = signedContent(this.#content, parts)
    if (this.#key.type === 'secret') {
      const hmac = createHmac(algorithm.slice('hmac-'.length), this.#key)
      for (const part of content) hmac.update(part)
      return hmac.digest(encoding)
    }
    return sign(algorithm === 'ed25519' ? null : 'sha256', Buffer.concat(content), this.#key).toString(encoding)
  }

  /** A JSON Web Token (RFC 7519) over the claims, ES256. */
  #token(parts: SignedParts): string {
    const key = this.#key
    const claims = Object.entries(this.#scheme.claims ?? {}).map(([name, template]) => [name, claimOf(template, parts)])
    const head = { alg: 'ES256', kid: keyId(createPublicKey(key)), typ: 'JWT' }
    const signed = [head, Object.fromEntries(claims)].map(encodePart).join('.')
    return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }

  #stamp(rawBody: Uint8Array, facts: (name: string) => string): Uint8Array {
    const { stamp } = this.#scheme
    if (stamp === undefined) return rawBody
    let body: unknown = JSON.parse(Buffer.from(rawBody).toString())
    for (const [pointer, template] of Object.entries(stamp)) {
      const name = template.slice(1, -1)
      body = writeAtPointer(body, pointer, name === 't_iso' ? facts(name) : Number(facts(name)))
    }
    return Buffer.from(JSON.stringify(body))
  }

  #place(rawBody: Uint8Array, signature: string): Uint8Array {
    const { place } = this.#scheme
    if (place === undefined) return rawBody
    return Buffer.from(JSON.stringify(writeAtPointer(JSON.parse(Buffer.from(rawBody).toString()), place, signature)))
  }
}

function toTemplates(headers: Readonly<Record<string, string>> = {}): HeaderTemplate[] {
  return Object.entries(headers).map(([name, template]) => ({
    name: name.toLowerCase(),
    parts: parseTemplate(template),
  }))
}

function factOf(
  name: string,
  { at, id, type, delivery = id, hook = '1', retry = 0, retryReason = '' }: UnsignedRequest,
): string {
  switch (name) {
    case 't':
      return String(Math.floor(at / 1_000))
    case 't_ms':
      return String(Math.floor(at))
    case 't_iso':
      return new Date(at).toISOString()
    case 'id':
      return id
    case 'type':
      return type
    case 'subject':
      return subjectOf(type)
    case 'action':
      return actionOf(type)
    case 'delivery':
      return delivery
    case 'hook':
      return hook
    case 'retry':
      return String(retry)
    default:
      return retryReason
  }
}

/** Node takes the low byte of each character of a header: these characters are the bytes of UTF-8. */
export const headerText = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text

/** The address with the scheme's additions to the query. */
export function addQuery(url: string, query: WebhookScheme['query'], rawBody: Uint8Array): string {
  if (query === undefined) return url
  const added = Object.entries(query).map(([name, template]) => {
    const value = fillTemplate(parseTemplate(template), () => bodySha256(rawBody))
    return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  })
  return `${url}${url.includes('?') ? '&' : '?'}${added.join('&')}`
}

/** The value of a claim: a number where it is only a time. */
export function claimOf(
  template: string,
  { rawBody, carried }: Pick<SignedParts, 'rawBody' | 'carried'>,
): string | number {
  if (template === '{t}' || template === '{t_ms}') return Number(carried(template.slice(1, -1)))
  return fillTemplate(parseTemplate(template), (name) => (name === 'body_sha256' ? bodySha256(rawBody) : carried(name)))
}

function writeAtPointer(document: unknown, pointer: string, value: string | number): unknown {
  const [name = '', ...rest] = fromPointer(pointer)
  const below = rest.length === 0 ? undefined : toPointer(rest)
  if (Array.isArray(document))
    return document.map((item, at) =>
      String(at) !== name ? item : below === undefined ? value : writeAtPointer(item, below, value),
    )
  const object: JsonObject = isJsonObject(document) ? document : {}
  if (below === undefined) return writeField(object, [name], value)
  return { ...object, [name]: writeAtPointer(object[name], below, value) }
}

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
