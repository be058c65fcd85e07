import { expect, it } from 'vitest'
import type { ApiError } from '../../src/protocol/errors.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { Account } from '../../src/service/account/account.ts'
import { type AccountOptions, accountOptions } from '../../src/service/account/account-options.ts'
import { Accounts } from '../../src/service/account/accounts.ts'

const NOW = Date.UTC(2026, 10, 30, 23, 59, 59)
const KEY = 'svc_acc_0123456789abcdef'

function setUp(options: AccountOptions = {}, now = NOW) {
  const clock = { now, monotonic: () => 0 }
  const runtime = { clock: { now: () => clock.now, monotonic: () => 0 }, secret: systemRuntime.secret }
  const keys = options.keys ?? [{ key: KEY }]
  return { clock, accounts: new Accounts([{ ...options, keys }], runtime), runtime }
}

function refusal(accounts: Accounts, request: { authorization?: string; ip?: string } = {}): [number, string, string] {
  try {
    accounts.authenticate({
      authorization: 'authorization' in request ? request.authorization : `Bearer ${KEY}`,
      ip: request.ip ?? '127.0.0.1',
      scope: 'simulations:write',
    })
  } catch (error) {
    const { status, code, message } = error as ApiError
    return [status, code, message]
  }
  return [200, 'ok', '']
}

it('makes a key for an account that was given none', () => {
  const accounts = new Accounts([{}], systemRuntime)

  expect(accounts.firstKey).toMatch(/^svc_acc_[0-9a-f]{48}$/)
})

it('takes the scheme in any case', () => {
  expect(refusal(setUp().accounts, { authorization: `bearer  ${KEY}` })).toEqual([200, 'ok', ''])
})

it('lets a key live until its expiry and not longer', () => {
  const { accounts, clock } = setUp({ keys: [{ key: KEY, expiresAt: '2026-12-01T00:00:00Z' }] })

  const before = refusal(accounts)
  clock.now += 1000
  const after = refusal(accounts)

  expect([before[0], after[0]]).toEqual([200, 401])
})

it('says 401 before 403 before 402', () => {
  const everything: AccountOptions = { suspended: true, subscription: 'none' }
  const key = { key: KEY, ipRanges: ['10.0.0.0/8'] }

  const refusals = [
    refusal(setUp({ ...everything, keys: [{ ...key, scopes: [], revoked: true }] }).accounts),
    refusal(setUp({ ...everything, keys: [{ ...key, scopes: ['simulations:read'] }] }).accounts),
    refusal(setUp({ ...everything, keys: [key] }).accounts),
    refusal(setUp({ ...everything, keys: [key] }).accounts, { ip: '10.1.1.1' }),
    refusal(setUp({ subscription: 'none', keys: [key] }).accounts, { ip: '10.1.1.1' }),
  ]

  expect(refusals).toEqual([
    [401, 'unauthorised', 'The account key is revoked or expired.'],
    [403, 'unauthorised', 'The account key lacks the scope `simulations:write`.'],
    [403, 'unauthorised', 'The account key may not be used from 127.0.0.1.'],
    [403, 'unauthorised', 'The account is suspended.'],
    [402, 'payment_required', 'The account has no active subscription.'],
  ])
})

it('counts requests anew each calendar month', () => {
  const { clock, runtime } = setUp()
  const account = new Account(accountOptions.parse({ plan: { requestLimit: 2 } }), runtime.clock)

  account.countRequest()
  const first = account.isOverRequestLimit
  account.countRequest()
  const second = account.isOverRequestLimit
  clock.now += 1000
  const december = account.isOverRequestLimit
  account.countRequest()

  expect([first, second, december]).toEqual([false, true, false])
  expect(account.usage().requestsThisMonth).toBe(1)
})

it('takes the price of generated records, or nothing where the credit does not reach', () => {
  const { runtime } = setUp()
  const account = new Account(accountOptions.parse({ creditUsd: 1, plan: { pricePerRecordUsd: 0.01 } }), runtime.clock)

  account.charge(60)

  expect(() => account.charge(60)).toThrow(
    'Failed to generate 60 records: they cost $0.60 and the credit is $0.40. Ask for fewer with `volume`.',
  )
  expect(account.usage().creditUsd).toBeCloseTo(0.4)
})

it('names what is wrong with an account option', () => {
  expect(() => new Accounts([{}, { keys: [{ key: 'short' }] }], systemRuntime)).toThrow(
    'Expected `accounts[1].keys[0].key` to be 8 to 200 visible ASCII characters, got "short".',
  )
})

it('refuses a misspelt limit, which would be none', () => {
  const misspelt = { plan: { simulationLimt: 1 } } as AccountOptions

  expect(() => setUp(misspelt)).toThrow('simulationLimt')
})
