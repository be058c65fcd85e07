/**
 * A global setup for Vitest: one service for all workers of the run, and a sweep at its end.
 *
 * @module backlot/vitest/setup
 */
import '../runtime/needed-node.ts'
import { readEnvironment, type ServiceAddress } from '../fixture/run/environment.ts'
import { startSharedRun } from '../fixture/run/shared-run.ts'

/** Data of the run for its workers. */
export interface ProvidedRun {
  runId: string
  service: ServiceAddress | null
}

declare module 'vitest' {
  interface ProvidedContext {
    backlot: ProvidedRun
  }
}

/** The part of Vitest's project that this global setup uses. */
interface ProjectLike {
  provide(name: 'backlot', value: ProvidedRun): void
  config: { provide?: object }
}

/** The key under which Vitest provides the plugin's options. */
export const PLUGIN_OPTIONS = 'backlot:options'

/** Vitest calls it before the first worker starts, and calls the returned function after the last has ended. */
export async function setup(project: ProjectLike): Promise<() => Promise<void>> {
  const options = (project.config.provide as Record<string, { shared?: boolean } | undefined>)?.[PLUGIN_OPTIONS]
  const run = await startSharedRun(readEnvironment(), { shared: options?.shared ?? true })
  project.provide('backlot', { runId: run.runId, service: run.service ?? null })
  return async () => {
    process.stdout.write(`${await run.close()}\n`)
  }
}
