import { expect, it } from 'vitest'
import type { JournalMark } from '../../src/service/store/store.ts'
import { type Fault, FaultyStore } from './faulty-store.ts'
import { MemoryStore } from './memory/memory-store.ts'
import { createIn, openNode } from './nodes.ts'
import { VirtualTime } from './virtual-time.ts'

/** Two nodes over one store that suffers what `fault` says. */
async function openTwo() {
  const time = new VirtualTime()
  const { runtime } = time
  const state: { fault: Fault } = { fault: 'none' }
  const store = new MemoryStore(runtime.clock)
  const faulty = new FaultyStore(store, runtime, () => state.fault)
  await createIn(store, runtime)
  const [left, right] = await Promise.all([openNode(faulty, runtime), openNode(faulty, runtime)])
  return { time, store, faulty, state, left, right }
}

it('shows on one node what another has answered, records and settings', async () => {
  const { time, left, right } = await openTwo()

  const created = await time.run(left.call('POST', '/things', { name: 'mine' }))
  const read = await time.run(right.call('GET', `/things/${created.body.id}`))
  await time.run(Promise.resolve(right.simulation.run(() => right.simulation.execute({ kind: 'pause' }))))
  const paused = await time.run(left.call('GET', '/things'))

  expect(read).toEqual({ status: 200, body: created.body })
  expect(paused.status).toBe(503)
})

it('asks for the head before it runs what is called a read, and keeps what that changes', async () => {
  const { time, store, left, right } = await openTwo()
  const { simulation } = left
  const order: string[] = []
  const { heads } = MemoryStore.prototype
  store.heads = (ids) => {
    order.push('asked')
    return heads.call(store, ids)
  }

  await time.run(Promise.resolve(simulation.run(() => order.push('read'), true)))
  await time.run(Promise.resolve(simulation.run(() => order.push('other'))))
  await time.run(Promise.resolve(simulation.run(() => simulation.execute({ kind: 'pause' }), true)))

  expect(order.slice(0, 4)).toEqual(['asked', 'read', 'other', 'asked'])
  expect((await time.run(right.call('GET', '/things'))).status).toBe(503)
})

it('answers 503 with Retry-After after 10 s without an answer of the store, and works again when it is back', async () => {
  const { time, state, left } = await openTwo()
  const { clock } = time.runtime
  state.fault = 'down'
  const from = clock.monotonic()

  await expect(time.run(left.call('POST', '/things', { name: 'lost' }))).rejects.toMatchObject({
    status: 503,
    code: 'unavailable',
    retryAfterSeconds: 1,
  })
  expect(clock.monotonic() - from).toBeGreaterThanOrEqual(10_000)
  expect(clock.monotonic() - from).toBeLessThan(11_000)

  state.fault = 'none'
  expect((await time.run(left.call('POST', '/things', { name: 'kept' }))).status).toBe(201)
  const { body } = await time.run(left.call('GET', '/things?limit=500'))
  expect(JSON.stringify(body)).not.toContain('"lost"')
})

it('answers 507 to changes while the store is full, answers reads, and works again when there is room', async () => {
  const { time, state, left } = await openTwo()
  state.fault = 'full'

  const change = left.call('POST', '/things', { name: 'lost' })
  const read = left.call('GET', '/things')

  await expect(time.run(change)).rejects.toMatchObject({ status: 507, code: 'insufficient_storage' })
  expect((await time.run(read)).status).toBe(200)
  state.fault = 'none'
  expect((await time.run(left.call('POST', '/things', { name: 'kept' }))).status).toBe(201)
})

it('keeps other nodes waiting while one fast-forwards, and has all of it or nothing', async () => {
  const { time, left, right } = await openTwo()
  const before = left.simulation.dump().events.sequence

  const forward = left.simulation.fastForward(48)
  const created = right.call('POST', '/things', { name: 'meanwhile' })
  const [result, answer] = await time.run(Promise.all([forward, created]))

  expect(result).toMatchObject({ hours: 48, changes: 48 })
  expect(answer.status).toBe(201)
  expect((await time.run(left.call('GET', '/things'))).status).toBe(200)
  expect(left.simulation.dump().events.sequence - before).toBe(49)
})

it('lets other nodes change the simulation as soon as a fast-forward is refused', async () => {
  const { time, store, left, right } = await openTwo()
  const { clock } = time.runtime
  const hold = store.hold.bind(store)
  store.hold = (...how) => hold(...how).finally(() => left.simulation.interrupt('its node ends'))
  await expect(time.run(left.simulation.fastForward(24))).rejects.toThrow('its node ends')
  const from = clock.monotonic()

  const { status } = await time.run(right.call('POST', '/things', { name: 'at once' }))

  expect(status).toBe(201)
  expect(clock.monotonic() - from).toBeLessThan(1_000)
})

it('tells a reader who comes with a change of the same batch once of it', async () => {
  const { time, left } = await openTwo()
  const { simulation } = left
  simulation.follow(() => {})

  const created = left.call('POST', '/things', { name: 'same batch' })
  const followed: string[] = []
  const opened = simulation.run(() => {
    simulation.follow(({ compose }) => void followed.push(compose().id))
    return simulation.events().map(({ id }) => id)
  })
  const [shown] = await time.run(Promise.all([opened, created]))
  await time.run(left.call('POST', '/things', { name: 'later' }))

  const all = (await time.run(Promise.resolve(simulation.run(() => simulation.events())))).map(({ id }) => id)
  expect(shown).toHaveLength(1)
  expect([...followed.toReversed(), ...shown]).toEqual(all)
})

it('answers 404 for a simulation that another node has deleted', async () => {
  const { time, store, left } = await openTwo()
  await store.remove(left.simulation.id)

  await expect(time.run(left.call('GET', '/things'))).rejects.toMatchObject({ status: 404, code: 'not_found' })
  await expect(time.run(left.call('POST', '/things', { name: 'x' }))).rejects.toMatchObject({ status: 404 })
})

it('notices by the tip that the store was put back to an earlier state, and serves that', async () => {
  const { time, store, faulty, left, right } = await openTwo()
  const { id } = left.simulation
  await time.run(left.call('POST', '/things', { name: 'kept' }))
  const backup = new MemoryStore(time.runtime.clock)
  await createIn(backup, time.runtime)
  for (const { head, tip, at, delta } of (await store.load(id, undefined))?.commits ?? []) {
    const mark = (await backup.heads([id])).get(id) as JournalMark
    await backup.append([{ id, from: mark, next: tip, at, delta, hold: null, wakeAt: null, outbox: null }])
    expect((await backup.heads([id])).get(id)).toEqual({ head, tip })
  }
  await time.run(left.call('POST', '/things', { name: 'forgotten' }))
  await time.run(right.call('GET', '/things'))

  // The last commit is lost, and another one gets its number.
  faulty.store = backup
  await time.run((await openNode(backup, time.runtime)).call('POST', '/things', { name: 'other' }))
  const { body } = await time.run(right.call('GET', '/things?limit=500'))

  expect(JSON.stringify(body)).toContain('"kept"')
  expect(JSON.stringify(body)).toContain('"other"')
  expect(JSON.stringify(body)).not.toContain('"forgotten"')
})

it('keeps snapshots in the store: another node restores them', async () => {
  const { time, left, right } = await openTwo()
  await time.run(left.call('POST', '/things', { name: 'before' }))

  const id = await time.run(Promise.resolve(left.simulation.snapshot()))
  await time.run(left.call('POST', '/things', { name: 'after' }))
  await time.run(Promise.resolve(right.simulation.restore(id)))

  const { body } = await time.run(left.call('GET', '/things?limit=500'))
  expect(id).toBe('snap_1')
  expect(JSON.stringify(body)).toContain('"before"')
  expect(JSON.stringify(body)).not.toContain('"after"')
  await expect(time.run(Promise.resolve(left.simulation.restore('snap_2')))).rejects.toThrow(
    'No snapshot "snap_2" of this simulation: snap_1 to snap_1 are kept.',
  )
})

it('puts a state in place of a long journal', async () => {
  const { time, store, left } = await openTwo()
  for (let at = 0; at < 4; at++) {
    await time.run(left.call('POST', '/things', { name: 'x'.repeat(400_000) }))
  }

  const missed = await store.load(left.simulation.id, undefined)

  expect(missed?.state?.head).toBe(3)
  expect(missed?.commits.map(({ head }) => head)).toEqual([4])
  const fresh = await openNode(store, time.runtime)
  expect(fresh.simulation.dump().world).toEqual(left.simulation.dump().world)
})

it('answers reads while another node holds the simulation, and changes when that is over', async () => {
  const { time, store, left } = await openTwo()
  const { id } = left.simulation
  const mark = (await store.heads([id])).get(id) as JournalMark
  await store.hold(id, mark, 'another node', 1_500)
  const from = time.runtime.clock.monotonic()

  const change = left.call('POST', '/things', { name: 'later' })
  const read = await time.run(left.call('GET', '/things'))
  const readAfterMs = time.runtime.clock.monotonic() - from

  expect([read.status, readAfterMs]).toEqual([200, 0])
  expect((await time.run(change)).status).toBe(201)
  expect(time.runtime.clock.monotonic() - from).toBeGreaterThanOrEqual(1_500)
})
