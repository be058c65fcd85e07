import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BehaviourPlan } from '../../src/protocol/behaviour.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { RecordsPage } from '../../src/protocol/reads.ts'
import type { FastForwardResult } from '../../src/protocol/simulation.ts'
import { type OpenSimulation, openSimulation } from '../simulation/open-simulation.ts'

let simulation: OpenSimulation

beforeEach(async () => {
  simulation = await openSimulation({ library: 'task-tracker', seed: 'steps', epoch: '2026-03-02T09:00:00Z' })
})

afterEach(() => simulation[Symbol.asyncDispose]())

const records = async (collection: string): Promise<JsonObject[]> =>
  (await simulation.manage<RecordsPage>('GET', `/records/${collection}?limit=500`)).body.data

/** Sets a plan of one rule that runs each hour, and turns the clock by `hours`. Returns the number of changes. */
async function run(steps: object[], hours = 1): Promise<number> {
  const rules = [{ id: 'rule', name: 'rule', everySeconds: 3_600, enabled: true, steps }]
  const plan = await simulation.manage<BehaviourPlan>('PUT', '/behaviour', { rules })
  expect(plan.body.rules[0]?.steps).toHaveLength(steps.length)
  const turned = await simulation.manage<FastForwardResult>('POST', '/fast-forward', { hours })
  return turned.body.changes
}

const byStatus = (list: readonly JsonObject[], status: string) => list.filter((record) => record.status === status)

it('creates records with the values that were given, below living parents', async () => {
  const before = await records('comments')
  const tasks = new Set((await records('tasks')).map(({ id }) => id))

  const changes = await run([{ kind: 'create', collection: 'comments', count: 3, values: { body: 'Looks good.' } }])

  const ids = new Set(before.map(({ id }) => id))
  const made = (await records('comments')).filter(({ id }) => !ids.has(id ?? null))
  expect(changes).toBe(3)
  expect(made).toHaveLength(3)
  for (const comment of made) {
    expect(comment.body).toBe('Looks good.')
    expect(tasks).toContain(comment.taskId)
  }
})

it('creates no more than the most records that a step allows', async () => {
  const { length } = await records('labels')

  expect(await run([{ kind: 'create', collection: 'labels', count: 5, maxRecords: length + 2 }], 3)).toBe(2)
})

it('moves records along their status and notes the moment', async () => {
  const before = byStatus(await records('tasks'), 'in_review')

  const changes = await run([{ kind: 'transition', collection: 'tasks', from: 'in_review', to: 'done', fraction: 1 }])

  const after = new Map((await records('tasks')).map((task) => [task.id, task]))
  expect(changes).toBe(before.length)
  for (const { id } of before) {
    const moved = after.get(id ?? null)
    expect(moved).toMatchObject({ status: 'done', completedAt: moved?.updatedAt })
    // An hour after the plan was set, which is some seconds after the epoch on a busy machine.
    expect(moved?.updatedAt).toMatch(/^2026-03-02T10:0/)
  }
})

it('draws the value of a transition by weight', async () => {
  await run([{ kind: 'transition', collection: 'tasks', to: { todo: 1, done: 3 }, fraction: 1 }])

  const tasks = await records('tasks')
  const done = byStatus(tasks, 'done').length
  expect(done + byStatus(tasks, 'todo').length).toBe(tasks.length)
  expect(done).toBeGreaterThan(tasks.length / 2)
})

it('carries what is left of a fraction to the next run', async () => {
  await simulation.manage('POST', '/reset')
  const { length } = await records('milestones')

  const changes = await run([{ kind: 'touch', collection: 'milestones', fraction: 0.25 / length }], 8)

  expect(changes).toBe(2)
})

it('updates, increments and makes fields anew', async () => {
  const tasks = await records('tasks')
  const changes = await run([
    { kind: 'update', collection: 'tasks', set: { priority: 'urgent' }, where: { status: 'todo' }, fraction: 1 },
    { kind: 'increment', collection: 'tasks', field: 'trackedMinutes', by: 30, clampMax: 100, fraction: 1 },
    { kind: 'update', collection: 'tasks', regenerate: ['title'], count: 1 },
  ])

  const after = await records('tasks')
  expect(changes).toBeGreaterThan(tasks.length)
  for (const task of byStatus(after, 'todo')) expect(task.priority).toBe('urgent')
  for (const task of after) expect(Number(task.trackedMinutes ?? 0)).toBeLessThanOrEqual(100)
  expect(after.filter((task, at) => task.title !== tasks[at]?.title)).toHaveLength(1)
})

it('updates the records that meet all conditions, whichever of them the fewest meet', async () => {
  const tasks = await records('tasks')
  const [someone] = tasks.flatMap(({ assigneeId }) => (typeof assigneeId === 'string' ? [assigneeId] : []))
  const isNobodys = ({ status, assigneeId }: JsonObject) => status === 'done' && assigneeId === null
  const isTheirs = ({ status, assigneeId }: JsonObject) =>
    (status === 'todo' || status === 'done') && assigneeId === someone
  const isLow = ({ priority }: JsonObject) => priority === 'low'

  await run([
    { kind: 'update', collection: 'tasks', set: { priority: 'high' }, fraction: 1 },
    {
      kind: 'update',
      collection: 'tasks',
      set: { priority: 'low' },
      where: { status: 'done', assigneeId: null, priority: 'high' },
      fraction: 1,
    },
    {
      kind: 'update',
      collection: 'tasks',
      set: { priority: 'low' },
      where: { status: { in: ['todo', 'done'] }, assigneeId: { eq: someone } },
      fraction: 1,
    },
    {
      kind: 'transition',
      collection: 'tasks',
      from: ['todo', 'in_review'],
      to: 'cancelled',
      where: { assigneeId: someone, priority: 'low' },
      fraction: 1,
    },
  ])

  const after = await records('tasks')
  expect(tasks.filter(isNobodys).length).toBeGreaterThan(0)
  expect(tasks.filter(isTheirs).length).toBeGreaterThan(0)
  expect(after.filter(isLow).map(({ id }) => id)).toEqual(
    tasks.filter((task) => isNobodys(task) || isTheirs(task)).map(({ id }) => id),
  )
  expect(byStatus(after, 'todo').filter(isTheirs)).toEqual([])
})

it('expires what is too old', async () => {
  const isOld = ({ dueAt, status }: JsonObject) =>
    typeof dueAt === 'string' && Date.parse(dueAt) < Date.UTC(2026, 2, 2, 10) && status !== 'cancelled'
  const old = (await records('tasks')).filter(isOld)

  const step = { kind: 'expire', collection: 'tasks', field: 'dueAt', olderThanSeconds: 0, action: { to: 'cancelled' } }
  const changes = await run([step])

  expect(old.length).toBeGreaterThan(0)
  expect(changes).toBe(old.length)
  expect((await records('tasks')).filter(isOld)).toEqual([])
})

it('relates records to living ones', async () => {
  const users = new Set((await records('users')).map(({ id }) => id))

  await run([{ kind: 'relate', collection: 'tasks', field: 'assigneeId', target: 'users', fraction: 1 }])

  for (const task of await records('tasks')) expect(users).toContain(task.assigneeId)
})

it('deletes a share of the records, and their dependents if the step says so', async () => {
  const before = await records('projects')

  await run([{ kind: 'delete', collection: 'projects', fraction: 0.5, onDependents: 'cascade' }])

  const left = new Set((await records('projects')).map(({ id }) => id))
  expect(left.size).toBe(before.length - Math.floor(before.length / 2))
  for (const task of await records('tasks')) expect(left).toContain(task.projectId)
})

it('chooses among records that are old enough', async () => {
  await run([{ kind: 'create', collection: 'labels', count: 4 }])
  const { length } = await records('tasks')

  const step = {
    kind: 'touch',
    collection: 'tasks',
    fraction: 1,
    minAgeSeconds: 3_600,
    where: { priority: { ne: 'none' } },
  }
  const changes = await run([step])

  expect(changes).toBeGreaterThan(0)
  expect(changes).toBeLessThan(length)
})

it('drops steps that cannot work and keeps the others', async () => {
  const steps = [
    { kind: 'delete', collection: 'nothing', fraction: 0.1 },
    { kind: 'explode', collection: 'tasks' },
    { kind: 'transition', collection: 'tasks', to: 'no-such-status' },
    { kind: 'increment', collection: 'tasks', field: 'noSuchField', by: 1 },
    { kind: 'delete', collection: 'tasks', fraction: 2 },
    { kind: 'delete', collection: 'tasks', fraction: 0.1 },
  ]

  const answer = await simulation.manage<BehaviourPlan>('PUT', '/behaviour', {
    rules: [{ name: 'mixed', everySeconds: 60, enabled: true, steps }],
  })

  expect(answer.status).toBe(200)
  expect(answer.body.rules[0]?.steps).toEqual([{ kind: 'delete', collection: 'tasks', fraction: 0.1 }])
})

it('runs no rule that is switched off', async () => {
  const steps = [{ kind: 'touch', collection: 'tasks', count: 1 }]
  await simulation.manage('PUT', '/behaviour', { rules: [{ everySeconds: 60, enabled: false, steps }] })

  const turned = await simulation.manage<FastForwardResult>('POST', '/fast-forward', { hours: 24 })

  expect(turned.body.changes).toBe(0)
})

it('derives a plan for a description without one', async () => {
  const spec = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Parcels', version: '1' },
    paths: {
      '/parcels': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Parcel' } } },
              },
            },
          },
        },
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } },
          responses: {
            201: {
              description: 'ok',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } },
            },
          },
        },
      },
      '/parcels/{id}': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } },
            },
          },
        },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
    components: {
      schemas: {
        Parcel: {
          type: 'object',
          required: ['id', 'status'],
          properties: { id: { type: 'integer' }, status: { enum: ['packed', 'shipped', 'delivered', 'lost'] } },
        },
      },
    },
  })
  await using parcels = await openSimulation({ spec })

  const { body } = await parcels.manage<BehaviourPlan>('GET', '/behaviour')
  const turned = await parcels.manage<FastForwardResult>('POST', '/fast-forward', { hours: 72 })

  const steps = body.rules.flatMap((rule) => rule.steps)
  expect(steps).toContainEqual(expect.objectContaining({ kind: 'create', collection: 'parcels' }))
  expect(steps).toContainEqual(expect.objectContaining({ kind: 'transition', from: 'packed', to: 'shipped' }))
  expect(steps).toContainEqual(
    expect.objectContaining({ kind: 'transition', from: 'packed', to: 'lost', fraction: 0.01 }),
  )
  expect(turned.body.changes).toBeGreaterThan(72)
})
