import { expect, it } from 'vitest'
import type { ChangeEvent } from '../../src/protocol/event.ts'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import type { Service } from '../../src/service.ts'
import { startForTest } from './start-for-test.ts'

interface Stream {
  next: () => Promise<ChangeEvent | undefined>
  cancel: () => Promise<void>
}

/** Opens the stream and waits for its first line, so that nothing that follows is missed. */
async function open(service: Service, simulation: CreatedSimulation, lastEventId?: string): Promise<Stream> {
  const answer = await fetch(`${service.url}/v1/simulations/${simulation.id}/events/stream`, {
    headers: {
      authorization: `Bearer ${service.accountKey}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const block = async (): Promise<string | undefined> => {
    while (!text.includes('\n\n')) {
      const { done, value } = await reader.read()
      if (done) return undefined
      text += decoder.decode(value, { stream: true })
    }
    const end = text.indexOf('\n\n')
    const found = text.slice(0, end)
    text = text.slice(end + 2)
    return found
  }
  const message = async () => {
    for (;;) {
      const found = await block()
      if (!found?.startsWith(': ')) return found
    }
  }
  expect(await block()).toMatch(/^: /)
  return {
    next: async () => {
      const found = await message()
      if (found === undefined) return undefined
      const event = JSON.parse(/^data: (.*)$/m.exec(found)?.[1] ?? '') as ChangeEvent
      expect(/^id: (.*)$/m.exec(found)?.[1]).toBe(event.id)
      expect(/^event: (.*)$/m.exec(found)?.[1]).toBe(event.type)
      return event
    },
    cancel: () => reader.cancel(),
  }
}

async function addTask({ url, apiKey }: CreatedSimulation, title: string): Promise<{ id: string }> {
  const projects = await fetch(`${url}/v1/projects?limit=1`, { headers: { authorization: `Bearer ${apiKey}` } })
  const { data } = (await projects.json()) as { data: { id: string }[] }
  const answer = await fetch(`${url}/v1/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title, projectId: data[0]?.id }),
  })
  expect(answer.status).toBe(201)
  return answer.json() as Promise<{ id: string }>
}

it('streams changes as they happen', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const stream = await open(service, simulation)

  const first = await addTask(simulation, 'One')
  const second = await addTask(simulation, 'Two')

  expect(await stream.next()).toMatchObject({ type: 'task.created', cause: 'request', data: { id: first.id } })
  expect(await stream.next()).toMatchObject({ type: 'task.created', cause: 'request', data: { id: second.id } })
  await stream.cancel()
})

it('continues after the last event that the reader received', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const stream = await open(service, simulation)
  await addTask(simulation, 'One')
  const seen = await stream.next()
  await stream.cancel()
  const missed = await addTask(simulation, 'Two')

  const resumed = await open(service, simulation, seen?.id)
  const later = await addTask(simulation, 'Three')

  expect((await resumed.next())?.data.id).toBe(missed.id)
  expect((await resumed.next())?.data.id).toBe(later.id)
  await resumed.cancel()
})

it('ends when the simulation is deleted', async () => {
  const { service, call, create } = await startForTest()
  const simulation = await create()
  const stream = await open(service, simulation)

  await call('DELETE', `/v1/simulations/${simulation.id}`)

  expect(await stream.next()).toBeUndefined()
})

it('ends when the service closes', async () => {
  const { service, create } = await startForTest()
  const stream = await open(service, await create())

  await service.close()

  await expect(stream.next()).rejects.toThrow()
})

it('can be cancelled by a reader in the same process', async () => {
  const { service, create } = await startForTest()
  const { id } = await create()
  const headers = { authorization: `Bearer ${service.accountKey}` }

  const { body } = await service.fetch(new Request(`${service.url}/v1/simulations/${id}/events/stream`, { headers }))

  await expect(body?.cancel()).resolves.toBeUndefined()
})

it('says now and then that it is alive', async () => {
  const beats: (() => void)[] = []
  const startTimer = (_ms: number, run: () => void) => {
    beats.push(run)
    return () => {}
  }
  const { service, create } = await startForTest({ runtime: { startTimer } })
  const { id } = await create()
  const headers = { authorization: `Bearer ${service.accountKey}` }
  const { body } = await service.fetch(new Request(`${service.url}/v1/simulations/${id}/events/stream`, { headers }))
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  await reader.read()

  for (const beat of beats.splice(0)) beat()

  expect(new TextDecoder().decode((await reader.read()).value)).toBe(': still here\n\n')
  expect(beats.length).toBeGreaterThan(0)
})

it('follows no events for a HEAD, whose answer has no body', async () => {
  const alive = new Set<object>()
  const startTimer = () => {
    const timer = {}
    alive.add(timer)
    return () => void alive.delete(timer)
  }
  const { call, create } = await startForTest({ runtime: { startTimer } })
  const { id } = await create()
  const before = alive.size

  const { status, headers } = await call('HEAD', `/v1/simulations/${id}/events/stream`)

  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(alive.size).toBe(before)
})

/** Turns a simulation forward so that its plan makes 24,000 changes. */
async function changeMuch(call: Awaited<ReturnType<typeof startForTest>>['call'], id: string): Promise<void> {
  const rules = [{ everySeconds: 60, steps: [{ kind: 'touch', collection: 'tasks', count: 100 }] }]
  await call('PUT', `/v1/simulations/${id}/behaviour`, { rules })
  await call('POST', `/v1/simulations/${id}/fast-forward`, { hours: 4 })
}

it('delivers every change to a reader that reads, however many there are', async () => {
  const { service, call, create } = await startForTest()
  const simulation = await create()
  const stream = await open(service, simulation)

  const turned = changeMuch(call, simulation.id)
  const ids = new Set<string>()
  while (ids.size < 24_000) ids.add((await stream.next())?.id ?? 'ended')
  await turned

  expect(ids.has('ended')).toBe(false)
  await stream.cancel()
})

it('holds events back for a slow reader, and cuts it off with the place to go on where it reads nothing', async () => {
  const timers = new Map<() => void, number>()
  const startTimer = (ms: number, run: () => void) => {
    timers.set(run, ms)
    return () => void timers.delete(run)
  }
  const { service, call, create } = await startForTest({ runtime: { startTimer } })
  const { id } = await create()
  const headers = { authorization: `Bearer ${service.accountKey}` }
  const { body } = await service.fetch(new Request(`${service.url}/v1/simulations/${id}/events/stream`, { headers }))
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  await reader.read()

  await changeMuch(call, id)
  const [first] = (await reader.read()).value === undefined ? [] : ['read']
  await expect.poll(() => [...timers.values()].includes(5_000)).toBe(true)
  for (const [run, ms] of timers) if (ms === 5_000) run()
  const rest = await reader.read()

  expect(first).toBe('read')
  expect(new TextDecoder().decode(rest.value)).toMatch(
    /^event: too-slow\nid: ([\da-f-]{36})\ndata: \{"lastEventId":"\1","message":"[^"]+"\}\n\n$/,
  )
  expect((await reader.read()).done).toBe(true)
})

/** Changes a task by 1 MB, again and again. */
async function changeByMegabytes({ url, apiKey }: CreatedSimulation, { id }: { id: string }, changes: number) {
  for (let number = 0; number < changes; number++) {
    const answer = await fetch(`${url}/v1/tasks/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: `${number} `.padEnd(1_000_000, 'x') }),
    })
    expect(answer.status).toBe(200)
  }
}

it('cuts off a reader at once where what requests write for it fills the memory', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const { id } = simulation
  const task = await addTask(simulation, 'One')
  const headers = { authorization: `Bearer ${service.accountKey}` }
  const { body } = await service.fetch(new Request(`${service.url}/v1/simulations/${id}/events/stream`, { headers }))

  await changeByMegabytes(simulation, task, 40)
  const text = await new Response(body).text()

  expect(text.length).toBeLessThan(1_000)
  expect(text).toContain('event: too-slow')
})

it('cuts off readers earlier where there are many who read nothing', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const task = await addTask(simulation, 'One')
  const headers = { authorization: `Bearer ${service.accountKey}` }
  const open = () =>
    service.fetch(new Request(`${service.url}/v1/simulations/${simulation.id}/events/stream`, { headers }))
  const answers = await Promise.all(Array.from({ length: 12 }, open))

  await changeByMegabytes(simulation, task, 14)
  const texts = await Promise.all(answers.map((answer) => answer.text()))

  expect(texts.filter((text) => text.includes('event: too-slow'))).toHaveLength(12)
})

it('ends the stream of a reader that reads nothing, and keeps few large activities', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const task = await addTask(simulation, 'One')
  const ask = (more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${service.accountKey}`, ...more }
    return service.fetch(
      new Request(`${service.url}/v1/simulations/${simulation.id}/activity?kinds=change`, { headers }),
    )
  }
  const readSome = async (stream: ReadableStream<Uint8Array>) => {
    let text = ''
    for await (const bytes of stream) {
      text += new TextDecoder().decode(bytes)
      if (text.includes('id: ')) break
    }
    return text
  }
  const first = (await ask()).body as ReadableStream<Uint8Array>
  await changeByMegabytes(simulation, task, 1)
  const [, lastId = ''] = /^id: (.*)$/m.exec(await readSome(first)) ?? []
  const { body } = await ask()

  await changeByMegabytes(simulation, task, 20)
  const next = await readSome((await ask({ 'last-event-id': lastId })).body as ReadableStream<Uint8Array>)
  const text = await new Response(body).text()

  expect(next).toContain('event: gap')
  expect(text.length).toBeLessThan(1_000)
  expect(text).toContain('event: too-slow')
})
