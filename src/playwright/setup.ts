/**
 * A global setup for Playwright: one service for all workers of the run, in the runner's process, and a sweep at its end.
 *
 * @example playwright.config.ts
 * export default defineConfig({ globalSetup: 'backlot/playwright/setup' })
 *
 * @module backlot/playwright/setup
 */
import '../runtime/needed-node.ts'
import { readEnvironment, SHARED_SERVICE_VARIABLE } from '../fixture/run/environment.ts'
import { startSharedRun } from '../fixture/run/shared-run.ts'

/** Playwright calls it before the first worker starts, and calls the returned function after the last has ended. */
async function globalSetup(): Promise<() => Promise<void>> {
  const environment = readEnvironment()
  const run = await startSharedRun(environment, { shared: true })
  process.env.BACKLOT_RUN_ID = run.runId
  if (run.service?.shared) process.env[SHARED_SERVICE_VARIABLE] = JSON.stringify(run.service)
  return async () => {
    delete process.env[SHARED_SERVICE_VARIABLE]
    process.stdout.write(`${await run.close()}\n`)
  }
}

/** Playwright accepts only a default export. */
export { globalSetup as default }
