import type { Simulation } from '../fixture/simulation.ts'

/** The parts of Vitest's test that name it and take a report. */
interface FailedTask {
  name: string
  file: { name: string }
  result?: { errors?: { message: string; stack?: string | undefined }[] | undefined } | undefined
  meta: object
}

/**
 * Tells a failed test's reader what its simulation saw: a few lines below the error's message, all of it as
 * `task.meta.backlot`, and a JSON file with a picture beside it. Annotations cannot be used, since Vitest refuses them
 * once a test has failed.
 */
export async function reportFailure(simulation: Simulation, task: FailedTask, folder: string): Promise<void> {
  const [{ toReportText }, { writeReport }, { relative }] = await Promise.all([
    import('../fixture/report.ts'),
    import('../fixture/write-report.ts'),
    import('node:path'),
  ])
  const report = await simulation.report()
  Object.assign(task.meta, { backlot: JSON.parse(JSON.stringify(report)) })
  const picture = await writeReport(folder, report, [task.file.name, task.name])
  const error = task.result?.errors?.at(-1)
  if (!error) return
  const text = indent(`${toReportText(report, error.message)}\ntimeline    ${relative(process.cwd(), picture)}`)
  error.message = `${error.message}\n\n${text}\n`
  if (error.stack !== undefined) error.stack = addBelowMessage(error.stack, text)
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ')

/** A stack begins with its message; the frames follow. */
function addBelowMessage(stack: string, text: string): string {
  const at = stack.search(/^\s+at /m)
  return at === -1 ? `${stack}\n\n${text}\n` : `${stack.slice(0, at)}\n${text}\n\n${stack.slice(at)}`
}
