import { expect, it } from 'vitest'
import type { Store } from '../../src/service/store/store.ts'
import type { DeliveryLease, KeptDelivery, OutboxChange, Settlement } from '../../src/service/store/work.ts'
import { entry, simulation } from './hold-store.ts'

export const NOTHING: Settlement = { deliveries: [], emptied: [], advanced: [], failures: [], notes: '' }
const MINUTE = 60_000

/** What the work of every store must do. `open` makes a fresh, empty one. */
export function holdWork(open: () => Promise<Store>): void {
  const withDeliveries = (title: string, test: (store: Store, append: Append) => Promise<void>) =>
    it(title, async () => {
      const store = await open()
      let head = 0
      const append: Append = async (outbox, wakeAt = null) => {
        const from = { head, tip: head === 0 ? 'a0' : `a${head}` }
        expect(await store.append([{ ...entry(from, `a${++head}`), outbox, wakeAt }])).toEqual(['kept'])
      }
      try {
        await store.create(simulation('a'), 9)
        await test(store, append)
      } finally {
        await store.close()
      }
    })

  withDeliveries('gives what is due to one of two senders, until it is given back', async ({ work }, append) => {
    expect(await work.isSettled('a')).toBe(true)
    await append(adds('hook', 2))
    expect(await work.isSettled('a')).toBe(false)
    expect(await work.backlog()).toMatchObject({ waiting: 2, tickLateMs: 0 })

    const claims = await Promise.all([
      work.claimDeliveries('mine', MINUTE, 9),
      work.claimDeliveries('yours', MINUTE, 9),
    ])

    const [lease] = claims.flat()
    expect(claims.flat()).toHaveLength(1)
    expect(lease).toMatchObject({ simulation: 'a', notes: '' })
    expect(await work.claim('a', 'other', MINUTE)).toBeUndefined()
    const { pulse } = (await work.renew(lease as DeliveryLease, MINUTE)) as { pulse: number }
    expect(await work.isSettled('a')).toBe(false)
    const [chunk] = await work.chunks('a', [{ webhook: 'hook', after: 0 }], 9)
    expect(chunk).toMatchObject({ webhook: 'hook', text: '"hook 2"', done: '' })
    expect(await work.settle(lease as DeliveryLease, { ...NOTHING, emptied: [chunk?.id ?? 0], notes: 'left' })).toBe(
      true,
    )
    expect(await work.release(lease as DeliveryLease, { pulse, off: [], offsetMs: 0 })).toBeUndefined()
    expect(await work.isSettled('a')).toBe(true)
    expect(await work.claimDeliveries('next', MINUTE, 9)).toEqual([])
    expect(await work.notes('a')).toBe('left')
    expect(await work.claim('a', 'other', MINUTE)).toMatchObject({ notes: 'left' })
  })

  withDeliveries('has what was added while a sender was at it looked at again', async ({ work }, append) => {
    await append(adds('hook', 1))
    const lease = await claimed(work)
    const { pulse } = (await work.renew(lease, MINUTE)) as { pulse: number }
    const [first] = await work.chunks('a', [{ webhook: 'hook', after: 0 }], 9)
    await append(adds('hook', 3))
    await work.settle(lease, { ...NOTHING, emptied: [first?.id ?? 0] })

    expect(await work.release(lease, { pulse, off: ['hook'], offsetMs: 0 })).toBeLessThanOrEqual(0)

    expect(await work.claimDeliveries('next', MINUTE, 9)).toHaveLength(1)
  })

  withDeliveries(
    'keeps chunks in order, each webhook for itself, and says how far each is',
    async ({ work }, append) => {
      for (const count of [1, 2])
        await append({ ...adds('one', count), added: [...adds('one', count).added, ...adds('two', count).added] })
      const lease = await claimed(work)

      const first = await work.chunks(
        'a',
        [
          { webhook: 'one', after: 0 },
          { webhook: 'two', after: 0 },
        ],
        1,
      )
      const after = first.find(({ webhook }) => webhook === 'one')?.id ?? 0
      await work.settle(lease, { ...NOTHING, advanced: [{ id: after, done: '[0]' }] })

      expect(first.map(({ text }) => text).toSorted()).toEqual(['"one 1"', '"two 1"'])
      expect((await work.chunks('a', [{ webhook: 'one', after }], 9)).map(({ text }) => text)).toEqual(['"one 2"'])
      const { chunks } = await work.deliveries('a', 'one', 9)
      expect(chunks.map(({ text, done }) => text + done)).toEqual(['"one 1"[0]', '"one 2"'])
      expect((await work.deliveries('a', 'one', 1)).chunks.map(({ text }) => text)).toEqual(['"one 2"'])
    },
  )

  withDeliveries('keeps deliveries, those to come by their time', async ({ work }, append) => {
    await append(adds('hook', 1))
    const lease = await claimed(work)
    const { pulse } = (await work.renew(lease, MINUTE)) as { pulse: number }
    const [chunk] = await work.chunks('a', [{ webhook: 'hook', after: 0 }], 9)
    const later = Date.now() + 10 * MINUTE

    await work.settle(lease, {
      ...NOTHING,
      deliveries: [delivery(2, later), delivery(1, null), delivery(3, later - MINUTE)],
      emptied: [chunk?.id ?? 0],
      failures: [{ webhook: 'hook', failures: 7 }],
    })

    expect((await work.waiting('a', 9)).map(({ number, dueAt }) => [number, dueAt])).toEqual([
      [3, later - MINUTE],
      [2, later],
    ])
    expect((await work.waiting('a', 1)).map(({ number }) => number)).toEqual([3])
    expect((await work.deliveries('a', 'hook', 2)).kept.map(({ number }) => number)).toEqual([2, 3])
    expect(await work.lanes('a')).toEqual([{ webhook: 'hook', failures: 7, dropped: 0 }])
    const [first, ...later3] = await work.settledAfter('a', 0)
    expect([first, ...later3].map((one) => one?.number).toSorted()).toEqual([1, 2, 3])
    expect(await work.settledAfter('a', Math.max(...[first, ...later3].map((one) => one?.keptAt ?? 0)))).toEqual([])
    const inMs = await work.release(lease, { pulse, off: [], offsetMs: 4 * MINUTE })
    expect(Math.round((inMs ?? 0) / 1_000)).toBeCloseTo(300, -1)
    expect(await work.isSettled('a')).toBe(true)

    const again = (await work.claim('a', 'again', MINUTE)) as DeliveryLease
    await work.settle(again, { ...NOTHING, deliveries: [delivery(3, null), { ...delivery(2, later), text: '"more"' }] })
    expect((await work.waiting('a', 9)).map(({ text }) => text)).toEqual(['"more"'])
    expect(await work.release(again, { pulse, off: ['hook'], offsetMs: 0 })).toBeUndefined()
    expect((await work.deliveries('a', 'hook', 9)).kept.map(({ number, dueAt }) => [number, dueAt])).toEqual([
      [1, null],
      [2, later],
      [3, null],
    ])
  })

  withDeliveries(
    'settles nothing under a lease that is lost, and nothing of a world that is gone',
    async ({ work }, append) => {
      await append(adds('hook', 1))
      const lease = await claimed(work)
      const stranger = { ...lease, lease: 'stranger' }
      expect(await work.settle(stranger, { ...NOTHING, deliveries: [delivery(1, null)] })).toBe(false)
      expect(await work.renew(stranger, MINUTE)).toBeUndefined()
      expect(await work.release(stranger, { pulse: 0, off: [], offsetMs: 0 })).toBeUndefined()
      await work.settle(lease, { ...NOTHING, deliveries: [delivery(1, Date.now()), delivery(2, null)] })

      await append({ added: [{ webhook: 'hook', events: 1, text: '"new"' }], removed: [], isCleared: true })

      expect(await work.renew(lease, MINUTE)).toBeUndefined()
      expect(await work.settle(lease, { ...NOTHING, deliveries: [delivery(3, Date.now())] })).toBe(false)
      expect(await work.waiting('a', 9)).toEqual([])
      const { kept, chunks } = await work.deliveries('a', 'hook', 9)
      expect([kept.map(({ number }) => number), chunks.map(({ text }) => text)]).toEqual([[2], ['"new"']])
      expect(await work.release(lease, { pulse: 0, off: [], offsetMs: 0 })).toBeLessThanOrEqual(0)
      expect(await work.claimDeliveries('next', MINUTE, 9)).toHaveLength(1)
    },
  )

  withDeliveries(
    'forgets a webhook that is gone, and counts failures anew where that is asked',
    async ({ work }, append) => {
      await append({ ...adds('gone', 1), added: [...adds('gone', 1).added, ...adds('stays', 1).added] })
      const lease = await claimed(work)
      const both = ['gone', 'stays'].map((webhook) => ({ ...delivery(1, null), webhook }))
      const failures = ['gone', 'stays'].map((webhook) => ({ webhook, failures: 50 }))
      await work.settle(lease, { ...NOTHING, deliveries: both, failures })

      await append({ added: [], removed: ['gone'], isCleared: false })

      expect(await work.settle(lease, NOTHING)).toBe(false)
      expect(await work.deliveries('a', 'gone', 9)).toEqual({ kept: [], chunks: [] })
      expect((await work.deliveries('a', 'stays', 9)).chunks).toHaveLength(1)
      expect(await work.lanes('a')).toEqual([{ webhook: 'stays', failures: 50, dropped: 0 }])
      await work.forgive('a', 'stays')
      expect(await work.lanes('a')).toEqual([{ webhook: 'stays', failures: 0, dropped: 0 }])
      const lasting = (await work.findLease(lease)) as DeliveryLease
      expect(await work.settle(lasting, NOTHING)).toBe(true)
      await work.release(lasting, { pulse: -1, off: [], offsetMs: 0 })
      expect(await work.findLease(lasting)).toBeUndefined()
    },
  )

  withDeliveries('drops the youngest of too many, and forgets old deliveries', async ({ work }, append) => {
    for (const count of [3, 2, 4]) await append(adds('hook', count))
    const lease = await claimed(work)

    expect(await work.drop(lease, 'hook', 5)).toBe(4)

    expect(await work.drop(lease, 'hook', 5)).toBe(0)
    expect((await work.deliveries('a', 'hook', 9)).chunks.map(({ text }) => text)).toEqual(['"hook 3"', '"hook 2"'])
    expect(await work.lanes('a')).toEqual([{ webhook: 'hook', failures: 0, dropped: 4 }])
    const many = Array.from({ length: 1_100 }, (_, at) => delivery(at + 1, at === 0 ? Date.now() : null))
    await work.settle(lease, { ...NOTHING, deliveries: many })
    await work.forgetOld('a', ['hook', 'none'])
    const { kept } = await work.deliveries('a', 'hook', 2_000)
    expect([kept.length, kept[0]?.number, kept[1]?.number]).toEqual([1_001, 1, 101])
  })

  withDeliveries(
    'gives a tick to one node, when it is late by a second, and then for 10 s to no other',
    async ({ work }, append) => {
      await append(null, Date.now() - 500)
      expect(await work.claimTicks(9)).toEqual([])
      await append(null, Date.now() - 1_500)

      const claims = await Promise.all([work.claimTicks(9), work.claimTicks(9)])

      expect(claims.flat()).toEqual(['a'])
      expect(await work.claimTicks(9)).toEqual([])
      await append(null, Date.now() - 1_500)
      await append(null, null)
      expect(await work.claimTicks(9)).toEqual([])
    },
  )

  withDeliveries('keeps entries with deliveries beside others, and nothing of one that lost', async (store, append) => {
    await store.create(simulation('b'), 9)
    await append(null)

    const results = await store.append([
      { ...entry({ head: 0, tip: 'b0' }, 'b1'), id: 'b', outbox: adds('hook', 2) },
      { ...entry({ head: 0, tip: 'a0' }, 'x'), outbox: adds('hook', 1) },
    ])

    expect(results).toEqual(['kept', 'behind'])
    expect(await store.work.isSettled('a')).toBe(true)
    expect(await store.work.claimDeliveries('mine', MINUTE, 9)).toMatchObject([{ simulation: 'b' }])
    expect((await store.work.deliveries('a', 'hook', 9)).chunks).toEqual([])
    await store.remove('b')
    expect((await store.work.deliveries('b', 'hook', 9)).chunks).toEqual([])
    expect(await store.find({ id: 'a' })).toMatchObject({ slug: 'slug-a' })
  })
}

type Append = (outbox: OutboxChange | null, wakeAt?: number | null) => Promise<void>

const adds = (webhook: string, events: number): OutboxChange => ({
  added: [{ webhook, events, text: `"${webhook} ${events}"` }],
  removed: [],
  isCleared: false,
})

const delivery = (number: number, dueAt: number | null): KeptDelivery => ({
  webhook: 'hook',
  number,
  dueAt,
  text: `"${number}"`,
})

async function claimed(work: Store['work']): Promise<DeliveryLease> {
  return (await work.claimDeliveries('mine', MINUTE, 9))[0] as DeliveryLease
}
