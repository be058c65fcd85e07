import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ApiTypes } from '../fixture/api-types.ts'
import { DEFAULT_TIMEOUT_MS, type SimulationOptions } from '../fixture/create/options.ts'
import { labelOf, type SimulationSource } from '../fixture/create/source.ts'
import { runAt } from '../fixture/expect/call-site.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { createLazyHandle } from './lazy-handle.ts'
import { placeOf } from './place-of.ts'
import { SuiteSimulation } from './suite-simulation.ts'

/** Time that a hook has beside what creation and deletion may take, in milliseconds. */
const SPARE_MS = 5_000

/** The hooks behind `useSimulation`. Errors of the hooks point at the call, as `atCallSite` makes them. */
export function useSimulationHooks<A extends ApiTypes>(
  source: SimulationSource,
  options: SimulationOptions,
  atCallSite: <E extends Error>(error: E) => E,
): Simulation<A> {
  const lazy = createLazyHandle(labelOf(source))
  const timeoutMs = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) + SPARE_MS
  const suite = new SuiteSimulation(source, options)

  // Vitest reads the pattern of the first argument, so it must be destructured even where nothing is taken from it.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  beforeAll(async ({}, task) => lazy.set(await runAt(atCallSite, () => suite.create(placeOf(task)))), timeoutMs)
  beforeEach(async ({ task, onTestFailed }) => {
    await runAt(atCallSite, () => suite.beginTest(task))
    onTestFailed(async ({ task: failed }) => suite.onTestFailed(failed))
  }, timeoutMs)
  afterAll(async () => {
    lazy.set(undefined)
    await suite.delete()
  }, timeoutMs)
  return lazy.handle as Simulation<ApiTypes> as Simulation<A>
}
