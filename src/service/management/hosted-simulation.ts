import { notFound } from '../../protocol/errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { nextTurn } from '../../runtime/timers.ts'
import type { Account } from '../account/account.ts'
import { answerOwner } from '../simulation/owner-request.ts'
import { busy } from '../simulation/running/command-lane-errors.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { ActivityFeed } from './activity-feed.ts'
import { DebugHold, type DebugHolds } from './debug-hold.ts'
import type { ReaderMemory } from './reader-memory.ts'

/** The address of a simulation's API. Opened before the creation is answered, closed with the simulation. */
export interface SimulationAddress {
  /** Public address, for a client that used `origin` for the management API. */
  urlFor(origin: string): string
  /** PEM of the authority that signed the certificate of an https address. */
  readonly ca: string | undefined
  close(): Promise<void>
}

/** Input of a {@link HostedSimulation}. */
interface HostedSimulationInit {
  readonly simulation: Simulation
  readonly account: Account
  readonly address: SimulationAddress
  readonly runtime: Runtime
  readonly readers: ReaderMemory
  readonly release: () => void
  readonly holds: DebugHolds
}

/** A simulation with its account and its address. */
export class HostedSimulation {
  readonly simulation: Simulation
  readonly account: Account
  readonly address: SimulationAddress
  /** Its activity, for readers of the feed. */
  readonly activity: ActivityFeed
  /** The test held for a person. */
  readonly hold: DebugHold
  readonly #release: () => void
  readonly #clock: Clock
  /** Requests in progress. */
  #underWay = 0
  #usedAt: number
  #touchedAt: number
  /** Number of requests at the last check. */
  #arrived = 0
  #closing: Promise<void> | undefined

  constructor(init: HostedSimulationInit) {
    this.#clock = init.runtime.clock
    this.#touchedAt = this.#clock.now()
    // The store knows the time of use of a loaded one.
    this.#usedAt = init.simulation.isStored ? Number.NEGATIVE_INFINITY : this.#touchedAt
    this.simulation = init.simulation
    this.account = init.account
    this.address = init.address
    this.activity = new ActivityFeed(init.simulation, init)
    const { simulation } = init
    this.hold = new DebugHold(simulation.id, init.holds)
    this.#release = init.release
    const owner = { ip: '127.0.0.1', origin: init.address.urlFor('http://127.0.0.1'), left: undefined }
    simulation.webhooks.dispatcher.onAnswer = async (request) => {
      // A long fast-forward is waited for; what is answered to a deleted simulation is not used.
      for (; !simulation.isReady(); await simulation.ready().then(nextTurn)) if (simulation.phase === 'closed') return
      await answerOwner(simulation, request, owner)
    }
  }

  /** Keeps it in memory until the returned function is called. */
  begin(): () => void {
    this.#underWay++
    return () => {
      this.#underWay--
      this.#touchedAt = this.#clock.now()
    }
  }

  /** Notes a request of its owner. */
  noteUse(): void {
    this.#usedAt = this.#clock.now()
  }

  /**
   * Time of the latest request by its owner or a client: real time, milliseconds. For clients it is as exact as the
   * interval of checks.
   */
  get usedAt(): number {
    const { arrived } = this.simulation.requests.log
    if (arrived !== this.#arrived) this.noteUse()
    this.#arrived = arrived
    return this.#usedAt
  }

  /** Time of its latest use, read or load. */
  get touchedAt(): number {
    return Math.max(this.usedAt, this.#touchedAt)
  }

  /** Whether it has activity that would end with this node's copy. */
  get isBusy(): boolean {
    const { kept, functions } = this.simulation
    return this.#underWay > 0 || kept === undefined || kept.isBusy || functions.hasResponders
  }

  /** Closes the simulation: address, schedule, deliveries. Its place in the account's plan is free at once. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#release()
    this.activity.close()
    this.hold.close()
    await Promise.all([this.address.close(), this.simulation.close()])
  }
}

/** Longest wait of a request for a simulation that is queued or resetting, in milliseconds. */
const READY_TIMEOUT_MS = 2_000

/**
 * Waits until the simulation is ready. The first of several waiting requests may start long work: check `isReady` again
 * after any other wait.
 *
 * @throws an `ApiError`: 503 `unavailable` after 2 seconds, 404 where the simulation is deleted meanwhile.
 */
export async function whenReady(simulation: Simulation, runtime: Runtime): Promise<void> {
  if (simulation.isReady()) return
  const late = Promise.withResolvers<true>()
  const stop = runtime.startTimer(READY_TIMEOUT_MS, () => late.resolve(true))
  try {
    while (!simulation.isReady()) {
      if (simulation.phase === 'closed') throw notFound('The simulation was deleted meanwhile.')
      if (await Promise.race([late.promise, simulation.ready().then(nextTurn)])) throw busy(simulation.phase)
    }
  } finally {
    stop()
  }
}
