import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Service, startService } from '../../../src/service/start.ts'
import { KEYS, TASKS } from './tasks.ts'

/** The text of a store of an earlier version, which `make-version.ts` wrote. */
export function readVersion(engine: 'sqlite' | 'pg', version: number): string {
  return readFileSync(join(import.meta.dirname, `${engine}-${version}.sql`), 'utf8')
}

/** A service of today goes on with a store of an earlier version. */
export async function holdVersion(store: string): Promise<void> {
  const options = {
    store,
    addresses: 'path' as const,
    accounts: [{ name: 'team', keys: [{ key: KEYS.account }] }],
    simulations: [{ spec: TASKS, slug: 'tasks', key: KEYS.simulation }],
    allowPrivateWebhooks: ['127.0.0.1/32'],
  }
  const first = await startService(options)
  expect(await titles(first)).toEqual(expect.arrayContaining(['Before', 'After']))
  expect((await manage(first, 'GET', '')).body).toMatchObject({ rules: [{ name: 'sorry' }] })
  expect((await manage(first, 'GET', '/webhooks')).body).toMatchObject({ data: [{ events: ['task.created'] }] })
  expect(await tasks(first, 'POST', '/tasks', { title: 'Today' })).toMatchObject({ status: 201 })
  await first.close()

  const second = await startService(options)
  expect(await titles(second)).toEqual(expect.arrayContaining(['Before', 'After', 'Today']))
  expect((await manage(second, 'POST', '/snapshots/snap_1/restore')).status).toBe(200)
  expect(await titles(second)).toContain('Before')
  expect(await titles(second)).not.toContain('After')
  await second.close()
}

async function titles(service: Service): Promise<string[]> {
  const { body } = await tasks(service, 'GET', '/tasks?limit=100')
  return (body as { title: string }[]).map(({ title }) => title)
}

const tasks = (service: Service, method: string, path: string, body?: object) =>
  send(`${service.url}/s/tasks${path}`, KEYS.simulation, { method, body })

const manage = (service: Service, method: string, path: string, body?: object) =>
  send(`${service.url}/v1/simulations/tasks${path}`, KEYS.account, { method, body })

async function send(url: string, key: string, { method, body }: { method: string; body?: object | undefined }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}
