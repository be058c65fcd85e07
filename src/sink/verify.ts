import { checkSecret, signBody, toBytes, type VerifiedSignature, verifySignature } from '../protocol/signature.ts'
import { RequestSigner } from '../protocol/webhook-scheme/request-signer.ts'
import type { WebhookScheme } from '../protocol/webhook-scheme/scheme.ts'
import type { HeaderLines } from '../protocol/webhook-scheme/signature-header.ts'
import { type VerifiedRequest, verifyRequest } from '../protocol/webhook-scheme/verify-request.ts'
import { systemClock } from '../runtime/clock.ts'
import { chosenFormat, type SchemeChoice } from './scheme-choice.ts'

/** Headers of a server or of `fetch`. */
export type GivenHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null | undefined }

/** A delivery in a provider's scheme, to verify. */
export interface SchemeInput {
  scheme: SchemeChoice
  /** All headers, as received. */
  headers?: GivenHeaders
  /** The header with the signature, for schemes that use only one header. */
  header?: string | readonly string[] | null | undefined
  rawBody: Uint8Array | string
  /** The webhook's secret, or several during a rotation; for a key pair, the public key. */
  secret: string | readonly string[]
  /** The called address, for schemes that sign it (twilio, square, hubspot). */
  url?: string
  /** @default 'POST' */
  method?: string
  /** Milliseconds since the epoch. @default the machine's clock, even under fake timers */
  now?: number
}

/** A delivery to sign in a provider's scheme. */
export interface SchemeSigning {
  scheme: SchemeChoice
  rawBody: Uint8Array | string
  /** The webhook's secret; for a key pair, the private key. */
  secret: string
  /** Unix seconds. @default now, by the machine's clock */
  t?: number
  /** The address to call, for schemes that sign it. */
  url?: string
  /** @default 'event' */
  type?: string
  /** The event's id, for schemes with a header for it. @default 'msg_1' */
  id?: string
}

/** A signed delivery, for a test to send to its handler. */
export interface SignedWebhook {
  headers: Record<string, string>
  rawBody: Uint8Array
  /** Includes the scheme's additions to the query. */
  url: string
}

/**
 * Throws a `WebhookVerificationError` unless `header` signs exactly these bytes with this secret, within 300 seconds of
 * now (specification, Signature). Pass the body as received: parsing and serialising changes its bytes. With `scheme`
 * it verifies as a provider's own library does.
 *
 * @param input.header the `Svc-Signature` header
 * @param input.secret the webhook's `whsec_` secret, or several during a rotation
 * @param input.now milliseconds since the epoch. @default the machine's clock, even under fake timers
 * @example Express, which must keep the raw body of this route
 * app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
 *   verifyWebhook({ header: request.get('svc-signature'), rawBody: request.body, secret })
 *   handle(JSON.parse(request.body))
 *   response.sendStatus(204)
 * })
 * @example A fetch handler (Hono, Next.js, Deno, Bun)
 * async function POST(request: Request) {
 *   const rawBody = new Uint8Array(await request.arrayBuffer())
 *   verifyWebhook({ header: request.headers.get('svc-signature'), rawBody, secret })
 *   await handle(JSON.parse(new TextDecoder().decode(rawBody)))
 *   return new Response(null, { status: 204 })
 * }
 * @example A provider's scheme
 * verifyWebhook({ scheme: 'github', headers: request.headers, rawBody, secret })
 */
export function verifyWebhook(input: {
  header: string | readonly string[] | null | undefined
  rawBody: Uint8Array | string
  secret: string | readonly string[]
  now?: number
}): VerifiedSignature
export function verifyWebhook(input: SchemeInput): VerifiedRequest
export function verifyWebhook(
  input: SchemeInput | (Omit<SchemeInput, 'scheme'> & { scheme?: undefined }),
): VerifiedSignature | VerifiedRequest {
  const now = input.now ?? systemClock.now()
  const { scheme: choice, rawBody, secret, url, method } = input
  if (choice === undefined) {
    const header = input.headers === undefined ? input.header : readerOf(input.headers)('svc-signature')
    return verifySignature({ header, rawBody, secret, now })
  }
  const scheme = chosenFormat(choice).scheme
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (scheme.algorithm !== 'none') for (const one of secrets) checkSecret(one)
  return verifyRequest(
    scheme,
    { headers: linesOf(scheme, input), rawBody: toBytes(rawBody), url, method },
    secrets,
    now,
  )
}

/**
 * The `Svc-Signature` header that the service would send with a body: `t=<unix seconds>,v1=<hex>`. For tests of a handler.
 * With `scheme` it gives the headers, the body and the address of a delivery in a provider's scheme.
 *
 * @param input.t unix seconds. @default now, by the machine's clock
 */
export function signWebhook(input: { rawBody: Uint8Array | string; secret: string; t?: number }): string
export function signWebhook(input: SchemeSigning): SignedWebhook
export function signWebhook(
  input: SchemeSigning | (Omit<SchemeSigning, 'scheme'> & { scheme?: undefined }),
): string | SignedWebhook {
  const t = input.t ?? systemClock.now() / 1_000
  const { scheme: choice, secret, rawBody, url = '', type = 'event', id = 'msg_1' } = input
  if (choice === undefined) return signBody({ rawBody, secret, t: input.t ?? Math.floor(t) })
  checkSecret(secret)
  const signer = new RequestSigner(chosenFormat(choice).scheme, secret)
  const signed = signer.sign({ at: t * 1_000, rawBody: toBytes(rawBody), url, type, id })
  return { headers: Object.fromEntries(signed.headers), rawBody: signed.rawBody, url: signed.url }
}

function linesOf(scheme: WebhookScheme, input: Pick<SchemeInput, 'headers' | 'header'>): HeaderLines {
  const { headers, header } = input
  const given = headers === undefined ? undefined : readerOf(headers)
  const carrier = Object.entries(scheme.headers).find(([, template]) => template.includes('{signature}'))?.[0]
  return (name) => {
    if ('header' in input && name === carrier?.toLowerCase()) return [header ?? []].flat()
    if (given !== undefined) return given(name)
    throw new TypeError(`Expected \`headers\` to be the headers as received: this scheme reads \`${name}\` too.`)
  }
}

function readerOf(headers: GivenHeaders): HeaderLines {
  if ('get' in headers && typeof headers.get === 'function') {
    const { get } = headers
    return (name) => [get.call(headers, name) ?? []].flat()
  }
  const lines = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => [(lines.get(name) as string | readonly string[] | undefined) ?? []].flat()
}
