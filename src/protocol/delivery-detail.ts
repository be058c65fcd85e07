import * as z from 'zod'
import { loggedMessage } from './reads.ts'
import { delivery, deliveryAttempt } from './webhook.ts'

/** `POST .../deliveries/{deliveryId}/replay` (ours): sends a delivery again, now. `fault`: a deliberate fault of the copy. */
export const replayRequest = z.object({
  fault: z.enum(['badSignature', 'staleTimestamp', 'alteredPayload']).exactOptional(),
})
export type ReplayRequest = z.infer<typeof replayRequest>

/** The result of verifying the signature of an attempt. */
const signatureCheck = z.object({
  isValid: z.boolean(),
  /** When it was signed; null where the scheme carries no time, or the signature is not valid. */
  signedAt: z.iso.datetime({ precision: 3 }).nullable(),
  /** Why it is not valid. */
  fault: z.string().nullable(),
})
export type SignatureCheck = z.infer<typeof signatureCheck>

/** An attempt with its request and response (ours). */
const attemptDetail = deliveryAttempt.extend({
  /** Null where it is no longer kept. The requests of a webhook's latest 100 deliveries are kept. */
  request: loggedMessage.extend({ url: z.string() }).nullable(),
  /** Null without a response, or where it is no longer kept. `body` has at most the first 16 KiB. */
  response: loggedMessage.nullable(),
  /** Checked at the time of the attempt; null for an unsigned delivery, or where the request is no longer kept. */
  signature: signatureCheck.nullable(),
})
export type AttemptDetail = z.infer<typeof attemptDetail>

/** `GET .../webhooks/{webhookId}/deliveries/{deliveryId}` (ours: `delivery-detail`). */
export const deliveryDetail = delivery.extend({ attempts: z.array(attemptDetail) })
export type DeliveryDetail = z.infer<typeof deliveryDetail>
