import * as z from 'zod'
import type { LoggedMessage } from './reads.ts'
import type { Delivery } from './webhook.ts'

/** `POST .../deliveries/{deliveryId}/replay` (ours): sends a delivery again, now. `fault`: a deliberate fault of the copy. */
export const replayRequest = z.object({
  fault: z.enum(['badSignature', 'staleTimestamp', 'alteredPayload']).exactOptional(),
})
export type ReplayRequest = z.infer<typeof replayRequest>

/** The schema of {@link LoggedMessage}. */
export const loggedMessage = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  encoding: z.enum(['utf-8', 'base64']),
  bytes: z.int().min(0),
  truncated: z.boolean(),
}) satisfies z.ZodType<LoggedMessage>

const moment = z.iso.datetime({ precision: 3 })
const named = z.object({ id: z.string(), type: z.string(), recordId: z.string() })

const attempt = z.object({
  at: moment,
  status: z.int().nullable(),
  error: z.string().nullable(),
  durationMs: z.number(),
  address: z.string().nullable(),
  trigger: z.literal('manual').exactOptional(),
})

/** The schema of {@link Delivery}. */
export const delivery = z.object({
  id: z.string(),
  event: named,
  events: z.array(named).exactOptional(),
  state: z.enum(['pending', 'retrying', 'held', 'delivered', 'failed', 'dropped']),
  attempts: z.array(attempt),
  nextAttemptAt: moment.nullable(),
  reason: z.string().exactOptional(),
}) satisfies z.ZodType<Delivery>

/** The result of verifying the signature of an attempt. */
const signatureCheck = z.object({
  isValid: z.boolean(),
  /** When it was signed; null where the scheme carries no time, or the signature is not valid. */
  signedAt: moment.nullable(),
  /** Why it is not valid. */
  fault: z.string().nullable(),
})
export type SignatureCheck = z.infer<typeof signatureCheck>

/** An attempt with its request and response (ours). */
const attemptDetail = attempt.extend({
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
