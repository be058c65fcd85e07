import type { Runtime } from '../../runtime/runtime.ts'
import type { JournalMark } from '../store/store.ts'
import type { StoreParts } from '../store/store-parts.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { CommandLane } from './command-lane.ts'
import { StoredDeliveries } from './deliveries/stored-deliveries.ts'
import type { RunningCore } from './running-core.ts'
import type { SimulationRequests } from './simulation-requests.ts'
import type { Slices } from './slices.ts'
import { StoredSnapshots } from './snapshots.ts'
import { StoredCore } from './stored-core.ts'

/** A simulation that a store keeps: how it is changed, what it sends, and what its owner has saved. */
export interface KeptSimulation {
  readonly lane: CommandLane
  readonly deliveries: StoredDeliveries
  readonly snapshots: StoredSnapshots
}

/** Keeps a simulation in a store. @param start where it stands there */
export function keepSimulation(
  start: { readonly id: string; readonly mark: JournalMark; readonly stateLength: number },
  made: { running: RunningCore; requests: SimulationRequests; webhooks: Webhooks; runtime: Runtime; slices: Slices },
  parts: StoreParts,
): KeptSimulation {
  const { running, requests, webhooks, runtime, slices } = made
  const { id } = start
  const stored = new StoredCore(start, running, parts, { runtime, slices, forms: webhooks.forms })
  const lane = new CommandLane(running, stored, { runtime, slices })
  const sending = { id, store: parts.store, webhooks, running, runtime }
  const deliveries = new StoredDeliveries({ ...sending, run: (work) => lane.run(work) })
  stored.deliveries = deliveries
  requests.keepIn(id, parts)
  return { lane, deliveries, snapshots: new StoredSnapshots(id, parts.store) }
}
