import * as z from 'zod'
import { type EventFilter, isEventFilter } from './event-filter.ts'

/** What can be wrong with deliveries on purpose. */
export type WebhookFaultKind =
  | 'delay'
  | 'duplicate'
  | 'drop'
  | 'reorder'
  | 'badSignature'
  | 'staleTimestamp'
  | 'alteredPayload'

/** A fault as it is asked for. The last three spoil single attempts, the others whole deliveries. */
export interface NewWebhookFault {
  /**
   * `delay`: sent later. `duplicate`: sent again after it was delivered. `drop`: never sent. `reorder`: sent after the
   * event that follows. `badSignature`: signed with another secret. `staleTimestamp`: signed properly, too long ago.
   * `alteredPayload`: a byte of the body changed after signing.
   */
  kind: WebhookFaultKind
  /** Which kinds of events. @default '*' */
  events?: EventFilter | EventFilter[]
  /** How often it happens before it is over. @default every time */
  times?: number
  /** How likely it is for each delivery or attempt that matches, from 0 to 1. @default 1 */
  probability?: number
  /** Draws the likelihood: the same seed and events give the same faults. */
  seed?: string | number
  /** Seconds of the delivery clock for `delay` and, at most, `reorder` (default 5); age for `staleTimestamp` (default 600). */
  seconds?: number
}

/** One time that a fault happened. */
export interface WebhookFaultFiring {
  /** Real time, ISO 8601. */
  at: string
  deliveryId: string
  eventId: string
  /** The attempt that was spoiled, from 1. */
  attempt: number
}

/** A fault that is on, with its latest 1000 firings. */
export interface WebhookFault extends NewWebhookFault {
  id: string
  events: EventFilter[]
  firings: WebhookFaultFiring[]
}

const filter = z.string().refine(isEventFilter, 'an exact event name, `<prefix>.*` or `*`')

/** `POST .../webhook-faults` (ours). */
export const webhookFaultRequest = z.object({
  kind: z.enum(['delay', 'duplicate', 'drop', 'reorder', 'badSignature', 'staleTimestamp', 'alteredPayload']),
  events: z.union([filter, z.array(filter).min(1).max(100)]).exactOptional(),
  times: z.int().min(1).max(1_000_000).exactOptional(),
  probability: z.number().min(0).max(1).exactOptional(),
  seed: z.union([z.string().max(200), z.number()]).exactOptional(),
  seconds: z.number().min(0).max(86_400).exactOptional(),
}) satisfies z.ZodType<NewWebhookFault>
