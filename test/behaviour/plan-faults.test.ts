import { expect, it } from 'vitest'
import type { BehaviourPlan } from '../../src/protocol/behaviour.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { startForTest } from '../management/start-for-test.ts'
import { boolean, integer, object, string } from '../simulated-api/describe-api.ts'
import { openSimulation } from '../simulation/open-simulation.ts'
import { describeThings } from '../simulation/resource.ts'

const thing = object(
  {
    id: integer({ readOnly: true }),
    name: string(),
    flag: boolean,
    size: integer(),
    assignee: string(),
    status: string({ enum: ['open', 'done'] }),
    created_at: string({ format: 'date-time' }),
  },
  ['id', 'name', 'flag', 'size', 'status'],
)

/** A simulation of things, and what a plan makes of them in some hours. */
async function simulate(creation: JsonObject = {}) {
  const { create, call } = await startForTest()
  const made = await create({ spec: JSON.stringify(describeThings(thing)), volume: { things: 4 }, ...creation })
  const manage = (method: string, path: string, body?: unknown) =>
    call(method, `/v1/simulations/${made.id}${path}`, body)
  const plan = async (...steps: object[]): Promise<BehaviourPlan> =>
    (await manage('PUT', '/behaviour', { rules: [{ everySeconds: 3_600, steps }] })).body
  const turn = async (...steps: object[]): Promise<number> => {
    await plan(...steps)
    return (await manage('POST', '/fast-forward', { hours: 1 })).body.changes
  }
  const records = async (): Promise<JsonObject[]> => (await manage('GET', '/records/things')).body.data
  return { made, manage, plan, turn, records }
}

const things = { collection: 'things', fraction: 1 }

it('takes an absent field for null however a condition says it', async () => {
  const { made, turn, records } = await simulate({ volume: { things: 0 } })
  await fetch(`${made.url}/things`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'new', flag: true, size: 1, status: 'open' }),
  })
  const isAbsent = (condition: unknown) => turn({ kind: 'touch', ...things, where: { assignee: condition } })

  const counts = [await isAbsent(null), await isAbsent({ eq: null }), await isAbsent({ in: [null] })]

  expect((await records())[0]).not.toHaveProperty('assignee')
  expect(counts).toEqual([1, 1, 1])
})

it('changes a record once, though its value is named twice', async () => {
  const { turn } = await simulate({ seedRecords: { things: Array.from({ length: 4 }, () => ({ status: 'open' })) } })

  const changes = await turn({ kind: 'transition', ...things, from: ['open', 'open'], to: 'done' })

  expect(changes).toBe(4)
})

it.each([
  { kind: 'update', ...things, set: { name: 12 } },
  { kind: 'update', ...things, set: { size: 1.5 } },
  { kind: 'increment', ...things, field: 'name', by: 1 },
  { kind: 'increment', ...things, field: 'size', by: { min: 10, max: 1 } },
  { kind: 'increment', ...things, field: 'size', by: 1, clampMin: 5, clampMax: 1 },
  { kind: 'expire', ...things, field: 'name', olderThanSeconds: 1, action: 'delete' },
  { kind: 'expire', ...things, field: 'flag', olderThanSeconds: 1, action: 'delete' },
  { kind: 'transition', ...things, field: 'flag', to: { maybe: 1 } },
])('drops a step that fits no field: %o', async (step) => {
  const { plan } = await simulate()

  const kept = await plan(step, {
    kind: 'expire',
    ...things,
    field: 'created_at',
    olderThanSeconds: 1,
    action: 'delete',
  })

  expect(kept.rules[0]?.steps.map(({ kind }) => kind)).toEqual(['expire'])
  expect(kept.rules[0]?.steps).not.toContainEqual(step)
})

it('writes the values that the names of weights stand for', async () => {
  const { turn, records } = await simulate()

  await turn({ kind: 'transition', ...things, field: 'flag', to: { true: 1 } })

  expect((await records()).map(({ flag }) => flag)).toEqual([true, true, true, true])
})

it('tells at creation which steps were dropped', async () => {
  const { made } = await simulate({
    behaviour: [{ everySeconds: 60, steps: [{ kind: 'touch', collection: 'thingz' }] }],
  })

  expect(made.note).toBe(
    'Store this key now: it is shown only once. Dropped of `behaviour`: rules[0].steps[0]: no collection "thingz"; the description has things.',
  )
})

it('gives rules without an id one that no other rule has', async () => {
  const { manage } = await simulate()

  const plan = await manage('PUT', '/behaviour', {
    rules: [
      { id: 'rule_2', everySeconds: 60, steps: [] },
      { everySeconds: 60, steps: [] },
      { everySeconds: 60, steps: [] },
    ],
  })

  expect([plan.status, plan.body.rules.map(({ id }: { id: string }) => id)]).toEqual([
    200,
    ['rule_2', 'rule_1', 'rule_3'],
  ])
})

it.each([
  [{ kind: 'transition', ...things, from: 'opn', to: 'done' }, '"status" of "things" is one of open, done, not "opn"'],
  [{ kind: 'transition', ...things, from: ['open', 'opn'], to: 'done' }, 'not "opn"'],
  [{ kind: 'touch', ...things, where: { status: 'opn' } }, 'not "opn"'],
  [{ kind: 'touch', ...things, where: { status: { in: ['open', 'opn'] } } }, 'not "opn"'],
  [{ kind: 'touch', ...things, where: { status: { ne: 'opn' } } }, 'not "opn"'],
  [{ kind: 'touch', ...things, where: { size: '3' } }, '"size" of "things" is a whole number, not "3"'],
  [{ kind: 'delete', ...things, where: { statsu: 'open' } }, 'records of "things" have no field "statsu"'],
])('drops a step that would never find a record: %o', async (step, reason) => {
  const { manage } = await simulate()

  const { body } = await manage('PUT', '/behaviour', { rules: [{ everySeconds: 60, steps: [step] }] })

  expect(body.dropped).toEqual([expect.stringContaining(reason)])
})

it('keeps a step that compares a field with what it may not hold itself', async () => {
  const { plan } = await simulate()
  const where = { size: { gt: 1.5 }, assignee: null, name: { ne: null } }

  const kept = await plan({ kind: 'touch', ...things, where })

  expect(kept.rules[0]?.steps).toHaveLength(1)
})

const create = { kind: 'create', collection: 'things' }
const touch = { kind: 'touch', collection: 'things' }
const expire = { kind: 'expire', collection: 'things', field: 'created_at', olderThanSeconds: 1 }

it.each([
  [{ ...touch, fracton: 0.1 }, 'Expected the step to have no field "fracton", got one. Did you mean "fraction"?'],
  [{ ...create, where: { size: 1 } }, 'Expected the step to have no field "where", got one.'],
  [
    { ...touch, where: { size: { gtt: 5 } } },
    'Expected `where.size` to have no field "gtt", got one. Did you mean "gt"?',
  ],
  [
    { kind: 'increment', ...things, field: 'size', by: { min: 1, max: 2, maxx: 3 } },
    'Expected `by` to have no field "maxx", got one. Did you mean "max"? It may have min, max.',
  ],
  [
    { ...expire, action: { to: 'done', fild: 'status' } },
    'Expected `action` to have no field "fild", got one. Did you mean "field"? It may have to, field.',
  ],
])('drops a step with a field that its kind does not have, and tells: %o', async (step, reason) => {
  const { manage } = await simulate()

  const { status, body } = await manage('PUT', '/behaviour', { rules: [{ everySeconds: 60, steps: [step] }] })

  expect([status, body.rules[0].steps, body.dropped.length]).toEqual([200, [], 1])
  expect(body.dropped[0]).toContain(`rules[0].steps[0]: ${reason}`)
})

it('lists the fields of the step that has one too many', async () => {
  const { manage } = await simulate()

  const { body } = await manage('PUT', '/behaviour', { rules: [{ everySeconds: 60, steps: [{ ...create, x: 1 }] }] })

  expect(body.dropped[0]).toMatch(/It may have kind, collection, count, fraction, values, maxRecords\.$/)
})

it('drops a step that asks for an age before the first date that there is', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const steps = [
    { kind: 'expire', collection: 'tasks', field: 'dueDate', olderThanSeconds: 1e15, action: 'delete' },
    { kind: 'touch', collection: 'tasks', minAgeSeconds: 1e15 },
  ]

  const { body } = await simulation.manage<{ dropped: string[] }>('PUT', '/behaviour', {
    rules: [{ everySeconds: 1, steps }],
  })

  expect(body.dropped).toHaveLength(2)
  expect(body.dropped[0]).toContain('olderThanSeconds')
})
