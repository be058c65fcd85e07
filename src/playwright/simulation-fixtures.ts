import { writeFile } from 'node:fs/promises'
import type { Fixtures, TestInfo, WorkerInfo } from '@playwright/test'
import { DEFAULT_TIMEOUT_MS, type SimulationOptions } from '../fixture/create/options.ts'
import type { SimulationSource } from '../fixture/create/source.ts'
import { toReportText } from '../fixture/report/report.ts'
import { toTimelineHtml } from '../fixture/report/timeline.ts'
import { type NamedSimulation, SuiteSimulation, type WithSimulation } from '../fixture/run/suite-simulation.ts'
import { thisProcess } from '../fixture/run/test-process.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { withSteps } from './with-steps.ts'

/** Hands a fixture to those that ask for it, and resolves when they have ended. */
type Use<T> = (fixture: T) => Promise<void>

/** Time that fixtures have in addition to what creation and deletion may take, in milliseconds. */
const SPARE_MS = 5_000

/** The simulation of a worker under its name, as Playwright's fixtures call it. */
export class WorkerSimulation {
  readonly as: string
  readonly #suite = new SuiteSimulation()

  constructor(as: string) {
    this.as = as
  }

  /** Made when a test first asks for it, deleted when the worker ends. */
  async provide(
    source: SimulationSource,
    options: SimulationOptions,
    use: Use<Simulation>,
    { project }: WorkerInfo,
  ): Promise<void> {
    const place = { file: project.name === '' ? 'playwright' : `playwright ${project.name}` }
    const context = { process: thisProcess, environment: thisProcess.environment, place }
    const simulation = await this.#suite.create(context, source, options, false)
    try {
      await use(withSteps(this.as, simulation))
    } finally {
      await this.#suite.end()
    }
  }

  /** Goes around every test, whether it asks for the simulation or not. */
  async aroundTest(use: Use<undefined>, testInfo: TestInfo): Promise<void> {
    await this.#suite.beginTest({ timeoutMs: testInfo.timeout })
    await use(undefined)
    this.#suite.endTest()
    if (testInfo.status === testInfo.expectedStatus) return
    const simulation = this.#suite.fail()
    if (simulation) await attachReport(this.as, simulation, testInfo)
  }
}

/**
 * The fixtures of {@link simulationTest} as an object for `test.extend`: the simulation, one for each worker and made when a
 * test first asks for it; and one that goes around every test, so that the simulation knows when a test begins and fails.
 *
 * @example
 * const test = base.extend<{}, { crm: Simulation }>(simulationFixtures('crm', { as: 'crm' }))
 */
export function simulationFixtures<K extends string = 'simulation'>(
  source: SimulationSource,
  options?: NamedSimulation<K>,
): Fixtures<object, WithSimulation<K>>
export function simulationFixtures(
  source: SimulationSource,
  { as = 'simulation', ...options }: NamedSimulation<string> = {},
): object {
  const worker = new WorkerSimulation(as)
  const timeout = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) + SPARE_MS
  return {
    // Playwright reads the pattern of a fixture's first argument, so it is destructured literally.
    [as]: [
      // biome-ignore lint/correctness/noEmptyPattern: see above
      ({}, use: Use<Simulation>, info: WorkerInfo) => worker.provide(source, options, use, info),
      { scope: 'worker', timeout, title: `simulation "${as}"` },
    ],
    [`_backlot_${as}`]: [
      // biome-ignore lint/correctness/noEmptyPattern: see above
      ({}, use: Use<undefined>, info: TestInfo) => worker.aroundTest(use, info),
      { auto: true, timeout, box: true },
    ],
  }
}

/** Attaches what a simulation saw to a failed test: a text that reporters print, all of it as JSON, and a picture. */
async function attachReport(as: string, simulation: Simulation, testInfo: TestInfo): Promise<void> {
  const report = await simulation.report()
  const message = testInfo.error?.message
  await testInfo.attach(`${as}.txt`, { body: toReportText(report, message), contentType: 'text/plain' })
  await testInfo.attach(`${as}.json`, { body: JSON.stringify(report, null, 2), contentType: 'application/json' })
  // By its path: reporters print the body of any text.
  const path = testInfo.outputPath(`${as}.html`)
  await writeFile(path, toTimelineHtml(report, testInfo.titlePath.join(' › '), message))
  await testInfo.attach(`${as}.html`, { path, contentType: 'text/html' })
}
