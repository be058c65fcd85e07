import { expect, it } from 'vitest'
import { nextTurn } from '../../src/runtime/timers.ts'
import { openSimulation, patient } from './open-simulation.ts'

const DAY_MS = 24 * 3_600_000
/** A sleep that is long enough to see the plan behind. */
const SLEPT_MS = DAY_MS / 3

const counter = {
  type: 'object',
  required: ['id', 'count'],
  properties: { id: { type: 'string', format: 'uuid' }, count: { type: 'integer', minimum: 0 } },
}
const content = (schema: object) => ({ content: { 'application/json': { schema } } })
const SPEC = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Counters', version: '1' },
  paths: {
    '/counters': {
      get: { responses: { 200: { description: 'All', ...content({ type: 'array', items: counter }) } } },
      post: { requestBody: content(counter), responses: { 201: { description: 'One', ...content(counter) } } },
    },
    '/counters/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: { description: 'One', ...content(counter) } } },
    },
  },
})

/**
 * A simulation of one counter that its plan counts up each second, with a clock that the test turns.
 *
 * @param computingMs what each look at the monotonic clock stands for
 */
async function open(computingMs: number) {
  let real = Date.UTC(2026, 2, 1)
  let computed = 0
  const clock = { now: () => real, monotonic: () => (computed += computingMs) }
  const step = { kind: 'increment', collection: 'counters', field: 'count', by: 1, count: 1 }
  const simulation = await openSimulation(
    { spec: SPEC, volume: { counters: 1 }, behaviour: [{ id: 'r', everySeconds: 1, steps: [step] }] },
    { runtime: { clock, sleep: () => new Promise(() => {}), ...patient } },
  )
  return {
    simulation,
    /** Lets so much real time pass in which nothing looks at the simulation. */
    sleepFor: (ms: number) => {
      real += ms
    },
    count: async () => {
      const [counter] = (await (await simulation.call('/counters')).json()) as { count: number }[]
      return counter?.count ?? Number.NaN
    },
    clock: async () => (await simulation.manage<{ now: string; lagMs?: number }>('GET', '/clock')).body,
  }
}

it('catches up in slices with all that a plan slept through, while requests wait', async () => {
  const { simulation, sleepFor, count } = await open(5)
  await using _ = simulation
  const before = await count()

  sleepFor(DAY_MS / 16)
  let turns = 0
  const late = count().finally(() => {
    turns = Number.NaN
  })
  const seen: number[] = []
  while (!Number.isNaN(turns)) {
    await nextTurn()
    seen.push(++turns)
  }

  expect(await late).toBe(before + DAY_MS / 16_000)
  expect(seen.length).toBeGreaterThan(1_000)
})

it('lets requests in between where the plan cannot keep up, says how far it is behind, and loses nothing', async () => {
  const { simulation, sleepFor, count, clock } = await open(5)
  await using _ = simulation
  const before = await count()
  const inTime = await clock()

  sleepFor(DAY_MS)
  const meanwhile = await count()
  const behind = await clock()
  const paused = await simulation.manage('POST', '/pause')
  const standing = await clock()
  await simulation.manage('POST', '/resume')
  await expect.poll(clock).not.toHaveProperty('lagMs')

  expect(inTime).not.toHaveProperty('lagMs')
  expect(meanwhile).toBeGreaterThanOrEqual(before + 50_000)
  expect(meanwhile).toBeLessThan(before + DAY_MS / 1_000)
  expect(behind.lagMs).toBeGreaterThan(0)
  expect(behind.lagMs).toBeLessThan(DAY_MS)
  expect([paused.status, standing.now]).toEqual([200, behind.now])
  expect(await count()).toBe(before + DAY_MS / 1_000)
})

it('fast-forwards from the present where the plan is behind', async () => {
  const { simulation, sleepFor, count } = await open(1)
  await using _ = simulation
  const before = await count()
  sleepFor(SLEPT_MS)
  await count()

  await simulation.manage('POST', '/fast-forward', { hours: 1 })

  expect(await count()).toBe(before + SLEPT_MS / 1_000 + 3_600)
})

it('says at once how far it is behind while it catches up, and lets a pause in', async () => {
  const { simulation, sleepFor, count, clock } = await open(5)
  await using _ = simulation
  const before = await count()
  sleepFor(SLEPT_MS)

  const behind = await clock()
  const paused = await simulation.manage('POST', '/pause')
  const refused = await simulation.call('/counters')
  await simulation.manage('POST', '/resume')
  await expect.poll(clock).not.toHaveProperty('lagMs')

  expect(behind.lagMs).toBeGreaterThan(0)
  expect([paused.status, refused.status]).toEqual([200, 503])
  expect(await count()).toBe(before + SLEPT_MS / 1_000)
})

it('lets requests in while a plan catches up that changes nothing', async () => {
  const { simulation, sleepFor, count, clock } = await open(5)
  await using _ = simulation
  const step = { kind: 'touch', collection: 'counters', count: 1, where: { count: -1 } }
  const rules = [{ everySeconds: 1, steps: Array.from({ length: 20 }, () => step) }]
  await simulation.manage('PUT', '/behaviour', { rules })
  const before = await count()

  sleepFor(365 * DAY_MS)
  const meanwhile = await count()
  const behind = await clock()

  expect(meanwhile).toBe(before)
  expect(behind.lagMs).toBeGreaterThan(DAY_MS)
})
