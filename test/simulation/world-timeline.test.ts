import { expect, it } from 'vitest'
import type { BehaviourStep } from '../../src/protocol/behaviour.ts'
import type { Change } from '../../src/service/world/change.ts'
import { createCore, START } from './core-session.ts'

const HOUR_MS = 3_600_000
const TOUCHES: BehaviourStep[] = [{ kind: 'touch', collection: 'tasks', count: 5 }]

/** A core whose plan touches five tasks an hour, unless a test states otherwise, and in which the change of that number fails. */
function openCore(failing: { change: number }, { tasks = 30, steps = TOUCHES, everySeconds = 3_600 } = {}) {
  const core = createCore({
    volume: { tasks },
    plan: { rules: [{ id: 'r', name: 'r', enabled: true, everySeconds, steps }] },
  })
  core.timeline.hasListeners = true
  let made = 0
  const apply = core.world.apply.bind(core.world)
  core.world.apply = (change: Change) => {
    if (++made === failing.change) throw new Error('no more')
    apply(change)
  }
  return core
}

const tick = (hours: number) => ({ at: START + hours * HOUR_MS, kind: 'tick' }) as const

it('does nothing where a run of the plan fails, and everything at the next attempt', () => {
  const core = openCore({ change: 8 })
  const untouched = openCore({ change: 0 })
  const before = core.dump()

  expect(() => core.execute(tick(3))).toThrow('no more')
  const after = core.dump()
  const announced = core.log.takeFresh()
  core.execute(tick(3))
  untouched.execute(tick(3))

  expect(after).toEqual(before)
  expect(announced).toEqual([])
  expect(core.log.takeFresh()).toHaveLength(15)
  expect(core.dump()).toEqual(untouched.dump())
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

it('can be paused within a run of the plan, and comes to the same', () => {
  const paced = openCore({ change: 0 }, MANY)
  const whole = openCore({ change: 0 }, MANY)

  const sequences = [0]
  for (const _ of paced.fastForward({ at: START, kind: 'fast-forward', hours: 1 })) {
    sequences.push(paced.log.sequence)
  }
  whole.execute(tick(1))

  const slices = sequences.slice(1).map((sequence, at) => sequence - (sequences[at] as number))
  expect(Math.max(...slices)).toBeLessThanOrEqual(1_000)
  expect(sequences.at(-1)).toBe(6_010)
  expect(paced.world.dump()).toEqual(whole.world.dump())
})

it('takes everything back when it is left within a run', () => {
  const core = openCore({ change: 0 }, MANY)
  const before = core.dump()

  const run = core.fastForward({ at: START, kind: 'fast-forward', hours: 1 })
  while (core.log.sequence === 0) run.next()
  const between = core.dump()
  expect(() => run.throw(new Error('left'))).toThrow('left')

  expect(between.world.collections[0]?.positions.length).toBeGreaterThan(0)
  expect(core.dump()).toEqual(before)
  expect(core.log.takeFresh()).toEqual([])
  core.execute(tick(1))
  expect(core.log.takeFresh()).toHaveLength(6_010)
})

it.each([
  ['a condition that no index answers', { kind: 'touch', count: 1, where: { title: { gt: '~' } } }],
  ['an index that has to be made', { kind: 'touch', count: 1, where: { status: 'nobody has it' } }],
  ['records that are made', { kind: 'create', count: 2_000 }],
  ['a cascade', { kind: 'delete', count: 50, onDependents: 'cascade', collection: 'projects' }],
] as const)('pauses within one step: %s', (_, step) => {
  const steps = [{ collection: 'tasks', ...step }] as BehaviourStep[]
  const core = openCore({ change: 0 }, { tasks: 20_000, steps })

  const run = core.fastForward({ at: START, kind: 'fast-forward', hours: 1 })
  let pauses = 0
  while (!run.next().done) pauses++

  expect(pauses).toBeGreaterThan(18)
})

it('keeps what a catch-up did so far after 50,000 changes, and takes back only what follows', () => {
  const steps: BehaviourStep[] = [{ kind: 'touch', collection: 'tasks', count: 2_000 }]
  const core = openCore({ change: 55_000 }, { tasks: 2_000, steps })
  const catchUp = () => {
    const run = core.timeline.catchUp(START + 60 * HOUR_MS)
    for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
  }

  const isDone = catchUp()
  const checkpoint = core.dump()
  expect(catchUp).toThrow('no more')

  expect(isDone).toBe(false)
  expect(checkpoint.events.sequence).toBe(50_000)
  expect(core.restsAt).toBe(START + 25 * HOUR_MS)
  expect(core.dump()).toEqual(checkpoint)
  expect([catchUp(), catchUp(), catchUp()]).toEqual([false, true, true])
  expect(core.dump().events.sequence).toBe(120_000)
})

it('refuses to go past the end of time, naming what to do', () => {
  const core = createCore({})
  const turn = () => [...core.fastForward({ at: START, kind: 'fast-forward', hours: 2.4e9 })]

  expect(turn).toThrow(
    /^Failed to fast-forward: the time of a simulation ends on \+274493-02-24, and this one is at .*Reset it, or create one with an earlier `epoch`\.$/,
  )
  expect(core.clock.now(START)).toBe(START)
})
