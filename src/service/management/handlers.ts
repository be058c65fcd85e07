import type { AnswerOf, ParsedBody, ParsedQuery, PathParameters } from '../../protocol/endpoint.ts'
import type { EndpointId, EndpointOf } from '../../protocol/endpoints.ts'
import type { ManagementRequest } from '../../protocol/management-exchange.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Account } from '../account/account.ts'
import type { Accounts } from '../account/accounts.ts'
import type { Adviser } from '../instructions/adviser.ts'
import type { HandlerSource } from '../simulation/origin/handler-source.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { Slices } from '../simulation/slices.ts'
import type { ReachableAddresses } from '../webhooks/reachable-addresses.ts'
import type { DebugHolds } from './debug-hold.ts'
import type { HostedSimulation, SimulationAddress } from './hosted-simulation.ts'
import type { ModelCache } from './model-cache.ts'
import type { ModelFiles } from './model-files.ts'
import type { ReaderMemory } from './reader-memory.ts'
import type { ServiceLibrary } from './service-library.ts'
import type { Simulations } from './simulations.ts'
import type { WorkerSinks } from './worker-sinks.ts'

/** The parts of the management API, from `start.ts`. */
export interface ServiceParts {
  readonly runtime: Runtime
  readonly slices: Slices
  readonly readers: ReaderMemory
  readonly holds: DebugHolds
  readonly version: () => string
  readonly accounts: Accounts
  readonly simulations: Simulations
  readonly library: ServiceLibrary
  readonly models: ModelCache
  readonly modelFiles: ModelFiles | undefined
  readonly handlerSource: HandlerSource
  /** Asks the service's language model; undefined without one. */
  readonly adviser: Adviser | undefined
  readonly reachable: ReachableAddresses
  readonly pages: boolean
  readonly sinks: WorkerSinks
  /** Issues codes for signing in to the dashboard with the rights of a key. */
  readonly codes: { issue(accountKey: string): { readonly code: string; readonly kept: Promise<void> } }
  /** Whether an account key may register sinks of its run on loopback. */
  readonly workerSinks: boolean
  /** Opens the address of a new simulation; `https` overrides the service's option. */
  readonly openAddress: (
    simulation: Simulation,
    https: boolean | undefined,
    port?: number,
  ) => Promise<SimulationAddress>
}

/** A request to an endpoint: authenticated, found and parsed. */
export type EndpointCall<Id extends EndpointId> = {
  readonly account: Account
  /** Address of the client, canonical form. */
  readonly ip: string
  /** Scheme and authority that the client used, for links. */
  readonly origin: string
  /** Aborts when the client disconnects before the answer. */
  readonly left: AbortSignal | undefined
  readonly headers: ManagementRequest['headers']
  readonly parameters: PathParameters<EndpointOf<Id>['path']>
  readonly query: ParsedQuery<EndpointOf<Id>>
  readonly body: ParsedBody<EndpointOf<Id>>
} & (EndpointOf<Id>['path'] extends `/v1/simulations/{id}${string}` ? FoundSimulation : unknown)

/** The simulation of `{id}` in a path. */
interface FoundSimulation {
  readonly hosted: HostedSimulation
  readonly simulation: Simulation
}

/** A handler for each endpoint: returns the value of a successful answer, without its status. */
export type Handlers = {
  readonly [Id in EndpointId]: (call: EndpointCall<Id>, parts: ServiceParts) => Answered<Id> | Promise<Answered<Id>>
}

/** Synchronous handlers, whose changes are made in one step, or undone and repeated. */
export type AtOnce = {
  readonly [Id in EndpointId]: (call: EndpointCall<Id>, parts: ServiceParts) => Answered<Id>
}

type Answered<Id extends EndpointId> = AnswerOf<EndpointOf<Id>>
