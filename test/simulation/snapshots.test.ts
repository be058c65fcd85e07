import { expect, it } from 'vitest'
import { Snapshots } from '../../src/service/simulation/stored/snapshots.ts'
import { createCore, START } from './core-session.ts'

it('lets the oldest snapshots go where all together hold too many records, and keeps the latest one', () => {
  const core = createCore()
  core.execute({ at: START, kind: 'fast-forward', hours: 72 })
  const state = core.dump()
  const records = state.world.collections.reduce((sum, { positions }) => sum + positions.length, 0)
  const snapshots = new Snapshots(3 * records)

  const ids = Array.from({ length: 10 }, () => snapshots.add(state, null))
  const kept = snapshots.list().map(({ id }) => id)
  const alone = new Snapshots(1).add(state, null)

  expect(records).toBeGreaterThan(5)
  expect(kept).toEqual(ids.slice(-3).toReversed())
  expect(snapshots.get(kept.at(-1) ?? '')).toBe(state)
  expect(() => snapshots.get(ids[0] ?? '')).toThrow(`${kept.at(-1)} to snap_10 are kept`)
  expect(alone).toBe('snap_1')
})
