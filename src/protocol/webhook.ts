import * as z from 'zod'
import { isEventFilter } from './event.ts'
import { LIMITS } from './limits.ts'
import { loggedMessage, queryNumber } from './reads.ts'
import { webhookScheme } from './webhook-scheme/scheme.ts'

const eventFilter = z.string().refine(isEventFilter, 'an exact event name, `<prefix>.*` or `*`')

/** `POST /v1/simulations/{id}/webhooks`: the shape. `webhooks/webhook-target.ts` checks the address. */
export const webhookRequest = z.object({
  url: z.string().min(1).max(LIMITS.webhookUrlCharacters),
  events: z.array(eventFilter).min(1).max(100),
  /**
   * How deliveries are signed and shaped: `svc`, `entry`, the name of a preset, or a scheme as data (ours).
   * @default 'entry' where the library entry or the description has its own, else 'svc'
   */
  scheme: z.union([z.string().min(1).max(100), webhookScheme]).exactOptional(),
})
export type WebhookRequest = z.infer<typeof webhookRequest>
/** A webhook as a caller registers it. */
export type NewWebhook = z.input<typeof webhookRequest>

export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  /** The scheme of its deliveries, if not `svc` (ours). */
  scheme: z.union([z.string(), webhookScheme]).exactOptional(),
})
/** A webhook as the detail read shows it (specification, Webhook): never with its secret. */
export type Webhook = z.infer<typeof webhook>

export const registeredWebhook = webhook.extend({
  /**
   * `whsec_` and 64 hexadecimal digits; the whole text is the HMAC key. In another scheme, the provider's form; of a
   * key pair, the private key.
   */
  secret: z.string(),
  /** The public half of a key pair, as the provider shows it (ours). */
  publicKey: z.string().exactOptional(),
  /** The scheme as data, where it is that of the library entry or the description (ours). */
  signing: webhookScheme.exactOptional(),
  /** The types of its events, where they are those of the library entry or the description (ours). */
  types: z.array(z.string()).exactOptional(),
  note: z.string(),
  /** Filters that no event of this API passes, a sentence each; absent where there are none (ours). */
  warnings: z.array(z.string()).exactOptional(),
})
/** The answer to a registration: the only place where the secret is shown. */
export type RegisteredWebhook = z.infer<typeof registeredWebhook>

const count = z.int().min(0)
const deliveryStats = z.object({
  pending: count,
  retrying: count,
  held: count,
  delivered: count,
  failed: count,
  dropped: count,
})
/** Deliveries of one webhook, counted. */
export type DeliveryStats = z.infer<typeof deliveryStats>

export const webhookState = webhook.extend({
  /** `off` after 50 consecutive failed deliveries, until it is enabled again; or refused because of `reason`. */
  state: z.enum(['active', 'off']),
  /** Why deliveries to its address are no longer allowed: the service now runs with other options than at registration. */
  reason: z.string().exactOptional(),
  /** Failed deliveries in a row. */
  failures: count,
  /** With `stats=true`: how many of the latest 1,000 deliveries are in each state. */
  stats: deliveryStats.exactOptional(),
})
/** A webhook with the state of its endpoint (`GET .../webhooks`, ours). */
export type WebhookState = z.infer<typeof webhookState>

/** Query of `GET .../webhooks` (ours: `webhook-stats`). */
export const webhooksQuery = z.object({ stats: z.enum(['true', 'false']).default('false') })

const moment = z.iso.datetime({ precision: 3 })
const deliveryAttempt = z.object({
  /** Real time of the attempt, ISO 8601. */
  at: moment,
  /** Status of the endpoint's answer, or null without one. */
  status: z.int().nullable(),
  /** Why the attempt failed; null after a 2xx. */
  error: z.string().nullable(),
  durationMs: z.number(),
  /** The dialled address, or null when the guard or DNS refused. */
  address: z.string().nullable(),
  /** Present for a replay by the owner, which does not count among the scheduled attempts. */
  trigger: z.literal('manual').exactOptional(),
})
/** One attempt to deliver an event. */
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>

const named = z.object({ id: z.string(), type: z.string(), recordId: z.string() })
export const delivery = z.object({
  /** UUID, sent as `Svc-Delivery`; the same on every attempt. */
  id: z.string(),
  event: named,
  /** All events of a delivery with more than one. */
  events: z.array(named).exactOptional(),
  /** `dropped`: not sent, because the last ten attempts at the endpoint had failed and 10,000 deliveries were already waiting. */
  state: z.enum(['pending', 'retrying', 'held', 'delivered', 'failed', 'dropped']),
  attempts: z.array(deliveryAttempt),
  /** Delivery-clock time of the next attempt, ISO 8601; null without one. */
  nextAttemptAt: moment.nullable(),
  /** Why it was dropped. */
  reason: z.string().exactOptional(),
})
/** An event on its way to a webhook (`GET .../webhooks/{webhookId}/deliveries`, ours). */
export type Delivery = z.infer<typeof delivery>

/**
 * `POST .../deliveries/advance` (ours): advances the delivery clock and runs each retry that becomes due: by `seconds`;
 * to the `next` retry; or until all are `drained`: delivered, failed or held.
 */
export const advanceRequest = z
  .object({
    seconds: z
      .number()
      .min(0)
      .max(30 * 24 * 3600)
      .optional(),
    until: z.enum(['next', 'drained']).optional(),
  })
  .refine(
    ({ seconds, until }) => (seconds === undefined) !== (until === undefined),
    'exactly one of `seconds` and `until`',
  )
export type AdvanceRequest = z.infer<typeof advanceRequest>

/** Longest wait of `GET .../deliveries/settled`, in milliseconds. */
const SETTLE_MS = 30_000

/** Query of `GET .../deliveries/settled` (ours). */
export const settledQuery = z.object({ timeoutMs: queryNumber(0, SETTLE_MS).default(SETTLE_MS) })

/** `POST /v1/sinks` (ours): a sink of this run, on loopback, that deliveries may reach. `ca` is PEM. */
export const sinkRequest = z.object({ port: z.int().min(1).max(65_535), ca: z.string().min(1).max(20_000) })

/** `POST .../webhook-faults` (ours). */
export const webhookFaultRequest = z.object({
  /**
   * `delay`: sent later. `duplicate`: sent again after success. `drop`: never sent. `reorder`: sent after the next
   * event. `badSignature`: signed with another secret. `staleTimestamp`: signed correctly, but too long ago.
   * `alteredPayload`: one byte of the body changed after signing.
   */
  kind: z.enum(['delay', 'duplicate', 'drop', 'reorder', 'badSignature', 'staleTimestamp', 'alteredPayload']),
  /** Which kinds of events. @default '*' */
  events: z.union([eventFilter, z.array(eventFilter).min(1).max(100)]).exactOptional(),
  /** How often it happens. @default every time */
  times: z.int().min(1).max(1_000_000).exactOptional(),
  /** Probability for each matching delivery or attempt, from 0 to 1. @default 1 */
  probability: z.number().min(0).max(1).exactOptional(),
  /** Seed of the probability: the same seed and events give the same faults. */
  seed: z.union([z.string().max(200), z.number()]).exactOptional(),
  /** Seconds of the delivery clock for `delay` and, at most, `reorder` (default 5); age for `staleTimestamp` (default 600). */
  seconds: z.number().min(0).max(86_400).exactOptional(),
})
/** A requested fault. The last three kinds affect single attempts, the others whole deliveries. */
export type NewWebhookFault = z.infer<typeof webhookFaultRequest>
/** Kinds of deliberate delivery faults. */
export type WebhookFaultKind = NewWebhookFault['kind']

const webhookFaultFiring = z.object({
  /** Real time, ISO 8601. */
  at: moment,
  deliveryId: z.string(),
  eventId: z.string(),
  /** The affected attempt, from 1. */
  attempt: z.int().min(1),
})
/** One occurrence of a fault. */
export type WebhookFaultFiring = z.infer<typeof webhookFaultFiring>

export const webhookFault = webhookFaultRequest.extend({
  id: z.string(),
  events: z.array(z.string()),
  firings: z.array(webhookFaultFiring),
})
/** An active fault, with its latest 1000 firings. */
export type WebhookFault = z.infer<typeof webhookFault>

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
