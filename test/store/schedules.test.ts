import { expect, it } from 'vitest'
import type { Store } from '../../src/service/store/store.ts'
import { FAULTS, runSchedule } from './run-schedule.ts'

/** `npm run chaos -- store` runs more, on real stores. */
const SCHEDULES = 30

it('loses nothing, doubles nothing and shows nothing old, whatever the store suffers', async () => {
  const suffered = new Set<string>()
  let acknowledged = 0
  for (let seed = 0; seed < SCHEDULES; seed++) {
    const found = await runSchedule(seed)
    for (const fault of found.suffered) suffered.add(fault)

    expect({ seed, ...found.problems }).toEqual({ seed, lost: [], doubled: [], violations: [], dumps: 1 })
    acknowledged += found.acknowledged
  }
  expect(acknowledged).toBeGreaterThan(10 * SCHEDULES)
  expect([...suffered].toSorted()).toEqual([...new Set(FAULTS)].toSorted())
})

// The controls: each checker has to notice what it is there for.

it('notices a node that does not ask for the head', async () => {
  const broken = (store: Store): Store => replace(store, { isShared: false })

  expect(await shows('violations', broken)).toBe(true)
})

it('notices a store that answers before it writes, and then does not', async () => {
  let calls = 0
  const broken = (store: Store): Store =>
    replace(store, {
      append: async (entries) => (++calls % 5 === 0 ? entries.map(() => 'kept' as const) : store.append(entries)),
    })

  expect(await shows('lost', broken)).toBe(true)
})

it('detects a node that repeats a delivery with an unknown outcome', async () => {
  const broken = (store: Store): Store =>
    // Without a look at what was kept.
    replace(store, { append: (entries) => store.append(entries).catch(() => entries.map(() => 'behind' as const)) })

  expect(await shows('doubled', broken)).toBe(true)
})

function replace(store: Store, parts: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(name in parts ? parts : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Whether some schedule with a broken store has problems of this kind. */
async function shows(kind: 'lost' | 'doubled' | 'violations', broken: (store: Store) => Store): Promise<boolean> {
  for (let seed = 0; seed < 20; seed++) if ((await runSchedule(seed, broken)).problems[kind].length > 0) return true
  return false
}
