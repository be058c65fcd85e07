import { expect, it } from 'vitest'
import type { ChangeEvent } from '../../src/protocol/event.ts'
import type { ClockReading, RecordsPage } from '../../src/protocol/reads.ts'
import { openSimulation } from './open-simulation.ts'

it('answers 503 while it is paused, and continues from the same world time', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  await simulation.manage('POST', '/pause')
  const before = await simulation.manage<ClockReading>('GET', '/clock')
  const paused = await simulation.call('/tasks')

  await simulation.manage('POST', '/resume')
  const after = await simulation.manage<ClockReading>('GET', '/clock')

  expect(paused.status).toBe(503)
  expect(before.body.paused).toBe(true)
  expect(Date.parse(after.body.now) - Date.parse(before.body.now)).toBeLessThan(1_000)
  expect((await simulation.call('/tasks')).status).toBe(200)
})

it('restores the data on reset and keeps keys, rules and the plan', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const before = await simulation.manage<RecordsPage>('GET', '/records/tasks?limit=500')
  await simulation.manage('POST', '/rules', {
    name: 'slow',
    kind: 'latency',
    method: 'GET',
    pathPattern: '/users*',
    config: { latencyMs: 1 },
  })
  await simulation.manage('POST', '/fast-forward', { hours: 72 })

  await simulation.manage('POST', '/reset')
  const answer = await simulation.call('/tasks')

  expect(answer.status).toBe(200)
  expect((await simulation.manage('GET', '/records/tasks?limit=500')).body).toEqual(before.body)
  expect((await simulation.manage('GET', '/events')).body).toEqual({ data: [] })
  const detail = await simulation.manage<{ rules: unknown[]; keys: string[] }>('GET', '')
  expect(detail.body.rules).toHaveLength(1)
  expect(detail.body.keys).toEqual([simulation.key.slice(0, 14)])
})

it('puts a snapshot back, and gives later events ids of their own', async () => {
  await using simulation = await openSimulation({ library: 'crm' })
  const kept = await simulation.manage<{ id: string }>('POST', '/snapshots')
  const before = await simulation.manage('GET', '/records/deals?limit=500')
  await simulation.manage('POST', '/fast-forward', { hours: 48 })
  const first = await simulation.manage<{ data: ChangeEvent[] }>('GET', '/events')

  const restored = await simulation.manage('POST', `/snapshots/${kept.body.id}/restore`)
  const data = await simulation.manage('GET', '/records/deals?limit=500')
  await simulation.manage('POST', '/fast-forward', { hours: 48 })
  const second = await simulation.manage<{ data: ChangeEvent[] }>('GET', '/events')

  expect(restored.status).toBe(200)
  expect(data.body).toEqual(before.body)
  expect(second.body.data.map(({ type }) => type)).toEqual(first.body.data.map(({ type }) => type))
  const ids = new Set(first.body.data.map(({ id }) => id))
  expect(second.body.data.filter(({ id }) => ids.has(id))).toEqual([])
})

it('spreads tasks over all projects, the newest included', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })

  const projects = await simulation.manage<RecordsPage>('GET', '/records/projects')
  const tasks = await simulation.manage<RecordsPage>('GET', '/records/tasks?limit=500')

  for (const { id } of projects.body.data) {
    expect(tasks.body.data.filter(({ projectId }) => projectId === id).length).toBeGreaterThan(0)
  }
})
