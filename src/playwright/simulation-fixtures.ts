import { writeFile } from 'node:fs/promises'
import type { Fixtures, TestInfo, WorkerInfo } from '@playwright/test'
import type { SimulationSource } from '../fixture/create/source.ts'
import {
  holdFailedTest,
  holdsFailedTest,
  type NamedSimulation,
  SuiteSimulation,
  type WithSimulation,
} from '../fixture/create/suite-simulation.ts'
import { type AtCallSite, captureCallSite, runAt } from '../fixture/expect/call-site.ts'
import { checkChoice } from '../fixture/known-keys.ts'
import type { SimulationOptions } from '../fixture/options.ts'
import { toReportJson, toReportText } from '../fixture/report/report.ts'
import { toReportHtml } from '../fixture/report/report-html.ts'
import type { TestPlace } from '../fixture/run/run-name.ts'
import { thisProcess } from '../fixture/run/test-process.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { withSteps } from './with-steps.ts'

/** Passes a fixture to its users, and resolves when they have ended. */
type Use<T> = (fixture: T) => Promise<void>

/** Creation and deletion have limits of their own. Playwright would abandon a simulation whose limit has passed. */
export const timeout = 0

/** The name and the scope of a simulation in Playwright's tests. */
export interface PlaywrightSimulation<K extends string> extends NamedSimulation<K> {
  /** One simulation for each worker, or one for each test that uses it. @default 'worker' */
  scope?: 'worker' | 'test' | undefined
}

/** A named simulation, for Playwright's fixtures. */
export class PlaywrightSuite {
  readonly as: string
  readonly #suite = new SuiteSimulation()
  readonly #atCallSite: AtCallSite
  #options: SimulationOptions = {}

  /** @param atCallSite of the function that makes the fixture */
  constructor(as: string, atCallSite: AtCallSite = (error) => error) {
    this.as = as
    this.#atCallSite = atCallSite
  }

  /** Made when a test first uses it, deleted when the worker ends. */
  async provide(
    source: SimulationSource,
    options: SimulationOptions,
    use: Use<Simulation>,
    { project }: WorkerInfo,
  ): Promise<void> {
    await this.#use(source, options, { file: project.name === '' ? 'playwright' : `playwright ${project.name}` }, use)
  }

  /** Made for a test, deleted when it ends. */
  async provideForTest(
    source: SimulationSource,
    options: SimulationOptions,
    use: Use<Simulation>,
    testInfo: TestInfo,
  ): Promise<void> {
    const [file, ...describes] = testInfo.titlePath
    await this.#suite.beginTest({ timeoutMs: testInfo.timeout })
    await this.#use(source, options, { file, describes }, async (simulation) => {
      await use(simulation)
      await this.#endTest(testInfo)
    })
  }

  /** Runs around every test, whether it uses the simulation or not. */
  async aroundTest(use: Use<undefined>, testInfo: TestInfo): Promise<void> {
    await this.#suite.beginTest({ timeoutMs: testInfo.timeout })
    await use(undefined)
    await this.#endTest(testInfo)
  }

  async #use(
    source: SimulationSource,
    options: SimulationOptions,
    place: TestPlace,
    use: Use<Simulation>,
  ): Promise<void> {
    this.#options = options
    const context = { process: thisProcess, environment: thisProcess.environment, place }
    const simulation = await runAt(this.#atCallSite, () => this.#suite.create(context, source, options, false))
    try {
      await use(withSteps(this.as, simulation))
    } finally {
      await this.#suite.end()
    }
  }

  async #endTest(testInfo: TestInfo): Promise<void> {
    const hasFailed = testInfo.status !== 'passed'
    const unmet = await this.#suite.endTest({ hasFailed }).catch((error: Error) => error)
    if (testInfo.status === testInfo.expectedStatus && !unmet) return
    const simulation = this.#suite.fail()
    if (simulation) await attachReport(this.as, simulation, testInfo)
    if (simulation && holdsFailedTest(this.#options, thisProcess.environment)) {
      testInfo.setTimeout(0)
      await holdFailedTest(simulation, testInfo.titlePath, testInfo.error?.message ?? unmet?.message)
    }
    if (unmet) throw unmet
  }
}

/**
 * The fixtures of {@link simulationTest} as an object for `test.extend`: the simulation, made when a test first uses
 * it, one for each worker, or with `scope: 'test'` one for each test. The scope `worker` adds a fixture around every
 * test, so that the simulation knows when a test begins and fails.
 *
 * @example
 * const test = base.extend<{}, { crm: Simulation }>(simulationFixtures('crm', { as: 'crm' }))
 */
export function simulationFixtures<K extends string = 'simulation'>(
  source: SimulationSource,
  options: PlaywrightSimulation<K> & { scope: 'test' },
): Fixtures<WithSimulation<K>>
export function simulationFixtures<K extends string = 'simulation'>(
  source: SimulationSource,
  options?: PlaywrightSimulation<K>,
): Fixtures<object, WithSimulation<K>>
export function simulationFixtures(source: SimulationSource, options: PlaywrightSimulation<string> = {}): object {
  return fixturesAt(captureCallSite(simulationFixtures), source, options)
}

/** The fixtures, whose failures point at the call site. */
export function fixturesAt(
  atCallSite: AtCallSite,
  source: SimulationSource,
  { as = 'simulation', scope = 'worker', ...options }: PlaywrightSimulation<string>,
): object {
  checkChoice(scope, 'scope', ['worker', 'test'])
  const title = `simulation "${as}"`
  // Playwright reads the pattern of a fixture's first argument, so it is destructured literally.
  if (scope === 'test') {
    return {
      [as]: [
        // biome-ignore lint/correctness/noEmptyPattern: see above
        ({}, use: Use<Simulation>, info: TestInfo) =>
          new PlaywrightSuite(as, atCallSite).provideForTest(source, options, use, info),
        { scope, timeout, title },
      ],
    }
  }
  const suite = new PlaywrightSuite(as, atCallSite)
  return {
    [as]: [
      // biome-ignore lint/correctness/noEmptyPattern: see above
      ({}, use: Use<Simulation>, info: WorkerInfo) => suite.provide(source, options, use, info),
      { scope, timeout, title },
    ],
    [`_backlot_${as}`]: [
      // biome-ignore lint/correctness/noEmptyPattern: see above
      ({}, use: Use<undefined>, info: TestInfo) => suite.aroundTest(use, info),
      { auto: true, timeout, box: true },
    ],
  }
}

/** Playwright's list reporter prints this much of an attachment. */
const PRINTED_CHARACTERS = 300

/** Attaches a simulation's activity to a failed test: texts that reporters print, all of it as JSON, and its page. */
async function attachReport(as: string, simulation: Simulation, testInfo: TestInfo): Promise<void> {
  const report = await simulation.report()
  const message = testInfo.error?.message
  for (const [at, body] of toPages(toReportText(report, message), PRINTED_CHARACTERS).entries()) {
    await testInfo.attach(at === 0 ? `${as}.txt` : `${as}-${at + 1}.txt`, { body, contentType: 'text/plain' })
  }
  await testInfo.attach(`${as}.json`, { body: toReportJson(report), contentType: 'application/json' })
  // By its path: reporters print the body of any text attachment.
  const path = testInfo.outputPath(`${as}.html`)
  await writeFile(path, await toReportHtml(report, testInfo.titlePath.join(' › '), message))
  await testInfo.attach(`${as}.html`, { path, contentType: 'text/html' })
}

/** Splits a text into pages of whole lines with at most `most` characters. A longer line is split between words. */
function toPages(text: string, most: number): string[] {
  const words = new RegExp(`.{1,${most}}(?= |$)|.{1,${most}}`, 'gu')
  const pages: string[] = []
  for (const line of text.split('\n').flatMap((whole) => (whole.length > most ? (whole.match(words) ?? []) : whole))) {
    const page = pages.at(-1)
    if (page === undefined || page.length + 1 + line.length > most) pages.push(line)
    else pages[pages.length - 1] = `${page}\n${line}`
  }
  return pages
}
