import { expect, it } from 'vitest'
import { Schedule } from '../../src/service/schedule/schedule.ts'

function takeAll(schedule: Schedule<string>, target: number): string[] {
  const taken: string[] = []
  for (let work = schedule.takeDue(target); work !== undefined; work = schedule.takeDue(target)) taken.push(work)
  return taken
}

it('gives work due at the same instant in the order in which it was added', () => {
  const schedule = new Schedule<string>()
  schedule.add(60_000, 'first')
  schedule.add(60_000, 'second')

  expect(takeAll(schedule, 60_000)).toEqual(['first', 'second'])
})

it('gives what is due earlier first, and leaves what is due later alone', () => {
  const schedule = new Schedule<string>()
  schedule.add(101, 'late')
  schedule.add(20, 'second')
  schedule.add(10, 'first')

  expect(takeAll(schedule, 100)).toEqual(['first', 'second'])
  expect(schedule.nextDueAt).toBe(101)
})

it('forgets everything when it is cleared', () => {
  const schedule = new Schedule<string>()
  schedule.add(10, 'first')

  schedule.clear()

  expect([schedule.nextDueAt, schedule.takeDue(10)]).toEqual([undefined, undefined])
})
