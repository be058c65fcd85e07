import { writeFile } from 'node:fs/promises'
import type { TestInfo } from '@playwright/test'
import type { Simulation } from '../fixture/simulation.ts'

/** Attaches what a simulation saw to a failed test: a text that reporters print, all of it as JSON, and a picture. */
export async function attachReport(as: string, simulation: Simulation, testInfo: TestInfo): Promise<void> {
  const [{ toReportText }, { toTimelineHtml }] = await Promise.all([
    import('../fixture/report/report.ts'),
    import('../fixture/report/timeline.ts'),
  ])
  const report = await simulation.report()
  const message = testInfo.error?.message
  await testInfo.attach(`${as}.txt`, { body: toReportText(report, message), contentType: 'text/plain' })
  await testInfo.attach(`${as}.json`, { body: JSON.stringify(report, null, 2), contentType: 'application/json' })
  // By its path: reporters print the body of any text.
  const path = testInfo.outputPath(`${as}.html`)
  await writeFile(path, toTimelineHtml(report, testInfo.titlePath.join(' › '), message))
  await testInfo.attach(`${as}.html`, { path, contentType: 'text/html' })
}
