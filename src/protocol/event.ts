import type { Json } from './json.ts'

/** What made a change: a request to the simulated API, a run of the behaviour plan, or a fast-forward. */
export type ChangeCause = 'request' | 'behaviour' | 'fast-forward'

/** The body of a webhook delivery (specification, Delivery request). */
export interface WebhookEvent {
  /** UUID of the event; the same in every delivery of it. */
  id: string
  /** Event kind: `task.created`. */
  type: string
  /** World time of the change: ISO 8601, UTC, with milliseconds. */
  created: string
  data: { collection: string; id: string; object: Json }
}

/** One entry of `GET /v1/simulations/{id}/events`: an event and what caused it. */
export interface ChangeEvent extends WebhookEvent {
  cause: ChangeCause
}
