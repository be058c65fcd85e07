import type { LibraryEntry } from '../library/library-entry.ts'
import { RequestSigner } from '../protocol/webhook-scheme/request-signer.ts'
import type { WebhookScheme } from '../protocol/webhook-scheme/scheme.ts'
import { tamper } from '../protocol/webhook-scheme/tamper.ts'
import { systemClock } from '../runtime/clock.ts'
import type { ReceivedWebhook } from '../sink/received-webhook.ts'
import { chosenFormat, defineScheme } from '../sink/scheme-choice.ts'
import { type GivenHeaders, verifyWebhook } from '../sink/verify.ts'

/** A delivery for `verify` of `client.mjs`, as a handler gets it. */
export interface ShownDelivery {
  /** The body as received. */
  readonly rawBody: Buffer
  /** The type of its event; for a batch, of the first event. */
  readonly type: string
  /** Names in lower case. */
  readonly headers: GivenHeaders
  /** The webhook's secret; for a key pair, the public key. */
  readonly secret: string
  /** The called address. */
  readonly url: string
}

/** The provider's own verifier: it throws, rejects or returns `false` for a refused delivery. */
export type OfficialVerifier = (delivery: ShownDelivery) => unknown

/** The scheme and the keys of an entry's deliveries. */
export interface SigningOfProof {
  readonly scheme: WebhookScheme
  readonly secret: string
  readonly publicKey: string | undefined
  readonly url: string
}

export async function schemeOf({ webhooks }: LibraryEntry): Promise<WebhookScheme> {
  const choice = webhooks?.scheme ?? 'svc'
  return typeof choice === 'string' ? chosenFormat(choice).scheme : (await defineScheme(choice)).scheme
}

/**
 * Rejects unless each delivery is accepted unchanged, refused with another body, and refused when it is too old for the
 * scheme's tolerance, both by this package and by the provider's own verifier, if there is one.
 */
export async function checkDeliveries(
  received: readonly ReceivedWebhook[],
  signing: SigningOfProof,
  official: OfficialVerifier | undefined,
): Promise<void> {
  const { scheme } = signing
  const choice = await defineScheme(scheme)
  const ours: OfficialVerifier = ({ rawBody, headers, secret, url }) =>
    verifyWebhook({ scheme: choice, rawBody, headers, secret, url })
  for (const [whose, verify] of [
    ['this package', ours],
    ['`verify` of client.mjs', official],
  ] as const) {
    if (verify === undefined) continue
    for (const delivery of received) {
      const shown = shownAs(delivery, signing)
      const delivered = `by ${whose}: the delivery of ${delivery.type}`
      const why = await refusalOf(verify, shown)
      if (why !== undefined) throw new Error(`Expected to be accepted ${delivered}, got: ${why}.`)
      const altered = { ...shown, rawBody: Buffer.from(tamper(scheme, shown.rawBody)) }
      if (scheme.algorithm !== 'none' && (await refusalOf(verify, altered)) === undefined)
        throw new Error(`Expected to be refused ${delivered} with another body.`)
      if (scheme.toleranceSeconds === undefined) continue
      const stale = { ...shown, headers: signedBefore(delivery, signing, scheme.toleranceSeconds * 2_000) }
      if ((await refusalOf(verify, stale)) === undefined)
        throw new Error(
          `Expected to be refused ${delivered}, signed ${scheme.toleranceSeconds * 2} seconds ago, where the scheme takes ${scheme.toleranceSeconds}.`,
        )
    }
  }
}

function shownAs(
  { rawBody, headers, type }: ReceivedWebhook,
  { secret, publicKey, url }: SigningOfProof,
): ShownDelivery {
  return { rawBody: Buffer.from(rawBody), type, headers, secret: publicKey ?? secret, url }
}

/** The headers of the delivery, signed `ageMs` before now. */
function signedBefore(
  { rawBody, headers, id, type, deliveryId }: ReceivedWebhook,
  { scheme, secret, url }: SigningOfProof,
  ageMs: number,
): GivenHeaders {
  const signer = new RequestSigner(scheme, secret)
  const signed = signer.sign({ at: systemClock.now() - ageMs, rawBody, url, id, type, delivery: deliveryId })
  const names = signed.headers.map(([name, value]) => [name.toLowerCase(), value])
  return { ...headers, ...Object.fromEntries(names) }
}

/** Why a verifier refuses a delivery; undefined when it accepts. */
async function refusalOf(verify: OfficialVerifier, delivery: ShownDelivery): Promise<string | undefined> {
  try {
    return (await verify(delivery)) === false ? 'false' : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
