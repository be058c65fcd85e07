import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { createCertificate } from '../../src/server/certificate.ts'
import { type OpenServer, openServer } from '../../src/server/open-server.ts'

const CONNECTIONS = 5_000
const MAX_GROWTH_MB = 200

/** Opens many connections in another process: a third silent, a third in the middle of a request, a third kept alive. */
const CROWD = `
  const { connect } = require('node:net')
  const [port, count] = process.argv.slice(1).map(Number)
  const texts = ['', 'GET / HTTP/1.1\\r\\nhost: x\\r\\nhalf: ', 'GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n']
  let open = 0
  const next = (at) => {
    if (at === count) return
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(texts[at % 3])
      if (++open === count) console.log('open')
      next(at + 50)
    })
    socket.on('error', () => {})
  }
  for (let at = 0; at < 50; at++) next(at)
`

it('answers during 5,000 idle connections, and closes them at its end', async () => {
  let live: OpenServer | undefined
  const server = await openServer({
    host: '127.0.0.1',
    port: 0,
    tls: { accept: 'sniffed', certificate: createCertificate },
    onRequest: (_request, response) => response.end('here'),
    limits: {
      handshakeTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
      requestTimeoutMs: 60_000,
      connectionsCheckingIntervalMs: 1_000,
      keepAliveTimeoutMs: 60_000,
      unreadTimeoutMs: 60_000,
      unreadBytes: 64 * 1024 * 1024,
      headerBytes: 16 * 1024,
      sockets: 10_000,
    },
  })
  live = server
  onTestFinished(() => live?.close())
  const before = process.memoryUsage().rss
  const crowd = spawn(process.execPath, ['-e', CROWD, String(server.port), String(CONNECTIONS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void crowd.kill('SIGKILL'))
  await new Promise<void>((resolve) => createInterface(crowd.stdout).once('line', () => resolve()))

  const answer = await fetch(`http://127.0.0.1:${server.port}/`)
  const growthMb = (process.memoryUsage().rss - before) / 1024 / 1024
  await server.close()
  live = undefined

  expect(await answer.text()).toBe('here')
  expect(growthMb).toBeLessThan(MAX_GROWTH_MB)
})
