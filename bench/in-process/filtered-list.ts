import { median } from '../bench-row.ts'
import { answerTo, newSimulation, readTaskTracker } from './new-simulation.ts'
import { busyMs, timeMs } from './stopwatch.ts'

// Run with numbers of records (default 10,000 and 1,000,000): prints how long a filtered list takes right after a write.
const ROUNDS = 400
const FILTERS = ['status=todo', 'status=done&priority=high', 'status=in_progress&priority=low&archived=false']

const source = await readTaskTracker()
const sizes = process.argv.slice(2).map(Number)
const rows: Record<string, Record<string, number>> = {}
for (const records of sizes.length > 0 ? sizes : [10_000, 1_000_000]) {
  const simulation = newSimulation({ ...source, plan: [], volume: { ...source.volume, tasks: records } })
  const { data } = answerTo(simulation, 'GET', '/tasks?limit=100') as { data: { id: string }[] }
  const row: Record<string, number> = {}
  row.firstMs = await busyMs(() => answerTo(simulation, 'GET', `/tasks?${FILTERS[0]}&limit=20`))
  for (const [at, filter] of FILTERS.entries()) {
    const times: number[] = []
    for (let round = -2; round < ROUNDS; round++) {
      const id = data[Math.abs(round) % data.length]?.id
      answerTo(simulation, 'PATCH', `/tasks/${id}`, { status: round % 2 === 0 ? 'todo' : 'done' })
      const ms = await timeMs(() => answerTo(simulation, 'GET', `/tasks?${filter}&limit=20&page=${1 + (round & 7)}`))
      if (round >= 0) times.push(ms)
    }
    row[`filters${at + 1}Ms`] = median(times)
  }
  rows[records] = row
}
console.log(JSON.stringify(rows, undefined, 2))
