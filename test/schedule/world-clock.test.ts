import { expect, it } from 'vitest'
import { WorldClock } from '../../src/service/schedule/world-clock.ts'

function startAt(real: number, epoch: number) {
  const hands = { real }
  return { hands, clock: new WorldClock({ now: () => hands.real, monotonic: () => hands.real }, epoch) }
}

it('begins at the epoch and moves with real time', () => {
  const { hands, clock } = startAt(1_000, 500)

  hands.real += 250

  expect(clock.now()).toBe(750)
  expect(clock.offsetMs).toBe(-500)
})

it('stands still while it is paused and goes on from there', () => {
  const { hands, clock } = startAt(1_000, 1_000)
  clock.pause()
  hands.real += 5_000
  const paused = clock.now()

  clock.resume()
  hands.real += 10

  expect(paused).toBe(1_000)
  expect(clock.now()).toBe(1_010)
})

it('stays paused when it is set', () => {
  const { hands, clock } = startAt(1_000, 1_000)
  clock.pause()

  clock.set(50)
  hands.real += 1_000

  expect(clock.now()).toBe(50)
  expect(clock.isPaused).toBe(true)
})
