import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { inject } from 'vitest'
import type { AnyApi, ApiTypes } from '../fixture/api-types.ts'
import type { SimulationSource } from '../fixture/create/source.ts'
import { holdFailedTest, holdsFailedTest, SuiteSimulation } from '../fixture/create/suite-simulation.ts'
import type { SimulationOptions } from '../fixture/options.ts'
import { type SimulationReport, toReportJson, toReportText } from '../fixture/report/report.ts'
import { toReportHtml } from '../fixture/report/report-html.ts'
import type { Environment } from '../fixture/run/environment.ts'
import type { TestPlace } from '../fixture/run/run-name.ts'
import { thisProcess } from '../fixture/run/test-process.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { hashText } from '../runtime/random.ts'
import type { ProvidedRun } from './setup.ts'

/** The parts of Vitest's suite or test that give its place. */
interface TaskLike {
  name: string
  file?: { name: string }
  suite?: TaskLike | undefined
}

/** The parts of Vitest's test that give its time limit and state. */
interface RunningTask {
  concurrent?: boolean | undefined
  /** Time limit, milliseconds. */
  timeout: number
}

/** The parts of Vitest's test that hold a report. */
interface FailedTask {
  result?: { state?: string; errors?: { message: string; stack?: string | undefined }[] | undefined } | undefined
  meta: object
}

/** The simulation of a file or a `describe`, for Vitest's hooks and fixtures. */
export class VitestSuite<A extends ApiTypes = AnyApi> {
  readonly #source: SimulationSource
  readonly #options: SimulationOptions
  readonly #suite = new SuiteSimulation<A>()

  constructor(source: SimulationSource, options: SimulationOptions) {
    this.#source = source
    this.#options = options
  }

  /** Creates it on the run's shared service, if there is one. */
  create(place: TestPlace): Promise<Simulation<A>> {
    const context = { process: thisProcess, environment: environmentOfRun(), place }
    return this.#suite.create(context, this.#source, this.#options, true)
  }

  beginTest({ concurrent, timeout }: RunningTask): Promise<void> {
    return this.#suite.beginTest({ timeoutMs: timeout, isConcurrent: concurrent })
  }

  endTest({ result }: FailedTask): Promise<void> {
    return this.#suite.endTest({ hasFailed: result?.state === 'fail' })
  }

  async onTestFailed(task: FailedTask & TaskLike): Promise<void> {
    const simulation = this.#suite.fail()
    if (!simulation) return
    const { file, describes } = placeOf(task)
    const titles = [file, ...describes]
    const message = task.result?.errors?.at(-1)?.message
    await reportFailure(simulation, task, titles, thisProcess.environment.reportsFolder)
    if (this.#holdsFailed) await holdFailedTest(simulation, titles, message)
  }

  /** Time limit of {@link onTestFailed}, in milliseconds: none when the test is held for a person. @default Vitest's own */
  get reportTimeoutMs(): number | undefined {
    return this.#holdsFailed ? 0 : undefined
  }

  get #holdsFailed(): boolean {
    return holdsFailedTest(this.#options, thisProcess.environment)
  }

  end(): Promise<void> {
    return this.#suite.end()
  }
}

/** The place of a suite or a test. */
export function placeOf(task: TaskLike): { file: string; describes: string[] } {
  const describes: string[] = []
  const file = task.file?.name
  for (let at: TaskLike | undefined = task; at && at.name !== file; at = at.suite) describes.unshift(at.name)
  return { file: file ?? '', describes: describes.filter((name) => name !== '') }
}

/** The environment of this worker, within the run of the global setup. */
function environmentOfRun(): Environment {
  const own = thisProcess.environment
  const run: ProvidedRun | undefined = inject('backlot')
  return run ? { ...own, service: run.service ?? own.service, run: { ...own.run, id: run.runId } } : own
}

/**
 * Reports the activity of a failed test's simulation: a few lines below the error's message, the whole report in
 * `task.meta.backlot`, and a JSON file with an HTML page. Annotations cannot be used, since Vitest refuses them once a
 * test has failed.
 *
 * @param titles of the file, the describes and the test
 */
async function reportFailure(
  simulation: Pick<Simulation, 'report'>,
  task: FailedTask,
  titles: readonly string[],
  folder: string,
): Promise<void> {
  const report = await simulation.report()
  const { backlot: others } = task.meta as { backlot?: Record<string, SimulationReport> }
  Object.assign(task.meta, { backlot: { ...others, [report.name]: JSON.parse(toReportJson(report)) } })
  const error = task.result?.errors?.at(-1)
  const timeline = await writeReport(folder, report, titles, error?.message).then(
    (page) => `${relative(process.cwd(), page)} (and .json)`,
    (reason: Error) => `not written: ${reason.message}`,
  )
  if (!error) return
  const text = indent(`${toReportText(report, error.message)}\ntimeline    ${timeline}`)
  error.message = `${error.message}\n\n${text}\n`
  if (error.stack !== undefined) error.stack = addBelowMessage(error.stack, text)
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ')

/** A stack begins with its message; the frames follow. */
function addBelowMessage(stack: string, text: string): string {
  const at = stack.search(/^\s+at /m)
  return at === -1 ? `${stack}\n\n${text}\n` : `${stack.slice(0, at)}\n${text}\n\n${stack.slice(at)}`
}

/**
 * Writes a report as JSON and as a page. Their names come from the test's titles and the simulation's name, so that
 * only a later run of this test replaces them. Resolves with the path of the page.
 *
 * @param message the error of the test
 */
async function writeReport(
  folder: string,
  report: SimulationReport,
  titles: readonly string[],
  message?: string,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const base = join(folder, toFileName([...titles, report.name]))
  await writeFile(`${base}.json`, toReportJson(report))
  await writeFile(`${base}.html`, await toReportHtml(report, titles.join(' › '), message))
  return `${base}.html`
}

const LONGEST_READABLE = 80

/** A readable part, and a hash that is different for other titles. */
function toFileName(names: readonly string[]): string {
  const readable = names
    .slice(0, -1)
    .join(' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  const hash = hashText(names.join('\0')).toString(16).padStart(8, '0')
  return `${readable.slice(0, LONGEST_READABLE) || 'test'}-${hash}`
}
