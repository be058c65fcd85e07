import * as z from 'zod'
import type { ChangeEvent } from './event.ts'
import type { ClockReading, LogEntry } from './reads.ts'
import type { SimulationStatus } from './simulation.ts'
import type { Delivery } from './webhook.ts'

/** Kinds of activity of a simulation in `GET .../activity`. */
const ACTIVITY_KINDS = ['change', 'request', 'delivery', 'state', 'clock', 'settings'] as const

/** Query of `GET /v1/simulations/{id}/activity` (ours). */
export const activityQuery = z.object({
  kinds: z
    .string()
    .refine(
      (text) => text.split(',').every((kind) => (ACTIVITY_KINDS as readonly string[]).includes(kind)),
      `kinds with commas between: ${ACTIVITY_KINDS.join(', ')}`,
    )
    .optional(),
})

/** An answered request, with the ids of the events of its changes. */
export interface RequestActivity extends LogEntry {
  changes: string[]
}

/** A delivery after an attempt. */
export interface DeliveryActivity extends Delivery {
  webhookId: string
}

/** Settings that the owner changed: response rules, webhooks and others. */
export interface SettingsActivity {
  changed: 'access' | 'behaviour' | 'hold' | 'keys' | 'rules' | 'webhooks' | 'webhook-faults'
}

/** Summary of activity beyond the stream's bound for one second. Other endpoints show the omitted changes. */
export interface ActivityBurst {
  /** Number of omitted changes. */
  changes: number
  /** How many of each kind of event. */
  byType: Record<string, number>
  requests: number
  deliveries: number
}

/** The data of a message, by the name of its event. */
export interface Activities {
  change: ChangeEvent
  request: RequestActivity
  delivery: DeliveryActivity
  /** `isReplaced`: a reset or a restore replaced the records. */
  state: { status: SimulationStatus; isReplaced: boolean }
  clock: ClockReading
  settings: SettingsActivity
  burst: ActivityBurst
  /** Activity after `after` is no longer kept: readers must reload. */
  gap: { after: string }
}
