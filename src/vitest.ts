/**
 * Simulations in Vitest suites.
 *
 * @module backlot/vitest
 */
import './runtime/needed-node.ts'
import { useSimulation } from './vitest/use-simulation.ts'

export { useSimulation }

/** {@link useSimulation} by a name that linters for React hooks accept at the top level of a file. */
export const setupSimulation: typeof useSimulation = useSimulation

export type { AnyApi, ApiTypes } from './fixture/api-types.ts'
export type { SimulationSource } from './fixture/create/source.ts'
export type { NamedSimulation, WithSimulation } from './fixture/create/suite-simulation.ts'
export type { SimulationOptions } from './fixture/options.ts'
export type { ReceivedRequest } from './fixture/received-request.ts'
export type { Simulation } from './fixture/simulation.ts'
export type { Snapshot } from './fixture/simulation-time.ts'
export type { ReceivedWebhook } from './sink/received-webhook.ts'
export { type SimulationTestOptions, simulationTest } from './vitest/simulation-test.ts'
