import type { JsonObject } from '../protocol/json.ts'

/** A verified webhook, or an entry of the event feed in its place. One per delivery: retries update it. */
export interface ReceivedWebhook<T = JsonObject | null> {
  /** Event kind: `task.created`. */
  readonly type: string
  /** Event id (UUID). */
  readonly id: string
  /** World time of the change: ISO 8601, UTC, with milliseconds. */
  readonly created: string
  /** The change. `object` is the record as the simulated API shows it; it may be null after a deletion. */
  readonly data: { readonly collection: string; readonly id: string; readonly object: T }
  /** `Svc-Delivery`, `Backlot-Delivery`: the same on every attempt. The events of one batch share it. */
  readonly deliveryId: string
  /** Id of the webhook whose secret signed it. */
  readonly webhookId: string
  /** The latest attempt that was not a duplicate, from 1. */
  readonly attempt: number
  /** Number of requests with this delivery id, including duplicates. */
  readonly attempts: number
  /** Number of requests with this delivery id after one that was answered with 2xx. */
  readonly duplicates: number
  /** Status of our latest answer; null before it, and when it was dropped or hung. */
  readonly answered: number | null
  /** Headers of the latest attempt, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body's bytes as received. */
  readonly rawBody: Uint8Array
  /** The latest attempt's signature; `skewSeconds` is our clock minus `t`. Both are null where the scheme carries no time. */
  readonly signature: { readonly t: number | null; readonly v1: string; readonly skewSeconds: number | null }
  /** Real time of the first attempt's arrival, milliseconds since the epoch. */
  readonly receivedAt: number
  /** `feed` for an entry of the event feed, which is read when the service cannot reach the sink. */
  readonly source: 'webhook' | 'feed'
  /** Whether a signature of the service was checked. False for the feed. */
  readonly verified: boolean
}
