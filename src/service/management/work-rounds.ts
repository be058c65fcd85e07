import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import { LEAST_LEASE_MS } from '../simulation/deliveries/delivery-session.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryLease } from '../store/work.ts'
import type { HostedSimulation } from './hosted-simulation.ts'

/** Interval of checks for due work without a node. */
const ROUND_MS = 1_000
const MOST_TICKS = 50
const MOST_DELIVERIES = 20

/** The simulations of a node, and of its store. */
export interface LoadedSimulations {
  load(by: { readonly id: string }): Promise<HostedSimulation | undefined>
  /** Unloads simulations beyond the memory limit. */
  makeRoom(): void
}

/** Background work of a node: due runs of plans and deliveries. */
export class WorkRounds {
  readonly #store: Store
  readonly #simulations: LoadedSimulations
  readonly #runtime: Runtime
  readonly #timer: WakeTimer
  #round: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(store: Store, simulations: LoadedSimulations, runtime: Runtime) {
    this.#store = store
    this.#simulations = simulations
    this.#runtime = runtime
    this.#timer = new WakeTimer(runtime.startTimer)
  }

  start(): void {
    if (this.#isClosed) return
    // After a failed round, because the store did not answer, another one follows.
    this.#round = this.#doRound()
      .catch(() => {})
      .then(() => {
        if (!this.#isClosed) this.#timer.wakeIn(ROUND_MS, () => this.start())
      })
  }

  /** Starts no more work. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer.stop()
    await this.#round
  }

  async #doRound(): Promise<void> {
    this.#simulations.makeRoom()
    const { work } = this.#store
    const leases = await work.claimDeliveries(this.#runtime.uuid(), LEAST_LEASE_MS, MOST_DELIVERIES)
    const ticks = await work.claimTicks(MOST_TICKS)
    await Promise.all([...leases.map((lease) => this.#send(lease)), ...ticks.map((id) => this.#tick(id))])
  }

  /** A simulation that cannot be loaded here is retried after the end of its lease, on any node. */
  async #send(lease: DeliveryLease): Promise<void> {
    const hosted = await this.#simulations.load({ id: lease.simulation }).catch(() => undefined)
    hosted?.simulation.kept?.deliveries.take(lease)
  }

  async #tick(id: string): Promise<void> {
    const hosted = await this.#simulations.load({ id }).catch(() => undefined)
    // Due runs come before all else in a batch. After a failure they are retried, on any node.
    await Promise.resolve(hosted?.simulation.run(() => {})).catch(() => {})
  }
}
