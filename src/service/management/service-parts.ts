import type { Runtime } from '../../runtime/runtime.ts'
import type { Accounts } from '../account/accounts.ts'
import type { Adviser } from '../instructions/adviser.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { SinkExemptions } from '../webhooks/sink-exemptions.ts'
import type { SimulationAddress } from './hosted-simulation.ts'
import type { LibraryShelf } from './library-shelf.ts'
import type { ModelCache } from './model-cache.ts'
import type { Simulations } from './simulations.ts'
import type { WorkerSinks } from './worker-sinks.ts'

/** What the management API works on. `start.ts` puts it together. */
export interface ServiceParts {
  readonly runtime: Runtime
  readonly version: () => string
  readonly accounts: Accounts
  readonly simulations: Simulations
  readonly library: LibraryShelf
  readonly models: ModelCache
  /** Asks the language model that the service was started with; undefined without one. */
  readonly adviser: Adviser | undefined
  readonly exemptions: SinkExemptions
  readonly sinks: WorkerSinks
  /** Whether an account key may register sinks of its run on loopback. */
  readonly workerSinks: boolean
  /** Opens the address of a new simulation; `https` overrides what the service was started with. */
  readonly openAddress: (simulation: Simulation, https: boolean | undefined) => Promise<SimulationAddress>
}
