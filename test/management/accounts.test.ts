import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { type AccountOptions, startService } from '../../src/service.ts'
import { startForTest } from './start-for-test.ts'

const NOW = Date.UTC(2026, 10, 30, 23, 59, 59)
const KEY = 'svc_acc_0123456789abcdef'

/** A service with one account, whose clock a test moves. */
async function startWith(options: AccountOptions) {
  const clock = { now: NOW }
  const { service, call, create } = await startForTest({
    accounts: [{ keys: [{ key: KEY }], ...options }],
    runtime: { clock: { now: () => clock.now, monotonic: systemClock.monotonic } },
  })
  return { clock, service, call, create }
}

/** What the service says of the account's key, which asks for a write. */
async function refusalOf(options: AccountOptions): Promise<[number, string]> {
  const { call } = await startWith(options)
  const { status, body } = await call('POST', '/v1/simulations', {})
  return [status, body.error.message]
}

it('makes a key for an account that was given none', async () => {
  const { service } = await startForTest({ accounts: [{}] })

  expect(service.accountKey).toMatch(/^svc_acc_[0-9a-f]{48}$/)
})

it('takes the scheme in any case', async () => {
  const { call } = await startWith({})

  expect((await call('GET', '/v1/usage', undefined, { authorization: `bearer  ${KEY}` })).status).toBe(200)
})

it('lets a key live until its expiry and not longer', async () => {
  const { clock, call } = await startWith({ keys: [{ key: KEY, expiresAt: '2026-12-01T00:00:00Z' }] })

  const before = await call('GET', '/v1/usage')
  clock.now += 1000
  const after = await call('GET', '/v1/usage')

  expect([before.status, after.status]).toEqual([200, 401])
})

it('tells a key that is none from the key of a simulation', async () => {
  const { call, create } = await startWith({})
  const { apiKey } = await create()
  const refusalWith = async (key: string): Promise<string> =>
    (await call('GET', '/v1/usage', undefined, { authorization: `Bearer ${key}` })).body.error.message

  expect(await refusalWith(apiKey)).toBe('The management API takes an account key, got the key of a simulation.')
  expect(await refusalWith('svc_acc_of_yesterday')).toBe(
    'The account key is not valid. `backlot serve` prints a new one at each start; `--account-key` keeps one.',
  )
})

it('says where endpoints are to a caller of none', async () => {
  const { call } = await startWith({})

  for (const [method, path] of [
    ['GET', '/customers'],
    ['POST', '/v1/simulation'],
  ] as const) {
    expect((await call(method, path)).body.error.message).toBe(
      `No endpoint ${method} ${path}. GET /v1/openapi.json lists the endpoints; a simulated API answers at the \`url\` of its simulation.`,
    )
  }
})

it('says 401 before 403 before 402', async () => {
  const everything: AccountOptions = { suspended: true, subscription: 'none' }
  const elsewhere = { key: KEY, ipRanges: ['10.0.0.0/8'] }
  const here = { key: KEY, ipRanges: ['127.0.0.0/8'] }

  expect([
    await refusalOf({ ...everything, keys: [{ ...elsewhere, scopes: [], revoked: true }] }),
    await refusalOf({ ...everything, keys: [{ ...elsewhere, scopes: ['simulations:read'] }] }),
    await refusalOf({ ...everything, keys: [elsewhere] }),
    await refusalOf({ ...everything, keys: [here] }),
    await refusalOf({ subscription: 'none', keys: [here] }),
  ]).toEqual([
    [401, 'The account key is revoked or expired.'],
    [403, 'The account key lacks the scope `simulations:write`.'],
    [403, 'The account key may not be used from 127.0.0.1.'],
    [403, 'The account is suspended.'],
    [402, 'The account has no active subscription.'],
  ])
})

it('counts requests anew each calendar month', async () => {
  const { clock, call, create } = await startWith({ plan: { requestLimit: 2 } })
  const { url, apiKey } = await create()
  const ask = async () => (await fetch(`${url}/tasks`, { headers: { authorization: `Bearer ${apiKey}` } })).status

  const november = [await ask(), await ask(), await ask()]
  clock.now += 1000
  const december = await ask()

  expect([november, december]).toEqual([[200, 200, 429], 200])
  expect((await call('GET', '/v1/usage')).body.requestsThisMonth).toBe(1)
})

it('takes the price of generated records, or nothing where the credit does not reach', async () => {
  const { call } = await startWith({ creditUsd: 1, plan: { pricePerRecordUsd: 0.01 } })
  const none = { projects: 0, milestones: 0, comments: 0, attachments: 0, labels: 0, users: 0 }
  const body = { library: 'task-tracker', volume: { ...none, tasks: 60 } }

  const first = await call('POST', '/v1/simulations', body)
  const second = await call('POST', '/v1/simulations', body)

  expect([first.status, second.status]).toEqual([201, 402])
  expect(second.body.error.message).toBe(
    'Failed to generate 60 records: they cost $0.60 and the credit is $0.40. Ask for fewer with `volume`.',
  )
  expect((await call('GET', '/v1/usage')).body.creditUsd).toBeCloseTo(0.4)
})

it('names what is wrong with an account option', async () => {
  await expect(startService({ accounts: [{}, { keys: [{ key: 'short' }] }] })).rejects.toThrow(
    'Expected `accounts[1].keys[0].key` to be 8 to 200 visible ASCII characters, got "short".',
  )
})

it('refuses a misspelt limit, which would be none', async () => {
  const misspelt = { plan: { simulationLimt: 1 } } as AccountOptions

  await expect(startService({ accounts: [misspelt] })).rejects.toThrow('simulationLimt')
})
