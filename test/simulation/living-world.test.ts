import { expect, it } from 'vitest'
import { loadEntry } from '../../src/library/load-entry.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { LivingWorld } from '../../src/service/simulation/living-world.ts'
import { START } from './core-session.ts'

const HOUR_MS = 3_600_000

/** A world whose plan touches five tasks an hour, and in which the change of that number fails. */
async function openWorld(failing: { change: number }) {
  const entry = await loadEntry('task-tracker')
  const model = readDescription(entry?.openapi ?? {})
  const dataset = createDataset(model, { seed: 'living', epoch: START, volume: { tasks: 30 }, seedRecords: {} })
  let made = 0
  const onChange = () => {
    if (++made === failing.change) throw new Error('no more')
  }
  const world = new LivingWorld({
    model,
    dataset,
    seed: 'living',
    epoch: START,
    createdAt: START,
    onChange,
    isHeard: () => true,
  })
  const steps = [{ kind: 'touch' as const, collection: 'tasks', count: 5 }]
  world.setPlan({ rules: [{ id: 'r', name: 'r', enabled: true, everySeconds: 3_600, steps }] })
  return world
}

it('does nothing where a run of the plan fails, and everything at the next attempt', async () => {
  const world = await openWorld({ change: 8 })
  const untouched = await openWorld({ change: 0 })
  const before = { data: world.world.dump(), time: world.dumpTime(), events: world.log.dump() }

  expect(() => world.catchUp(START + 3 * HOUR_MS)).toThrow('no more')
  const after = { data: world.world.dump(), time: world.dumpTime(), events: world.log.dump() }
  const announced = world.takeFresh()
  world.catchUp(START + 3 * HOUR_MS)
  untouched.catchUp(START + 3 * HOUR_MS)

  expect(after).toEqual(before)
  expect(announced).toEqual([])
  expect(world.takeFresh()).toHaveLength(15)
  expect(world.world.dump()).toEqual(untouched.world.dump())
})
