import { expect, it } from 'vitest'
import { Schedule } from '../../src/service/schedule/schedule.ts'

it('runs tasks due at the same instant in the order they were added', () => {
  const ran: string[] = []
  const schedule = new Schedule(0)
  schedule.add(60_000, () => void ran.push('first'))
  schedule.add(60_000, () => void ran.push('second'))

  schedule.advanceTo(60_000)

  expect(ran).toEqual(['first', 'second'])
})

it('runs the smaller order first among tasks due at the same instant', () => {
  const ran: string[] = []
  const schedule = new Schedule(0)
  schedule.add(60_000, () => void ran.push('second'), 1)
  schedule.add(60_000, () => void ran.push('first'), 0)

  schedule.advanceTo(60_000)

  expect(ran).toEqual(['first', 'second'])
})

it('gives every task its own due time and rests at the target', () => {
  const times: number[] = []
  const schedule = new Schedule(0)
  schedule.add(20, () => void times.push(schedule.now))
  schedule.add(10, () => void times.push(schedule.now))

  schedule.advanceTo(100)

  expect(times).toEqual([10, 20])
  expect(schedule.now).toBe(100)
})

it('runs tasks that a task adds when they are due before the target', () => {
  const times: number[] = []
  const schedule = new Schedule(0)
  const again = () => {
    times.push(schedule.now)
    schedule.add(schedule.now + 10, again)
  }
  schedule.add(10, again)

  schedule.advanceTo(35)

  expect(times).toEqual([10, 20, 30])
  expect(schedule.nextDueAt).toBe(40)
})

it('leaves what is due later alone', () => {
  const ran: string[] = []
  const schedule = new Schedule(0)
  schedule.add(101, () => void ran.push('late'))

  schedule.advanceTo(100)

  expect(ran).toEqual([])
})
