import { expect, it } from 'vitest'
import type { NewRequestRow } from '../../src/service/store/request-rows.ts'
import type { Store } from '../../src/service/store/store.ts'
import { entry, simulation } from './hold-store.ts'

/** What every store must do with the requests to simulations. `open` makes a fresh, empty one. */
export function holdRequests(open: () => Promise<Store>): void {
  const withStore = (title: string, test: (store: Store) => Promise<void>) =>
    it(title, async () => {
      const store = await open()
      try {
        await store.create(simulation('a'), 9)
        await store.create(simulation('b'), 9)
        await test(store)
      } finally {
        await store.close()
      }
    })

  withStore('reads the requests between two numbers, of one simulation', async ({ requests }) => {
    await requests.add([row('a', 1, 10), row('a', 11, 20), row('b', 1, 30)])
    const read = async (after: number, before: number) => (await requests.read('a', after, before)).map(({ id }) => id)

    expect(await requests.read('a', 0, 99)).toMatchObject([
      { id: 'a-10', entries: '["a-10"]' },
      { id: 'a-20', entries: '["a-20"]' },
    ])
    expect([await read(10, 99), await read(9, 11), await read(20, 99)]).toEqual([['a-20'], ['a-10'], []])
    expect([...(await requests.details('a', ['a-10', 'b-30', 'gone']))]).toEqual([['a-10', '["details of a-10"]']])
  })

  withStore('gives back texts as they came', async ({ requests }) => {
    const texts = ['', 'null', '{"a\\"b":"\\\\,{}"}', "it's é 漢 😀\n\t"]
    await requests.add(texts.map((details, at) => ({ ...row('a', at + 1, at + 1), details })))

    const ids = texts.map((_, at) => `a-${at + 1}`)
    expect(await requests.details('a', ids)).toEqual(new Map(ids.map((id, at) => [id, texts[at]])))
  })

  withStore('keeps a row once that is added twice, and counts what arrived', async ({ requests }) => {
    await requests.add([row('a', 1, 10)])
    await requests.add([row('a', 1, 10), { ...row('a', 3, 3), arrived: 0 }, row('b', 1, 2)])

    expect(await requests.read('a', 0, 99)).toHaveLength(2)
    expect(await requests.arrived(['a', 'b', 'gone'])).toEqual(
      new Map([
        ['a', 10],
        ['b', 2],
        ['gone', 0],
      ]),
    )
  })

  withStore('leaves out the rows of a simulation that is gone, and forgets those of one that goes', async (store) => {
    await store.requests.add([row('a', 1, 10), row('b', 1, 10)])
    await store.remove('a')
    await store.requests.add([row('a', 11, 12), row('b', 11, 12)])

    expect(await store.requests.read('a', 0, 99)).toEqual([])
    expect(await store.requests.read('b', 0, 99)).toHaveLength(2)
    expect(await store.requests.arrived(['a', 'b'])).toEqual(
      new Map([
        ['a', 0],
        ['b', 12],
      ]),
    )
  })

  withStore('forgets the oldest rows past so many requests, or so many characters', async ({ requests }) => {
    const ids = async () => (await requests.read('a', 0, 99)).map(({ id }) => id)
    await requests.add([row('a', 11, 20), row('a', 1, 10), row('a', 21, 30), row('b', 1, 10)])

    await requests.trim('a', { requests: 20, characters: 1_000 })
    expect((await ids()).toSorted()).toEqual(['a-20', 'a-30'])
    await requests.trim('a', { requests: 20, characters: 30 })
    expect(await ids()).toEqual(['a-30'])
    await requests.trim('a', { requests: 20, characters: 1 })
    expect(await ids()).toEqual(['a-30'])
    expect(await requests.read('b', 0, 99)).toHaveLength(1)
  })

  withStore('tells every look at a head that its requests are followed, where there are other nodes', async (store) => {
    const { requests } = store
    const look = async (id: string) => {
      await store.heads([id])
      return requests.isFollowed(id)
    }
    expect([await look('a'), await look('b')]).toEqual([false, false])

    const first = await requests.follow('a')

    expect([await look('a'), await look('b')]).toEqual([store.isShared, false])
    // A service alone has nothing to wait for.
    if (store.isShared) await expect.poll(() => requests.follow('a')).toBeGreaterThan(first)
    else expect([first, await requests.follow('a')]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
    await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])
    expect(requests.isFollowed('a')).toBe(store.isShared)
  })

  withStore('knows a later time after each look', async (store) => {
    await store.heads(['a'])
    const before = store.clockMs
    const timeOfLook = async () => {
      await store.heads(['a'])
      return store.clockMs
    }

    await expect.poll(timeOfLook).toBeGreaterThan(before)
  })
}

function row(of: string, first: number, last: number): NewRequestRow {
  const id = `${of}-${last}`
  const requests = last - first + 1
  const texts = { entries: `["${id}"]`, details: `["details of ${id}"]` }
  return { id, simulation: of, first, last, requests, arrived: requests, ...texts }
}
