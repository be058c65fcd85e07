import { inject } from 'vitest'
import type { AnyApi, ApiTypes } from '../fixture/api-types.ts'
import { createSimulationIn } from '../fixture/create/create-simulation.ts'
import type { SimulationOptions } from '../fixture/create/options.ts'
import type { SimulationSource } from '../fixture/create/source.ts'
import { type Environment, readEnvironment } from '../fixture/run/environment.ts'
import type { Place } from '../fixture/run/run-name.ts'
import type { Simulation } from '../fixture/simulation.ts'
import type { ProvidedRun } from './setup.ts'

let environment: Environment | undefined

/** Creates a simulation for a suite of this worker, on the run's shared service where there is one. */
export async function createInSuite<A extends ApiTypes = AnyApi>(
  source: SimulationSource,
  options: SimulationOptions,
  place: Place,
): Promise<Simulation<A>> {
  return createSimulationIn<A>({ environment: environmentOfSuite(), place }, source, options)
}

/** The environment of this worker, read once, in its run. */
export function environmentOfSuite(): Environment {
  environment ??= environmentOfRun(inject('backlot') as ProvidedRun | undefined)
  return environment
}

function environmentOfRun(run: ProvidedRun | undefined): Environment {
  const own = readEnvironment()
  if (!run) return own
  return { ...own, service: run.service ?? own.service, run: { ...own.run, id: run.runId } }
}
