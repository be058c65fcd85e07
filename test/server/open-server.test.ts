import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createCertificate } from '../../src/server/certificate.ts'
import type { RefusedConnection, RequestOptions } from '../../src/server/http-server.ts'
import { type OpenServer, openServer, type ServerCertificate, type ServerLimits } from '../../src/server/open-server.ts'
import { connectRaw } from '../listener/raw-client.ts'

const LIMITS: ServerLimits = {
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
  connectionsCheckingIntervalMs: 20,
  keepAliveTimeoutMs: 10_000,
  unreadTimeoutMs: 10_000,
  unreadBytes: 64 * 1024 * 1024,
  headerBytes: 1_024,
  sockets: 10,
}

let server: OpenServer

afterEach(() => server.close())

async function listen(
  limits: Partial<ServerLimits>,
  onRefused?: RequestOptions['onRefused'],
  certificate: () => Promise<ServerCertificate> = createCertificate,
): Promise<void> {
  server = await openServer({
    host: '127.0.0.1',
    port: 0,
    tls: { accept: 'sniffed', certificate },
    onRequest: (request, response) => {
      if (request.headers['content-length'] === undefined) response.end('read')
      else request.resume().once('end', () => response.end('read'))
    },
    onRefused,
    limits: { ...LIMITS, ...limits },
  })
}

it('takes one request of a connection at a time, however many it sends before it reads', async () => {
  const REQUESTS = 30_000
  const waiting: (() => void)[] = []
  let most = 0
  let taken = 0
  server = await openServer({
    host: '127.0.0.1',
    port: 0,
    tls: 'none',
    onRequest: (_, response) => {
      taken++
      waiting.push(() => response.end('x'))
      most = Math.max(most, waiting.length)
      setImmediate(() => waiting.shift()?.())
    },
    limits: LIMITS,
  })
  const greedy = await connectRaw(server.port)
  const other = await connectRaw(server.port)

  greedy.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(REQUESTS))
  await greedy.until(/x/)
  other.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const { text } = await other.ended
  const takenBefore = taken
  greedy.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const all = await greedy.ended

  expect(text).toMatch(/^HTTP\/1.1 200/)
  expect(most).toBeLessThanOrEqual(2)
  expect(takenBefore).toBeLessThan(REQUESTS / 2)
  expect(all.text.match(/HTTP\/1.1 200/g)).toHaveLength(REQUESTS + 1)
})

it('reads the bodies of requests that came before they were waited for', async () => {
  await listen({})
  const client = await connectRaw(server.port)
  const request = (body: string, last: boolean) =>
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${last ? 'connection: close\r\n' : ''}\r\n${body}`

  client.write(['a'.repeat(300_000), '', 'b'.repeat(300_000), 'c'].map((body, at) => request(body, at === 3)).join(''))
  const { text } = await client.ended

  expect(text.match(/read/g)).toHaveLength(4)
})

it('cuts off a client that connects and says nothing', async () => {
  await listen({ handshakeTimeoutMs: 50 })
  const client = await connectRaw(server.port)

  const { text } = await client.ended

  expect(text).toBe('')
})

it('answers 408 to headers that do not end', async () => {
  await listen({ headersTimeoutMs: 60 })
  const client = await connectRaw(server.port)

  client.write('GET / HTTP/1.1\r\nhost: x\r\nhalf: ')
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 408 /)
})

it('answers 408 to a body that does not end', async () => {
  await listen({ headersTimeoutMs: 50, requestTimeoutMs: 80 })
  const client = await connectRaw(server.port)

  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nonly this')
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 408 /)
})

it('cuts off a TLS client that does not go on with its handshake', async () => {
  await listen({ handshakeTimeoutMs: 50 })
  const client = await connectRaw(server.port)

  client.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]))
  const { text } = await client.ended

  expect(text).not.toContain('HTTP')
})

it('closes kept connections that no client uses', async () => {
  await listen({ keepAliveTimeoutMs: 40 })
  const client = await connectRaw(server.port)

  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const { text } = await client.ended

  expect(text).toMatch(/read$/)
})

it('holds no more connections than its limit', async () => {
  await listen({ sockets: 3 })
  const clients = await Promise.all([1, 2, 3].map(() => connectRaw(server.port)))

  const refused = connect({ port: server.port, host: '127.0.0.1' })
  await new Promise((resolve) => refused.on('error', () => {}).once('close', resolve))
  clients[0]?.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')

  expect(await clients[0]?.until(/read$/)).toMatch(/^HTTP\/1.1 200/)
})

it('tells its owner of a client that sent no request, and answers with the owner’s words', async () => {
  const refusals: [step: string, status: number | null][] = []
  await listen({}, ({ step, status }) => {
    refusals.push([step, status])
    return '{"sorry":true}'
  })
  const client = await connectRaw(server.port)

  client.write('no request\r\n\r\n')
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(text).toMatch(/content-length: 14\r\n\r\n\{"sorry":true\}$/)
  expect(refusals).toEqual([['request', 400]])
})

it('answers 500 when its handler throws, reports the error, and keeps working', async () => {
  const refusals: [message: string, status: number | null][] = []
  server = await openServer({
    host: '127.0.0.1',
    port: 0,
    tls: 'none',
    onRequest: ({ url }, response) => {
      if (url === '/fault') throw new Error('a fault')
      response.end('read')
    },
    onRefused: ({ error, status }) => {
      refusals.push([error.message, status])
      return '{}'
    },
    limits: LIMITS,
  })
  const ask = async (path: string) => {
    const client = await connectRaw(server.port)
    client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    return (await client.ended).text
  }

  expect(await ask('/fault')).toMatch(/^HTTP\/1.1 500 /)
  expect(await ask('/')).toMatch(/read$/)
  expect(refusals).toEqual([['a fault', 500]])
})

it('closes the connection of a TLS client when its certificate cannot be made', async () => {
  const refusals: RefusedConnection[] = []
  await listen(
    {},
    (refused) => void refusals.push(refused),
    () => Promise.reject(new Error('no entropy')),
  )
  const client = await connectRaw(server.port)

  client.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]))
  await client.ended

  expect(refusals).toMatchObject([{ step: 'certificate', status: null, error: { message: 'no entropy' } }])
})
