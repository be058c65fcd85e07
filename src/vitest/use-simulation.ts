import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ApiTypes } from '../fixture/api-types.ts'
import { runAt } from '../fixture/call-site.ts'
import type { LazyHandle } from '../fixture/lazy-handle.ts'
import { createLazyHandle } from '../fixture/lazy-handle.ts'
import { DEFAULT_TIMEOUT_MS, type SimulationOptions } from '../fixture/options.ts'
import type { Place } from '../fixture/run-name.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { SimulationError } from '../fixture/simulation-error.ts'
import { labelOf, type SimulationSource } from '../fixture/source.ts'
import { createInSuite, environmentOfSuite } from './create-in-suite.ts'
import { reportFailure } from './report-failure.ts'

/** Time that a hook has beside what creation and deletion may take, in milliseconds. */
const SPARE_MS = 5_000

/** The hooks behind `useSimulation`. Errors of the hooks point at the call, as `atCallSite` makes them. */
export function useSimulationHooks<A extends ApiTypes>(
  source: SimulationSource,
  options: SimulationOptions,
  atCallSite: <E extends Error>(error: E) => E,
): Simulation<A> {
  const label = labelOf(source)
  const lazy = createLazyHandle(label)
  const timeoutMs = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) + SPARE_MS
  const suite = new SuiteSimulation(source, options, lazy)

  // Vitest reads the pattern of the first argument, so it must be destructured even where nothing is taken from it.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  beforeAll(async ({}, task) => runAt(atCallSite, () => suite.create(placeOf(task))), timeoutMs)
  beforeEach(async ({ task, onTestFailed }) => {
    await runAt(atCallSite, () => suite.beginTest(label, task.concurrent === true, task.timeout))
    onTestFailed(async ({ task: failed }) => suite.onTestFailed(failed))
  }, timeoutMs)
  afterAll(async () => suite.delete(), timeoutMs)
  return lazy.handle as Simulation<ApiTypes> as Simulation<A>
}

/** One simulation over the life of a file or describe. */
class SuiteSimulation {
  readonly #source: SimulationSource
  readonly #options: SimulationOptions
  readonly #lazy: LazyHandle
  #creation: Promise<Simulation> | undefined
  #isFirst = true
  #hasFailed = false

  constructor(source: SimulationSource, options: SimulationOptions, lazy: LazyHandle) {
    this.#source = source
    this.#options = options
    this.#lazy = lazy
  }

  async create(place: Place): Promise<void> {
    this.#creation = createInSuite(this.#source, this.#options, place)
    this.#lazy.set(await this.#creation)
  }

  async beginTest(label: string, isConcurrent: boolean, timeoutMs: number): Promise<void> {
    const simulation = this.#lazy.get()
    if (!simulation) return
    if (this.#options.isolation === 'test') {
      if (isConcurrent) throw concurrentError(label)
      if (!this.#isFirst) await simulation.restart(timeoutMs)
    } else if (!isConcurrent) {
      await simulation.beginTest(timeoutMs)
    }
    this.#isFirst = false
  }

  async onTestFailed(task: Parameters<typeof reportFailure>[1]): Promise<void> {
    this.#hasFailed = true
    const simulation = this.#lazy.get()
    if (simulation) await reportFailure(simulation, task, environmentOfSuite().reportsFolder)
  }

  /** Also deletes what a creation that ran into its hook's time limit has made since. */
  async delete(): Promise<void> {
    const simulation = await this.#creation?.catch(() => undefined)
    this.#lazy.set(undefined)
    if (this.#options.keep === 'on-failure' && this.#hasFailed) await simulation?.keep()
    else await simulation?.delete()
  }
}

const concurrentError = (label: string): SimulationError =>
  new SimulationError(
    `Failed to put simulation "${label}" back for this test: isolation 'test' cannot work for tests that run at the same time. Use isolation 'suite', or run these tests in sequence.`,
  )

/** The part of Vitest's suite that tells where it is. */
interface SuiteLike {
  name: string
  file?: { name: string }
  suite?: SuiteLike | undefined
}

function placeOf(suite: SuiteLike): Place {
  const describes: string[] = []
  const file = suite.file?.name
  for (let at: SuiteLike | undefined = suite; at && at.name !== file; at = at.suite) describes.unshift(at.name)
  return { file, describes: describes.filter((name) => name !== '') }
}
