import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type Listener, type ListenerLimits, startListener } from '../../src/service/listener/listener.ts'
import { createCertificate } from '../../src/tls/certificate.ts'
import { connectRaw } from './raw-client.ts'

let listener: Listener

afterEach(() => listener.close())

async function listen(limits: Partial<ListenerLimits>): Promise<void> {
  listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    certificate: createCertificate,
    answer: (request, response) => {
      if (request.headers['content-length'] === undefined) response.end('read')
      else request.resume().once('end', () => response.end('read'))
    },
    limits: { checkMs: 20, ...limits },
  })
}

it('cuts off a client that connects and says nothing', async () => {
  await listen({ firstByteMs: 50 })
  const client = await connectRaw(listener.port)

  const { text } = await client.ended

  expect(text).toBe('')
})

it('answers 408 to headers that do not end', async () => {
  await listen({ headersMs: 60 })
  const client = await connectRaw(listener.port)

  client.write('GET / HTTP/1.1\r\nhost: x\r\nhalf: ')
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 408 /)
})

it('answers 408 to a body that does not end', async () => {
  await listen({ headersMs: 50, requestMs: 80 })
  const client = await connectRaw(listener.port)

  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nonly this')
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 408 /)
})

it('cuts off a TLS client that does not go on with its handshake', async () => {
  await listen({ handshakeMs: 50 })
  const client = await connectRaw(listener.port)

  client.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]))
  const { text } = await client.ended

  expect(text).not.toContain('HTTP')
})

it('closes kept connections that nobody uses', async () => {
  await listen({ keepAliveMs: 40 })
  const client = await connectRaw(listener.port)

  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const { text } = await client.ended

  expect(text).toMatch(/read$/)
})

it('holds no more connections than its limit', async () => {
  await listen({ connections: 3 })
  const clients = await Promise.all([1, 2, 3].map(() => connectRaw(listener.port)))

  const refused = connect({ port: listener.port, host: '127.0.0.1' })
  await new Promise((resolve) => refused.on('error', () => {}).once('close', resolve))
  clients[0]?.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')

  expect(await clients[0]?.until(/read$/)).toMatch(/^HTTP\/1.1 200/)
})
