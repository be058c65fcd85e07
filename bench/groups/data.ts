import { atMost, type BenchRow } from '../bench-row.ts'
import { filteredAfterWriteMs } from '../in-process/filtered-list.ts'
import { answerTo, newSimulation, readTaskTracker } from '../in-process/new-simulation.ts'
import { busyMs, medianMs } from '../in-process/stopwatch.ts'

const RECORDS = 1_000_000
const READS = 1_000

/** Cost of the first reads of a collection of a million records, none generated before. */
export async function run(): Promise<BenchRow[]> {
  const source = await readTaskTracker()
  const simulation = newSimulation({ ...source, plan: [], volume: { ...source.volume, tasks: RECORDS } })
  const { data } = answerTo(simulation, 'GET', '/tasks?limit=100') as { data: { id: string }[] }
  // Each round asks for another page: answers to the same question are remembered.
  let limit = 20
  const filterMs = await medianMs(
    5,
    ignore,
    () => answerTo(simulation, 'GET', `/tasks?status=done&limit=${limit++}`),
    busyMs,
  )
  let seed = 0
  const firstMs = await medianMs(
    5,
    () => newSimulation({ ...source, plan: [], volume: { ...source.volume, tasks: RECORDS } }, `seed-${seed++}`),
    (fresh) => answerTo(fresh, 'GET', '/tasks?status=done&limit=20'),
    busyMs,
  )
  const readMs = await medianMs(5, ignore, () => {
    for (let read = 0; read < READS; read++) answerTo(simulation, 'GET', `/tasks/${data[read % data.length]?.id}`)
  })
  const fresh = await medianMs(
    5,
    () => {
      const other = newSimulation(
        { ...source, plan: [], volume: { ...source.volume, tasks: RECORDS } },
        `by-id-${seed++}`,
      )
      const view = other.records.page('tasks', { offset: 500_000, limit: 500 }, undefined).data as { id: string }[]
      return { other, view }
    },
    ({ other, view }) => {
      for (const { id } of view) answerTo(other, 'GET', `/tasks/${id}`)
    },
  )
  const [ofTenThousand, ofMillion] = [
    await filteredAfterWriteMs(source, 10_000),
    await filteredAfterWriteMs(source, RECORDS),
  ]
  return [
    atMost({ name: 'filtered list of 10,000 after a write', value: ofTenThousand, unit: 'ms', most: 0.1 }),
    atMost({ name: 'filtered list of 1,000,000 after a write', value: ofMillion, unit: 'ms', most: 2 }),
    atMost({ name: 'filter on a status of 1,000,000, first', value: firstMs, unit: 'ms', most: 150 }),
    atMost({ name: 'filter on a status of 1,000,000', value: filterMs, unit: 'ms', most: 150 }),
    atMost({ name: 'filter by id in 1,000,000, first', value: fresh / 500, unit: 'ms', most: 0.1 }),
    atMost({ name: 'filter by id in 1,000,000', value: readMs / READS, unit: 'ms', most: 0.1 }),
  ]
}

const ignore = (): void => {}
