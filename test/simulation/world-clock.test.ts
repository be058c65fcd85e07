import { expect, it } from 'vitest'
import { WorldClock } from '../../src/service/simulation/core/world-clock.ts'
import { JournaledMap } from '../../src/service/world/journaled-map.ts'

it('begins at the epoch and moves with real time', () => {
  const clock = new WorldClock(new JournaledMap(), { real: 1_000, epoch: 500 })

  expect(clock.now(1_250)).toBe(750)
})

it('stops while it is paused, and continues from there', () => {
  const clock = new WorldClock(new JournaledMap(), { real: 1_000, epoch: 1_000 })
  clock.pause(1_000)
  const paused = clock.now(6_000)

  clock.resume(6_000)

  expect(paused).toBe(1_000)
  expect(clock.now(6_010)).toBe(1_010)
})

it('stays paused when it is set', () => {
  const clock = new WorldClock(new JournaledMap(), { real: 1_000, epoch: 1_000 })
  clock.pause(1_000)

  clock.set(1_000, 50)

  expect(clock.now(2_000)).toBe(50)
  expect(clock.isPaused).toBe(true)
})
