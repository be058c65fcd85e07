import type { TestInfo, WorkerInfo } from '@playwright/test'
import { createSimulationIn } from '../fixture/create/create-simulation.ts'
import { DEFAULT_TIMEOUT_MS, type SimulationOptions } from '../fixture/create/options.ts'
import type { SimulationSource } from '../fixture/create/source.ts'
import { type Environment, readEnvironment } from '../fixture/run/environment.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { attachReport } from './attach-report.ts'
import { withSteps } from './with-steps.ts'

/** What the fixtures of one simulation are made from: fixed, or taken from Playwright's options. */
export type SimulationFixtureSettings =
  | { as: string; source: SimulationSource; options: SimulationOptions; fromOptions?: false }
  | { as: string; fromOptions: true }

/** A simulation of this worker, from when a test first asked for it. */
interface Live {
  simulation: Simulation
  options: SimulationOptions
  hasFailed: boolean
}

const SPARE_MS = 5_000

let environment: Environment | undefined

/**
 * Two fixtures: the simulation itself, one for each worker and made when a test first asks for it; and one that every test
 * has, which tells the simulation that a test begins and attaches a report when it fails. Playwright reads the pattern of
 * their first argument, so it is destructured literally.
 */
export function simulationFixtures(settings: SimulationFixtureSettings): Record<string, unknown> {
  const worker: { live?: Live | undefined; running?: TestInfo | undefined } = {}

  const provide = async (
    source: SimulationSource,
    options: SimulationOptions,
    use: (simulation: Simulation) => Promise<void>,
    { project }: WorkerInfo,
  ) => {
    environment ??= readEnvironment()
    const place = { file: project.name === '' ? 'playwright' : `playwright ${project.name}` }
    const simulation = await createSimulationIn({ environment, place }, source, options)
    worker.live = { simulation, options, hasFailed: false }
    try {
      // Playwright makes the fixture of a worker after those that every test has.
      if (worker.running) await simulation.beginTest(worker.running.timeout)
      await use(withSteps(settings.as, simulation))
    } finally {
      const { hasFailed } = worker.live
      worker.live = undefined
      if (options.keep === 'on-failure' && hasFailed) await simulation.keep()
      else await simulation.delete()
    }
  }

  const aroundTest = async (use: () => Promise<void>, testInfo: TestInfo) => {
    worker.running = testInfo
    if (worker.live) await beginTest(worker.live, testInfo.timeout)
    await use()
    worker.running = undefined
    const { live } = worker
    if (!live) return
    if (testInfo.status === testInfo.expectedStatus) return
    live.hasFailed = true
    await attachReport(settings.as, live.simulation, testInfo)
  }

  // Creation has a limit of its own; where it is known only to the worker, Playwright's must not come before it.
  const timeout = settings.fromOptions ? 0 : (settings.options.timeoutMs ?? DEFAULT_TIMEOUT_MS) + SPARE_MS
  const workerFixture = settings.fromOptions
    ? async (
        {
          simulationSource,
          simulationOptions,
        }: { simulationSource: SimulationSource; simulationOptions: SimulationOptions },
        use: (simulation: Simulation) => Promise<void>,
        workerInfo: WorkerInfo,
      ) => provide(simulationSource, simulationOptions, use, workerInfo)
    : // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
      async ({}, use: (simulation: Simulation) => Promise<void>, workerInfo: WorkerInfo) =>
        provide(settings.source, settings.options, use, workerInfo)

  return {
    ...(settings.fromOptions
      ? {
          simulationSource: ['task-tracker', { scope: 'worker', option: true }],
          simulationOptions: [{}, { scope: 'worker', option: true }],
        }
      : {}),
    [settings.as]: [workerFixture, { scope: 'worker', timeout, title: `simulation "${settings.as}"` }],
    [`_backlot_${settings.as}`]: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
      async ({}, use: () => Promise<void>, testInfo: TestInfo) => aroundTest(use, testInfo),
      { auto: true, timeout, box: true },
    ],
  }
}

async function beginTest(live: Live, timeoutMs: number): Promise<void> {
  if (live.options.isolation === 'test') await live.simulation.restart(timeoutMs)
  else await live.simulation.beginTest(timeoutMs)
}
