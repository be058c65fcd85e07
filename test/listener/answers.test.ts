import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { createCertificate } from '../../src/server/certificate.ts'
import type { OpenServer } from '../../src/server/open-server.ts'
import { deliverAnswer } from '../../src/service/listener/deliver-answer.ts'
import { startListener } from '../../src/service/listener/listener.ts'
import { writeResponse } from '../../src/service/listener/write-response.ts'
import type { ApiRequest, ApiResponse, ResponseDelivery } from '../../src/service/simulated-api/exchange.ts'
import { Holds } from '../../src/service/simulation/running/holds.ts'
import { openSimulation } from '../simulation/open-simulation.ts'
import { connectRaw } from './raw-client.ts'

const OK: ApiResponse = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'hello' }

let listener: OpenServer

afterEach(() => listener.close())

async function answerWith(answer: ApiResponse): Promise<string> {
  listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    certificate: createCertificate,
    answer: (_request, response) => writeResponse(response, answer),
  })
  return `http://127.0.0.1:${listener.port}/`
}

// Directly: no description gives all of these answers, and no response rule all of these faults.

/** A simulation that answers late requests with `late`; notes when answers have left, and which requests came late. */
function createSimulation() {
  const holds = new Holds()
  const late: ApiRequest[] = []
  const waits: number[] = []
  const simulation = {
    holds: {
      wait: (ms: number, left: AbortSignal) => {
        waits.push(ms)
        return holds.wait(ms, left)
      },
      stream: (cut: () => void) => holds.stream(cut),
    },
    release: () => holds.release(),
    /** How long answers were held, as asked for, in milliseconds. */
    waits,
    sent: 0,
    late,
    ready: async () => {},
    run: <T>(work: () => T) => work(),
    requests: {
      log: {
        noteSent: () => {
          simulation.sent++
        },
      },
      handleLate: (request: ApiRequest): ApiResponse => {
        late.push(request)
        return { ...OK, body: 'late' }
      },
    },
  }
  return simulation
}

async function deliverWith(delivery: Partial<ResponseDelivery>, simulation = createSimulation()): Promise<string> {
  listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    certificate: createCertificate,
    answer: (_request, response) => {
      const order = { simulation, request: {} as ApiRequest, number: 1, clock: systemClock }
      void deliverAnswer(response, OK, { delayMs: 0, fault: undefined, ...delivery }, order)
    },
  })
  return `http://127.0.0.1:${listener.port}/`
}

async function ask(head = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n') {
  const client = await connectRaw(listener.port)
  client.write(head)
  return client
}

it('writes status, headers, date, length and body', async () => {
  const before = Math.floor(systemClock.now() / 1_000) * 1_000
  const answer = await fetch(
    await answerWith({ ...OK, status: 201, headers: { 'X-Thing': 'a', link: ['<1>', '<2>'] } }),
  )

  expect(answer.status).toBe(201)
  expect(answer.headers.get('x-thing')).toBe('a')
  expect(answer.headers.get('link')).toBe('<1>, <2>')
  expect(answer.headers.get('content-length')).toBe('5')
  expect(Date.parse(answer.headers.get('date') ?? '')).toBeGreaterThanOrEqual(before)
  expect(await answer.text()).toBe('hello')
})

it.each(['plain', 'Zoë – 東京 🐟', 'x'.repeat(200_000), 'Zoë'.repeat(2_000)])(
  'writes a text that is given as bytes',
  async (text) => {
    const headers = { 'content-type': 'text/plain' }
    const url = await answerWith({ status: 200, headers, body: new TextEncoder().encode(text) })

    const answer = await fetch(url)

    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(await answer.text()).toBe(text)
  },
)

type Log = { data: { response: { body: string } }[] }

it('shows records of any letters one by one, in a long list, by a rule and in the log', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker', volume: { tasks: 5 } })
  const projects = (await (await simulation.call('/projects')).json()) as { data: { id: string }[] }
  const projectId = projects.data[0]?.id
  const titles = Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? `Zoë – 東京 🐟 ${at}` : `Order ${at}`))
  const ids: string[] = []
  for (const title of titles) {
    const made = await simulation.call('/tasks', {
      method: 'POST',
      body: JSON.stringify({ title, projectId }),
    })
    ids.push(((await made.json()) as { id: string }).id)
  }
  const read = async (path: string) => (await simulation.call(path)).json()

  for (const [at, id] of ids.entries()) expect(await read(`/tasks/${id}`)).toMatchObject({ title: titles[at] })
  const page = await simulation.call('/tasks?limit=40')
  const text = await page.text()
  expect(JSON.parse(text).data.map(({ title }: { title: string }) => title)).toEqual(titles.toReversed())
  expect(page.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  for (const query of ['limit=3', `limit=2&cursor=${ids.at(-1)}`]) {
    const shown = await read(`/tasks?${query}`)
    const { body: log } = await simulation.manage<Log>('GET', '/logs?limit=1&detail=true')
    expect(JSON.parse(log.data[0]?.response.body ?? '')).toEqual(shown)
  }
  await simulation.manage('POST', '/rules', {
    name: 'letters',
    kind: 'override',
    method: 'GET',
    pathPattern: '/tasks/*',
    config: { setJson: { title: 'Zoë' } },
  })
  expect(await read(`/tasks/${ids[1]}`)).toMatchObject({ title: 'Zoë' })
})

it.each(['Zoë – 東京 🐟', 'plain', '', 'latin é'])('counts %j in bytes of UTF-8', async (body) => {
  const answer = await fetch(await answerWith({ ...OK, body }))

  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  expect(await answer.text()).toBe(body)
})

it('writes bytes as they are', async () => {
  const answer = await fetch(await answerWith({ ...OK, body: new Uint8Array([0, 255, 128]) }))

  expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0, 255, 128])
})

it.each([204, 304])('writes a %i without a length', async (status) => {
  await answerWith({ status, headers: {}, body: null })

  const { text } = await (await ask()).ended

  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(text.toLowerCase()).not.toContain('content-length')
})

it('writes the length but not the body to HEAD', async () => {
  await answerWith(OK)

  const { text } = await (await ask('HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).ended

  expect(text.toLowerCase()).toContain('content-length: 5')
  expect(text).not.toContain('hello')
})

it('replaces what a header cannot hold', async () => {
  const answer = await fetch(await answerWith({ ...OK, headers: { 'x-text': 'a\nb – c' } }))

  expect(answer.headers.get('x-text')).toBe('a?b ? c')
})

it('leaves out a header whose name is none', async () => {
  const answer = await fetch(await answerWith({ ...OK, headers: { 'no name': 'x', 'x-kept': 'y' } }))

  expect([answer.status, answer.headers.get('x-kept'), await answer.text()]).toEqual([200, 'y', 'hello'])
})

it('holds an answer back by its delay and tells when it has left', async () => {
  const simulation = createSimulation()
  const url = await deliverWith({ delayMs: 60 }, simulation)

  const text = await fetch(url).then((answer) => answer.text())

  expect(text).toBe('hello')
  expect(simulation.waits).toEqual([60])
  await expect.poll(() => simulation.sent).toBe(1)
})

it('reports an answer whose client disconnected before it', async () => {
  const simulation = createSimulation()
  await deliverWith({ delayMs: 60_000 }, simulation)
  const client = await ask()

  client.socket.destroy()

  await expect.poll(() => simulation.sent).toBe(1)
})

it('lets a delayed answer go when it is released', async () => {
  const simulation = createSimulation()
  const url = await deliverWith({ delayMs: 60_000 }, simulation)

  const answer = fetch(url)
  await expect.poll(() => simulation.waits).toEqual([60_000])
  simulation.release()

  expect(await (await answer).text()).toBe('hello')
})

it('resets the connection before an answer', async () => {
  await deliverWith({ fault: { kind: 'reset', afterBytes: 0 } })

  const { text, error } = await (await ask()).ended

  expect([text, error]).toEqual(['', 'ECONNRESET'])
})

it('resets the connection in the middle of a body', async () => {
  await deliverWith({ fault: { kind: 'reset', afterBytes: 2 } })

  const { text, error } = await (await ask()).ended

  expect(text).toMatch(/content-length: 5\r\n[\s\S]*\r\n\r\nhe$/i)
  expect(error).toBe('ECONNRESET')
})

it('closes the connection without an answer', async () => {
  await deliverWith({ fault: { kind: 'close' } })

  const { text, error } = await (await ask()).ended

  expect([text, error]).toEqual(['', undefined])
})

it('keeps silent for a while and answers then', async () => {
  const simulation = createSimulation()
  await deliverWith({ fault: { kind: 'hold', holdMs: 50, processAfter: false } }, simulation)

  const { text } = await (await ask()).ended

  expect(text).toMatch(/hello$/)
  expect(simulation.waits).toEqual([50])
})

it('keeps silent until it is released', async () => {
  const simulation = createSimulation()
  await deliverWith({ fault: { kind: 'hold', holdMs: 0, processAfter: false } }, simulation)
  const client = await ask()

  await expect.poll(() => simulation.waits).toEqual([Number.POSITIVE_INFINITY])
  simulation.release()
  const { text } = await client.ended

  expect(text).toMatch(/hello$/)
})

it('processes a held request only when the hold is over, where it is asked to', async () => {
  const simulation = createSimulation()
  await deliverWith({ fault: { kind: 'hold', holdMs: 30, processAfter: true } }, simulation)
  const client = await ask()
  const before = simulation.late.length

  const { text } = await client.ended

  expect(text).toMatch(/late$/)
  expect([before, simulation.late.length]).toEqual([0, 1])
})

it('writes raw bytes in place of an answer', async () => {
  await deliverWith({ fault: { kind: 'raw', bytes: Buffer.from('HTTP/0.0 no\r\n\r\n') } })

  const { text } = await (await ask()).ended

  expect(text).toBe('HTTP/0.0 no\r\n\r\n')
})

it('writes a body slowly', async () => {
  await deliverWith({ fault: { kind: 'slow', chunkBytes: 2, chunkDelayMs: 20 } })
  const client = await ask()
  const pieces: string[] = []
  client.socket.on('data', (bytes) => pieces.push(String(bytes)))

  const { text } = await client.ended

  expect(text).toMatch(/hello$/)
  expect(pieces.length).toBeGreaterThan(1)
})
