import * as z from 'zod'
import type { ChangeEvent } from './event.ts'
import type { ClockReading, LogEntry } from './reads.ts'
import type { SimulationStatus } from './simulation.ts'
import type { Delivery } from './webhook.ts'

/** What can happen to a simulation, as `GET .../activity` tells it. */
export const ACTIVITY_KINDS = ['change', 'request', 'delivery', 'state', 'clock', 'settings'] as const

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

/** A request that was answered, with the ids of the events of what it changed. */
export interface RequestActivity extends LogEntry {
  changes: string[]
}

/** A delivery after an attempt. */
export interface DeliveryActivity extends Delivery {
  webhookId: string
}

/** What the owner set: response rules, webhooks and so on. */
export interface SettingsActivity {
  changed: 'access' | 'behaviour' | 'hold' | 'keys' | 'rules' | 'webhooks' | 'webhook-faults'
}

/** More happened within a second than a stream tells one by one. What it left out can be read. */
export interface ActivityBurst {
  /** Changes that were left out. */
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
  /** `isReplaced`: the records are others than before, after a reset or a restore. */
  state: { status: SimulationStatus; isReplaced: boolean }
  clock: ClockReading
  settings: SettingsActivity
  burst: ActivityBurst
  /** What came after `after` is no longer kept: read again what is shown. */
  gap: { after: string }
}
