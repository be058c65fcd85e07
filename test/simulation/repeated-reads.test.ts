import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCore, drafts, requestOf, run, START, toCommand } from './core-session.ts'
import { type OpenSimulation, openSimulation } from './open-simulation.ts'

it('answers a read asked again as a simulation does that was never asked', () => {
  fc.assert(
    fc.property(drafts, (session) => {
      const core = createCore()
      for (const [step, draft] of session.entries()) {
        const at = START + (step + 1) * 60_000
        run(core, toCommand(core, draft, at))
        const fresh = createCore()
        fresh.apply(structuredClone(core.dump()))

        for (const path of ['/projects', '/projects', '/tasks', '/tasks/none']) {
          const read = requestOf(at, { method: 'GET', path })
          const { response, trace } = core.execute(read)
          const expected = fresh.execute(read)
          expect([response.status, String(response.body)]).toEqual([
            expected.response.status,
            String(expected.response.body),
          ])
          expect(trace).toEqual(expected.trace)
        }
      }
    }),
    { numRuns: 60 },
  )
})

it('shows the data as it was when a command is undone', () => {
  const core = createCore()
  const read = requestOf(START, { method: 'GET', path: '/projects' })
  const before = String(core.execute(read).response.body)

  core.begin()
  core.execute(requestOf(START, { method: 'POST', path: '/projects', body: { name: 'Harbour', key: 'HB' } }))
  const between = String(core.execute(read).response.body)
  core.undo()

  expect(between).not.toBe(before)
  expect(String(core.execute(read).response.body)).toBe(before)
})

/** Status and body of the tasks, asked for twice. */
async function readTwice({ call }: OpenSimulation, headers: Record<string, string> = {}) {
  const first = await call('/tasks?limit=2', { headers })
  const answer = await call('/tasks?limit=2', { headers })
  expect([answer.status, await answer.clone().text()]).toEqual([first.status, await first.text()])
  return answer
}

it('heeds settings that change between two equal reads', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const { manage } = simulation
  const statuses: number[] = [(await readTwice(simulation)).status]
  const then = async (change: Promise<{ status: number }>) => {
    expect((await change).status).toBeLessThan(300)
    statuses.push((await readTwice(simulation)).status)
  }

  const rule = { name: 'down', kind: 'error', method: '*', pathPattern: '/tasks', config: { status: 502 } }
  const added = manage<{ id: string }>('POST', '/rules', rule)
  await then(added)
  await then(manage('DELETE', `/rules/${(await added).body.id}`))
  await then(manage('POST', '/pause'))
  await then(manage('POST', '/resume'))
  await then(manage('PUT', '/access', { ipRestrictionEnabled: true, ipAllowlist: ['203.0.113.9'] }))
  await then(manage('PUT', '/access', { ipRestrictionEnabled: false, ipAllowlist: [] }))

  expect(statuses).toEqual([200, 502, 200, 503, 200, 403, 200])
})

it('distinguishes callers: without a key, with a wrong one, with a page that they have, of another origin', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const known = await readTwice(simulation)

  const [none, wrong, same, page, again] = [
    await readTwice(simulation, { authorization: '' }),
    await readTwice(simulation, { authorization: 'Bearer svc_sim_wrong000' }),
    await readTwice(simulation, { 'if-none-match': known.headers.get('etag') ?? '' }),
    await readTwice(simulation, { origin: 'http://localhost:3000' }),
    await readTwice(simulation),
  ]

  expect([none.status, wrong.status, same.status, page.status, again.status]).toEqual([401, 401, 304, 200, 200])
  expect(page.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  expect(again.headers.get('access-control-allow-origin')).toBeNull()
})

it('logs and counts each of several equal reads', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  await readTwice(simulation)

  const { body: logs } = await simulation.manage<{ data: Record<string, unknown>[] }>('GET', '/logs')
  const usage = await fetch(`${simulation.service.url}/v1/usage`, {
    headers: { authorization: `Bearer ${simulation.service.accountKey}` },
  })

  const entry = { path: '/tasks?limit=2', status: 200, operation: 'listTasks', key: simulation.key.slice(0, 14) }
  expect(logs.data).toMatchObject([
    { ...entry, id: 'req_2' },
    { ...entry, id: 'req_1' },
  ])
  expect(await usage.json()).toMatchObject({ requestsThisMonth: 2 })
})

it('shows what a fast-forward, a reset and a restored snapshot have changed', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const read = async () => (await readTwice(simulation)).text()
  const first = await read()
  const { body: snapshot } = await simulation.manage<{ id: string }>('POST', '/snapshots')

  await simulation.manage('POST', '/fast-forward', { hours: 48 })
  const later = await read()
  await simulation.manage('POST', `/snapshots/${snapshot.id}/restore`)
  const restored = await read()
  await simulation.manage('POST', '/fast-forward', { hours: 48 })
  await simulation.manage('POST', '/reset')

  expect(later).not.toBe(first)
  expect(restored).toBe(first)
  expect(await read()).toBe(first)
})
