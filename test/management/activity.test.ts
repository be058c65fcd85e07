import { expect, it, onTestFinished } from 'vitest'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import type { Service } from '../../src/service.ts'
import { startForTest } from './start-for-test.ts'

interface Message {
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}

/** Opens the stream and waits for its first line, so that nothing that follows is missed. */
async function watch(
  service: Service,
  id: string,
  { query = '', lastEventId }: { query?: string; lastEventId?: string } = {},
) {
  const answer = await fetch(`${service.url}/v1/simulations/${id}/activity${query}`, {
    headers: {
      authorization: `Bearer ${service.accountKey}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(() => reader.cancel().catch(() => {}))
  const decoder = new TextDecoder()
  let text = ''
  const block = async (): Promise<string> => {
    while (!text.includes('\n\n')) {
      const { done, value } = await reader.read()
      if (done) throw new Error('The stream is over.')
      text += decoder.decode(value, { stream: true })
    }
    const end = text.indexOf('\n\n')
    const found = text.slice(0, end)
    text = text.slice(end + 2)
    return found
  }
  expect(await block()).toMatch(/^: activity of /)
  const next = async (): Promise<Message> => {
    const found = await block()
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(found)?.[1] ?? ''
    return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) }
  }
  /** The first message of a kind; those before it are passed over. */
  const nextOf = async (event: string): Promise<Message> => {
    for (;;) {
      const message = await next()
      if (message.event === event) return message
    }
  }
  return { next, nextOf, leave: () => reader.cancel() }
}

async function addTasks({ url, apiKey }: CreatedSimulation, titles: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const projects = (await (await fetch(`${url}/v1/projects?limit=1`, { headers })).json()) as { data: { id: string }[] }
  await Promise.all(
    titles.map(async (title) => {
      const body = JSON.stringify({ title, projectId: projects.data[0]?.id })
      const answer = await fetch(`${url}/v1/tasks`, { method: 'POST', headers, body })
      expect(answer.status).toBe(201)
    }),
  )
}

it('streams requests with the ids of their changes', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const { nextOf } = await watch(service, simulation.id, { query: '?kinds=change,request' })

  await addTasks(simulation, ['Sweep'])

  const list = await nextOf('request')
  expect(list.data).toMatchObject({ method: 'GET', operation: 'listProjects', status: 200, changes: [] })
  const [change, request] = [await nextOf('change'), await nextOf('request')]
  expect(change.data).toMatchObject({ type: 'task.created', cause: 'request', data: { object: { title: 'Sweep' } } })
  expect(request.data).toMatchObject({ method: 'POST', operation: 'createTask', changes: [change.data.id] })
})

it('streams each attempt of a delivery', async () => {
  const { service, create, call } = await startForTest({ allowPrivateWebhooks: ['127.0.0.1/32'] })
  const simulation = await create()
  const { nextOf } = await watch(service, simulation.id, { query: '?kinds=delivery' })
  // Port 9 (discard) answers nothing.
  const hook = await call('POST', `/v1/simulations/${simulation.id}/webhooks`, {
    url: 'http://127.0.0.1:9/',
    events: ['*'],
  })

  await addTasks(simulation, ['Sweep'])

  const { data } = await nextOf('delivery')
  expect(data).toMatchObject({ webhookId: hook.body.id, state: 'retrying', event: { type: 'task.created' } })
  expect(data.attempts).toHaveLength(1)
})

it('streams changes of state, time and settings', async () => {
  const { service, create, call } = await startForTest()
  const { id } = await create()
  const { next } = await watch(service, id, { query: '?kinds=state,clock,settings' })
  const path = (below: string) => `/v1/simulations/${id}${below}`

  await call('POST', path('/pause'))
  await call('POST', path('/resume'))
  await call('POST', path('/rules'), {
    name: 'Slow',
    kind: 'latency',
    method: '*',
    pathPattern: '*',
    config: { latencyMs: 1 },
  })
  await call('POST', path('/fast-forward'), { hours: 1 })
  await call('POST', path('/reset'))

  expect(await next()).toMatchObject({ event: 'state', data: { status: 'paused', isReplaced: false } })
  expect(await next()).toMatchObject({ event: 'clock', data: { paused: true } })
  expect(await next()).toMatchObject({ event: 'state', data: { status: 'running' } })
  expect(await next()).toMatchObject({ event: 'clock', data: { paused: false } })
  expect(await next()).toMatchObject({ event: 'settings', data: { changed: 'rules' } })
  await next()
  const { data: clock } = await next()
  expect(Math.round(Number(clock.offsetMs) / 60_000)).toBe(60)
  expect(await next()).toMatchObject({ event: 'state', data: { isReplaced: true } })
})

it('continues after the last activity that a reader knows', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const first = await watch(service, simulation.id, { query: '?kinds=change' })
  await addTasks(simulation, ['One'])
  const { id } = await first.nextOf('change')
  await first.leave()
  await addTasks(simulation, ['Two'])

  const second = await watch(service, simulation.id, { query: '?kinds=change', lastEventId: id })

  expect((await second.nextOf('change')).data).toMatchObject({ data: { object: { title: 'Two' } } })
})

it('tells a reader of a gap where what it knows is no longer kept', async () => {
  const { service, create } = await startForTest()
  const { id } = await create()

  const { next } = await watch(service, id, { lastEventId: 'unknown-7' })

  expect(await next()).toMatchObject({ event: 'gap', data: { after: 'unknown-7' } })
})

it('counts activities beyond the limit of one second, and streams fewer of them until the rate falls', async () => {
  const { service, create, call } = await startForTest()
  const simulation = await create()
  const everything = [{ name: 'All', everySeconds: 60, steps: [{ kind: 'touch', collection: 'tasks', fraction: 1 }] }]
  await call('PUT', `/v1/simulations/${simulation.id}/behaviour`, { rules: everything })
  const { next } = await watch(service, simulation.id, { query: '?kinds=change' })
  const readUntilBurst = async () => {
    for (let streamed = 0; ; streamed++) {
      const { event, data } = await next()
      if (event === 'burst') return { streamed, burst: data }
    }
  }

  const turn = () => call('POST', `/v1/simulations/${simulation.id}/fast-forward`, { hours: 1 })

  const turned = await turn()

  const first = await readUntilBurst()
  expect(first.streamed).toBeGreaterThanOrEqual(500)
  expect(first.burst).toMatchObject({ requests: 0, deliveries: 0 })
  expect(first.burst.byType).toEqual({ 'task.updated': first.burst.changes })
  expect(turned.body.changes).toBeGreaterThan(500)

  // A machine that is busy for a second begins anew with 500, so turns follow until one second joins another.
  let second = first
  const later = (async () => {
    while (second.streamed >= 500) await turn()
  })()
  while (second.streamed >= 500) second = await readUntilBurst()
  await later
  expect(second.burst.byType).toEqual({ 'task.updated': second.burst.changes })
})

it('refuses kinds that there are not', async () => {
  const { create, call } = await startForTest()
  const { id } = await create()

  const { status, text } = await call('GET', `/v1/simulations/${id}/activity?kinds=change,rain`)

  expect(status).toBe(400)
  expect(text).toContain(
    'Expected `kinds` to be kinds with commas between: change, request, delivery, state, clock, settings',
  )
})

it('gives all readers of the same kinds the same', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const readers = [await watch(service, simulation.id), await watch(service, simulation.id)]

  await addTasks(simulation, ['One', 'Two'])

  const streamed: Message[][] = [[], []]
  for (let turn = 0; turn < 5; turn++) {
    for (const [at, { next }] of readers.entries()) streamed[at]?.push(await next())
  }
  expect(streamed[0]).toEqual(streamed[1])
  expect(streamed[0]?.map(({ event }) => event)).toEqual(['request', 'change', 'request', 'change', 'request'])
})
