import { badRequest } from '../../protocol/errors.ts'
import { toLoggedBody, toLoggedHeaders, toLoggedMessage } from '../../protocol/logged-message.ts'
import { maskSecrets } from '../../protocol/mask-secrets.ts'
import type { LoggedMessage } from '../../protocol/reads.ts'
import type { Delivery, DeliveryDetail, ReplayRequest, SignatureCheck } from '../../protocol/webhook.ts'
import { verifyRequest } from '../../protocol/webhook-scheme/verify-request.ts'
import { WebhookVerificationError } from '../../protocol/webhook-verification-error.ts'
import type { SpoiledAttempt } from './compose-request.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { SentRequest } from './sent-requests.ts'

const SPOILED: Readonly<Record<NonNullable<ReplayRequest['fault']>, SpoiledAttempt>> = {
  badSignature: { isForged: true },
  staleTimestamp: { staleSeconds: 600 },
  alteredPayload: { isAltered: true },
}

/** A delivery with the request and response of each attempt. Throws `not_found`. */
export function readDelivery(queue: DeliveryQueue, deliveryId: string): DeliveryDetail {
  const delivery = queue.find(deliveryId)
  return toDetail(queue, delivery.describe(!queue.isActive), queue.lanes.sent.of(delivery))
}

export function toDetail(queue: DeliveryQueue, shown: Delivery, sent: readonly SentRequest[]): DeliveryDetail {
  const byAttempt = new Map(sent.map((one) => [one.attempt, one]))
  const attempts = shown.attempts.map((attempt, at) => {
    const kept = byAttempt.get(at + 1)
    const request =
      kept === undefined
        ? null
        : { ...toLoggedMessage(pairsOf(kept.headers), kept.rawBody), url: maskSecrets(kept.url) }
    const signature = kept === undefined ? null : checkSignature(queue, kept, Date.parse(attempt.at))
    return { ...attempt, request, response: kept?.answer === undefined ? null : toAnswer(kept.answer), signature }
  })
  return { ...shown, attempts }
}

/**
 * Sends a delivery again, now, even if its webhook is off. A success without a fault makes it delivered; else its state
 * and its due retries stay. Throws `not_found` and `bad_request`.
 */
export async function replayDelivery(
  dispatcher: Dispatcher,
  { webhookId, deliveryId, fault }: { webhookId: string; deliveryId: string } & ReplayRequest,
): Promise<DeliveryDetail> {
  const queue = dispatcher.queue(webhookId)
  const delivery = queue.find(deliveryId)
  if (delivery.attempts.length === 0) {
    throw badRequest(`Failed to replay the delivery "${deliveryId}": it was not sent yet. Wait for its first attempt.`)
  }
  if (!queue.lanes.sent.has(delivery)) throw bodyGone(deliveryId)
  const sending = queue.lanes.post(delivery, fault === undefined ? {} : SPOILED[fault], true)
  dispatcher.expectMore(sending)
  const { error } = await sending
  if (error === null && fault === undefined && delivery.state !== 'delivered') queue.settle(delivery)
  dispatcher.noteAttempt(queue, delivery)
  return readDelivery(queue, deliveryId)
}

export const bodyGone = (deliveryId: string): Error =>
  badRequest(
    `Failed to replay the delivery "${deliveryId}": its body is no longer kept. The latest 100 deliveries of a webhook can be sent again.`,
  )

function checkSignature(queue: DeliveryQueue, sent: SentRequest, at: number): SignatureCheck | null {
  const { scheme } = queue.form.format
  if (scheme.algorithm === 'none') return null
  const { secret, publicKey = secret } = queue.webhook
  const lines = pairsOf(sent.headers)
  const headers = (name: string) =>
    lines.filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
  const request = { headers, rawBody: sent.rawBody, url: sent.url, method: sent.method }
  try {
    const { signedAt } = verifyRequest(scheme, request, [publicKey], at)
    return { isValid: true, signedAt: signedAt === null ? null : new Date(signedAt).toISOString(), fault: null }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { isValid: false, signedAt: null, fault: error.message }
  }
}

function toAnswer({ headers, chunks, bytes }: NonNullable<SentRequest['answer']>): LoggedMessage {
  const lines = Object.entries(headers).map(([name, value = '']) => [name, value] as const)
  return { headers: toLoggedHeaders(lines), ...toLoggedBody(Buffer.concat(chunks), bytes) }
}

/** Alternating names and values, as pairs. */
function pairsOf(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : []))
}
