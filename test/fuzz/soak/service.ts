import { startService } from '../../../src/service.ts'
import { countHandles, type ProcessFigures, ProcessWatch, waitForHandles } from '../../support/process-watch.ts'
import { SOAK_FAULTS, type SoakFault } from './soak-faults.ts'

/*
 * The process under load: a service, with figures of its process on demand. `begin` starts the watch; `end` reads it, closes the
 * service and says which handles are left. The arguments are faults that it has on purpose.
 */

/** What the process says to the run. */
export type ServiceMessage =
  | { kind: 'ready'; url: string; accountKey: string }
  | { kind: 'begun' }
  | { kind: 'ended'; figures: ProcessFigures; leaked: string[] }

const faults = new Set<SoakFault>(SOAK_FAULTS.filter((fault) => process.argv.includes(fault)))
const handles = countHandles()
const watch = new ProcessWatch()
const service = await startService({ addresses: 'path', allowPrivateWebhooks: ['127.0.0.1/32'] })
const held: Uint8Array[] = []

process.on('message', (order) => {
  void (order === 'begin' ? begin() : end())
})
say({ kind: 'ready', url: service.url, accountKey: service.accountKey })

async function begin(): Promise<void> {
  await watch.begin()
  if (faults.has('memory')) held.push(new Uint8Array(100_000_000))
  if (faults.has('handle')) setTimeout(() => {}, 3_600_000)
  say({ kind: 'begun' })
}

async function end(): Promise<void> {
  const figures = await watch.read()
  await service.close()
  say({ kind: 'ended', figures, leaked: await waitForHandles(handles) })
  process.exit()
}

function say(message: ServiceMessage): void {
  process.send?.(message)
}
