import { parseArgs } from 'node:util'
import { startService } from 'backlot/service'
import { type FuzzReport, fuzzManagement, fuzzSimulated } from './fuzz-service.ts'
import { fuzzSizes } from './fuzz-sizes.ts'

/*
 * `npm run fuzz [-- --runs 100000 --seed 1]`: half of the requests go to the management API, half to a simulated API, both of the
 * built service, whose library is JSON where the repository has YAML. Ends with 1 at an answer that is not documented, an answer
 * over a second, or memory that stays taken. `--sizes 50` draws fifty works of one simulation and the sizes of what they handle
 * instead; it ends with 1 where another simulation waits for a turn of over 500 ms.
 */
const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, sizes: { type: 'string' } },
})
const runs = Number(values.runs ?? 100_000)
const seed = Number(values.seed ?? 1)
const ROUND = 5_000
const MAX_GROWTH_MB = 60

function heapMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

async function fuzz(name: string, run: typeof fuzzManagement): Promise<boolean> {
  const statuses: Record<string, number> = {}
  let slowest: Pick<FuzzReport, 'slowestMs' | 'slowest'> = { slowestMs: 0, slowest: '' }
  let before = 0
  for (let done = 0; done < runs / 2; done += ROUND) {
    const report = await run({ runs: Math.min(ROUND, runs / 2 - done), seed: seed + done, startService })
    for (const [status, count] of Object.entries(report.statuses)) statuses[status] = (statuses[status] ?? 0) + count
    if (report.slowestMs > slowest.slowestMs) slowest = report
    if (done === 0) before = heapMb()
  }
  const growthMb = heapMb() - before
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  process.stdout.write(`${name}: ${runs / 2} requests; ${counts.join(', ')}\n`)
  process.stdout.write(
    `  slowest ${slowest.slowestMs.toFixed(0)} ms (${slowest.slowest}); heap ${growthMb.toFixed(1)} MB more after the run\n`,
  )
  return slowest.slowestMs < 1_000 && growthMb < MAX_GROWTH_MB
}

async function drawSizes(draws: number): Promise<boolean> {
  let problems = 0
  let longestMs = 0
  for await (const { what, delay, problem } of fuzzSizes({ runs: draws, seed })) {
    longestMs = Math.max(longestMs, delay?.turnMs ?? 0)
    if (problem === undefined) continue
    problems++
    process.stdout.write(`  ${what}: ${problem}\n`)
  }
  process.stdout.write(`sizes: ${draws} draws, longest turn ${longestMs.toFixed(0)} ms, ${problems} problems\n`)
  return problems === 0
}

const kept =
  values.sizes === undefined
    ? [await fuzz('management API', fuzzManagement), await fuzz('simulated API', fuzzSimulated)]
    : [await drawSizes(Number(values.sizes))]
process.exitCode = kept.every(Boolean) ? 0 : 1
