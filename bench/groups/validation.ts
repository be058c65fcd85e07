import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMost, type BenchRow, median } from '../bench-row.ts'

const PROCESSES = 9

/** Cost of the first validation in a process: schemas are compiled on first use. */
export async function run(): Promise<BenchRow[]> {
  const times = Array.from({ length: PROCESSES }, firstValidationMs)
  return [atMost({ name: 'first request validator', value: median(times), unit: 'ms', most: 5 })]
}

function firstValidationMs(): number {
  const script = fileURLToPath(new URL('../in-process/first-validation.ts', import.meta.url))
  const run = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`Failed to validate a request:\n${run.stderr}`)
  return (JSON.parse(run.stdout) as { firstMs: number }).firstMs
}
