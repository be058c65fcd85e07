import { expect, type TestAPI, type TestContext, test } from 'vitest'
import type { ApiOf, ApiTypes } from '../fixture/api-types.ts'
import type { SimulationSource } from '../fixture/create/source.ts'
import type { NamedSimulation, WithSimulation } from '../fixture/create/suite-simulation.ts'
import { captureCallSite, runAt } from '../fixture/expect/call-site.ts'
import { VitestSuite } from './suite.ts'
import './this-vitest.ts'

/** The name of the fixture, and the `test` that gets it. */
export interface SimulationTestOptions<K extends string, Context> extends NamedSimulation<K> {
  /** @default Vitest's `test` */
  base?: TestAPI<Context> | undefined
}

/** The second argument of Vitest's fixture functions. */
interface FixtureTools {
  onCleanup: (cleanup: () => Promise<void>) => void
}

/**
 * Vitest's `test` with a simulation of `source` as a fixture, one for each file, made when a test first uses it. The
 * name and the base `test` can be your own.
 *
 * @example
 * const it = simulationTest('task-tracker', { as: 'tasks' })
 *
 * it('has tasks', async ({ tasks }) => {
 *   expect(await tasks.records('tasks')).not.toHaveLength(0)
 * })
 *
 * @example With types from `backlot types`; your own name follows as a second type argument, since it is not inferred then.
 * const it = simulationTest<Crm, 'crm'>('crm', { as: 'crm' })
 */
export function simulationTest<const S extends SimulationSource, K extends string = 'simulation', Context = object>(
  source: S,
  options?: SimulationTestOptions<K, Context>,
): TestAPI<Context & WithSimulation<K, ApiOf<never, S>>>
export function simulationTest<A extends ApiTypes, K extends string = 'simulation', Context = object>(
  source: SimulationSource,
  options?: SimulationTestOptions<K, Context>,
): TestAPI<Context & WithSimulation<K, A>>
export function simulationTest(
  source: SimulationSource,
  { as = 'simulation', base = test, ...options }: SimulationTestOptions<string, object> = {},
): object {
  const atCallSite = captureCallSite(simulationTest)
  const suite = new VitestSuite(source, options)
  const aroundTest = async ({ task, onTestFailed }: TestContext, { onCleanup }: FixtureTools) => {
    onCleanup(() => suite.endTest(task))
    onTestFailed(async ({ task: failed }) => suite.onTestFailed(failed), suite.reportTimeoutMs)
    await suite.beginTest(task)
  }
  // Vitest reads the pattern of the first argument.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  const create = async ({}: object, { onCleanup }: FixtureTools) => {
    onCleanup(() => suite.end())
    const file = expect.getState().testPath?.split(/[\\/]/).at(-1)
    return runAt(atCallSite, () => suite.create({ file }))
  }
  // The overloads state the type: a name known only at run time has none.
  return base.extend(`_backlot_${as}`, { auto: true }, aroundTest).extend(as, { scope: 'file' }, create)
}
