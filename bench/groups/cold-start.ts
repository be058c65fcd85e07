import { spawnSync } from 'node:child_process'
import { atMost, type BenchRow, median } from '../bench-row.ts'
import { runProject } from '../fixtures/runner-project.ts'

const PROCESSES = 10

interface Measured {
  firstMs: number
  secondMs: number
  waits: number[]
}

/**
 * What a suite pays, in processes of its own and in workers of the real runner: from the import of `backlot/vitest` to the first
 * answered request, a second simulation in the same process, and a change until `expectWebhook` resolves. Processes find the
 * compiled code that earlier ones have kept, as all but the first of a run do, except where the row says otherwise.
 */
export async function run(): Promise<BenchRow[]> {
  const measured = runProject<Measured>({
    template: 'cold-start',
    tests: processes().map((number) => ({ file: `${number}.test.ts`, from: 'first-answer.ts' })),
    command: ['vitest/vitest.mjs', 'run'],
  })
  return [
    atMost({
      name: 'cold start to first answer',
      value: median(processes().map(() => runProcess())),
      unit: 'ms',
      most: 150,
    }),
    atMost({
      name: 'cold start, nothing compiled before',
      value: median(processes().map(() => runProcess({ NODE_DISABLE_COMPILE_CACHE: '1' }))),
      unit: 'ms',
      most: 150,
    }),
    atMost({
      name: 'cold start, within a Vitest run',
      value: median(measured.map(({ firstMs }) => firstMs)),
      unit: 'ms',
      most: 150,
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

const processes = (): number[] => Array.from({ length: PROCESSES }, (_, number) => number)

function runProcess(env: Readonly<Record<string, string>> = {}): number {
  const script = new URL('../cold-start/first-answer.ts', import.meta.url).pathname
  const run = spawnSync(process.execPath, [script], { encoding: 'utf8', env: { ...process.env, ...env } })
  if (run.status !== 0) throw new Error(`Failed to run the cold start:\n${run.stderr}`)
  return (JSON.parse(run.stdout) as { firstMs: number }).firstMs
}
