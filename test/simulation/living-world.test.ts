import { expect, it } from 'vitest'
import { loadEntry } from '../../src/library/load-entry.ts'
import type { BehaviourStep } from '../../src/protocol/behaviour.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { LivingWorld } from '../../src/service/simulation/living-world.ts'
import { START } from './core-session.ts'

const HOUR_MS = 3_600_000
const TOUCHES: BehaviourStep[] = [{ kind: 'touch', collection: 'tasks', count: 5 }]

/**
 * A world whose plan touches five tasks an hour, unless told otherwise, and in which the change of that number fails.
 */
async function openWorld(failing: { change: number }, { tasks = 30, steps = TOUCHES } = {}) {
  const entry = await loadEntry('task-tracker')
  const model = readDescription(entry?.openapi ?? {})
  const dataset = createDataset(model, { seed: 'living', epoch: START, volume: { tasks }, seedRecords: {} })
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
    onUndo: () => {},
    isHeard: () => true,
  })
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

/** A plan whose one run makes 6,010 changes in four steps. */
const MANY = {
  tasks: 2_000,
  steps: [
    { kind: 'touch', collection: 'tasks', count: 2_000 },
    { kind: 'touch', collection: 'tasks', count: 2_000 },
    { kind: 'create', collection: 'tasks', count: 10 },
    { kind: 'touch', collection: 'tasks', count: 2_000 },
  ] as BehaviourStep[],
}

it('can be paused within a run of the plan, and comes to the same', async () => {
  const paced = await openWorld({ change: 0 }, MANY)
  const whole = await openWorld({ change: 0 }, MANY)

  const sequences = [0]
  for (const _ of paced.fastForward(START, HOUR_MS)) sequences.push(paced.log.dump().sequence)
  whole.catchUp(START + HOUR_MS)

  const slices = sequences.slice(1).map((sequence, at) => sequence - (sequences[at] as number))
  expect(Math.max(...slices)).toBeLessThanOrEqual(1_000)
  expect(sequences.at(-1)).toBe(6_010)
  expect(paced.world.dump()).toEqual(whole.world.dump())
})

it('takes everything back when it is left within a run', async () => {
  const world = await openWorld({ change: 0 }, MANY)
  const state = () => ({ data: world.world.dump(), time: world.dumpTime(), events: world.log.dump() })
  const before = state()

  const run = world.fastForward(START, HOUR_MS)
  run.next()
  run.next()
  const between = state()
  expect(() => run.throw(new Error('left'))).toThrow('left')

  expect(between.data.collections[0]?.positions.length).toBeGreaterThan(0)
  expect(state()).toEqual(before)
  expect(world.takeFresh()).toEqual([])
  world.catchUp(START + HOUR_MS)
  expect(world.takeFresh()).toHaveLength(6_010)
})
