import { median } from '../bench-row.ts'
import { answerTo, newSimulation, type Source } from './new-simulation.ts'
import { timeMs } from './stopwatch.ts'

const ROUNDS = 400
const FILTERS = ['status=todo', 'status=done&priority=high', 'status=in_progress&priority=low&archived=false']

/** How long a page of a filtered list takes right after a write, in milliseconds: the median over one to three filters. */
export async function filteredAfterWriteMs(source: Source, records: number): Promise<number> {
  const simulation = newSimulation({ ...source, plan: [], volume: { ...source.volume, tasks: records } })
  const { data } = answerTo(simulation, 'GET', '/tasks?limit=100') as { data: { id: string }[] }
  const medians: number[] = []
  for (const filter of FILTERS) {
    const times: number[] = []
    // The first rounds make the indexes.
    for (let round = -2; round < ROUNDS; round++) {
      const id = data[Math.abs(round) % data.length]?.id
      answerTo(simulation, 'PATCH', `/tasks/${id}`, { status: round % 2 === 0 ? 'todo' : 'done' })
      const ms = await timeMs(() => answerTo(simulation, 'GET', `/tasks?${filter}&limit=20&page=${1 + (round & 7)}`))
      if (round >= 0) times.push(ms)
    }
    medians.push(median(times))
  }
  return median(medians)
}
