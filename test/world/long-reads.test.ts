import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSimulation, patient } from '../simulation/open-simulation.ts'

const open = (tasks: number) =>
  openSimulation(
    { library: 'task-tracker', volume: { tasks }, seed: 'long', epoch: '2026-01-05T00:00:00Z' },
    { runtime: patient },
  )

describe('a read of 30,000 records', () => {
  let simulation: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    simulation = await open(30_000)
  })
  afterAll(() => simulation[Symbol.asyncDispose]())

  it.each([
    '/v1/tasks?q=review&limit=7&offset=3',
    '/v1/tasks?sort=-dueAt&limit=5',
    '/v1/tasks?status=todo&limit=5',
    '/v1/tasks?sort=number&q=a&limit=5',
  ])('answers %s as at once, while other requests are answered', async (path) => {
    const [long, short] = await Promise.all([simulation.call(path), simulation.call('/v1/projects?limit=1')])
    const again = await simulation.call(path)

    expect([long.status, short.status]).toEqual([200, 200])
    expect(await long.json()).toEqual(await again.json())
    const { body } = await simulation.manage<{ data: { status: number }[] }>('GET', '/logs?limit=3')
    expect(body.data.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('sorts as fewer are sorted', async () => {
    const answer = await simulation.call('/v1/tasks?sort=-createdAt&limit=100')
    const { data } = (await answer.json()) as { data: { createdAt: string }[] }
    const { body } = await simulation.manage<{ data: { createdAt: string }[] }>('GET', '/records/tasks?limit=500')

    const times = data.map(({ createdAt }) => createdAt)
    expect(times).toHaveLength(100)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(body.data.every(({ createdAt }) => createdAt <= (times[0] ?? ''))).toBe(true)
  })
})

it('begins a long read anew where the data changes meanwhile', async () => {
  await using simulation = await open(10_000)
  const { data } = (await (await simulation.call('/v1/tasks?limit=1')).json()) as { data: { id: string }[] }
  const id = data[0]?.id

  const reading = simulation.call('/v1/tasks?q=unheard&limit=5')
  const changed = await simulation.call(`/v1/tasks/${id}`, { method: 'PATCH', body: '{"title":"unheard of"}' })
  const found = (await (await reading).json()) as { data: { id: string }[] }
  const later = (await (await simulation.call('/v1/tasks?q=unheard&limit=5')).json()) as { data: { id: string }[] }

  expect(changed.status).toBe(200)
  expect([0, 1]).toContain(found.data.length)
  expect(later.data.map((task) => task.id)).toEqual([id])
})

it('ends reads by more fields at a time than it keeps indexes of', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `kind${at}`)
  const kind = { type: 'string', enum: ['a', 'b'] }
  const fields = Object.fromEntries(names.map((name) => [name, kind]))
  const thing = { type: 'object', required: names, properties: { id: { type: 'string' }, ...fields } }
  const parameters = names.map((name) => ({ name, in: 'query', schema: kind }))
  const content = { 'application/json': { schema: { type: 'array', items: thing } } }
  const spec = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Kinds', version: '1' },
    paths: { '/things': { get: { parameters, responses: { 200: { description: 'ok', content } } } } },
  })
  // Each look at this clock is a second later, so that reads pause wherever they may.
  let ms = 0
  const clock = { now: Date.now, monotonic: () => (ms += 1_000) }
  await using simulation = await openSimulation({ spec, volume: { things: 5_000 } }, { runtime: { ...patient, clock } })

  const answers = await Promise.all(names.map((name) => simulation.call(`/things?${name}=a&limit=1`)))

  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
})

it('applies the rules and counts of a request once, however long it reads', async () => {
  await using simulation = await open(10_000)
  const config = { status: 503, times: 1, skipFirst: 1 }
  await simulation.manage('POST', '/rules', {
    name: 'r',
    kind: 'error',
    method: 'GET',
    pathPattern: '/v1/tasks*',
    config,
  })

  const statuses: number[] = []
  for (let count = 0; count < 3; count++) statuses.push((await simulation.call('/v1/tasks?q=review')).status)

  expect(statuses).toEqual([200, 503, 200])
})

it('answers a long read although the data changes again and again', async () => {
  await using simulation = await open(10_000)
  const { data } = (await (await simulation.call('/v1/tasks?limit=1')).json()) as { data: { id: string }[] }
  const path = `/v1/tasks/${data[0]?.id}`
  let isDone = false
  const statuses = new Set<number>()
  const change = async () => {
    for (let count = 0; !isDone; count++) {
      const { status } = await simulation.call(path, { method: 'PATCH', body: `{"title":"change ${count}"}` })
      statuses.add(status)
    }
  }

  const changing = change()
  const answer = await simulation.call('/v1/tasks?q=review&sort=-dueAt&limit=5')
  isDone = true
  await changing

  expect(answer.status).toBe(200)
  expect([...statuses]).toEqual([200])
})

it('refuses more records in one request than it makes', async () => {
  const record = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
  const answers = { 200: { description: 'ok', content: { 'application/json': { schema: record } } } }
  const list = { type: 'array', items: record }
  const spec = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Bulk', version: '1' },
    paths: {
      '/things': {
        get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: list } } } } },
        post: { requestBody: { content: { 'application/json': { schema: list } } }, responses: answers },
      },
      '/things/{id}': { get: { responses: answers } },
    },
  })
  await using simulation = await openSimulation({ spec, volume: { things: 1 } })
  const post = (count: number) =>
    simulation.call('/things', {
      method: 'POST',
      body: JSON.stringify(Array.from({ length: count }, (_, at) => ({ name: `n${at}` }))),
    })

  const [made, refused] = [await post(2_000), await post(10_001)]
  const { body } = await simulation.manage<{ total: number }>('GET', '/records/things')

  expect([made.status, refused.status]).toEqual([200, 400])
  expect(await refused.text()).toContain('Expected the body to hold at most 10,000 records, got 10,001.')
  expect(body.total).toBe(2_001)
})
