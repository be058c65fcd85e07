import { expect, it } from 'vitest'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import type { Service } from '../../src/service.ts'
import { startForTest } from './start-for-test.ts'

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

/** Opens the stream and waits for its first line. */
async function open(service: Service, { id }: CreatedSimulation) {
  const headers = { authorization: `Bearer ${service.accountKey}` }
  const answer = await fetch(`${service.url}/v1/simulations/${id}/activity?kinds=change`, { headers })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  return reader
}

it('ends when the simulation is deleted', async () => {
  const { service, call, create } = await startForTest()
  const simulation = await create()
  const stream = await open(service, simulation)

  await call('DELETE', `/v1/simulations/${simulation.id}`)

  expect((await stream.read()).done).toBe(true)
})

it('ends when the service closes', async () => {
  const { service, create } = await startForTest()
  const stream = await open(service, await create())

  await service.close()

  await expect(stream.read()).rejects.toThrow()
})

it('can be cancelled by a reader in the same process', async () => {
  const { service, create } = await startForTest()
  const { id } = await create()
  const headers = { authorization: `Bearer ${service.accountKey}` }

  const { body } = await service.fetch(
    new Request(`${service.url}/v1/simulations/${id}/activity?kinds=change`, { headers }),
  )

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
  const { body } = await service.fetch(
    new Request(`${service.url}/v1/simulations/${id}/activity?kinds=change`, { headers }),
  )
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  await reader.read()

  for (const beat of beats.splice(0)) beat()

  expect(new TextDecoder().decode((await reader.read()).value)).toBe(': still here\n\n')
  expect(beats.length).toBeGreaterThan(0)
})

const HEARTBEAT_MS = 15_000

it('follows no events for a HEAD, whose answer has no body', async () => {
  const alive = new Set<{ ms: number }>()
  const startTimer = (ms: number) => {
    const timer = { ms }
    alive.add(timer)
    return () => void alive.delete(timer)
  }
  const { call, create } = await startForTest({ runtime: { startTimer } })
  const { id } = await create()

  const { status, headers } = await call('HEAD', `/v1/simulations/${id}/activity?kinds=change`)

  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect([...alive].filter(({ ms }) => ms === HEARTBEAT_MS)).toEqual([])
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

it('cuts off readers earlier where there are many who read nothing', async () => {
  const { service, create } = await startForTest()
  const simulation = await create()
  const task = await addTask(simulation, 'One')
  const headers = { authorization: `Bearer ${service.accountKey}` }
  const open = () =>
    service.fetch(new Request(`${service.url}/v1/simulations/${simulation.id}/activity?kinds=change`, { headers }))
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
