import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { type Service, startOver } from '../../src/service/start.ts'
import { MemoryStore } from '../../src/service/store/memory-store.ts'
import { holdRegistration } from './hold-registration.ts'

const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'

async function manage(service: Service, method: string, path: string, body?: unknown) {
  const answer = await service.fetch(
    new Request(`${service.url}/v1/simulations${path}`, {
      method,
      headers: { authorization: `Bearer ${ACCOUNT_KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() }
}

it('gives a slug again that another node has deleted', async () => {
  const store = new MemoryStore({ now: () => performance.now() })
  const start = () => startOver(store, { addresses: 'path', accounts: [{ keys: [{ key: ACCOUNT_KEY }] }], library: [] })
  await using first = await start()
  await using second = await start()
  const tasks = { library: 'task-tracker', slug: 'tasks' }
  const before = await manage(first, 'POST', '', tasks)
  const taken = await manage(first, 'POST', '', tasks)
  await manage(second, 'DELETE', '/tasks')

  const after = await manage(first, 'POST', '', tasks)

  expect([before.status, taken.status, after.status]).toEqual([201, 400, 201])
  expect((await manage(second, 'GET', '/tasks')).body.id).toBe(after.body.id)
})

it('has at both services the webhooks that an API registers, and the events that it logs', async () => {
  const store = new MemoryStore({ now: () => performance.timeOrigin + performance.now() })
  await holdRegistration(async () => store)
})
