import * as z from 'zod'
import { loggedMessage } from './logged-message.ts'
import type { LoggedMessage } from './reads.ts'
import type { Delivery, DeliveryAttempt } from './webhook.ts'

/** What the receiver of an attempt finds when it verifies the signature. */
export interface SignatureCheck {
  isValid: boolean
  /** When it was signed, ISO 8601; null where the scheme carries no time, or the signature is not valid. */
  signedAt: string | null
  /** Why it is not valid. */
  fault: string | null
}

/** An attempt with what was sent and what came back (ours). */
export interface AttemptDetail extends DeliveryAttempt {
  /** Null where it is no longer kept: the requests of the latest 100 deliveries to a webhook are. */
  request: (LoggedMessage & { url: string }) | null
  /** Null where nothing came back, or where it is no longer kept. `body` is its first 16 KiB at most. */
  response: LoggedMessage | null
  /** As of the time of the attempt; null where nothing is signed, or the request is no longer kept. */
  signature: SignatureCheck | null
}

/** `GET .../webhooks/{webhookId}/deliveries/{deliveryId}` (ours: `delivery-detail`). */
export interface DeliveryDetail extends Omit<Delivery, 'attempts'> {
  attempts: AttemptDetail[]
}

/** `POST .../deliveries/{deliveryId}/replay` (ours): sends a delivery once more, now. `fault`: what is wrong with it on purpose. */
export const replayRequest = z.object({
  fault: z.enum(['badSignature', 'staleTimestamp', 'alteredPayload']).exactOptional(),
})
export type ReplayRequest = z.infer<typeof replayRequest>

/** `POST .../webhooks/{webhookId}/recover` (ours): sends again what has failed since then. */
export const recoverRequest = z.object({
  /** Real time of the last attempt, ISO 8601. @default all */
  since: z.iso.datetime({ offset: true }).exactOptional(),
})

/** What is sent again. */
export interface RecoveredDeliveries {
  deliveries: number
  /** Failed deliveries whose bodies are no longer kept, so that they cannot be sent again. */
  gone: number
}

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

/** The schema of {@link DeliveryDetail}. */
export const deliveryDetail = delivery.extend({
  attempts: z.array(
    attempt.extend({
      request: loggedMessage.extend({ url: z.string() }).nullable(),
      response: loggedMessage.nullable(),
      signature: z
        .object({ isValid: z.boolean(), signedAt: moment.nullable(), fault: z.string().nullable() })
        .nullable(),
    }),
  ),
}) satisfies z.ZodType<DeliveryDetail>
