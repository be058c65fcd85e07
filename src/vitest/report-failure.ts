import { relative } from 'node:path'
import { type SimulationReport, toReportText } from '../fixture/report/report.ts'
import { writeReport } from '../fixture/report/write-report.ts'
import type { Simulation } from '../fixture/simulation.ts'

/** The parts of Vitest's test that take a report. */
export interface FailedTask {
  result?: { errors?: { message: string; stack?: string | undefined }[] | undefined } | undefined
  meta: object
}

/**
 * Reports what the simulation of a failed test saw: a few lines below the error's message, all of it by its name in
 * `task.meta.backlot`, and a file of JSON with a picture. Annotations cannot be used, since Vitest refuses them
 * once a test has failed.
 *
 * @param titles of the file, the describes and the test
 */
export async function reportFailure(
  simulation: Simulation,
  task: FailedTask,
  titles: readonly string[],
  folder: string,
): Promise<void> {
  const report = await simulation.report()
  const { backlot: others } = task.meta as { backlot?: Record<string, SimulationReport> }
  Object.assign(task.meta, { backlot: { ...others, [report.name]: JSON.parse(JSON.stringify(report)) } })
  const error = task.result?.errors?.at(-1)
  const timeline = await writeReport(folder, report, titles, error?.message).then(
    (picture) => relative(process.cwd(), picture),
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
