import { expect, type TestAPI, type TestContext, test } from 'vitest'
import type { AnyApi, ApiTypes } from '../fixture/api-types.ts'
import { checkTestOptions, type SimulationOptions } from '../fixture/create/options.ts'
import type { SimulationSource } from '../fixture/create/source.ts'
import { captureCallSite, runAt } from '../fixture/expect/call-site.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { SuiteSimulation } from './suite-simulation.ts'

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
 * A simulation as a fixture of Vitest's `test.extend`, under a name of your own. It is not told when a test begins or fails:
 * {@link simulationTest} and `useSimulation` are, and offer `isolation`, `keep` and the report of a failed test.
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
  checkTestOptions(options, 'simulation()', '`useSimulation` or `simulationTest`')
  return fixtureOf(new SuiteSimulation<A>(source, options), captureCallSite(simulation))
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
  const suite = new SuiteSimulation<A>(source, options)
  const aroundTest = async ({ task, onTestFailed }: TestContext) => {
    onTestFailed(async ({ task: failed }) => suite.onTestFailed(failed))
    await suite.beginTest(task)
  }
  return test
    .extend('_backlot', { auto: true }, aroundTest)
    .extend('simulation', { scope: 'file' }, fixtureOf(suite, captureCallSite(simulationTest))) as unknown as TestAPI<{
    simulation: Simulation<A>
  }>
}

function fixtureOf<A extends ApiTypes>(
  suite: SuiteSimulation<A>,
  atCallSite: <E extends Error>(error: E) => E,
): SimulationFixture<A> {
  // Vitest reads the pattern of the first argument.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  return async ({}, { onCleanup }) => {
    onCleanup(() => suite.delete())
    const file = expect.getState().testPath?.split(/[\\/]/).at(-1)
    return runAt(atCallSite, () => suite.create({ file }))
  }
}
