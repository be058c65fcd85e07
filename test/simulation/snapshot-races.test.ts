import { expect, it } from 'vitest'
import type { RecordsPage } from '../../src/protocol/reads.ts'
import { type OpenSimulation, openSimulation } from './open-simulation.ts'

/** So much has changed that a snapshot and its restoration take several slices. */
const MANY = { library: 'task-tracker', volume: { tasks: 30_000 } }

async function openChanged(): Promise<OpenSimulation> {
  const simulation = await openSimulation(MANY)
  await simulation.manage('PUT', '/behaviour', {
    rules: [{ everySeconds: 3_600, steps: [{ kind: 'touch', collection: 'tasks', count: 6_000 }] }],
  })
  await simulation.manage('POST', '/fast-forward', { hours: 6 })
  await simulation.manage('PUT', '/behaviour', { rules: [] })
  return simulation
}

const readTasks = async (simulation: OpenSimulation): Promise<Record<string, unknown>[]> =>
  (await simulation.manage<RecordsPage>('GET', '/records/tasks?limit=500')).body.data
const rename = (simulation: OpenSimulation, id: unknown, title: string) =>
  simulation.manage<{ title: string }>('PATCH', `/records/tasks/${id}`, { title })
const take = async (simulation: OpenSimulation) =>
  (await simulation.manage<{ id: string }>('POST', '/snapshots')).body.id

/** Writes to the first record and then to the last one, in turn, until `done`. */
async function writeInTurn(
  simulation: OpenSimulation,
  [first, last]: unknown[],
  done: Promise<unknown>,
): Promise<number> {
  let isDone = false
  void done.then(() => {
    isDone = true
  })
  let written = 0
  while (!isDone) {
    written++
    for (const id of [first, last]) expect((await rename(simulation, id, `Title ${written}`)).status).toBe(200)
  }
  return written
}

it('takes a snapshot of one moment while records are written', async () => {
  await using simulation = await openChanged()
  const tasks = await readTasks(simulation)
  const ends = [tasks[0]?.id, tasks.at(-1)?.id]
  for (const id of ends) await rename(simulation, id, 'Title 0')

  const taking = take(simulation)
  const written = await writeInTurn(simulation, ends, taking)
  await simulation.manage('POST', `/snapshots/${await taking}/restore`)
  const restored = await readTasks(simulation)

  const numbers = ends.map((id) =>
    Number(String(restored.find((task) => task.id === id)?.title).slice('Title '.length)),
  )
  const [first = -1, last = -1] = numbers
  expect(written).toBeGreaterThan(0)
  expect([0, 1]).toContain(first - last)
})

it('puts a snapshot back while records are read and written, all at once', async () => {
  await using simulation = await openChanged()
  const before = await readTasks(simulation)
  const ends = [before[0]?.id, before.at(-1)?.id]
  const snapshot = await take(simulation)
  await simulation.manage('POST', '/records/tasks', { title: 'Made after the snapshot' })
  await simulation.manage('DELETE', `/records/tasks/${before[5]?.id}`)

  const restoring = simulation.manage('POST', `/snapshots/${snapshot}/restore`)
  const written = await writeInTurn(simulation, ends, restoring)
  const after = await readTasks(simulation)

  const withoutEnds = (tasks: Record<string, unknown>[]) => tasks.filter(({ id }) => !ends.includes(id))
  expect((await restoring).status).toBe(200)
  expect(written).toBeGreaterThan(0)
  expect(withoutEnds(after)).toEqual(withoutEnds(before))
})

it('restores snapshots concurrently with each other, a fast-forward and a reset, and ends with exactly one of them', async () => {
  await using simulation = await openChanged()
  const early = await take(simulation)
  const first = (await readTasks(simulation))[0]?.id
  await rename(simulation, first, 'Late')
  const late = await take(simulation)

  const answers = await Promise.all([
    simulation.manage('POST', `/snapshots/${early}/restore`),
    simulation.manage('POST', '/fast-forward', { hours: 24 }),
    simulation.manage('POST', `/snapshots/${late}/restore`),
    simulation.manage('POST', '/reset'),
    simulation.manage('POST', `/snapshots/${early}/restore`),
    take(simulation),
  ])
  await simulation.manage('POST', `/snapshots/${late}/restore`)
  const tasks = await readTasks(simulation)

  expect(answers.slice(0, 5).map((answer) => (answer as { status: number }).status)).toEqual([200, 200, 200, 200, 200])
  expect(tasks.find(({ id }) => id === first)?.title).toBe('Late')
})

it('deletes a simulation whose snapshot is being taken or put back', async () => {
  await using simulation = await openChanged()
  const snapshot = await take(simulation)

  const answers = await Promise.all([
    simulation.manage('POST', '/snapshots'),
    simulation.manage('POST', `/snapshots/${snapshot}/restore`),
    simulation.manage('DELETE', ''),
  ])

  expect(answers[2]?.status).toBe(204)
  for (const { status } of answers) expect(status).toBeLessThan(500)
  expect((await simulation.manage('GET', '')).status).toBe(404)
})
