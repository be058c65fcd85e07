/**
 * Simulations in Playwright tests.
 *
 * @module
 */
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
import type { AnyApi, ApiTypes } from './fixture/api-types.ts'
import type { SimulationOptions } from './fixture/create/options.ts'
import type { SimulationSource } from './fixture/create/source.ts'
import type { Simulation } from './fixture/simulation.ts'
import { simulationFixtures } from './playwright/simulation-fixtures.ts'
import { type SimulationMatchers, simulationMatchers } from './playwright/simulation-matchers.ts'

/** Options of the ready-made `test`, for `use` in the configuration or `test.use`. */
export interface SimulationWorkerOptions {
  /** What is simulated. @default 'task-tracker' */
  simulationSource: SimulationSource
  /** How. @default {} */
  simulationOptions: SimulationOptions
}

/** What a fixture of this package adds to a `TestType` under the name `K`. */
export type WithSimulation<K extends string, A extends ApiTypes = AnyApi> = { [Name in K]: Simulation<A> }

type BaseTestArgs = PlaywrightTestArgs & PlaywrightTestOptions
type BaseWorkerArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions

/**
 * Playwright's `test` with a fixture `simulation`: one simulation for each worker, made when a test first asks for it
 * and deleted at the end. Choose the API with the option `simulationSource`.
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
  baseTest.extend(simulationFixtures({ as: 'simulation', fromOptions: true }) as never) as never

/** Playwright's `expect` with the matchers of this package. */
export const expect: Expect<SimulationMatchers> = baseExpect.extend(simulationMatchers) as never

/**
 * A `test` with a simulation of `source`, under a name of your own and on top of a `test` of your own.
 *
 * @example
 * const withCrm = simulationTest('crm', { as: 'crm' })
 * const test = simulationTest('payments', { as: 'payments', base: withCrm })
 *
 * @example With the types that `backlot types` wrote; a name of your own comes after them, since it is not inferred then.
 * const test = simulationTest<Crm, 'crm'>('crm', { as: 'crm' })
 */
export function simulationTest<
  K extends string = 'simulation',
  TA extends object = BaseTestArgs,
  WA extends object = BaseWorkerArgs,
>(
  source: SimulationSource,
  options?: SimulationOptions & { as?: K; base?: TestType<TA, WA> },
): TestType<TA, WA & WithSimulation<K>>
export function simulationTest<
  A extends ApiTypes,
  K extends string = 'simulation',
  TA extends object = BaseTestArgs,
  WA extends object = BaseWorkerArgs,
>(
  source: SimulationSource,
  options?: SimulationOptions & { as?: K; base?: TestType<TA, WA> },
): TestType<TA, WA & WithSimulation<K, A>>
export function simulationTest(
  source: SimulationSource,
  options: SimulationOptions & { as?: string; base?: TestType<object, object> } = {},
): TestType<object, object> {
  const { as, base, ...rest } = options
  const fixtures = simulationFixtures({ as: as ?? 'simulation', source, options: rest })
  return (base ?? baseTest).extend(fixtures as never) as never
}

/**
 * The fixtures of {@link simulationTest} as an object for `test.extend`.
 *
 * @example
 * const test = base.extend<{}, { crm: Simulation }>(useSimulation('crm', { as: 'crm' }))
 */
export function useSimulation<K extends string = 'simulation'>(
  source: SimulationSource,
  options: SimulationOptions & { as?: K } = {},
): Record<K, [never, { scope: 'worker' }]> {
  const { as, ...rest } = options
  return simulationFixtures({ as: as ?? 'simulation', source, options: rest }) as never
}

export type { AnyApi, ApiTypes } from './fixture/api-types.ts'
export type { SimulationOptions } from './fixture/create/options.ts'
export type { SimulationSource } from './fixture/create/source.ts'
export type { Simulation } from './fixture/simulation.ts'
export type { Snapshot } from './fixture/simulation-parts.ts'
export type { ReceivedWebhook } from './sink/received-webhook.ts'
