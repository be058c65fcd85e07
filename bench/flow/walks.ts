import { setTimeout as sleep } from 'node:timers/promises'
import type { Simulation } from '../../src/index.ts'

type Backlot = typeof import('../../src/index.ts')

/** One path through the code, as in a test. */
export interface Walk {
  readonly name: string
  /** Prepares the walk, uncounted, and returns the walk. */
  prepare(backlot: Backlot): Promise<() => Promise<unknown>>
}

/** A simulation with the records of the requests. */
interface Tasks {
  readonly simulation: Simulation
  readonly ids: readonly string[]
  readonly projectId: string
}

/** Long enough for deliveries to arrive and to be settled. Waiting by means of `src/` would be counted. */
const REST_MS = 300

/** What `npm run flow` measures. */
export const WALKS: readonly Walk[] = [
  { name: 'GET', prepare: prepareGet },
  { name: 'GET again', prepare: prepareGetAgain },
  { name: 'POST with its delivery', prepare: preparePost },
  { name: 'fast-forward', prepare: prepareFastForward },
  {
    name: 'cold creation',
    prepare:
      async ({ createSimulation }) =>
      () =>
        createSimulation('task-tracker'),
  },
  { name: 'POST and expectWebhook', prepare: prepareExpectWebhook },
]

/**
 * Other records were read before; this one was not, and its data has not been made. Its id comes from another simulation, which
 * has the same seed.
 */
async function prepareGet(backlot: Backlot): Promise<() => Promise<unknown>> {
  const { ids } = await createTasks(backlot)
  const simulation = await backlot.createSimulation('task-tracker')
  const [last, ...others] = ids.toReversed()
  for (const id of others) await ask(simulation, 'GET', `/tasks/${id}`)
  return () => ask(simulation, 'GET', `/tasks/${last}`)
}

/** The record was read before. */
async function prepareGetAgain(backlot: Backlot): Promise<() => Promise<unknown>> {
  const { simulation, ids } = await createTasks(backlot)
  for (const id of ids) await ask(simulation, 'GET', `/tasks/${id}`)
  return () => ask(simulation, 'GET', `/tasks/${ids[0]}`)
}

/** Two records were created and delivered before. */
async function preparePost(backlot: Backlot): Promise<() => Promise<unknown>> {
  const { simulation, projectId } = await createTasks(backlot)
  const create = async (title: string) => {
    await ask(simulation, 'POST', '/tasks', { title, projectId })
    await sleep(REST_MS)
  }
  await create('Sweep the stairs')
  await create('Shovel the snow')
  return () => create('Water the plants')
}

/** A fast-forward ran once before. */
async function prepareFastForward(backlot: Backlot): Promise<() => Promise<unknown>> {
  const { simulation } = await createTasks(backlot)
  const turn = async () => {
    const { changes } = await simulation.fastForward({ hours: 24 })
    if (changes === 0) throw new Error('Failed to fast-forward: nothing changed.')
    await sleep(REST_MS)
  }
  await turn()
  return turn
}

/** The test waits before the event arrives; it did so once before. */
async function prepareExpectWebhook(backlot: Backlot): Promise<() => Promise<unknown>> {
  const { simulation, projectId } = await createTasks(backlot)
  const createAndExpect = async (title: string) => {
    const expected = simulation.expectWebhook('task.created', { data: { object: { title } } })
    await ask(simulation, 'POST', '/tasks', { title, projectId })
    await expected
  }
  await createAndExpect('Sweep the stairs')
  return () => createAndExpect('Water the plants')
}

async function createTasks({ createSimulation }: Backlot): Promise<Tasks> {
  const simulation = await createSimulation('task-tracker')
  const [project] = await simulation.records<{ id: string }>('projects')
  const tasks = await simulation.records<{ id: string }>('tasks')
  if (project === undefined) throw new Error('Failed to find a project.')
  return { simulation, ids: tasks.map(({ id }) => id), projectId: project.id }
}

async function ask(simulation: Simulation, method: string, path: string, body?: object): Promise<void> {
  const answer = await simulation.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Failed to ${method} ${path}: ${answer.status} ${text}`)
}
