import { connect as connectTls } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { createCertificate } from '../../src/server/certificate.ts'
import { openServer, type ServerLimits } from '../../src/server/open-server.ts'
import { connectRaw } from '../listener/raw-client.ts'

const MB = 1024 * 1024
const ANSWER = Buffer.alloc(30 * MB, 'x')
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

/** A server of one large answer; `begun` counts its answers, `live` those that are not over. */
async function open(limits: Partial<ServerLimits>) {
  let begun = 0
  let live = 0
  const server = await openServer({
    host: '127.0.0.1',
    port: 0,
    tls: { accept: 'sniffed', certificate: createCertificate },
    onRequest: (request, response) => {
      begun++
      live++
      response.once('close', () => live--)
      if (request.url === '/held') setTimeout(() => response.end('late'), 300)
      else if (request.url === '/late') setTimeout(() => response.end(ANSWER), 300)
      else response.end(ANSWER)
    },
    limits: {
      handshakeTimeoutMs: 10_000,
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 10_000,
      connectionsCheckingIntervalMs: 20,
      keepAliveTimeoutMs: 10_000,
      unreadTimeoutMs: 10_000,
      unreadBytes: 1024 * MB,
      headerBytes: 1_024,
      sockets: 100,
      ...limits,
    },
  })
  onTestFinished(() => server.close())
  return { ...server, begun: () => begun, live: () => live }
}

it.each(['/', '/late'])('ends a connection whose client reads nothing of its answer: %s', async (path) => {
  const server = await open({ unreadTimeoutMs: 100 })
  const client = await connectRaw(server.port)
  client.socket.pause()

  client.write(REQUEST.replace('/', path))

  await expect.poll(server.begun).toBe(1)
  await expect.poll(server.live).toBe(0)
})

it('ends a TLS connection whose client reads nothing of its answer', async () => {
  const server = await open({ unreadTimeoutMs: 100 })
  const client = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false })
  client.on('error', () => {})
  await new Promise((resolve) => client.once('secureConnect', resolve))
  client.pause()

  client.write(REQUEST)

  await expect.poll(server.begun).toBe(1)
  await expect.poll(server.live).toBe(0)
})

it('keeps the connection of a client that reads slowly', async () => {
  const server = await open({ unreadTimeoutMs: 2_000 })
  const { socket } = await connectRaw(server.port)
  socket.removeAllListeners('data')
  let bytes = 0

  socket.write(REQUEST.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  for await (const chunk of socket) {
    const before = bytes
    bytes += chunk.length
    // A rest of 200 ms each 2 MB: more than the limit in all.
    if (Math.floor(bytes / (2 * MB)) > Math.floor(before / (2 * MB))) await new Promise((go) => setTimeout(go, 200))
  }

  expect(bytes).toBeGreaterThan(ANSWER.length)
})

it('waits with a client for an answer that is not made yet', async () => {
  const server = await open({ unreadTimeoutMs: 50 })
  const client = await connectRaw(server.port)

  client.write('GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const { text } = await client.ended

  expect(text).toMatch(/late$/)
})

it('bounds the bytes that wait for all clients together, and spares who reads', async () => {
  const server = await open({ unreadBytes: 70 * MB })
  const readers = await Promise.all([1, 2, 3, 4, 5].map(() => connectRaw(server.port)))

  for (const { socket } of readers) socket.pause().write(REQUEST)

  await expect.poll(server.begun).toBe(5)
  await expect.poll(server.live).toBe(2)
  const reader = await connectRaw(server.port)
  reader.write(REQUEST.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  expect((await reader.ended).text.length).toBeGreaterThan(ANSWER.length)
})
