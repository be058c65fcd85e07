import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { expect, it } from 'vitest'
import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts'
import { createCertificate } from '../../src/server/certificate.ts'
import type { SinkPath } from '../../src/sink/sink-path.ts'
import { startSink, type WebhookSink } from '../../src/sink/webhook-sink.ts'
import { ABSENT, hasBadInputs, readBadInputs } from '../webhooks/bad-inputs.ts'
import { callSink, connectToSink, makeBody, makeDelivery, readAll, SECRET } from './sink-client.ts'

interface RequestInput {
  method: string
  path: string
  now: number
  secrets: string[]
  headers: Record<string, string | string[]>
  body?: string
  bodyHex?: string
  limit?: number
}

interface OpenSink extends AsyncDisposable {
  sink: WebhookSink
  path: SinkPath
}

const rows = readBadInputs<Partial<RequestInput>>('sink')
const requestRows = rows.filter(({ input }) => input.method !== undefined)
const certificate = createCertificate()

async function openSink(secrets: readonly string[], options: Parameters<typeof startSink>[0] = {}): Promise<OpenSink> {
  const sink = await startSink({ certificate, ...options })
  const path = sink.open()
  for (const [index, secret] of secrets.entries()) path.trust({ webhookId: `webhook-${index}`, secret })
  return { sink, path, [Symbol.asyncDispose]: () => sink.close() }
}

function pathOf(path: SinkPath): string {
  return new URL(path.url).pathname
}

it.skipIf(!hasBadInputs)(`has a test for every row of the sink (skipped where ${ABSENT})`, () => {
  expect(requestRows.length).toBeGreaterThanOrEqual(37)
  expect(rows.filter((row) => !requestRows.includes(row)).map(({ id }) => id)).toEqual(Object.keys(byHand))
})

it.each(requestRows)('answers $id: $expect ($why)', async ({ input, expect: expected }) => {
  const { method, path: asked, now, secrets, headers, limit } = input as RequestInput
  const runtime: Partial<Runtime> = { clock: { ...systemRuntime.clock, now: () => now * 1_000 } }
  await using open = await openSink(secrets, { runtime, ...(limit !== undefined && { limits: { bodyBytes: limit } }) })
  const { sink, path } = open
  const body = input.bodyHex === undefined ? (input.body ?? '') : Buffer.from(input.bodyHex, 'hex')

  const target = asked === '/h/tok' ? pathOf(path) : (asked ?? '')
  const answer = await callSink(sink, { method, path: target, headers, body })

  const rejected = [...path.inbox.rejected(), ...sink.rejected()]
  const outcome = path.inbox.all().length === 1 ? 'collected' : rejected.map(({ reason }) => reason).join()
  expect(`${answer.status} ${outcome}`).toBe(expected)
  expect(rejected.map(({ status }) => status)).toEqual(outcome === 'collected' ? [] : [answer.status])
  const [webhook] = path.inbox.all()
  if (webhook) expect(Buffer.from(webhook.rawBody).equals(Buffer.from(body))).toBe(true)
})

/** Rows that are more than one request, or not even one. */
const byHand: Record<string, () => Promise<void>> = {
  'sink-dup-after-500': async () => {
    await using open = await openSink([SECRET])
    const { sink, path } = open
    path.respond({ status: 500, times: 1 })

    const first = await callSink(sink, { path: pathOf(path), ...makeDelivery() })
    const second = await callSink(sink, { path: pathOf(path), ...makeDelivery() })

    expect([first.status, second.status]).toEqual([500, 200])
    expect(path.inbox.all()).toMatchObject([{ attempt: 2, attempts: 2, duplicates: 0, answered: 200 }])
  },
  'sink-two-cl': async () => {
    await using open = await openSink([SECRET])
    const socket = await connectToSink(open.sink)

    socket.write('POST /h HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!')

    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 /)
    expect(open.sink.rejected()).toMatchObject([{ reason: 'http', status: 400 }])
  },
  'sink-same-event-two-hooks': async () => {
    await using open = await openSink([SECRET, `${SECRET}2`])
    const { sink, path } = open
    const ids = ['0f9c2f7a-3f0b-4f0e-8a55-000000000001', '0f9c2f7a-3f0b-4f0e-8a55-000000000002'] as const

    const first = await callSink(sink, { path: pathOf(path), ...makeDelivery({ id: ids[0] }) })
    const second = await callSink(sink, { path: pathOf(path), ...makeDelivery({ id: ids[1], secret: `${SECRET}2` }) })

    expect([first.status, second.status]).toEqual([200, 200])
    expect(path.inbox.all().map(({ webhookId, deliveryId }) => [webhookId, deliveryId])).toEqual([
      ['webhook-0', ids[0]],
      ['webhook-1', ids[1]],
    ])
    expect(new Set(path.inbox.all().map(({ id }) => id)).size).toBe(1)
  },
  'sink-no-host': async () => {
    await using open = await openSink([SECRET])
    const socket = await connectToSink(open.sink)

    socket.write('POST /h HTTP/1.1\r\nContent-Length: 0\r\n\r\n')

    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 /)
    expect(open.path.inbox.all()).toEqual([])
  },
  'sink-slow-headers': async () => {
    const limits = { headersTimeoutMs: 50, requestTimeoutMs: 50, connectionsCheckingIntervalMs: 10 }
    await using open = await openSink([SECRET], { limits })
    const socket = await connectToSink(open.sink)

    socket.write('POST /h HTTP/1.1\r\nHo')

    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /)
    expect(open.sink.rejected()).toMatchObject([{ reason: 'http', status: 408 }])
  },
  'sink-no-clienthello': async () => {
    await using open = await openSink([SECRET], { limits: { handshakeTimeoutMs: 50 } })
    await open.sink.ca()

    const socket = connectPlain(open.sink.port, open.sink.ip)
    socket.resume()
    await once(socket, 'close')

    expect(open.sink.rejected()).toMatchObject([{ reason: 'tls', status: null }])
  },
  'sink-dup-other-body': async () => {
    await using open = await openSink([SECRET])
    const { sink, path } = open

    const first = await callSink(sink, { path: pathOf(path), ...makeDelivery() })
    const second = await callSink(sink, {
      path: pathOf(path),
      ...makeDelivery({ body: makeBody({ recordId: 't_2' }) }),
    })

    expect([first.status, second.status]).toEqual([200, 400])
    expect(path.inbox.rejected()).toMatchObject([{ reason: 'delivery_id_reused' }])
    expect(path.inbox.all()).toMatchObject([{ attempts: 1, data: { id: 't_1' } }])
  },
  'sink-expect-100': async () => {
    await using open = await openSink([SECRET])
    const { headers, body } = makeDelivery()
    const socket = await connectToSink(open.sink)
    const lines = Object.entries({
      ...headers,
      host: 'a',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })

    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`POST ${pathOf(open.path)} HTTP/1.1\r\n${head}Expect: 100-continue\r\n\r\n`)
    const [interim] = await once(socket, 'data')
    socket.write(body)

    expect(String(interim)).toMatch(/^HTTP\/1\.1 100 Continue/)
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /)
    expect(open.path.inbox.all()).toHaveLength(1)
  },
  'sink-aborted-body': async () => {
    await using open = await openSink([SECRET])
    const socket = await connectToSink(open.sink)
    const refused = Promise.withResolvers<unknown>()
    open.path.inbox.observe({ rejected: refused.resolve })

    const head = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n'
    socket.write(`POST ${pathOf(open.path)} HTTP/1.1\r\n${head}{"id":`, () => socket.destroy())
    await refused.promise

    expect(open.path.inbox.rejected()).toMatchObject([{ reason: 'aborted', status: null }])
    expect(open.path.inbox.all()).toEqual([])
  },
  'sink-plain-http': async () => {
    await using open = await openSink([SECRET])
    await open.sink.ca()
    const socket = connectPlain(open.sink.port, open.sink.ip)

    socket.write('POST /h HTTP/1.1\r\nHost: a\r\n\r\n')
    socket.resume()
    await once(socket, 'close')

    expect(open.sink.rejected()).toMatchObject([{ reason: 'tls', detail: expect.stringContaining('Plain http') }])
  },
  'sink-dup-delivery': async () => {
    await using open = await openSink([SECRET])
    const { sink, path } = open
    const now = Math.floor(Date.now() / 1_000)

    const first = await callSink(sink, { path: pathOf(path), ...makeDelivery({ t: now - 1 }) })
    const second = await callSink(sink, { path: pathOf(path), ...makeDelivery({ t: now }) })

    expect([first.status, second.status]).toEqual([200, 200])
    expect(path.inbox.all()).toMatchObject([{ attempt: 1, attempts: 2, duplicates: 1 }])
  },
}

it.each(Object.entries(byHand))('answers %s as agreed', async (_id, check) => {
  await check()
})
