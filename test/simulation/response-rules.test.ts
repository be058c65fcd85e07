import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ChangeEvent } from '../../src/protocol/event.ts'
import type { LogEntry, RecordsPage } from '../../src/protocol/reads.ts'
import type { ResponseRule } from '../../src/protocol/response-rule.ts'
import { type OpenSimulation, openSimulation } from './open-simulation.ts'

let simulation: OpenSimulation

beforeEach(async () => {
  simulation = await openSimulation({ library: 'task-tracker', seed: 'rules' })
})

afterEach(() => simulation[Symbol.asyncDispose]())

async function addRule(
  kind: string,
  config: object,
  match: { method?: string; pathPattern?: string } = {},
): Promise<string> {
  const rule = { name: kind, kind, method: '*', pathPattern: '/projects*', ...match, config }
  const answer = await simulation.manage<ResponseRule>('POST', '/rules', rule)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.id
}

const statuses = async (count: number): Promise<number[]> => {
  const seen: number[] = []
  for (let call = 0; call < count; call++) seen.push((await simulation.call('/projects')).status)
  return seen
}

const createProject = (name: string) =>
  simulation.call('/projects', { method: 'POST', body: JSON.stringify({ name, key: name.toUpperCase() }) })

const hasProject = async (name: string): Promise<boolean> => {
  const { body } = await simulation.manage<RecordsPage>('GET', '/records/projects?limit=500')
  return body.data.some((record) => record.name === name)
}

/** Everything that a plain socket receives until the other side ends or resets. */
function readRaw(path: string): Promise<{ text: string; error: string | undefined }> {
  const { hostname, port } = new URL(simulation.url)
  return new Promise((resolve) => {
    let text = ''
    let error: string | undefined
    const socket = connect(Number(port), hostname)
    socket.on('data', (bytes) => (text += bytes.toString('latin1')))
    socket.on('error', (fault: NodeJS.ErrnoException) => (error = fault.code))
    socket.on('close', () => resolve({ text, error }))
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${simulation.key}\r\nConnection: close\r\n\r\n`,
    )
  })
}

it('holds an answer back by the latency and logs the time', async () => {
  const id = await addRule('latency', { latencyMs: 60 })

  const answer = await simulation.call('/projects')
  await answer.text()

  const logged = async () => (await simulation.manage<{ data: LogEntry[] }>('GET', '/logs')).body.data[0]
  expect(answer.headers.get('backlot-rule')).toBe(`${id}; kind=latency`)
  await expect.poll(async () => (await logged())?.durationMs ?? 0).toBeGreaterThanOrEqual(59)
  expect(await logged()).toMatchObject({ status: 200, ruleId: id })
})

it('answers an error a number of times, and then normally', async () => {
  await addRule('error', { status: 503, times: 2, retryAfterSeconds: 7 })

  const first = await simulation.call('/projects')

  expect(first.headers.get('retry-after')).toBe('7')
  expect(await statuses(3)).toEqual([503, 200, 200])
})

it('skips the first matches and then fires at each nth', async () => {
  await addRule('error', { status: 500, skipFirst: 1, every: 2 })

  expect(await statuses(6)).toEqual([200, 200, 500, 200, 500, 200])
})

it('draws the same faults in every run, whatever else is asked between', async () => {
  await addRule('error', { status: 500, probability: 0.5 })
  const drawn = await statuses(20)

  await simulation.manage('POST', '/reset')
  await simulation.call('/users')
  const again = await statuses(20)

  expect(new Set(drawn)).toEqual(new Set([200, 500]))
  expect(again).toEqual(drawn)
})

it('fires on the world clock', async () => {
  await addRule('error', { status: 500, startAfterMs: 3_600_000, durationMs: 3_600_000 })
  const before = await statuses(1)

  await simulation.manage('POST', '/fast-forward', { hours: 1.5 })
  const during = await statuses(1)
  await simulation.manage('POST', '/fast-forward', { hours: 1 })

  expect([before, during, await statuses(1)]).toEqual([[200], [500], [200]])
})

it('matches paths exactly without a star and by their beginning with one', async () => {
  await addRule('error', { status: 500 }, { pathPattern: '/projects', method: 'GET' })

  expect((await simulation.call('/projects?limit=1')).status).toBe(500)
  expect((await simulation.call('/projects/none')).status).toBe(404)
  expect((await createProject('Other')).status).toBe(201)
})

it('limits the rate with headers, a retry time and a window of world time', async () => {
  await addRule('rateLimit', { limit: 2, windowSeconds: 3_600, headers: 'x' })

  const first = await simulation.call('/projects')
  const rest = await statuses(2)
  const refused = await simulation.call('/projects')
  await simulation.manage('POST', '/fast-forward', { hours: 1 })

  expect(first.headers.get('x-ratelimit-remaining')).toBe('1')
  expect(rest).toEqual([200, 429])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  expect(await statuses(1)).toEqual([200])
})

it('refills a token bucket as time passes', async () => {
  await addRule('rateLimit', { limit: 60, windowSeconds: 3_600, burst: 1, algorithm: 'tokenBucket' })

  expect(await statuses(2)).toEqual([200, 429])
  await simulation.manage('POST', '/fast-forward', { hours: 0.25 })
  expect(await statuses(2)).toEqual([200, 429])
})

it('resets the connection before the write is done', async () => {
  await addRule('connectionReset', { times: 1 }, { method: 'POST' })

  await expect(createProject('Lost')).rejects.toThrow()

  expect(await hasProject('Lost')).toBe(false)
})

it('loses the acknowledgement of a write that is done', async () => {
  await addRule('connectionReset', { times: 1, commit: 'after' }, { method: 'POST' })

  await expect(createProject('Done')).rejects.toThrow()

  expect(await hasProject('Done')).toBe(true)
})

it('resets in the middle of a body', async () => {
  await addRule('connectionReset', { when: 'midBody', afterBytes: 10, commit: 'after' })

  const { text, error } = await readRaw('/projects')

  expect(text.split('\r\n\r\n')[1]).toHaveLength(10)
  expect(error).toBe('ECONNRESET')
})

it('closes the connection without an answer', async () => {
  await addRule('emptyResponse', {})

  expect(await readRaw('/projects')).toEqual({ text: '', error: undefined })
})

it('holds a request until its rule is removed', async () => {
  const id = await addRule('timeout', {})
  const held = simulation.call('/projects')
  await expect
    .poll(async () => (await simulation.manage<{ data: LogEntry[] }>('GET', '/logs')).body.data[0]?.ruleId)
    .toBe(id)

  await simulation.manage('DELETE', `/rules/${id}`)

  expect((await held).status).toBe(200)
})

it('processes a request only after its hold, where the rule says so', async () => {
  await addRule('timeout', { holdMs: 50, commit: 'before' }, { method: 'POST' })
  const held = createProject('Late')
  const during = await hasProject('Late')

  const answer = await held

  expect(during).toBe(false)
  expect(answer.status).toBe(201)
  expect(await hasProject('Late')).toBe(true)
})

it('breaks a body in the way that was asked for', async () => {
  const json = await addRule('malformed', { mode: 'json' })
  const broken = await (await simulation.call('/projects')).text()
  await simulation.manage('DELETE', `/rules/${json}`)
  await addRule('malformed', { mode: 'invalidHttp' })

  expect(() => JSON.parse(broken)).toThrow(SyntaxError)
  await expect(simulation.call('/projects')).rejects.toThrow()
})

it('writes a body slowly but whole', async () => {
  await addRule('slowBody', { chunkBytes: 64, chunkDelayMs: 5 })

  const answer = await simulation.call('/projects?limit=1')

  expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(1)
})

it('overrides an answer and leaves the data alone', async () => {
  await addRule('override', { status: 207, setJson: { total: 999, nextCursor: null }, headers: { 'X-Extra': 'yes' } })

  const answer = await simulation.call('/projects?limit=1')
  const body = (await answer.json()) as { total: number; data: unknown[] }
  const created = await createProject('Ghost')

  expect([answer.status, answer.headers.get('x-extra'), body.total, body.data.length]).toEqual([207, 'yes', 999, 1])
  expect(created.status).toBe(207)
  expect(await hasProject('Ghost')).toBe(false)
})

it.each([
  ['sequence', { responses: [{ status: 503 }, { pass: true }], onEnd: 'pass' }],
  ['override', { status: 503 }],
])('lets a repetition with the same idempotency key through after a %s answered in its place', async (kind, config) => {
  const id = await addRule(kind, config, { method: 'POST' })
  const create = () =>
    simulation.call('/projects', {
      method: 'POST',
      body: JSON.stringify({ name: 'Retried', key: 'RETRY' }),
      headers: { 'idempotency-key': 'once' },
    })

  const first = await create()
  await simulation.manage('DELETE', `/rules/${id}`)
  const second = await create()

  expect([first.status, second.status]).toEqual([503, 201])
  expect(await hasProject('Retried')).toBe(true)
})

it('processes what a timeout held back after the fast-forward that came between, whatever became of that', async () => {
  await using large = await openSimulation({ library: 'task-tracker', volume: { tasks: 10_000 } })
  const steps = [{ kind: 'touch', collection: 'tasks', count: 10_000 }]
  await large.manage('PUT', '/behaviour', { rules: [{ everySeconds: 60, steps }] })
  const rule = {
    name: 'held',
    kind: 'timeout',
    method: 'POST',
    pathPattern: '*',
    config: { holdMs: 100, commit: 'before' },
  }
  await large.manage('POST', '/rules', rule)
  const held = large.call('/labels', { method: 'POST', body: JSON.stringify({ name: 'held', colour: '#aa0000' }) })
  await expect.poll(async () => (await large.manage<{ data: LogEntry[] }>('GET', '/logs')).body.data.length).toBe(1)

  const turned = await large.manage('POST', '/fast-forward', { hours: 720 })
  const made = (await (await held).json()) as { id: string }
  const read = await large.call(`/labels/${made.id}`)
  const { body } = await large.manage<{ data: ChangeEvent[] }>('GET', '/events')

  expect(turned.status).toBe(400)
  expect(read.status).toBe(200)
  expect(body.data.map(({ type, cause }) => [type, cause])).toEqual([['label.created', 'request']])
})

it('answers a sequence and then passes', async () => {
  await addRule('sequence', { responses: [{ status: 500 }, { pass: true }, { status: 202, body: { ok: 1 } }] })

  expect(await statuses(4)).toEqual([500, 200, 202, 200])
})

it('refuses a key that is valid', async () => {
  await addRule('unauthorised', { mode: 'scope' })

  expect(await statuses(1)).toEqual([403])
})

it('is down for maintenance', async () => {
  await addRule('maintenance', { retryAfterSeconds: 30 })

  const answer = await simulation.call('/projects')

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
})

it('shows reads the data of some time ago', async () => {
  await addRule('staleRead', { lagMs: 3_600_000 })
  const created = (await (await createProject('Fresh')).json()) as { id: string }

  const stale = await simulation.call(`/projects/${created.id}`)
  await simulation.manage('POST', '/fast-forward', { hours: 1 })
  const caughtUp = await simulation.call(`/projects/${created.id}`)

  expect([stale.status, caughtUp.status]).toEqual([404, 200])
})

it('lets rules of several stages act on one request', async () => {
  const error = await addRule('error', { status: 500 })
  const latency = await addRule('latency', { latencyMs: 20 })

  const answer = await simulation.call('/projects')

  expect(answer.headers.get('backlot-rule')).toBe(`${error}; kind=error, ${latency}; kind=latency`)
})

it('names the field and the bound of a config that is wrong', async () => {
  const wrong = { name: 'x', kind: 'latency', method: 'GET', pathPattern: '/projects*', config: { latencyMs: -1 } }

  const answer = await simulation.manage<{ error: { code: string; message: string } }>('POST', '/rules', wrong)

  expect(answer.status).toBe(400)
  expect(answer.body.error).toEqual({
    code: 'invalid_request',
    message: 'Expected `config.latencyMs` to be from 0 to 300,000, got -1.',
  })
})

it.each([
  [
    'latency',
    { latencyMs: 1, startAfterMs: 1e300 },
    'config.startAfterMs` to be from 0 to 31,557,600,000,000, got 1e+300',
  ],
  [
    'latency',
    { latencyMs: 1, durationMs: 4e13 },
    'config.durationMs` to be from 0 to 31,557,600,000,000, got 40000000000000',
  ],
  ['latency', { latencyMs: 1, rampMs: 1e300 }, 'config.rampMs` to be from 0 to 31,557,600,000,000, got 1e+300'],
  ['staleRead', { lagMs: 1e300 }, 'config.lagMs` to be from 0 to 31,557,600,000,000, got 1e+300'],
  [
    'rateLimit',
    { limit: 1, windowSeconds: 1e300 },
    'config.windowSeconds` to be from 0.001 to 31,557,600,000, got 1e+300',
  ],
  [
    'rateLimit',
    { limit: 1, windowSeconds: 1e-310 },
    'config.windowSeconds` to be from 0.001 to 31,557,600,000, got 1e-310',
  ],
  [
    'maintenance',
    { retryAfterSeconds: 4e10 },
    'config.retryAfterSeconds` to be from 0 to 31,557,600,000, got 40000000000',
  ],
])('refuses a time past a thousand years in the config of %s', async (kind, config, message) => {
  const rule = { name: 'long', kind, method: '*', pathPattern: '*', config }

  const answer = await simulation.manage<{ error: { code: string; message: string } }>('POST', '/rules', rule)

  expect([answer.status, answer.body.error.message]).toEqual([400, `Expected \`${message}.`])
})

it('takes a rule that no operation can meet, and says so', async () => {
  const rule = { name: 'slip', kind: 'latency', method: 'GET', pathPattern: '/project', config: { latencyMs: 1 } }

  const slip = await simulation.manage<ResponseRule>('POST', '/rules', rule)
  const right = await simulation.manage<ResponseRule>('POST', '/rules', { ...rule, pathPattern: '/projects' })

  expect(slip).toMatchObject({ status: 201, body: { pathPattern: '/project' } })
  expect(slip.body.warning).toMatch(/^No operation of this API matches GET \/project\. Nearest are GET \/projects, /)
  expect(right.body).not.toHaveProperty('warning')
})
