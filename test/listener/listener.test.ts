import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectTls } from 'node:tls'
import { Agent, request } from 'undici'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { type Certificate, createCertificate } from '../../src/server/certificate.ts'
import type { OpenServer } from '../../src/server/open-server.ts'
import { startListener } from '../../src/service/listener/listener.ts'
import { connectRaw } from './raw-client.ts'

let certificate: Certificate
let listener: OpenServer
let certificatesMade = 0

beforeAll(async () => {
  certificate = await createCertificate()
})

afterEach(() => listener.close())

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  certificatesMade = 0
  listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    certificate: async () => {
      certificatesMade++
      return certificate
    },
    answer,
  })
}

const echo = (request: IncomingMessage, response: ServerResponse) =>
  response.end(`${'encrypted' in request.socket ? 'tls' : 'plain'} ${request.method} ${request.url}`)

it('answers http and https on one port, and makes its certificate when TLS is first spoken', async () => {
  await listen(echo)
  const agent = new Agent({ connect: { ca: certificate.ca } })

  const plain = await fetch(`http://127.0.0.1:${listener.port}/a`).then((answer) => answer.text())
  const madeForPlain = certificatesMade
  const tls = await Promise.all(
    ['/b', '/c'].map((path) => request(`https://127.0.0.1:${listener.port}${path}`, { dispatcher: agent })),
  )
  const texts = await Promise.all(tls.map(({ body }) => body.text()))
  await agent.close()

  expect(plain).toBe('plain GET /a')
  expect(texts).toEqual(['tls GET /b', 'tls GET /c'])
  expect([madeForPlain, certificatesMade]).toEqual([0, 1])
})

it('reads a request that arrives byte by byte', async () => {
  await listen(echo)
  const client = await connectRaw(listener.port)
  client.socket.setNoDelay(true)

  for (const byte of 'GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n') client.write(byte)
  const { text } = await client.ended

  expect(text).toMatch(/plain GET \/slow$/)
})

it('answers pipelined requests in order', async () => {
  await listen(echo)
  const client = await connectRaw(listener.port)

  client.write('GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const { text } = await client.ended

  expect(text.match(/plain GET \/\d/g)).toEqual(['plain GET /1', 'plain GET /2'])
})

it('keeps an idle connection longer than proxies do, whose next request would meet a closed one', async () => {
  await listen(echo)

  const { headers } = await fetch(`http://127.0.0.1:${listener.port}/a`)

  expect(headers.get('keep-alive')).toMatch(/^timeout=\d+$/)
  expect(Number(headers.get('keep-alive')?.slice('timeout='.length))).toBeGreaterThan(60)
})

it('answers 400 to bytes that are not HTTP, in the service’s error format', async () => {
  await listen(echo)
  const client = await connectRaw(listener.port)

  client.write('garbage that is no request line\r\n\r\n')
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 400 Bad Request/)
  expect(text).toContain(
    '{"error":{"code":"invalid_request","message":"Failed to read the request: it is not valid HTTP."}}',
  )
})

it('answers 431 to headers over 16 KiB', async () => {
  await listen(echo)
  const client = await connectRaw(listener.port)

  client.write(`GET / HTTP/1.1\r\nhost: x\r\nlarge: ${'x'.repeat(20_000)}\r\n\r\n`)
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 431 /)
  expect(text).toContain('16,384 bytes')
})

it('answers junk after a valid request without touching the answer under way', async () => {
  let finish = () => {}
  await listen((_request, response) => {
    response.write('first half, ')
    finish = () => response.end('second half')
  })
  const client = await connectRaw(listener.port)

  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await client.until(/first half/)
  client.write('\0\0junk\r\n\r\n')
  const { text } = await client.ended
  finish()

  expect(text).not.toContain('400')
})

it('survives a client that resets its connection before, during and after a request', async () => {
  await listen(echo)
  for (const bytes of ['', 'G', 'GET / HT', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', '\x16\x03\x01']) {
    const client = await connectRaw(listener.port)
    if (bytes !== '') client.write(Buffer.from(bytes, 'latin1'))
    client.socket.resetAndDestroy()
    await client.ended
  }

  const answer = await fetch(`http://127.0.0.1:${listener.port}/after`)

  expect(await answer.text()).toBe('plain GET /after')
})

it('answers a client that has closed its sending side', async () => {
  await listen(echo)
  const client = await connectRaw(listener.port)

  client.socket.end('GET /half HTTP/1.1\r\nhost: x\r\n\r\n')
  const { text } = await client.ended

  expect(text).toMatch(/plain GET \/half$/)
})

it('ends a TLS handshake that is not one', async () => {
  await listen(echo)
  const client = await connectRaw(listener.port)

  client.write(Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 1, 2, 3, 4, 5]))
  const { text } = await client.ended

  expect(text).not.toContain('HTTP')
})

it('closes with sockets that hang in every state', async () => {
  let arrived = () => {}
  const hasArrived = new Promise<void>((resolve) => {
    arrived = resolve
  })
  await listen(() => arrived())
  const silent = await connectRaw(listener.port)
  const halfHead = await connectRaw(listener.port)
  halfHead.write('GET / HTTP/1.1\r\nhos')
  const beforeTls = await connectRaw(listener.port)
  beforeTls.write(Buffer.from([0x16, 0x03]))
  const idleTls = connectTls({ port: listener.port, host: '127.0.0.1', ca: certificate.ca })
  await new Promise((resolve) => idleTls.once('secureConnect', resolve))
  const unanswered = await connectRaw(listener.port)
  unanswered.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await hasArrived

  const tlsClosed = new Promise((resolve) => idleTls.on('error', () => {}).once('close', resolve))
  await listener.close()

  await Promise.all([silent.ended, halfHead.ended, beforeTls.ended, unanswered.ended, tlsClosed])
  await expect(connectRaw(listener.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it.each([
  ['two lines of Host', 'GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['HTTP/0.9', 'GET /a\r\n\r\n'],
])('answers %s with 400', async (_, text) => {
  await listen(echo)
  const client = await connectRaw(listener.port)

  client.write(text)
  const answer = await client.ended

  expect(answer.text).toMatch(/^HTTP\/1.1 400 /)
  expect(answer.text).toContain('"code":"invalid_request"')
})
