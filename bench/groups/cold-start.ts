import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, type BenchRow, median } from '../bench-row.ts'

const PROCESSES = 10

interface Measured {
  firstMs: number
  secondMs: number
  waits: number[]
}

/**
 * What a suite pays, in processes of its own and in runs of the real runner: from the import of `backlot/vitest` to the first answered request, a second
 * simulation in the same process, and a change until `expectWebhook` resolves.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  const out = join(folder, 'measured.jsonl')
  for (let process = 0; process < PROCESSES; process++) runVitest(out)
  const measured = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured)
  rmSync(folder, { recursive: true })
  return [
    atMost({
      name: 'cold start to first answer',
      value: median(Array.from({ length: PROCESSES }, () => runProcess())),
      unit: 'ms',
      most: 300,
    }),
    atMost({
      name: 'cold start, within a Vitest run',
      value: median(measured.map(({ firstMs }) => firstMs)),
      unit: 'ms',
      most: 300,
    }),
    atMost({
      name: 'second simulation',
      value: median(measured.map(({ secondMs }) => secondMs)),
      unit: 'ms',
      most: 10,
    }),
    atMost({
      name: 'change to expectWebhook p50',
      value: median(measured.flatMap(({ waits }) => waits)),
      unit: 'ms',
      most: 3,
    }),
  ]
}

function runProcess(): number {
  const script = new URL('../cold-start/first-answer.ts', import.meta.url).pathname
  const run = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`Failed to run the cold start:\n${run.stderr}`)
  return (JSON.parse(run.stdout) as { firstMs: number }).firstMs
}

function runVitest(out: string): void {
  const config = new URL('../cold-start/vitest.config.ts', import.meta.url).pathname
  const run = spawnSync('npx', ['vitest', 'run', '--config', config], {
    env: { ...process.env, BENCH_OUT: out },
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(`Failed to run the cold start suite:\n${run.stdout}\n${run.stderr}`)
}
