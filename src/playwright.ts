/**
 * Simulations in Playwright tests.
 *
 * @module backlot/playwright
 */
import './runtime/needed-node.ts'
import {
  expect as baseExpect,
  test as baseTest,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { ApiOf, ApiTypes } from './fixture/api-types.ts'
import type { SimulationSource } from './fixture/create/source.ts'
import type { WithSimulation } from './fixture/create/suite-simulation.ts'
import { captureCallSite } from './fixture/expect/call-site.ts'
import type { SimulationOptions } from './fixture/options.ts'
import { type SimulationMatchers, simulationMatchers } from './fixture/simulation-matchers.ts'
import {
  fixturesAt,
  type PlaywrightSimulation,
  PlaywrightSuite,
  simulationFixtures,
  timeout,
} from './playwright/simulation-fixtures.ts'

/** Options of the ready-made `test`, for `use` in the configuration or `test.use`. */
export interface SimulationWorkerOptions {
  /** The source of the simulation. @default 'task-tracker' */
  simulationSource: SimulationSource
  /** The options of the simulation. @default {} */
  simulationOptions: SimulationOptions
}

type BaseTestArgs = PlaywrightTestArgs & PlaywrightTestOptions
type BaseWorkerArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions

/** The name and scope of a simulation, and the `test` that gets it. */
export interface ExtendedTestOptions<K extends string, TA extends object, WA extends object>
  extends PlaywrightSimulation<K> {
  /** @default Playwright's `test` */
  base?: TestType<TA, WA>
}

const ready = new PlaywrightSuite('simulation')

/**
 * Playwright's `test` with a fixture `simulation`: one simulation for each worker, made when a test first uses it,
 * deleted at the end. Choose the API with the option `simulationSource`.
 *
 * @example
 * test.use({ simulationSource: 'task-tracker' })
 *
 * test('shows new tasks', async ({ page, simulation }) => {
 *   await page.goto(`/?api=${simulation.url}&key=${simulation.key}`)
 *   await simulation.expectWebhook('task.created')
 * })
 */
export const test: TestType<BaseTestArgs, BaseWorkerArgs & WithSimulation<'simulation'> & SimulationWorkerOptions> =
  baseTest.extend<{ _backlot_simulation: undefined }, WithSimulation<'simulation'> & SimulationWorkerOptions>({
    simulationSource: ['task-tracker', { scope: 'worker', option: true }],
    simulationOptions: [{}, { scope: 'worker', option: true }],
    simulation: [
      ({ simulationSource, simulationOptions }, use, info) =>
        ready.provide(simulationSource, simulationOptions, use, info),
      { scope: 'worker', timeout, title: 'simulation "simulation"' },
    ],
    _backlot_simulation: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
      ({}, use, info) => ready.aroundTest(use, info),
      { auto: true, timeout, box: true },
    ],
  })

/** Playwright's `expect` with the matchers of this package. */
export const expect: Expect<SimulationMatchers> = baseExpect.extend(simulationMatchers)

/**
 * A `test` with a simulation of `source`: one for each worker, or with `scope: 'test'` one for each test. The name and
 * the base `test` can be your own.
 *
 * @example
 * const withCrm = simulationTest('crm', { as: 'crm' })
 * const test = simulationTest('payments', { as: 'payments', base: withCrm })
 *
 * @example With types from `backlot types`; your own name follows as a second type argument, since it is not inferred then.
 * const test = simulationTest<Crm, 'crm'>('crm', { as: 'crm' })
 */
export function simulationTest<
  const S extends SimulationSource,
  K extends string = 'simulation',
  TA extends object = BaseTestArgs,
  WA extends object = BaseWorkerArgs,
>(
  source: S,
  options: ExtendedTestOptions<K, TA, WA> & { scope: 'test' },
): TestType<TA & WithSimulation<K, ApiOf<never, S>>, WA>
export function simulationTest<
  const S extends SimulationSource,
  K extends string = 'simulation',
  TA extends object = BaseTestArgs,
  WA extends object = BaseWorkerArgs,
>(source: S, options?: ExtendedTestOptions<K, TA, WA>): TestType<TA, WA & WithSimulation<K, ApiOf<never, S>>>
export function simulationTest<
  A extends ApiTypes,
  K extends string = 'simulation',
  TA extends object = BaseTestArgs,
  WA extends object = BaseWorkerArgs,
>(
  source: SimulationSource,
  options: ExtendedTestOptions<K, TA, WA> & { scope: 'test' },
): TestType<TA & WithSimulation<K, A>, WA>
export function simulationTest<
  A extends ApiTypes,
  K extends string = 'simulation',
  TA extends object = BaseTestArgs,
  WA extends object = BaseWorkerArgs,
>(source: SimulationSource, options?: ExtendedTestOptions<K, TA, WA>): TestType<TA, WA & WithSimulation<K, A>>
export function simulationTest(
  source: SimulationSource,
  options: ExtendedTestOptions<string, object, object> = {},
): TestType<object, object> {
  const { base = baseTest, ...named } = options
  return base.extend(fixturesAt(captureCallSite(simulationTest), source, named))
}

export type { AnyApi, ApiTypes } from './fixture/api-types.ts'
export type { SimulationSource } from './fixture/create/source.ts'
export type { SimulationOptions } from './fixture/options.ts'
export type { ReceivedRequest } from './fixture/received-request.ts'
export type { Simulation } from './fixture/simulation.ts'
export type { Snapshot } from './fixture/simulation-time.ts'
export type { ReceivedWebhook } from './sink/received-webhook.ts'
export { type PlaywrightSimulation, simulationFixtures, type WithSimulation }
