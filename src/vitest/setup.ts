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
  /** The same object for all projects of a run. */
  vitest: object
}

/** A run, and how many projects use it. */
interface CountedRun {
  readonly run: ReturnType<typeof startSharedRun>
  projects: number
}

/** The key under which Vitest provides the plugin's options. */
export const PLUGIN_OPTIONS = 'backlot:options'

/** Vitest loads this module once for each project with a root of its own, so its runs are kept on Vitest. */
const RUNS = Symbol.for('backlot.vitest.runs')

/** Vitest calls it for each project before the first worker starts, and calls the returned functions after the last has ended. */
export async function setup(project: ProjectLike): Promise<() => Promise<void>> {
  const options = (project.config.provide as Record<string, { shared?: boolean } | undefined>)?.[PLUGIN_OPTIONS]
  const shared = options?.shared ?? true
  const vitest = project.vitest as { [RUNS]?: Partial<Record<'shared' | 'embedded', CountedRun>> }
  vitest[RUNS] ??= {}
  const runs = vitest[RUNS]
  const kind = shared ? 'shared' : 'embedded'
  runs[kind] ??= { run: startSharedRun(readEnvironment(), { shared }), projects: 0 }
  const counted = runs[kind]
  counted.projects++
  const run = await counted.run
  project.provide('backlot', { runId: run.runId, service: run.service ?? null })
  return async () => {
    counted.projects--
    if (counted.projects > 0) return
    delete runs[kind]
    process.stdout.write(`${await run.close()}\n`)
  }
}
