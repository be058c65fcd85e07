import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startForTest } from './start-for-test.ts'

const KEY = 'svc_sim_0123456789abcdef'
const TASKS = '/v1/simulations/tasks'

async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-reads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe.each(['memory', 'a store'])('with data in %s', (place) => {
  async function startTasks() {
    const stored = place === 'memory' ? {} : { store: join(await folderForTest(), 'kept.db') }
    const simulations = [{ library: 'task-tracker', slug: 'tasks', key: KEY }]
    const { service, call } = await startForTest({ ...stored, addresses: 'path' as const, simulations })
    const read = async (path: string) => {
      const { status, body } = await call('GET', `${TASKS}${path}`)
      return status === 200 ? body.data : body.error.message
    }
    const ask = (path: string) =>
      fetch(`${service.url}/s/tasks${path}`, { headers: { authorization: `Bearer ${KEY}` } }).then(
        ({ status }) => status,
      )
    return { call, read, ask }
  }

  it('pages through the latest 1,000 events, by kind and by record', async () => {
    const { call, read } = await startTasks()
    const [first, second] = await read('/records/tasks?limit=2')
    for (let turn = 0; turn < 3; turn++) {
      await call('PATCH', `${TASKS}/records/tasks/${first.id}`, { title: `first ${turn}` })
      await call('PATCH', `${TASKS}/records/tasks/${second.id}`, { title: `second ${turn}` })
    }
    await call('DELETE', `${TASKS}/records/tasks/${second.id}`)
    const titles = (events: { data: { object: { title: string } | null } }[]) =>
      events.map(({ data }) => data.object?.title)

    const latest = await read('/events?limit=3')

    expect(titles(latest)).toEqual([undefined, 'second 2', 'first 2'])
    expect(titles(await read(`/events?limit=2&before=${latest[2].id}`))).toEqual(['second 1', 'first 1'])
    expect(titles(await read(`/events?recordId=${first.id}&collection=tasks`))).toEqual([
      'first 2',
      'first 1',
      'first 0',
    ])
    expect(await read('/events?type=task.deleted')).toHaveLength(1)
    expect(await read('/events?type=task.*&limit=1000')).toHaveLength(7)
    expect(await read('/events?type=task.removed')).toMatch(/^No event is called "task.removed" here\./)
    expect(await read('/events?before=none')).toBe(
      'Expected `before` to be the id of one of the latest 1,000 events of this simulation, got "none".',
    )
    expect(await read('/events?limit=1001')).toContain('1,000')
  })

  it('keeps 1,000 events past a fast-forward, and shows 100 without a query', async () => {
    const { call, read } = await startTasks()
    const { body } = await call('POST', `${TASKS}/fast-forward`, { hours: 720 })
    expect(body.changes).toBeGreaterThan(100)

    const all = await read('/events?limit=1000')

    expect(all).toHaveLength(Math.min(1_000, body.changes))
    expect(new Set(all.map(({ id }: { id: string }) => id)).size).toBe(all.length)
    expect(await read('/events')).toEqual(all.slice(0, 100))
  })

  it('finds, orders and counts records', async () => {
    const { call, read } = await startTasks()
    const all: { id: string; status: string; title: string }[] = await read('/records/tasks?limit=500')
    const [open] = all.map(({ status }) => status)
    const query = (values: Record<string, string>) =>
      `/records/tasks?${new URLSearchParams({ limit: '500', ...values })}`
    const ids = (records: { id: string }[]) => records.map(({ id }) => id).toSorted()

    const equal = await read(query({ where: JSON.stringify({ status: open }) }))
    const other = await call('GET', TASKS + query({ where: JSON.stringify({ status: { ne: open } }), limit: '1' }))
    const sorted = await read(query({ sort: '-title,id' }))
    const counts = await read('/collections/tasks/counts?field=status')

    const opened = all.filter(({ status }) => status === open)
    expect(ids(equal)).toEqual(ids(opened))
    expect(other.body.total).toBe(all.length - opened.length)
    const titles = sorted.map(({ title }: { title: string }) => title)
    expect(titles).toEqual(titles.toSorted().toReversed())
    expect(counts[String(open)]).toBe(opened.length)
    expect(Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count)).toBe(all.length)
    const title = String(all[0]?.title)
    expect(ids(await read(query({ q: title.toUpperCase() })))).toContain(all[0]?.id)
    expect(await read(query({ q: 'no record holds this' }))).toEqual([])
  })

  it('says what is wrong with a query of records', async () => {
    const { read } = await startTasks()

    expect(await read('/records/tasks?where=open')).toContain('JSON, such as {"status":"open"}')
    expect(await read('/records/tasks?where=%7B%22statsu%22:1%7D')).toBe(
      'Expected `where` to name a field of collection "tasks", got "statsu". Did you mean "status"?',
    )
    expect(await read('/records/tasks?sort=-titel')).toContain('Expected `sort` to name a field of collection "tasks"')
    expect(await read('/collections/tasks/counts?field=id')).toContain('to have at most 100 different values')
    expect(await read('/collections/none/counts?field=id')).toContain('No collection "none"')
  })

  it('lists what the operations of the API do', async () => {
    const { read } = await startTasks()

    const operations = await read('/operations')

    expect(operations.find(({ id }: { id: string }) => id === 'createTask')).toMatchObject({
      method: 'POST',
      path: '/tasks',
      kind: 'create',
      subject: 'tasks',
      sets: [],
      unread: [],
      unclear: false,
      rule: 'create',
      confidence: 'certain',
      body: true,
    })
  })

  it('lists snapshots by their names and times, newest first', async () => {
    const { call, read } = await startTasks()
    await call('POST', `${TASKS}/snapshots`)
    const [task] = await read('/records/tasks?limit=1')
    await call('PATCH', `${TASKS}/records/tasks/${task.id}`, { title: 'changed' })
    await call('POST', `${TASKS}/snapshots?name=before%20the%20sale`)

    const snapshots = await read('/snapshots')

    expect(snapshots).toEqual([
      { id: 'snap_2', at: expect.stringMatching(/Z$/), name: 'before the sale', changes: 1 },
      { id: 'snap_1', at: expect.stringMatching(/Z$/), name: null, changes: 0 },
    ])
  })

  it('replaces a rule in its place, and switches it off and on', async () => {
    const { call, ask } = await startTasks()
    const asked = { name: 'down', kind: 'error', method: 'GET', pathPattern: '/v1/tasks', config: { status: 503 } }
    const { id } = (await call('POST', `${TASKS}/rules`, asked)).body
    const put = async (change: object) => (await call('PUT', `${TASKS}/rules/${id}`, { ...asked, ...change })).body
    expect(await ask('/v1/tasks')).toBe(503)

    const off = await put({ name: 'off', enabled: false })
    const whileOff = await ask('/v1/tasks')
    const on = await put({ name: 'on again' })
    const other = await put({ config: { status: 500, times: 1 } })
    const statuses = [await ask('/v1/tasks'), await ask('/v1/tasks')]

    expect(off).toMatchObject({ id, name: 'off', enabled: false, firings: 1, lastFiredAt: expect.stringMatching(/Z$/) })
    expect(whileOff).toBe(200)
    expect(on).toMatchObject({ id, firings: 1 })
    expect(on.enabled).toBeUndefined()
    expect(other).toMatchObject({ id, firings: 0 })
    expect(other.lastFiredAt).toBeUndefined()
    expect(statuses).toEqual([500, 200])
    expect((await call('PUT', `${TASKS}/rules/none`, asked)).status).toBe(404)
    expect((await call('PUT', `${TASKS}/rules/${id}`, { ...asked, config: { status: 99 } })).status).toBe(400)
  })

  it('says when a key was issued and used last', async () => {
    const { call, read, ask } = await startTasks()
    await call('POST', `${TASKS}/keys`, { name: 'spare' })
    await ask('/v1/tasks?limit=1')

    const [used, spare] = await read('/keys?detail=true')

    const [request] = await read('/logs?limit=1')
    expect(used).toMatchObject({ prefix: 'svc_sim_012345', lastUsedAt: request.at, createdAt: expect.any(String) })
    expect(spare).toMatchObject({ name: 'spare', lastUsedAt: null })
    expect(Object.keys((await read('/keys'))[0])).toEqual(['prefix', 'name'])
  })
})
