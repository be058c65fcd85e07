import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Service, startOver, startService } from '../../src/service/start.ts'
import { StoreUnavailable } from '../../src/service/store/store.ts'
import { MemoryStore } from '../store/memory/memory-store.ts'
import { askAsPage } from './ask-as-page.ts'

const KEY = 'svc_acc_0123456789abcdef'
const OPTIONS = { addresses: 'path' as const, accounts: [{ keys: [{ key: KEY }] }] }

async function signIn(origin: string, node = origin): Promise<string> {
  const answer = await askAsPage(origin, 'POST', '/ui/session', { body: { key: KEY }, node })
  expect(answer.status).toBe(200)
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

async function startNodes() {
  const store = new MemoryStore(Date)
  const nodes = await Promise.all([startOver(store, OPTIONS), startOver(store, OPTIONS)])
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
  })
  const [first, second] = nodes as [Service, Service]
  return { store, first, second }
}

it('signs in at one node, is known at another, and signs out there for both', async () => {
  const { first, second } = await startNodes()
  const cookie = await signIn(first.url)
  const ask = (method: string, path: string, node: string) =>
    askAsPage(first.url, method, path, { headers: { cookie }, node })

  const known = await ask('GET', '/ui/session', second.url)
  const written = await ask('POST', '/ui/api/v1/simulations', second.url)
  await ask('DELETE', '/ui/session', second.url)
  const over = await ask('GET', '/ui/api/v1/usage', first.url)

  expect([known.status, JSON.parse(known.text)]).toEqual([
    200,
    { account: 'default', canWrite: true, address: '127.0.0.1' },
  ])
  expect(written.status).not.toBe(401)
  expect(over.status).toBe(401)
})

it('takes a code of one node at another, once, and ends a hold there', async () => {
  const { first, second } = await startNodes()
  const manage = async (node: Service, method: string, path: string, body?: object) => {
    const answer = await fetch(`${node.url}/v1/simulations${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
  }
  await manage(first, 'POST', '', { library: 'task-tracker', slug: 'tasks' })
  const { dashboard } = await manage(first, 'POST', '/tasks/hold', { test: 'pays' })
  const code = new URL(String(dashboard)).searchParams.get('code') ?? ''
  const take = (node: Service) => askAsPage(node.url, 'POST', '/ui/session', { body: { code } })

  const taken = await Promise.all([take(first), take(second)])
  const held = await manage(second, 'GET', '/tasks/hold')
  const waiting = manage(first, 'GET', '/tasks/hold?timeoutMs=20000')
  await manage(second, 'DELETE', '/tasks/hold')

  expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 401])
  expect(held).toEqual({ held: true, test: 'pays' })
  expect(await waiting).toEqual({ held: false, test: null })
})

it('keeps a session after a restart on the same file, which has neither key nor token', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'store.db')
  const before = await startService({ ...OPTIONS, store: file })
  const cookie = await signIn(before.url)
  await before.close()

  const after = await startService({ ...OPTIONS, store: file, port: Number(new URL(before.url).port) })
  const answer = await askAsPage(after.url, 'GET', '/ui/api/v1/usage', { headers: { cookie } })
  await after.close()

  expect(answer.status).toBe(200)
  const kept = readFileSync(file).toString('latin1')
  expect(kept).toContain('sealed_key')
  for (const secret of [KEY, cookie.split('=')[1] ?? '']) expect(kept).not.toContain(secret)
})

it('asks the store again for a session where it gave no answer', async () => {
  const { store, first } = await startNodes()
  const cookie = await signIn(first.url)
  const { findSession } = store.ledger
  let asked = 0
  store.ledger.findSession = async (hash) => {
    if (asked++ === 0) throw new StoreUnavailable('The database gave no answer.')
    return findSession.call(store.ledger, hash)
  }

  const answer = await askAsPage(first.url, 'GET', '/ui/session', { headers: { cookie } })

  expect([answer.status, asked]).toEqual([200, 2])
})
