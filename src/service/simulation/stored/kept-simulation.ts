import type { Runtime } from '../../../runtime/runtime.ts'
import type { JournalMark } from '../../store/store.ts'
import type { StoreParts } from '../../store/store-parts.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import { type DeliveriesElsewhere, StoredDeliveries } from '../deliveries/stored-deliveries.ts'
import type { SimulationRequests } from '../requests/simulation-requests.ts'
import type { RequestsElsewhere } from '../requests/stored-requests.ts'
import type { RunningCore } from '../running/running-core.ts'
import type { Slices } from '../slices.ts'
import { CommandLane } from './command-lane.ts'
import { StoredSnapshots } from './snapshots.ts'
import { StoredCore } from './stored-core.ts'

/** Measured memory of a simulation without its changes, and for each character of its state and its journal, in bytes. */
const LEAST_BYTES = 150_000
const BYTES_OF_CHARACTER = 3

/** Activity of other nodes in a simulation, as it becomes known. */
export interface Elsewhere {
  readonly requests: RequestsElsewhere
  readonly deliveries: DeliveriesElsewhere
}

/** A stored simulation: its commands, its deliveries, and its owner's snapshots. */
export class KeptSimulation {
  readonly lane: CommandLane
  readonly deliveries: StoredDeliveries
  readonly snapshots: StoredSnapshots
  readonly #running: RunningCore
  readonly #requests: SimulationRequests
  readonly #stored: StoredCore

  /** @param start its position in the store */
  constructor(
    start: { readonly id: string; readonly mark: JournalMark; readonly stateLength: number },
    made: { running: RunningCore; requests: SimulationRequests; webhooks: Webhooks; runtime: Runtime; slices: Slices },
    parts: StoreParts,
  ) {
    const { running, requests, webhooks, runtime, slices } = made
    const { id } = start
    this.#running = running
    this.#requests = requests
    this.#stored = new StoredCore(start, running, parts, { runtime, slices, forms: webhooks.forms })
    this.lane = new CommandLane(running, this.#stored, { runtime, slices })
    const sending = { id, store: parts.store, webhooks, running, runtime }
    this.deliveries = new StoredDeliveries({ ...sending, run: (work) => this.lane.run(work) })
    this.#stored.deliveries = this.deliveries
    requests.keepIn(id, parts)
    this.snapshots = new StoredSnapshots(id, parts.store, slices)
  }

  /** Activity of other nodes from now on, besides changes; undefined without other nodes. */
  watchElsewhere(): Elsewhere | undefined {
    const requests = this.#requests.watchElsewhere()
    return requests && { requests, deliveries: this.deliveries.watchElsewhere() }
  }

  /** Whether it has activity that would end with this node's copy. */
  get isBusy(): boolean {
    return this.lane.isBusy || this.deliveries.isBusy || this.#running.receivers.hasFollowers
  }

  /** Estimated memory, in bytes. */
  get bytes(): number {
    return LEAST_BYTES + BYTES_OF_CHARACTER * this.#stored.length + this.#requests.log.bytes
  }
}
