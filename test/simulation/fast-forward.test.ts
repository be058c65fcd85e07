import { expect, it } from 'vitest'
import type { ChangeEvent } from '../../src/protocol/event.ts'
import type { FastForwardResult } from '../../src/protocol/simulation.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSimulation } from './open-simulation.ts'

const HOUR_MS = 3_600_000

it('makes the same changes by a fast-forward as by real time', async () => {
  const still = { now: () => Date.UTC(2026, 0, 5), monotonic: systemClock.monotonic }
  const moving = { ...still, real: Date.UTC(2026, 0, 5), now: () => moving.real }
  const creation = { library: 'task-tracker', seed: 'same', epoch: '2026-01-05T00:00:00Z' }
  await using turned = await openSimulation(creation, { runtime: { clock: still } })
  await using waited = await openSimulation(creation, { runtime: { clock: moving } })

  await turned.manage('POST', '/fast-forward', { hours: 48 })
  moving.real += 48 * HOUR_MS

  const essence = async (simulation: typeof turned) => {
    const { body } = await simulation.manage<{ data: ChangeEvent[] }>('GET', '/events')
    return body.data.map(({ id, type, created, data }) => ({ id, type, created, data }))
  }
  const events = await essence(waited)
  expect(events.length).toBeGreaterThan(0)
  expect(await essence(turned)).toEqual(events)
})

it('gives the same result in one turn as in several', async () => {
  const creation = { library: 'crm', seed: 'parts', epoch: '2026-01-05T00:00:00Z' }
  await using once = await openSimulation(creation)
  await using often = await openSimulation(creation)

  const whole = await once.manage<FastForwardResult>('POST', '/fast-forward', { hours: 96 })
  let changes = 0
  for (let turn = 0; turn < 4; turn++) {
    const part = await often.manage<FastForwardResult>('POST', '/fast-forward', { hours: 24 })
    changes += part.body.changes
  }

  expect(changes).toBe(whole.body.changes)
  expect((await often.manage('GET', '/records/deals?limit=500')).body).toEqual(
    (await once.manage('GET', '/records/deals?limit=500')).body,
  )
})

it('emits one event for each change', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  await simulation.manage('PUT', '/behaviour', {
    rules: [
      {
        id: 'r',
        name: 'r',
        everySeconds: 3600,
        enabled: true,
        steps: [{ kind: 'touch', collection: 'tasks', count: 3 }],
      },
    ],
  })

  const { body } = await simulation.manage<FastForwardResult>('POST', '/fast-forward', { hours: 5 })

  const events = await simulation.manage<{ data: ChangeEvent[] }>('GET', '/events')
  expect(body).toEqual({ hours: 5, changes: 15 })
  expect(events.body.data.map(({ type, cause }) => ({ type, cause }))).toEqual(
    Array.from({ length: 15 }, () => ({ type: 'task.updated', cause: 'fast-forward' })),
  )
})

it('refuses to turn the clock of a paused simulation', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  await simulation.manage('POST', '/pause')

  const answer = await simulation.manage<{ error: { code: string; message: string } }>('POST', '/fast-forward', {
    hours: 1,
  })

  expect(answer.status).toBe(400)
  expect(answer.body.error.message).toMatch(/paused. Resume it first/)
})

/** Keeps a fast-forward of a month at work for longer than any test lasts, and changes the data. */
const ENDLESS = {
  rules: [
    { everySeconds: 3_600, steps: [{ kind: 'touch', collection: 'tasks', count: 1_000 }] },
    ...Array.from({ length: 49 }, () => ({
      everySeconds: 1,
      steps: Array.from({ length: 20 }, () => ({
        kind: 'touch',
        collection: 'tasks',
        count: 1,
        where: { title: 'nobody has this title' },
      })),
    })),
  ],
}

it.each([
  ['/pause', 'paused'],
  ['/reset', 'reset'],
  ['/snapshots/snap_1/restore', 'restored'],
])('ends a fast-forward with nothing changed by POST %s', async (path, word) => {
  await using simulation = await openSimulation({ library: 'task-tracker', volume: { tasks: 5_000 } })
  await simulation.manage('PUT', '/behaviour', ENDLESS)
  await simulation.manage('POST', '/snapshots')
  const before = await simulation.manage('GET', '/records/tasks?limit=50')

  const turning = simulation.manage<{ error: { message: string } }>('POST', '/fast-forward', { hours: 720 })
  await expect.poll(async () => (await simulation.call('/tasks')).status).toBe(503)
  const ended = await simulation.manage('POST', path)

  const turned = await turning
  expect([turned.status, turned.body.error.message]).toEqual([
    400,
    `Failed to fast-forward: the simulation was ${word} meanwhile, so nothing was changed.`,
  ])
  expect(ended.status).toBe(200)
  expect((await simulation.manage('GET', '/records/tasks?limit=50')).body).toEqual(before.body)
  expect((await simulation.manage('GET', '/events')).body).toEqual({ data: [] })
})

it('ends a fast-forward whose caller leaves', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const left = new AbortController()

  const { turning } = await turnWithoutEnd(simulation, left.signal)
  left.abort()

  await expect(turning).rejects.toThrow()
  await expect.poll(async () => (await simulation.call('/tasks')).status).toBe(200)
  expect((await simulation.manage('GET', '/events')).body).toEqual({ data: [] })
})

it('refuses a fast-forward that takes more than 60 s of computing, and changes nothing', async () => {
  let computed = 0
  const computedMs = () => (computed += 5_000)
  await using simulation = await openSimulation({ library: 'task-tracker' }, { runtime: { computedMs } })
  await simulation.manage('PUT', '/behaviour', ENDLESS)

  const answer = await simulation.manage<{ error: { message: string } }>('POST', '/fast-forward', { hours: 720 })

  expect([answer.status, answer.body.error.message]).toEqual([
    400,
    'Failed to fast-forward: it would take more than 60 s of computing, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan.',
  ])
})

it('refuses changes of records while a fast-forward is under way, as other writes', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const left = new AbortController()
  const { turning } = await turnWithoutEnd(simulation, left.signal)

  const refused = await simulation.manage<{ error: { code: string } }>('POST', '/records/projects', { name: 'Mine' })
  left.abort()
  await expect(turning).rejects.toThrow()

  expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable'])
})

/** Begins a fast-forward that takes long, and resolves when it is under way. */
async function turnWithoutEnd(simulation: Awaited<ReturnType<typeof openSimulation>>, signal: AbortSignal) {
  await simulation.manage('PUT', '/behaviour', ENDLESS)
  const turning = fetch(`${simulation.service.url}/v1/simulations/${await idOf(simulation)}/fast-forward`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulation.service.accountKey}`, 'content-type': 'application/json' },
    body: '{"hours":720}',
    signal,
  })
  turning.catch(() => {})
  await expect.poll(async () => (await simulation.call('/tasks')).status).toBe(503)
  return { turning }
}

async function idOf(simulation: Awaited<ReturnType<typeof openSimulation>>): Promise<string> {
  return (await simulation.manage<{ id: string }>('GET', '')).body.id
}
