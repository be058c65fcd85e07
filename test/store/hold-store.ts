import { expect, it } from 'vitest'
import type { Entry, JournalMark, NewSimulation, Store } from '../../src/service/store/store.ts'

/** What every store must do. `open` makes a fresh, empty one. */
export function holdStore(open: () => Promise<Store>): void {
  const withStore = (title: string, test: (store: Store) => Promise<void>) =>
    it(title, async () => {
      const store = await open()
      try {
        await test(store)
      } finally {
        await store.close()
      }
    })

  withStore('finds what was created by slug, id and account, and nothing of other accounts', async (store) => {
    expect(await store.create(simulation('a'), 9)).toBe('created')

    expect(await store.find({ slug: 'slug-a' })).toMatchObject({ id: 'a', genesis: '{"name":"a"}', engine: 7 })
    expect(await store.find({ account: 'first', idOrSlug: 'a' })).toMatchObject({ slug: 'slug-a' })
    expect(await store.find({ account: 'first', idOrSlug: 'slug-a' })).toMatchObject({ id: 'a' })
    expect(await store.find({ account: 'second', idOrSlug: 'a' })).toBeUndefined()
    expect(await store.find({ slug: 'slug-b' })).toBeUndefined()
    expect(await store.description('hash-a')).toBe('text of a')
  })

  withStore('gives a slug to one of two simulations', async (store) => {
    const twice = { ...simulation('b'), slug: 'slug-a' }

    const results = await Promise.all([store.create(simulation('a'), 9), store.create(twice, 9)])

    // Which of them is first is the store's.
    expect(results.toSorted()).toEqual(['created', 'slug taken'])
    expect(await store.list('first')).toHaveLength(1)
    expect(await store.load(results[0] === 'created' ? 'b' : 'a', undefined)).toBeUndefined()
  })

  withStore('keeps as many simulations of an account as it may have, in whatever order they come', async (store) => {
    await store.create({ ...simulation('other'), account: 'second' }, 1)

    const results = await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.create(simulation(id), 2)))

    expect(results.toSorted()).toEqual(['created', 'created', 'plan limit', 'plan limit'])
    expect(await store.count('first')).toBe(2)
    expect(await store.count('none')).toBe(0)
  })

  withStore('lists the simulations of an account, oldest first', async (store) => {
    for (const id of ['c', 'a', 'b']) await store.create(simulation(id), 9)
    await store.create({ ...simulation('d'), account: 'second' }, 9)

    expect((await store.list('first')).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })

  withStore('loads the state and every commit after it', async (store) => {
    const marks = await createWithCommits(store, 3)

    const missed = await store.load('a', undefined)

    expect(missed?.state).toMatchObject({ head: 0, tip: 'a0', dump: '{"state":0}', at: 1_000 })
    expect(missed?.commits).toEqual([1, 2, 3].map((n) => ({ ...marks[n], at: 1_000 + n, delta: `{"delta":${n}}` })))
    expect((await store.heads(['a', 'none'])).get('a')).toEqual({ head: 3, tip: 'a3' })
    expect((await store.heads(['none'])).size).toBe(0)
  })

  withStore('keeps long texts as they were, whatever lies where they are cut', async (store) => {
    const [mark] = await createWithCommits(store, 0)
    const long = (name: string) => JSON.stringify(`${name}${'😀'.repeat(300_000)}`)
    const delta = long('odd')
    await store.append([{ ...entry(mark as JournalMark, 'a1'), delta }])
    expect((await store.load('a', undefined))?.commits[0]?.delta === delta).toBe(true)
    const number = await store.save('a', { dump: long('even'), about: '{}' })
    await store.compact('a', { head: 1, tip: 'a1', at: 1_001, dump: long('state') })

    expect((await store.load('a', undefined))?.state?.dump === long('state')).toBe(true)
    expect((await store.saved('a', number)).dump === long('even')).toBe(true)
  })

  withStore('loads what follows any mark, and nothing at the last one', async (store) => {
    const marks = await createWithCommits(store, 3)

    for (const [at, mark] of marks.entries()) {
      const missed = await store.load('a', mark)
      expect(missed?.state).toBeUndefined()
      expect(missed?.commits.map(({ head }) => head)).toEqual([1, 2, 3].slice(at))
    }
  })

  withStore('loads everything where a mark has the number of a commit and another tip', async (store) => {
    await createWithCommits(store, 2)

    for (const head of [0, 1, 2, 9]) {
      const missed = await store.load('a', { head, tip: 'of another history' })
      expect(missed?.state?.head).toBe(0)
      expect(missed?.commits).toHaveLength(2)
    }
  })

  withStore('keeps an entry only on the mark that it follows', async (store) => {
    await createWithCommits(store, 1)

    const results = await store.append([
      entry({ head: 0, tip: 'a0' }, 'x'),
      entry({ head: 1, tip: 'another' }, 'x'),
      { ...entry({ head: 0, tip: 'a0' }, 'x'), id: 'none' },
      entry({ head: 1, tip: 'a1' }, 'y'),
    ])

    expect(results).toEqual(['behind', 'behind', 'gone', 'kept'])
    expect((await store.heads(['a'])).get('a')).toEqual({ head: 2, tip: 'y' })
  })

  withStore('keeps entries of several simulations in one go', async (store) => {
    for (const id of ['a', 'b', 'c']) await store.create(simulation(id), 9)

    const results = await store.append(['c', 'a', 'b'].map((id) => ({ ...entry({ head: 0, tip: `${id}0` }, id), id })))

    expect(results).toEqual(['kept', 'kept', 'kept'])
    expect([...(await store.heads(['a', 'b', 'c']))]).toEqual(['a', 'b', 'c'].map((id) => [id, { head: 1, tip: id }]))
  })

  withStore('has one winner among appends at once', async (store) => {
    await createWithCommits(store, 0)

    const appends = Array.from({ length: 8 }, (_, at) => store.append([entry({ head: 0, tip: 'a0' }, `w${at}`)]))
    const results = (await Promise.all(appends)).flat()

    expect(results.toSorted()).toEqual([...Array(7).fill('behind'), 'kept'])
    expect((await store.load('a', undefined))?.commits.map(({ tip }) => tip)).toEqual([`w${results.indexOf('kept')}`])
  })

  withStore('puts a state in place of the commits up to it, beside appends', async (store) => {
    const marks = await createWithCommits(store, 3)

    await store.compact('a', { head: 2, tip: 'a2', at: 1_002, dump: '{"state":2}' })
    expect(await store.append([entry({ head: 3, tip: 'a3' }, 'a4')])).toEqual(['kept'])

    const missed = await store.load('a', undefined)
    expect(missed?.state).toMatchObject({ head: 2, tip: 'a2', at: 1_002, dump: '{"state":2}' })
    expect(missed?.commits.map(({ tip }) => tip)).toEqual(['a3', 'a4'])
    expect((await store.load('a', marks[3]))?.commits.map(({ tip }) => tip)).toEqual(['a4'])
    expect((await store.load('a', marks[2]))?.commits.map(({ tip }) => tip)).toEqual(['a3', 'a4'])
  })

  withStore('keeps the younger of two states, and none of another history', async (store) => {
    await createWithCommits(store, 3)

    await store.compact('a', { head: 3, tip: 'a3', at: 1_003, dump: '{"state":3}' })
    await store.compact('a', { head: 1, tip: 'a1', at: 1_001, dump: '{"state":1}' })
    await store.append([entry({ head: 3, tip: 'a3' }, 'a4')])
    await store.compact('a', { head: 4, tip: 'not a4', at: 1_004, dump: '{"state":4}' })

    const missed = await store.load('a', undefined)
    expect(missed?.state).toMatchObject({ head: 3, dump: '{"state":3}' })
    expect(missed?.commits.map(({ tip }) => tip)).toEqual(['a4'])
  })

  withStore('forgets a deleted simulation whole, and its slug is free', async (store) => {
    await createWithCommits(store, 2)
    await store.save('a', { dump: '{"saved":1}', about: '{}' })

    await store.remove('a')
    await store.remove('a')

    expect(await store.find({ slug: 'slug-a' })).toBeUndefined()
    expect(await store.load('a', undefined)).toBeUndefined()
    expect(await store.append([entry({ head: 2, tip: 'a2' }, 'x')])).toEqual(['gone'])
    expect((await store.heads(['a'])).size).toBe(0)
    expect(await store.create({ ...simulation('b'), slug: 'slug-a' }, 9)).toBe('created')
    expect((await store.saved('b', 1)).dump).toBeUndefined()
  })

  withStore('keeps the description of a simulation while another one of it is deleted', async (store) => {
    await store.create({ ...simulation('a'), description: 'shared', descriptionText: 'the same' }, 9)
    await store.create({ ...simulation('b'), description: 'shared', descriptionText: 'the same' }, 9)

    await store.remove('a')

    expect(await store.description('shared')).toBe('the same')
    expect(await store.description('none')).toBeUndefined()
  })

  withStore('numbers saved states from 1 on, and keeps the latest 100', async (store) => {
    await createWithCommits(store, 0)
    expect(await store.saved('a', 1)).toEqual({ first: 0, last: 0 })

    const numbers: number[] = []
    for (let at = 1; at <= 102; at++)
      numbers.push(await store.save('a', { dump: `{"saved":${at}}`, about: `{"at":${at}}` }))

    expect(numbers.slice(0, 2)).toEqual([1, 2])
    expect(await store.saved('a', 102)).toEqual({ dump: '{"saved":102}', first: 3, last: 102 })
    expect(await store.saved('a', 2)).toEqual({ first: 3, last: 102 })
    const listed = await store.listSaved('a')
    expect([listed.length, listed[0]]).toEqual([100, { number: 102, about: '{"at":102}' }])
  })

  withStore('keeps texts of all characters as they are', async (store) => {
    const text = JSON.stringify({ text: 'ü€😀 \u0000 \ud800 "\\', lines: '\n\r\u2028' })
    await store.create({ ...simulation('a'), genesis: text, descriptionText: text }, 9)
    await store.append([{ ...entry({ head: 0, tip: 'a0' }, 'a1'), delta: text }])
    await store.save('a', { dump: text, about: text })

    expect((await store.find({ slug: 'slug-a' }))?.genesis).toBe(text)
    expect(await store.description('hash-a')).toBe(text)
    expect((await store.load('a', undefined))?.commits[0]?.delta).toBe(text)
    expect((await store.saved('a', 1)).dump).toBe(text)
  })

  withStore('keeps others from appending while a simulation is held', async (store) => {
    if (!store.isShared) return
    await createWithCommits(store, 1)
    const mark = { head: 1, tip: 'a1' }

    expect(await store.hold('a', { head: 0, tip: 'a0' }, 'mine', 60_000)).toBe('behind')
    expect(await store.hold('none', mark, 'mine', 60_000)).toBe('gone')
    expect(await store.hold('a', mark, 'mine', 60_000)).toBe('kept')
    expect(await store.hold('a', mark, 'mine', 60_000)).toBe('kept')
    expect(await store.hold('a', mark, 'yours', 60_000)).toBe('held')
    expect(await store.append([entry(mark, 'x')])).toEqual(['held'])
    expect(await store.append([{ ...entry(mark, 'a2'), hold: 'mine' }])).toEqual(['kept'])
    expect(await store.append([entry({ head: 2, tip: 'a2' }, 'a3')])).toEqual(['kept'])
  })

  withStore('removes what was last used before a time, of one account, so many at a time', async (store) => {
    for (const id of ['a', 'b', 'c']) await store.create(simulation(id), 9)
    await store.create({ ...simulation('d'), account: 'second' }, 9)
    const now = Date.now() + store.offsetMs
    expect(await store.removeIdle('first', now - 60_000, 9)).toEqual([])
    await store.noteUses(['b', 'none'], now + 10_000)
    await store.noteUses(['b'], now)

    expect((await store.owners()).toSorted()).toEqual(['first', 'second'])
    expect(await store.removeIdle('first', now + 5_000, 1)).toEqual(['a'])
    expect(await store.removeIdle('first', now + 5_000, 9)).toEqual(['c'])
    expect((await store.list('first')).map(({ id }) => id)).toEqual(['b'])
    expect(await store.load('a', undefined)).toBeUndefined()
    expect(await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])).toEqual(['gone'])
    expect(await store.count('second')).toBe(1)
  })

  withStore('lets others append when a hold has run out', async (store) => {
    if (!store.isShared) return
    await createWithCommits(store, 0)
    await store.hold('a', { head: 0, tip: 'a0' }, 'mine', 1)

    await expect.poll(() => store.append([entry({ head: 0, tip: 'a0' }, 'x')])).toEqual(['kept'])
    expect(await store.append([{ ...entry({ head: 0, tip: 'a0' }, 'late'), hold: 'mine' }])).toEqual(['behind'])
  })
}

export function simulation(id: string): NewSimulation {
  return {
    id,
    account: 'first',
    slug: `slug-${id}`,
    genesis: `{"name":"${id}"}`,
    description: `hash-${id}`,
    descriptionText: `text of ${id}`,
    engine: 7,
    state: { head: 0, tip: `${id}0`, at: 1_000, dump: '{"state":0}' },
  }
}

export const entry = (from: JournalMark, next: string): Entry => ({
  id: 'a',
  from,
  next,
  at: 1_000 + from.head + 1,
  delta: `{"delta":${from.head + 1}}`,
  hold: null,
  wakeAt: null,
  outbox: null,
})

/** Creates `a` with so many commits; returns the marks from the first state on. */
async function createWithCommits(store: Store, count: number): Promise<JournalMark[]> {
  await store.create(simulation('a'), 9)
  const marks: JournalMark[] = [{ head: 0, tip: 'a0' }]
  for (let head = 0; head < count; head++) {
    expect(await store.append([entry({ head, tip: `a${head}` }, `a${head + 1}`)])).toEqual(['kept'])
    marks.push({ head: head + 1, tip: `a${head + 1}` })
  }
  return marks
}
