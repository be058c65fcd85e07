import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startForTest } from './start-for-test.ts'

async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-actions-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe.each(['memory', 'a store'])('with data in %s', (place) => {
  async function startTasks() {
    const options =
      place === 'memory' ? {} : { store: join(await folderForTest(), 'kept.db'), addresses: 'path' as const }
    const { service, call, create } = await startForTest(options)
    const made = await create({ library: 'task-tracker', slug: 'tasks' })
    return { service, call, create, made, path: '/v1/simulations/tasks' }
  }

  it('tries a request without a key, past the allow-list, and logs it', async () => {
    const { call, path } = await startTasks()
    await call('PUT', `${path}/access`, { ipRestrictionEnabled: true, ipAllowlist: ['203.0.113.7'] })

    const { status, body } = await call('POST', `${path}/try`, { method: 'get', path: '/v1/tasks?limit=1' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 200, delayMs: 0, fault: null, response: { encoding: 'utf-8' } })
    expect(JSON.parse(body.response.body).data).toHaveLength(1)
    const log = (await call('GET', `${path}/logs/${body.requestId}`)).body
    expect(log).toMatchObject({ method: 'GET', path: '/v1/tasks?limit=1', status: 200, key: null })
  })

  it('tries a request with a body, which changes what it says', async () => {
    const { call, path } = await startTasks()
    const projects = (await call('GET', `${path}/records/projects?limit=1`)).body.data
    const task = JSON.stringify({ title: 'Tried', projectId: projects[0].id })

    const { body } = await call('POST', `${path}/try`, { method: 'POST', path: '/v1/tasks', body: task })

    expect(body.status).toBe(201)
    expect((await call('GET', `${path}/events`)).body.data[0]).toMatchObject({ type: 'task.created', cause: 'request' })
  })

  it('reports for a tried request how response rules would change its answer', async () => {
    const { call, path } = await startTasks()
    const rule = { name: 'slow', kind: 'latency', method: '*', pathPattern: '*', config: { latencyMs: 60_000 } }
    await call('POST', `${path}/rules`, rule)

    const { body } = await call('POST', `${path}/try`, { method: 'GET', path: '/v1/tasks' })

    expect(body).toMatchObject({ status: 200, delayMs: 60_000 })
  })

  it('refuses to try an invalid request', async () => {
    const { call, path } = await startTasks()

    const { status, body } = await call('POST', `${path}/try`, { method: 'GET', path: 'v1/tasks' })

    expect(status).toBe(400)
    expect(body.error.message).toMatch(/^Expected `path` to be a path that starts with `\/`/)
  })

  it('says when the rules of the plan run next', async () => {
    const { call, path } = await startTasks()
    const step = { kind: 'touch', collection: 'tasks', count: 1 }
    const rules = [
      { id: 'hourly', everySeconds: 3_600, steps: [step] },
      { id: 'daily', everySeconds: 86_400, steps: [step] },
      { id: 'off', everySeconds: 60, enabled: false, steps: [step] },
    ]
    await call('PUT', `${path}/behaviour`, { rules })
    await call('POST', `${path}/fast-forward`, { hours: 2 })
    const { now } = (await call('GET', `${path}/clock`)).body
    const until = new Date(Date.parse(now) + 3 * 3_600_000).toISOString()

    const { body } = await call('GET', `${path}/behaviour/runs?until=${until}`)

    expect(body.data).toMatchObject([
      { ruleId: 'hourly', count: 2, lastChanges: 1 },
      { ruleId: 'daily', count: 0, lastAt: null, lastChanges: null },
      { ruleId: 'off', count: 0, nextAt: null },
    ])
    expect(Date.parse(body.data[0].nextAt) - Date.parse(body.data[0].lastAt)).toBe(3_600_000)
    expect(body.upcoming.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['hourly', 'hourly', 'hourly'])
    expect(body.upcoming[0].at).toBe(body.data[0].nextAt)
    expect((await call('GET', `${path}/behaviour/runs`)).body.upcoming).toHaveLength(25)
  })

  it('runs a rule of the plan now, and leaves its schedule', async () => {
    const { call, path } = await startTasks()
    const rules = [{ id: 'daily', everySeconds: 86_400, steps: [{ kind: 'touch', collection: 'tasks', count: 3 }] }]
    await call('PUT', `${path}/behaviour`, { rules })
    const before = (await call('GET', `${path}/behaviour/runs`)).body.data[0]

    const { status, body } = await call('POST', `${path}/behaviour/daily/run`)

    expect(status).toBe(200)
    expect(body).toEqual({ changes: 3 })
    expect((await call('GET', `${path}/events`)).body.data).toHaveLength(3)
    const after = (await call('GET', `${path}/behaviour/runs`)).body.data[0]
    expect(after).toEqual({ ...before, count: 1, lastAt: expect.any(String), lastChanges: 3 })
    expect((await call('POST', `${path}/behaviour/nothing/run`)).body.error.message).toBe(
      'No rule "nothing" in the behaviour plan of this simulation.',
    )
    await call('POST', `${path}/pause`)
    expect((await call('POST', `${path}/behaviour/daily/run`)).body.error.message).toBe(
      'Failed to run the rule "daily": the simulation is paused. Resume it first.',
    )
  })

  it('lists keys, and revokes one', async () => {
    const { call, made, path } = await startTasks()
    const { apiKey } = (await call('POST', `${path}/keys`, { name: 'second' })).body
    const ask = (key: string) => fetch(`${made.url}/v1/tasks`, { headers: { authorization: `Bearer ${key}` } })
    expect((await ask(apiKey)).status).toBe(200)
    const { data } = (await call('GET', `${path}/keys`)).body
    expect(data).toMatchObject([{ prefix: made.apiKey.slice(0, 14) }, { prefix: apiKey.slice(0, 14), name: 'second' }])

    const revoked = await call('DELETE', `${path}/keys/${apiKey.slice(0, 14)}`)

    expect(revoked.status).toBe(204)
    expect((await ask(apiKey)).status).toBe(401)
    expect((await ask(made.apiKey)).status).toBe(200)
    expect((await call('GET', `${path}/keys`)).body.data).toHaveLength(1)
    expect((await call('DELETE', `${path}/keys/svc_sim_nothing`)).status).toBe(404)
  })

  it('lists simulations with what a page shows of them, and says where nothing is new', async () => {
    const { call, made, path } = await startTasks()
    await call('POST', `${path}/fast-forward`, { hours: 24 })
    await fetch(`${made.url}/v1/tasks`, { headers: { authorization: `Bearer ${made.apiKey}` } })
    await call('POST', `${path}/pause`)

    const first = await call('GET', '/v1/simulations?detail=true')

    expect(first.body.data).toMatchObject([
      {
        slug: 'tasks',
        status: 'paused',
        title: expect.any(String),
        offsetMs: null,
        requests: 1,
        webhooks: 0,
        webhooksOff: 0,
      },
    ])
    expect(first.body.data[0].records).toBeGreaterThan(100)
    const etag = first.headers.get('etag') ?? ''
    const again = await call('GET', '/v1/simulations?detail=true', undefined, { 'if-none-match': etag })
    expect(again).toMatchObject({ status: 304, text: '' })
    await call('POST', `${path}/resume`)
    const changed = await call('GET', '/v1/simulations?detail=true', undefined, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.body.data[0].offsetMs).toBeGreaterThan(80_000_000)
    expect((await call('GET', '/v1/simulations')).body.data[0]).not.toHaveProperty('records')
  })
})
