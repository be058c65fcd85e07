import type { TestInfo } from '@playwright/test'
import type { Simulation } from '../fixture/simulation.ts'

/** Attaches what a simulation saw to a failed test: a text that reporters print, and all of it as JSON. */
export async function attachReport(as: string, simulation: Simulation, testInfo: TestInfo): Promise<void> {
  const { toReportText } = await import('../fixture/report.ts')
  const report = await simulation.report()
  await testInfo.attach(`${as}.txt`, { body: toReportText(report), contentType: 'text/plain' })
  await testInfo.attach(`${as}.json`, { body: JSON.stringify(report, null, 2), contentType: 'application/json' })
}
