import { expect, it } from 'vitest'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { DeliverySchedule } from '../../src/service/webhooks/delivery-schedule.ts'

// Directly: the order of what is due is pure, and through a service each row would need retries that fail.

/** A schedule whose clock stands at 0 until it is turned. */
function openSchedule(): DeliverySchedule<string> {
  return new DeliverySchedule({ ...systemRuntime, clock: { now: () => 0, monotonic: () => 0 } })
}

function turnTo(schedule: DeliverySchedule<string>, target: number): string[] {
  const taken: string[] = []
  for (let work = schedule.turnToNext(target); work !== undefined; work = schedule.turnToNext(target)) taken.push(work)
  return taken
}

it('gives work due at the same instant in the order in which it was added', () => {
  const schedule = openSchedule()
  schedule.add(60_000, 'first')
  schedule.add(60_000, 'second')

  expect(turnTo(schedule, 60_000)).toEqual(['first', 'second'])
})

it('gives what is due earlier first, and leaves what is due later alone', () => {
  const schedule = openSchedule()
  schedule.add(101, 'late')
  schedule.add(20, 'second')
  schedule.add(10, 'first')

  expect(turnTo(schedule, 100)).toEqual(['first', 'second'])
  expect(schedule.now).toBe(20)
  expect(turnTo(schedule, 101)).toEqual(['late'])
})

it('forgets everything when it is cleared', () => {
  const schedule = openSchedule()
  schedule.add(10, 'first')

  schedule.clear()

  expect([schedule.turnToNext(10), schedule.now]).toEqual([undefined, 0])
})
