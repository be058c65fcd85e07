import { expect, it } from 'vitest'
import type { AccountLedger } from '../../src/service/store/ledger.ts'
import type { Store } from '../../src/service/store/store.ts'
import { simulation } from './hold-store.ts'

/** What the accounts of every store must do. `open` makes a fresh, empty one. */
export function holdLedger(open: () => Promise<Store>): void {
  const withStore = (title: string, test: (ledger: AccountLedger, store: Store) => Promise<void>) =>
    it(title, async () => {
      const store = await open()
      try {
        await test(store.ledger, store)
      } finally {
        await store.close()
      }
    })

  withStore('adds up requests of accounts, by month, of several callers at once', async (ledger) => {
    const count = (account: string, requests: number, month = '2026-11') => ({ account, month, requests })
    expect(await ledger.tally([count('first', 0)])).toEqual([count('first', 0)])

    await Promise.all([1, 2, 3].map((requests) => ledger.tally([count('second', requests), count('first', requests)])))

    const both = [count('first', 1), count('second', 0), count('first', 5, '2026-12')]
    expect(await ledger.tally(both)).toEqual([count('first', 7), count('second', 6), count('first', 5, '2026-12')])
    expect(await ledger.tally([])).toEqual([])
    const many = Array.from({ length: 120 }, (_, at) => count(`account-${at}`, at))
    expect(await ledger.tally(many)).toEqual(many)
  })

  withStore('keeps one account of a name, with its terms', async (ledger) => {
    expect(await ledger.addAccount(account('first', 2))).toBe(true)
    expect(await ledger.addAccount({ ...account('first', 9), terms: '{}' })).toBe(false)

    await ledger.setTerms('first', '{"plan":2}')
    await ledger.setTerms('none', '{}')

    const kept = { name: 'first', terms: '{"plan":2}', isSuspended: false, creditUsd: 2 }
    expect(await ledger.accounts(['none', 'first'])).toEqual([kept])
    expect([await ledger.suspend('first', true), await ledger.suspend('none', true)]).toEqual([true, false])
    expect(await ledger.accounts(['first'])).toEqual([{ ...kept, isSuspended: true }])
    expect(await ledger.suspend('first', false)).toBe(true)
    expect(await ledger.accounts(['first'])).toEqual([kept])
  })

  withStore('takes no more credit than there is, whoever asks at once', async (ledger) => {
    await ledger.addAccount(account('first', 1))

    const taken = await Promise.all([1, 2, 3, 4].map(() => ledger.addCredit('first', -0.25)))
    expect(taken).toEqual([true, true, true, true])
    expect(await ledger.addCredit('first', -0.25)).toBe(false)
    expect(await ledger.addCredit('first', 3)).toBe(true)
    expect(await ledger.addCredit('none', 3)).toBe(false)

    expect((await ledger.accounts(['first']))[0]?.creditUsd).toBe(3)
  })

  withStore('takes the price of a creation with it, and of a refused one nothing', async (ledger, store) => {
    await ledger.addAccount(account('first', 5))
    const creditUsd = async () => (await ledger.accounts(['first']))[0]?.creditUsd

    expect(await store.create(simulation('a'), 9, 3)).toBe('created')
    expect(await store.create(simulation('b'), 9, 3)).toBe('no credit')
    expect(await store.create({ ...simulation('c'), slug: 'slug-a' }, 9, 1)).toBe('slug taken')
    expect(await store.create(simulation('d'), 1, 1)).toBe('plan limit')

    expect(await creditUsd()).toBe(2)
    expect(await store.find({ id: 'b' })).toBeUndefined()
    expect(await store.create(simulation('b'), 9, 2)).toBe('created')
    expect(await creditUsd()).toBe(0)
  })

  withStore('finds keys by their hash, and revokes those that begin so', async (ledger) => {
    await ledger.addAccount(account('first', 0))
    await ledger.addAccount(account('second', 0))
    expect(await ledger.addKey({ ...key('x'), account: 'none' })).toBe(false)
    for (const name of ['a', 'b']) expect(await ledger.addKey(key(name))).toBe(true)
    await ledger.addKey({ ...key('other'), account: 'second', prefix: 'svc_acc_a' })

    expect(await ledger.findKey('hash-a')).toEqual({ ...key('a'), isRevoked: false })
    expect(await ledger.findKey('hash-none')).toBeUndefined()
    expect(await ledger.revokeKeys('first', 'svc_acc_a')).toBe(1)
    expect(await ledger.revokeKeys('first', 'svc_acc_a')).toBe(0)
    expect(await ledger.revokeKeys('first', 'svc%')).toBe(0)

    expect((await ledger.findKey('hash-a'))?.isRevoked).toBe(true)
    expect((await ledger.findKey('hash-b'))?.isRevoked).toBe(false)
    expect((await ledger.findKey('hash-other'))?.isRevoked).toBe(false)
  })

  withStore('keeps sessions until they are over or removed, and the latest of them', async (ledger) => {
    const session = (name: string, expiresAt: number) => ({ hash: name, sealedKey: `sealed-${name}`, expiresAt })
    const now = 1_795_400_000_000
    await ledger.keepSession(session('first', now + 10), now)
    await ledger.keepSession(session('second', now + 20), now)

    expect(await ledger.findSession('first')).toEqual(session('first', now + 10))
    expect(await ledger.findSession('none')).toBeUndefined()
    await ledger.keepSession(session('third', now + 30), now + 15)

    expect(await ledger.findSession('first')).toBeUndefined()
    const removed = await Promise.all([ledger.removeSession('second'), ledger.removeSession('second')])
    expect(removed.toSorted()).toEqual([false, true])
    expect(await ledger.findSession('second')).toBeUndefined()
    expect(await ledger.findSession('third')).toEqual(session('third', now + 30))
  })

  withStore('keeps one held test of a simulation, until it is extended or removed', async (ledger, store) => {
    await store.create(simulation('a'), 9)
    await ledger.extendHold('a', 5)
    expect(await ledger.findHold('a')).toBeUndefined()
    await ledger.keepHold('a', { test: 'first', until: 10 })
    await ledger.keepHold('a', { test: 'second', until: 20 })
    await ledger.extendHold('a', 30)

    expect(await ledger.findHold('a')).toEqual({ test: 'second', until: 30 })
    await ledger.removeHold('a')
    expect(await ledger.findHold('a')).toBeUndefined()
  })

  withStore('shows every account with what it has used', async (ledger, store) => {
    await ledger.addAccount(account('second', 0))
    await ledger.addAccount(account('first', 1))
    for (const name of ['b', 'a']) await ledger.addKey(key(name))
    await store.create(simulation('a'), 9)
    await ledger.tally([{ account: 'first', month: '2026-11', requests: 7 }])

    const summaries = await ledger.summaries('2026-11')

    expect(summaries).toEqual([
      {
        ...account('first', 1),
        isSuspended: false,
        simulations: 1,
        requests: 7,
        keys: ['b', 'a'].map((name) => ({ ...key(name), isRevoked: false })),
      },
      { ...account('second', 0), isSuspended: false, simulations: 0, requests: 0, keys: [] },
    ])
    expect((await ledger.summaries('2026-12'))[0]?.requests).toBe(0)
  })
}

const account = (name: string, creditUsd: number) => ({ name, terms: '{"plan":1}', creditUsd })

const key = (name: string) => ({
  hash: `hash-${name}`,
  account: 'first',
  prefix: `svc_acc_${name}`,
  terms: '{"scopes":[]}',
})
