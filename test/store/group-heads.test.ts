import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { groupHeads } from '../../src/service/store/group-append.ts'
import { StoreUnavailable } from '../../src/service/store/store.ts'
import { entry, simulation } from './hold-store.ts'
import { MemoryStore } from './memory/memory-store.ts'

/** A store that answers when the test lets it, and the groups that it was asked for. */
async function openHeld() {
  const store = new MemoryStore(systemClock)
  for (const id of ['a', 'b']) await store.create(simulation(id), 9)
  const asked: string[][] = []
  const answers: (() => void)[] = []
  const { heads } = MemoryStore.prototype
  store.heads = async (ids) => {
    asked.push([...ids])
    await new Promise<void>((resolve) => answers.push(resolve))
    return heads.call(store, ids)
  }
  return { store, asked, answers, head: groupHeads(store) }
}

it('looks at the heads of one turn together, and at those of later ones when there is room', async () => {
  const { asked, answers, head } = await openHeld()

  const first = [head('a'), head('b'), head('a'), head('gone')]
  await Promise.resolve()
  const second = head('a')
  await Promise.resolve()
  const third = [head('b'), head('a')]
  await Promise.resolve()
  expect(asked).toEqual([['a', 'b', 'gone'], ['a']])
  answers[0]?.()

  const [a, b] = [
    { head: 0, tip: 'a0' },
    { head: 0, tip: 'b0' },
  ]
  expect(await Promise.all(first)).toEqual([a, b, a, undefined])
  expect(asked[2]).toEqual(['b', 'a'])
  for (const answer of answers) answer()
  expect(await Promise.all([second, ...third])).toEqual([a, b, a])
})

it('shows what was committed before the call, whatever look was under way then', async () => {
  const { store, answers, head } = await openHeld()
  const before = head('a')
  await Promise.resolve()
  await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])

  const after = head('a')
  await Promise.resolve()
  for (const answer of answers) answer()

  await before
  expect(await after).toEqual({ head: 1, tip: 'a1' })
})

it('tells everybody who waits that the store gives no answer, and looks again', async () => {
  const { store, head } = await openHeld()
  const { heads } = MemoryStore.prototype
  store.heads = async () => {
    throw new StoreUnavailable('down')
  }

  const refused = await Promise.allSettled([head('a'), head('b')])
  store.heads = heads

  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await head('a')).toEqual({ head: 0, tip: 'a0' })
})
