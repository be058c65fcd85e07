import { expect, it } from 'vitest'
import type { SimulationCore } from '../../src/service/simulation/core/core.ts'
import type { Delta } from '../../src/service/simulation/core/core-state.ts'
import type { Change } from '../../src/service/world/change.ts'
import { createCore, requestOf, START } from './core-session.ts'
import { openSimulation } from './open-simulation.ts'

const HOUR_MS = 3_600_000

/** A core with no projects, and a rule that shows projects as they were `lagMs` ago. */
function openCore(lagMs: number, steps: object[] = []): SimulationCore {
  const plan = { rules: [{ id: 'r', name: 'r', everySeconds: 3_600, enabled: true, steps: steps as never }] }
  const core = createCore({ volume: { projects: 0 }, plan })
  const rule = { name: 'r', kind: 'staleRead' as const, method: 'GET', pathPattern: '/projects', config: { lagMs } }
  core.execute({ at: START, kind: 'set-rule', rule })
  return core
}

function countProjects(core: SimulationCore, at: number): number {
  const { response } = core.execute(requestOf(at, { method: 'GET', path: '/projects' }))
  return JSON.parse(String(response.body)).data.length
}

const create = (core: SimulationCore, at: number): unknown =>
  core.execute(requestOf(at, { method: 'POST', path: '/projects', body: { name: 'P', key: `P${at}` } }))

it('shows the data of then, whether or not it was read meanwhile', () => {
  const [read, unread] = [openCore(6 * HOUR_MS), openCore(6 * HOUR_MS)]

  const seen = []
  for (let hour = 1; hour < 10; hour++) {
    const at = START + hour * HOUR_MS
    create(read, at)
    create(unread, at)
    seen.push(countProjects(read, at))
  }

  expect(seen).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3])
  expect(countProjects(unread, START + 9 * HOUR_MS)).toBe(3)
})

it('follows what another core has done', () => {
  const [leader, follower] = [openCore(HOUR_MS), openCore(HOUR_MS)]

  for (const hour of [1, 2, 3]) {
    leader.begin()
    create(leader, START + hour * HOUR_MS)
    follower.apply(JSON.parse(JSON.stringify(leader.draft())) as Delta)
    leader.keep()
  }

  expect(countProjects(follower, START + 3 * HOUR_MS)).toBe(2)
  expect(countProjects(follower, START + 4 * HOUR_MS)).toBe(3)
})

it('forgets changes that were taken back because time could not be caught up', () => {
  const core = openCore(0, [{ kind: 'create', collection: 'projects', count: 3 }])
  let made = 0
  const apply = core.world.apply.bind(core.world)
  core.world.apply = (change: Change) => {
    if (++made === 3) throw new Error('no more')
    apply(change)
  }

  expect(() => core.execute({ at: START + HOUR_MS, kind: 'tick' })).toThrow('no more')

  expect(countProjects(core, START + HOUR_MS)).toBe(3)
})

it('answers a search of many stale records as one of the living records, while it takes several turns', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker', volume: { tasks: 20_000 } })
  const living = await (await simulation.call('/v1/tasks?q=review&limit=3')).json()
  const rule = { name: 's', kind: 'staleRead', method: 'GET', pathPattern: '/v1/tasks*', config: { lagMs: HOUR_MS } }
  expect((await simulation.manage('POST', '/rules', rule)).status).toBe(201)
  const [{ id }] = (living as { data: [{ id: string }] }).data

  await simulation.call(`/v1/tasks/${id}`, { method: 'PATCH', body: JSON.stringify({ title: 'Changed' }) })
  const stale = await simulation.call('/v1/tasks?q=review&limit=3')

  expect(await stale.json()).toEqual(living)
})
