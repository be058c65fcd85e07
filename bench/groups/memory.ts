import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMost, type BenchRow, median } from '../bench-row.ts'
import { residentMb } from '../http/process-figures.ts'
import { startServe } from '../http/start-serve.ts'

const ROUNDS = 5
const SIMULATIONS = 1_000

/** Memory of simulations: heap of a process with nothing else, and resident memory of `backlot serve`. */
export async function run(): Promise<BenchRow[]> {
  const idleKb = Array.from({ length: ROUNDS }, () => measureHeap().idleKb)
  const resident = await measureServe()
  return [
    atMost({ name: 'memory of an idle simulation', value: median(idleKb), unit: 'KB', most: 200 }),
    ...(resident === undefined
      ? []
      : [atMost({ name: 'memory of serve, 1,000 simulations', value: resident, unit: 'MB', most: 200 })]),
  ]
}

async function measureServe(): Promise<number | undefined> {
  await using serve = await startServe()
  for (let made = 0; made < SIMULATIONS; made++) {
    await serve.call('POST', '/simulations', { library: 'task-tracker', seed: `seed-${made}` })
  }
  return residentMb(serve.pid)
}

function measureHeap(): { idleKb: number } {
  const script = fileURLToPath(new URL('../in-process/hold-simulations.ts', import.meta.url))
  const run = spawnSync(process.execPath, ['--expose-gc', script, String(SIMULATIONS)], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`Failed to hold ${SIMULATIONS} simulations:\n${run.stderr}`)
  return JSON.parse(run.stdout) as { idleKb: number }
}
