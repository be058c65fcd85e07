import { expect, it } from 'vitest'
import { SteppingClock } from '../support/stepping-clock.ts'
import { openSimulation } from './open-simulation.ts'

/** Fast-forwards beyond the most changes; the computing time ends at reading `slowAt` of the clock. */
async function passTheLimit(slowAt = Number.POSITIVE_INFINITY) {
  const clock = new SteppingClock(0.05)
  const creation = { library: 'task-tracker', seed: 'undo', volume: { tasks: 10_000 } }
  await using simulation = await openSimulation(creation, { runtime: { clock, computedMs: clock.computedMs } })
  const steps = [{ kind: 'touch', collection: 'tasks', count: 10_000 }]
  await simulation.manage('PUT', '/behaviour', {
    rules: [{ id: 'r', name: 'r', everySeconds: 3_600, enabled: true, steps }],
  })
  const state = async () => ({
    tasks: (await simulation.manage('GET', '/records/tasks?limit=50')).body,
    events: (await simulation.manage('GET', '/events')).body,
  })
  const before = await state()
  const startedAt = clock.readings
  clock.slowReading = startedAt + slowAt

  const { body } = await simulation.manage<{ error?: { message: string } }>('POST', '/fast-forward', { hours: 101 })

  const readings = clock.readings - startedAt
  return { message: body.error?.message, readings, before, after: await state() }
}

it('undoes a fast-forward to its end, also when its time ends during the undo', async () => {
  const { readings, message } = await passTheLimit()

  expect(message).toContain('more than 1,000,000 changes, so nothing was changed')
  const slow = await passTheLimit(readings - 4)
  expect(slow.after).toEqual(slow.before)
  // Its time ended during the undo, so the reason is the first one.
  expect(slow.message).toBe(message)
})
