import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import type { ReaperOrder } from '../fixture/run/reaper.ts'

/** When the reaper looks, counted from the death of its worker, in milliseconds: creations may still be under way. */
const LOOKS_AFTER_MS = [0, 3_000, 10_000]

/** Adds the hidden `backlot reap`, which fixtures start for themselves. */
export function addReapCommand(program: Command): void {
  program
    .command('reap', { hidden: true })
    .description('wait for a test worker to die and delete its simulations (started by the fixtures)')
    .action(reap)
}

async function reap(): Promise<void> {
  const { GOODBYE } = await import('../fixture/run/reaper.ts')
  const lines: string[] = []
  for await (const line of createInterface({ input: process.stdin })) lines.push(line)
  if (lines.length === 0 || lines.includes(GOODBYE)) return
  await deleteAll(JSON.parse(lines[0] as string) as ReaperOrder)
}

async function deleteAll({ service, run, worker }: ReaperOrder): Promise<void> {
  const [{ cleanUp }, { sleep }, { ledgerFileFrom }] = await Promise.all([
    import('../fixture/run/clean-up.ts'),
    import('../runtime/timers.ts'),
    import('../fixture/run/environment.ts'),
  ])
  let waited = 0
  for (const lookAt of LOOKS_AFTER_MS) {
    await sleep(lookAt - waited)
    waited = lookAt
    await cleanUp({ service, run, worker, ledgerFile: ledgerFileFrom(process.env) }).catch(() => undefined)
  }
}
