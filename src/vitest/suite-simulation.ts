import type { AnyApi, ApiTypes } from '../fixture/api-types.ts'
import type { SimulationOptions } from '../fixture/create/options.ts'
import { labelOf, type SimulationSource } from '../fixture/create/source.ts'
import type { Place } from '../fixture/run/run-name.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { SimulationError } from '../fixture/simulation-error.ts'
import { startStopwatch } from '../fixture/stopwatch.ts'
import { createInSuite, environmentOfSuite } from './create-in-suite.ts'
import { type FailedTask, reportFailure } from './report-failure.ts'

/** The part of Vitest's test that tells how it runs. */
interface RunningTask {
  concurrent?: boolean | undefined
  /** Time limit, milliseconds. */
  timeout: number
}

/** One simulation over the life of a file or describe. */
export class SuiteSimulation<A extends ApiTypes = AnyApi> {
  readonly #source: SimulationSource
  readonly #options: SimulationOptions
  #creation: Promise<Simulation<A>> | undefined
  #simulation: Simulation<A> | undefined
  /** The test that runs, and for how long it has. */
  #running: { task: RunningTask; goneMs: () => number } | undefined
  #hasFailed = false

  constructor(source: SimulationSource, options: SimulationOptions) {
    this.#source = source
    this.#options = options
  }

  /** Also in the middle of a test: a fixture is made when it is first asked for. */
  async create(place: Place): Promise<Simulation<A>> {
    this.#hasFailed = false
    this.#creation = createInSuite<A>(this.#source, this.#options, place)
    const simulation = await this.#creation
    this.#simulation = simulation
    if (this.#running && !this.#running.task.concurrent) {
      const { task, goneMs } = this.#running
      await simulation.beginTest(task.timeout, goneMs())
    }
    return simulation
  }

  async beginTest(task: RunningTask): Promise<void> {
    this.#running = { task, goneMs: startStopwatch() }
    const simulation = this.#simulation
    if (this.#options.isolation === 'test') {
      if (task.concurrent) throw concurrentError(labelOf(this.#source))
      await simulation?.restart(task.timeout)
    } else if (!task.concurrent) {
      await simulation?.beginTest(task.timeout)
    }
  }

  async onTestFailed(task: FailedTask): Promise<void> {
    this.#hasFailed = true
    if (this.#simulation) await reportFailure(this.#simulation, task, environmentOfSuite().reportsFolder)
  }

  /** Also deletes what a creation that ran into its hook's time limit has made since. */
  async delete(): Promise<void> {
    const simulation = await this.#creation?.catch(() => undefined)
    this.#simulation = undefined
    this.#running = undefined
    if (this.#options.keep === 'on-failure' && this.#hasFailed) await simulation?.keep()
    else await simulation?.delete()
  }
}

const concurrentError = (label: string): SimulationError =>
  new SimulationError(
    `Failed to put simulation "${label}" back for this test: isolation 'test' cannot work for tests that run at the same time. Use isolation 'suite', or run these tests in sequence.`,
  )
