import { signBody, type VerifiedSignature, verifySignature } from '../protocol/signature.ts'
import { systemClock } from '../runtime/clock.ts'

/**
 * Throws a `WebhookVerificationError` unless `header` signs exactly these bytes with this secret, within 300 seconds of
 * now (specification, Signature). Give it the body as received: parsed and serialised again it has other bytes.
 *
 * @param input.header the `Svc-Signature` header
 * @param input.secret the webhook's `whsec_` secret, or several while one replaces another
 * @param input.now milliseconds since the epoch. @default the machine's clock, whatever fake timers say
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
 */
export function verifyWebhook(input: {
  header: string | readonly string[] | null | undefined
  rawBody: Uint8Array | string
  secret: string | readonly string[]
  now?: number
}): VerifiedSignature {
  return verifySignature({ ...input, now: input.now ?? systemClock.now() })
}

/**
 * The `Svc-Signature` header that the service would send with a body: `t=<unix seconds>,v1=<hex>`. For tests of a handler.
 *
 * @param input.t unix seconds. @default now, by the machine's clock
 */
export function signWebhook(input: { rawBody: Uint8Array | string; secret: string; t?: number }): string {
  return signBody({ ...input, t: input.t ?? Math.floor(systemClock.now() / 1_000) })
}
