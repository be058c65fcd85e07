import { createSimulationIn } from '../fixture/create-simulation.ts'
import { type Environment, readEnvironment } from '../fixture/environment.ts'
import type { SimulationOptions } from '../fixture/options.ts'
import type { Place } from '../fixture/run-name.ts'
import type { Simulation } from '../fixture/simulation.ts'
import type { SimulationSource } from '../fixture/source.ts'

let environment: Environment | undefined

/** Creates a simulation for a suite of this worker. */
export async function createInSuite(
  source: SimulationSource,
  options: SimulationOptions,
  place: Place,
): Promise<Simulation> {
  environment ??= readEnvironment()
  return createSimulationIn({ environment, place }, source, options)
}
