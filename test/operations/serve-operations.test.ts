import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'
import { startOperatedServe } from './operated.ts'

const TASKS = ['task-tracker']

it('shows operators that it is well, and what it did', async () => {
  const served = await startOperatedServe([...TASKS, '--log', 'debug'])
  const [tasks] = served.simulations
  const headers = { authorization: `Bearer ${tasks?.apiKey}` }

  await (await fetch(`${tasks?.url}/v1/projects`, { headers })).text()
  await (await fetch(`${tasks?.url}/v1/projects`)).text()
  await (await served.manage('GET', '/usage')).text()
  const [health, ready, unknown] = await Promise.all(
    ['/healthz', '/readyz', '/unknown'].map((path) => fetch(served.opsUrl + path)),
  )

  const askedAs = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = get(`${served.opsUrl}/metrics`, { headers: { host }, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject)
    })
  const asked = await Promise.all(['rebound.example:9464', 'localhost:9464', '127.0.0.1', 'prometheus'].map(askedAs))

  expect([health?.status, ready?.status, unknown?.status]).toEqual([200, 200, 404])
  // A page elsewhere can let its name lead here, and would read as its own origin.
  expect(asked).toEqual([403, 200, 200, 200])
  expect(await ready?.json()).toEqual({ status: 'ready' })
  expect(await served.metric('backlot_requests_total{kind="simulated",status="200"}')).toBe(1)
  expect(await served.metric('backlot_requests_total{kind="simulated",status="401"}')).toBe(1)
  expect(await served.metric('backlot_requests_total{kind="management",status="200"}')).toBe(1)
  expect(await served.metric('backlot_request_seconds_count{kind="simulated"}')).toBe(2)
  expect(await served.metric('backlot_cached_simulations')).toBe(1)
  expect(await served.metric('backlot_ready')).toBe(1)
  expect(await served.metric('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
  expect(await served.stop()).toBe(0)
  const logged = served.lines.map((line) => JSON.parse(line))
  expect(logged[0]).toMatchObject({ level: 30, msg: 'ready', pid: served.child.pid, url: served.url })
  expect(logged.filter(({ msg }) => msg === 'request')[0]).toMatchObject({
    level: 20,
    kind: 'simulated',
    method: 'GET',
    path: '/s/task-tracker/v1/projects',
    status: '200',
  })
  expect(logged.slice(-2).map(({ msg }) => msg)).toEqual(['draining', 'closed'])
  expect(served.lines.join('\n')).not.toContain(tasks?.apiKey)
})

describe('at SIGTERM', () => {
  it('answers what is under way and ends, a reader of a stream or not', async () => {
    const served = await startOperatedServe(TASKS)
    const [tasks] = served.simulations
    await served.manage('POST', '/simulations/task-tracker/rules', {
      name: 'slow',
      kind: 'latency',
      method: 'GET',
      pathPattern: '/v1/projects',
      config: { latencyMs: 500 },
    })
    const stream = await served.manage('GET', '/simulations/task-tracker/activity?kinds=change')
    const underWay = fetch(`${tasks?.url}/v1/projects`, { headers: { authorization: `Bearer ${tasks?.apiKey}` } })
    await expect.poll(() => served.metric('backlot_requests_under_way')).toBe(2)

    const ended = served.stop()

    const answer = await underWay
    expect(answer.status).toBe(200)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await ended).toBe(0)
    await stream.text().catch(() => {})
  })

  it('takes requests for the delay, and says that it is not ready', async () => {
    const served = await startOperatedServe(TASKS, { BACKLOT_DRAIN_DELAY: '1' })

    const ended = served.stop()
    await expect.poll(async () => (await fetch(`${served.opsUrl}/readyz`)).status).toBe(503)
    const late = await fetch(`${served.url}/healthz`)

    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
    expect(await ended).toBe(0)
  })
})

it('tells the HEALTHCHECK of an image whether it takes requests', async () => {
  const served = await startOperatedServe([])
  const ask = (port: string) =>
    runCommand(process.execPath, [CLI, 'health'], { cwd: process.cwd(), env: { BACKLOT_OPS_PORT: port } })

  const [well, gone] = await Promise.all([ask(new URL(served.opsUrl).port), ask('9')])

  expect([well.exitCode, well.stdout]).toEqual([0, 'ready\n'])
  expect([gone.exitCode, gone.stderr]).toEqual([1, expect.stringContaining('Does the service run with --ops-port 9?')])
})
