import { expect, type TestAPI, test } from 'vitest'
import type { AnyApi, ApiTypes } from '../fixture/api-types.ts'
import { captureCallSite, runAt } from '../fixture/call-site.ts'
import type { SimulationOptions } from '../fixture/options.ts'
import type { Simulation } from '../fixture/simulation.ts'
import type { SimulationSource } from '../fixture/source.ts'
import { createInSuite } from './create-in-suite.ts'

/** What Vitest hands to a fixture function beside its context. */
interface FixtureTools {
  onCleanup: (cleanup: () => Promise<void>) => void
}

/** A fixture function for `test.extend`. */
export type SimulationFixture<A extends ApiTypes = AnyApi> = (
  context: object,
  tools: FixtureTools,
) => Promise<Simulation<A>>

/**
 * A simulation as a fixture of Vitest's `test.extend`, under a name of your own.
 *
 * @example
 * const it = test.extend('crm', { scope: 'file' }, simulation('crm'))
 *
 * it('has contacts', async ({ crm }) => {
 *   expect((await crm.fetch('/contacts')).status).toBe(200)
 * })
 */
export function simulation<A extends ApiTypes = AnyApi>(
  source: SimulationSource,
  options: SimulationOptions = {},
): SimulationFixture<A> {
  const atCallSite = captureCallSite(simulation)
  // Vitest reads the pattern of the first argument.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  return async ({}, { onCleanup }) => {
    const file = expect.getState().testPath?.split(/[\\/]/).at(-1)
    const created = await runAt(atCallSite, () => createInSuite<A>(source, options, { file }))
    onCleanup(() => created.delete())
    return created
  }
}

/**
 * Vitest's `test` with a fixture `simulation`, one for each file.
 *
 * @example
 * const it = simulationTest('task-tracker')
 *
 * it('has tasks', async ({ simulation }) => {
 *   expect(await simulation.records('tasks')).not.toHaveLength(0)
 * })
 */
export function simulationTest<A extends ApiTypes = AnyApi>(
  source: SimulationSource,
  options: SimulationOptions = {},
): TestAPI<{ simulation: Simulation<A> }> {
  return test.extend('simulation', { scope: 'file' }, simulation(source, options)) as unknown as TestAPI<{
    simulation: Simulation<A>
  }>
}
