import { existsSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { startTimer } from '../runtime/timers.ts'
import type { OperatedService } from '../service/service-options.ts'
import type { ServiceOptions } from '../service/start.ts'
import { isFolder } from './read-document.ts'
import type { ServeFlags } from './serve-flags.ts'
import { colors, printLines } from './terminal.ts'

/** Editors write a file in several steps. */
const SETTLE_MS = 100
/** Most changed operations that are shown. */
const MOST_SHOWN = 12

/** What a service keeps over a reload of its sources. */
export interface Kept {
  readonly port: number
  readonly accountKey: string
  readonly simulations: readonly { slug: string; key: string; port?: number }[]
  /** The operations, each as a line of a model file. */
  readonly operations: readonly string[]
  /** The files whose change causes the next start. */
  readonly changed: readonly string[]
}

/** What the service before the reload has left for this one. */
export const keptStart = (): Kept | undefined => (workerData as { kept?: Kept } | null)?.kept

/** The options with port and keys as they were before the reload. */
export function withKept(options: ServiceOptions): ServiceOptions {
  const kept = keptStart()
  if (kept === undefined) return options
  const simulations = options.simulations?.map((simulation, at) => ({ ...simulation, ...kept.simulations[at] }))
  return {
    ...options,
    port: kept.port,
    accounts: options.accounts ?? [{ keys: [{ key: kept.accountKey }] }],
    simulations,
  }
}

/** Watches the files and folders among the sources, and says after a reload what has changed. */
export async function watchSources(
  service: OperatedService,
  sources: readonly string[],
  { ports, json, libraryFolder = [] }: ServeFlags,
): Promise<void> {
  const lists = await Promise.all(
    service.simulations.map(({ id }) => service.call('listOperations', { parameters: { id } })),
  )
  const operations = lists.flatMap(({ data }) => data.map(({ line }) => line))
  const before = keptStart()
  if (before !== undefined && !json) printLines(describeReload(before, operations))
  const simulations = service.simulations.map(({ slug, apiKey: key, url }) => ({
    slug,
    key,
    ...(ports && { port: Number(new URL(url).port) }),
  }))
  const kept = { port: Number(new URL(service.url).port), accountKey: service.accountKey, simulations, operations }
  const changed = new Set<string>()
  const report = (file: string) => {
    if (changed.size === 0)
      startTimer(SETTLE_MS, () => {
        parentPort?.postMessage({ ...kept, changed: [...changed] } satisfies Kept)
        changed.clear()
      })
    changed.add(file)
  }
  for (const path of [...sources, ...libraryFolder]) {
    if (await isFolder(path))
      watch(path, { recursive: true, persistent: false }, (_, file) => report(file ?? basename(path)))
    else if (existsSync(path))
      // The folder: many editors replace a file by another.
      watch(dirname(path), { persistent: false }, (_, file) => file === basename(path) && report(file))
  }
}

function describeReload({ changed, operations: before }: Kept, after: readonly string[]): string[] {
  const [added, removed] = [
    after.filter((line) => !before.includes(line)),
    before.filter((line) => !after.includes(line)),
  ]
  const lines = [...removed.map((line) => colors.red(`- ${line}`)), ...added.map((line) => colors.green(`+ ${line}`))]
  const more = lines.length - MOST_SHOWN
  return [
    `Reloaded: ${changed.join(', ')} changed. Records are generated anew.`,
    ...lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
