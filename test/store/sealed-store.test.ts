import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ManagementClient } from '../../src/client/management-client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { startService } from '../../src/service/start.ts'
import { MemoryStore } from '../../src/service/store/memory-store.ts'
import { sealStore } from '../../src/service/store/sealed-store.ts'
import { TextSeal } from '../../src/service/store/text-seal.ts'
import { runCli } from '../support/run-cli.ts'
import { holdRequests } from './hold-requests.ts'
import { holdStore } from './hold-store.ts'
import { holdWork } from './hold-work.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-sealed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'
const KEY = 'svc_sim_0123456789abcdef'
const OLD = 'the old secret of this store: long'
const NEW = 'the new secret of this store: long'

const start = (store: string, storeSecrets?: string[]) =>
  startService({
    store,
    storeSecrets,
    addresses: 'path',
    accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
    allowPrivateWebhooks: ['127.0.0.1'],
    simulations: [{ library: 'task-tracker', key: KEY }],
  })

const open = async () => sealStore(new MemoryStore(systemClock), new TextSeal([NEW, OLD]))

describe('a store that gets its texts sealed', () => {
  holdStore(open)
  holdWork(open)
  holdRequests(open)
})

it('keeps nothing of a simulation that the file shows, and goes on from before it was sealed', async () => {
  const store = join(folder, 'sealed.db')
  await (await start(store)).close()
  const first = await start(store, [OLD])
  const client = new ManagementClient({ baseUrl: first.url, accountKey: ACCOUNT_KEY })
  const hook = await client.registerWebhook('task-tracker', { url: 'http://127.0.0.1:1/', events: ['*'] })
  const created = await fetch(`${first.url}/s/task-tracker/v1/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Known to nobody', key: 'KNOWN' }),
  })
  expect(created.status).toBe(201)
  const snapshot = await client.extensions.takeSnapshot('task-tracker')
  await client.readLogs('task-tracker')
  await first.close()
  const bytes = readFileSync(store).toString('latin1')

  const second = await start(store, [NEW, OLD])
  const again = new ManagementClient({ baseUrl: second.url, accountKey: ACCOUNT_KEY })

  for (const text of [hook.secret, 'Known to nobody']) expect(bytes).not.toContain(text)
  expect(await again.extensions.listWebhooks('task-tracker')).toMatchObject([{ id: hook.id }])
  expect(await again.readLogs('task-tracker')).toMatchObject([{ method: 'POST', status: 201 }])
  expect(await again.extensions.listDeliveries('task-tracker', hook.id)).toMatchObject([
    { event: { type: 'project.created' } },
  ])
  await again.extensions.restoreSnapshot('task-tracker', snapshot)
  await second.close()
})

it('says which secret is missing, and which is too short', async () => {
  const store = join(folder, 'other.db')
  await (await start(store, [OLD])).close()

  const missing = 'is not among those of BACKLOT_SECRET_KEY'
  await expect(start(store, [NEW])).rejects.toThrow(missing)
  await expect(start(store)).rejects.toThrow(missing)
  await expect(start(store, [OLD, 'short'])).rejects.toThrow(
    'Expected each secret key of the store to have at least 32 characters, got 5 in number 2. Make one by `openssl rand -base64 32`.',
  )
  await (await start(store, [NEW, OLD])).close()
})

it('takes the secrets of `serve` from BACKLOT_SECRET_KEY', async () => {
  const store = join(folder, 'served.db')
  const check = (secrets: string) =>
    runCli(['serve', '--check', '--port', '0', '--store', store], { BACKLOT_SECRET_KEY: secrets })

  const [short, right] = await Promise.all([check(`${OLD},short`), check(`${NEW}, ${OLD}`)])

  expect([short.exitCode, right.exitCode]).toEqual([1, 0])
  expect(short.stdout + short.stderr).toContain('got 5 in number 2')
})
