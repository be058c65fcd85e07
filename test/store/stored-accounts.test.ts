import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { type Service, type ServiceOptions, startOver, startService } from '../../src/service/start.ts'
import { StoreUnavailable } from '../../src/service/store/store.ts'
import { runCli } from '../support/run-cli.ts'
import { MemoryStore } from './memory/memory-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-accounts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = () => join(folder, `${++files}.db`)

const FIRST_KEY = 'svc_acc_0123456789abcdef'

/** A service whose clock a test turns on. */
async function start(store: string | MemoryStore, options: ServiceOptions = {}) {
  const clock = { passed: 0 }
  const runtime = {
    ...systemRuntime,
    clock: { now: () => systemClock.now(), monotonic: () => systemClock.monotonic() + clock.passed },
  }
  const all = { addresses: 'path' as const, accounts: [{ keys: [{ key: FIRST_KEY }] }], runtime, ...options }
  const service = await (typeof store === 'string' ? startService({ ...all, store }) : startOver(store, all))
  onTestFinished(() => service.close())
  return {
    service,
    pass: (ms: number) => {
      clock.passed += ms
    },
  }
}

async function as(service: Service, key: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await service.fetch(new Request(`${service.url}/v1${path}`, { method, headers, ...sent }))
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Runs `backlot account` over a store that a service has open. */
async function account(store: string, ...args: string[]) {
  const run = await runCli(['account', ...args, '--store', store, '--json'], {})
  if (run.exitCode !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout)
}

it('serves accounts that its host makes while it runs', async () => {
  const file = newFile()
  const { service, pass } = await start(file)

  const { key } = await account(file, 'create', 'team', '--plan', 'small', '--simulation-limit', '1', '--credit', '2')

  expect((await as(service, key, 'POST', '/simulations', { library: 'crm', slug: 'mine' })).status).toBe(201)
  expect((await as(service, key, 'POST', '/simulations', { library: 'crm' })).body.error.code).toBe('plan_limit')
  expect((await as(service, key, 'GET', '/usage')).body).toMatchObject({ plan: 'small', simulations: 1, creditUsd: 2 })
  expect((await as(service, FIRST_KEY, 'GET', '/simulations/mine')).status).toBe(404)
  const reader = await account(file, 'key', 'team', '--read-only')
  expect((await as(service, reader.key, 'GET', '/simulations/mine')).status).toBe(200)
  expect((await as(service, reader.key, 'DELETE', '/simulations/mine')).status).toBe(403)
  expect(await account(file, 'credit', 'team', '3')).toEqual({ account: 'team', creditUsd: 5 })
  expect((await as(service, key, 'GET', '/usage')).body.creditUsd).toBe(5)

  await account(file, 'suspend', 'team')
  await as(service, FIRST_KEY, 'GET', '/usage')
  expect((await as(service, key, 'GET', '/usage')).body.error.message).toBe('The account is suspended.')
  await account(file, 'suspend', 'team', '--resume')
  await as(service, FIRST_KEY, 'GET', '/usage')
  expect((await as(service, key, 'GET', '/usage')).status).toBe(200)

  expect(await account(file, 'key', 'team', '--revoke', reader.key.slice(0, 16))).toMatchObject({ revoked: 1 })
  pass(5_000)
  expect((await as(service, reader.key, 'GET', '/simulations')).status).toBe(401)
  const { data } = await account(file, 'list')
  expect(data).toMatchObject([
    { name: 'default', plan: { name: 'unlimited' }, keys: [] },
    { name: 'team', suspended: false, creditUsd: 5, simulations: 1, keys: [{ revoked: false }, { revoked: true }] },
  ])
})

it('says what is wrong with what a host asks for', async () => {
  const file = newFile()
  const refusal = async (...args: string[]) => (await runCli(['account', ...args], {})).stderr.trim()

  expect(await refusal('list')).toContain('error: name the store: --store, or BACKLOT_STORE.')
  expect(await refusal('list', '--store', file)).toContain('there is no such file. `backlot store migrate` makes it.')
  await runCli(['store', 'migrate', file], {})
  const created = await runCli(['account', 'create', 'team', '--store', file], {})
  expect(created.stdout).toMatch(/^Created the account "team"\.\nKey: svc_acc_[0-9a-f]{48}\n/)
  const asked: [string, ...string[]][] = [
    ['there is one named "team". Choose another name.', 'create', 'team'],
    ['`account.creditUsd`', 'create', 'x', '--credit', '-1'],
    ['there is none named "none"', 'key', 'none'],
    ['`key.expiresAt`', 'key', 'team', '--expires-at', 'soon'],
    ['no key that begins with "svc_acc_none"', 'key', 'team', '--revoke', 'svc_acc_none'],
    ['expected 12 characters or more of a key, got ""', 'key', 'team', '--revoke', ''],
    ['Failed to take 1 USD', 'credit', 'team', '--', '-1'],
  ]
  const refusals = asked.map(([, name = '', ...rest]) => refusal(name, '--store', file, ...rest))
  for (const [at, message] of (await Promise.all(refusals)).entries()) expect(message).toContain(asked[at]?.[0])
})

it('takes credit once for all nodes, and keeps what is left over a restart', async () => {
  const store = new MemoryStore(systemClock)
  const plan = { pricePerRecordUsd: 0.01 }
  const options = { accounts: [{ keys: [{ key: FIRST_KEY }], plan, creditUsd: 10 }] }
  const left = (await start(store, options)).service
  const right = (await start(store, options)).service
  const create = (service: Service) =>
    as(service, FIRST_KEY, 'POST', '/simulations', { library: 'crm', volume: { companies: 10 } })
  const creditUsd = async (service: Service) => (await as(service, FIRST_KEY, 'GET', '/usage')).body.creditUsd

  expect((await create(left)).status).toBe(201)
  const after = await creditUsd(right)
  expect(after).toBeLessThan(10)
  let refused: Awaited<ReturnType<typeof create>> | undefined
  for (let made = 0; made < 100 && refused === undefined; made++) {
    const answer = await create(made % 2 === 0 ? right : left)
    if (answer.status !== 201) refused = answer
  }

  expect(refused?.body.error).toMatchObject({ code: 'no_credit', message: expect.stringContaining('the credit is $') })
  expect(await creditUsd(left)).toBe(await creditUsd(right))
  const again = (await start(store, options)).service
  expect(await creditUsd(again)).toBe(await creditUsd(left))
})

it('answers 503 to a key that it cannot look up', async () => {
  const store = new MemoryStore(systemClock)
  const { service, pass } = await start(store)
  store.ledger.findKey = () => {
    pass(10_000)
    return Promise.reject(new StoreUnavailable('The database gave no answer.'))
  }

  expect((await as(service, 'svc_acc_of_the_store', 'GET', '/usage')).body.error).toMatchObject({ code: 'unavailable' })
  expect((await as(service, FIRST_KEY, 'GET', '/simulations')).status).toBe(200)
})
