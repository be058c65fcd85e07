import { expect, it } from 'vitest'
import { MemoryStore } from './memory/memory-store.ts'
import { createIn, type NodeUnderTest, openNode } from './nodes.ts'
import { VirtualTime } from './virtual-time.ts'

const LARGE = 'x'.repeat(10_000)

/** Two nodes over one store, with a simulation that has taken the 100 kB that it may. */
async function openFull() {
  const time = new VirtualTime()
  const { runtime } = time
  const store = new MemoryStore(runtime.clock)
  await createIn(store, runtime)
  const open = () => openNode(store, runtime, { simulationMb: 0.1 })
  const [left, right] = await Promise.all([open(), open()])
  const ids: string[] = []
  for (;;) {
    const answer = await create(time, left).catch((error: unknown) => ({ error }))
    if ('error' in answer) return { time, left, right, ids, refused: answer.error }
    ids.push(String(answer.body.id))
  }
}

const create = (time: VirtualTime, node: NodeUnderTest) => time.run(node.call('POST', '/things', { name: LARGE }))
const full = { status: 507, code: 'insufficient_storage' }

it('refuses what makes a simulation larger than it may be, on every node, and reads on', async () => {
  const { time, left, right, ids, refused } = await openFull()

  expect(ids.length).toBeGreaterThan(5)
  expect(ids.length).toBeLessThan(12)
  expect(refused).toMatchObject({
    ...full,
    message:
      'Failed to make the simulation larger: its changes take the 0.1 MB that they may, so nothing was changed. Delete records or reset it; whoever hosts the service sets the bound by `--simulation-mb`.',
  })
  await expect(create(time, right)).rejects.toMatchObject(full)
  await expect(time.run(left.simulation.fastForward(2))).rejects.toMatchObject(full)
  expect((await time.run(right.call('GET', `/things/${ids.at(-1)}`))).body.name).toBe(LARGE)
})

it('applies deletions in a batch with refused changes, and has room afterwards', async () => {
  const { time, left, ids } = await openFull()
  const [first, ...others] = ids

  const [created, deleted, read] = await time.run(
    Promise.allSettled([
      left.call('POST', '/things', { name: LARGE }),
      left.call('DELETE', `/things/${first}`),
      left.call('GET', `/things/${others[0]}`),
    ]),
  )
  for (const id of others.slice(1, 3)) await time.run(left.call('DELETE', `/things/${id}`))
  await time.run(time.runtime.sleep(10_000))

  expect(created).toMatchObject({ status: 'rejected', reason: full })
  expect(deleted).toMatchObject({ status: 'fulfilled', value: { status: 204 } })
  expect(read).toMatchObject({ status: 'fulfilled', value: { status: 200 } })
  expect((await create(time, left)).status).toBe(201)
})

it('has room at once after a reset', async () => {
  const { time, left } = await openFull()

  await time.run(Promise.resolve(left.simulation.run(() => left.simulation.reset())))

  expect((await create(time, left)).status).toBe(201)
})
