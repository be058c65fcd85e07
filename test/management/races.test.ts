import { expect, it } from 'vitest'
import { startForTest } from './start-for-test.ts'

const RULES = [{ everySeconds: 60, steps: [{ kind: 'touch', collection: 'tasks', count: 5 }] }]

it('answers all that is asked of one simulation at a time, while its time is turned again and again', async () => {
  const { call, create } = await startForTest({ addresses: 'path' })
  const { id, url, apiKey } = await create({ library: 'task-tracker', behaviour: RULES })
  const own = `/v1/simulations/${id}`
  const simulated = async (method: string, body?: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v1/tasks`, { method, headers, body: body ? JSON.stringify(body) : null })
    await answer.text()
    return answer
  }
  const [{ id: task }] = (await call('GET', `${own}/records/tasks?limit=1`)).body.data
  const acts = [
    () => call('POST', `${own}/fast-forward`, { hours: 1 }),
    () => call('POST', `${own}/fast-forward`, { hours: 24 }),
    () => call('POST', `${own}/behaviour/rule_1/run`),
    () => call('PATCH', `${own}/records/tasks/${task}`, { title: 'edited' }),
    () => call('POST', `${own}/pause`),
    () => call('POST', `${own}/resume`),
    () => call('PUT', `${own}/behaviour`, { rules: RULES }),
    () => call('POST', `${own}/keys`, { name: 'key' }),
    () => call('POST', `${own}/trigger`, { type: 'task.updated' }),
    () => call('POST', `${own}/reset`),
    () => call('POST', `${own}/snapshots`),
    () => simulated('GET'),
    () => simulated('POST', { title: 'new' }),
  ]

  const clients = Array.from({ length: 40 }, async (_, client) => {
    const statuses: string[] = []
    for (let turn = 0; turn < 20; turn++) {
      const at = (client * 7 + turn * 3) % acts.length
      statuses.push(`${at}: ${(await acts[at]?.())?.status}`)
    }
    return statuses
  })
  const statuses = (await Promise.all(clients)).flat()

  expect(statuses.filter((status) => / 50[^3]/.test(status))).toEqual([])
})
