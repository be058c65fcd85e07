import type { Runtime } from '../../runtime/runtime.ts'
import type { Account } from '../account/account.ts'
import { busy } from '../simulation/command-lane-errors.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { ActivityFeed } from './activity-feed.ts'
import { HeldTest } from './held-test.ts'

/** Where a simulation's API is reached. Opened before the creation is answered, closed with the simulation. */
export interface SimulationAddress {
  /** Public address, for a client that used `origin` for the management API. */
  urlFor(origin: string): string
  /** PEM of the authority that signed the certificate of an https address. */
  readonly ca: string | undefined
  close(): Promise<void>
}

/** What {@link HostedSimulation} is made of. */
interface HostedSimulationInit {
  readonly simulation: Simulation
  readonly account: Account
  readonly address: SimulationAddress
  readonly runtime: Runtime
  readonly release: () => void
}

/** A simulation with its account and its address. */
export class HostedSimulation {
  readonly simulation: Simulation
  readonly account: Account
  readonly address: SimulationAddress
  /** What happens to it, for those who watch. */
  readonly activity: ActivityFeed
  /** The test that is held while a person looks. */
  readonly hold: HeldTest
  readonly #release: () => void
  readonly #onClose = new Set<() => void>()
  #closing: Promise<void> | undefined

  constructor(init: HostedSimulationInit) {
    this.simulation = init.simulation
    this.account = init.account
    this.address = init.address
    this.activity = new ActivityFeed(init.simulation, init.runtime)
    this.hold = new HeldTest(init.runtime)
    this.#release = init.release
  }

  /** Calls `run` when the simulation is deleted or the service closes. Call the returned function to take that back. */
  onClose(run: () => void): () => void {
    this.#onClose.add(run)
    return () => this.#onClose.delete(run)
  }

  /** Ends the simulation: address, schedule, deliveries. Its place in the account's plan is free at once. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#release()
    this.activity.close()
    this.hold.end()
    for (const run of this.#onClose) run()
    await Promise.all([this.address.close(), this.simulation.close()])
  }
}

/** Longest wait of a request for a simulation that is queued or resetting, in milliseconds. */
const READY_TIMEOUT_MS = 2_000

/**
 * Waits until the simulation answers.
 *
 * @throws an `ApiError`, 503 `unavailable` after 2 seconds.
 */
export async function whenReady(simulation: Simulation, runtime: Runtime): Promise<void> {
  if (simulation.isReady()) return
  const giveUp = new AbortController()
  const late = runtime.sleep(READY_TIMEOUT_MS, giveUp.signal).then(
    () => true,
    () => false,
  )
  const isLate = await Promise.race([late, simulation.ready().then(() => false)])
  giveUp.abort()
  if (isLate) throw busy(simulation.phase)
}
