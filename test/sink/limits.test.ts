import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SINK_LIMITS, startSink } from '../../src/sink/webhook-sink.ts'
import { callSink, connectToSink, makeBody, makeDelivery, readAll, SECRET } from './sink-client.ts'

const MIB = 1024 * 1024

async function open(options: Parameters<typeof startSink>[0] = {}) {
  const sink = await startSink(options)
  const path = sink.open()
  path.trust({ webhookId: 'webhook-1', secret: SECRET })
  return { sink, path, target: new URL(path.url).pathname, [Symbol.asyncDispose]: () => sink.close() }
}

/** A delivery whose body has exactly this many bytes. */
function makeSized(bytes: number) {
  const empty = makeBody({ object: { text: '' } })
  return makeDelivery({ body: makeBody({ object: { text: 'x'.repeat(bytes - empty.length) } }) })
}

it('has the limits that were agreed', () => {
  expect(SINK_LIMITS).toEqual({
    handshakeTimeoutMs: 5_000,
    headersTimeoutMs: 5_000,
    requestTimeoutMs: 15_000,
    connectionsCheckingIntervalMs: 500,
    keepAliveTimeoutMs: 5_000,
    unreadTimeoutMs: 15_000,
    unreadBytes: 16 * 1024 * 1024,
    headerBytes: 16 * 1024,
    bodyBytes: 5 * MIB,
    sockets: 256,
    secretHoldMs: 5_000,
  })
})

it('takes a body of 5 MiB and refuses one byte more', async () => {
  await using receiver = await open()

  const exact = await callSink(receiver.sink, { path: receiver.target, ...makeSized(5 * MIB) })
  const over = await callSink(receiver.sink, { path: receiver.target, ...makeSized(5 * MIB + 1) })

  expect([exact.status, over.status]).toEqual([200, 413])
  expect(receiver.path.inbox.rejected()).toMatchObject([{ reason: 'body_too_large' }])
})

it('counts what comes, not what was announced, and stops reading at four times the limit', async () => {
  await using receiver = await open({ limits: { bodyBytes: 1_000 } })
  const socket = await connectToSink(receiver.sink)
  const head = 'Host: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  socket.write(`POST ${receiver.target} HTTP/1.1\r\n${head}`)
  const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`

  const answered = readAll(socket)
  for (let index = 0; index < 8; index++) socket.write(chunk)

  expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
})

it('takes a body in chunks', async () => {
  await using receiver = await open()
  const { headers, body } = makeDelivery()
  const socket = await connectToSink(receiver.sink)
  const lines = Object.entries({ ...headers, host: 'a', connection: 'close', 'transfer-encoding': 'chunked' })
  const bytes = Buffer.from(body)
  socket.write(
    `POST ${receiver.target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  for (const byte of bytes) socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
  socket.write('0\r\n\r\n')

  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /)
  expect(Buffer.from(receiver.path.inbox.all()[0]?.rawBody ?? []).equals(bytes)).toBe(true)
})

it('refuses headers of more than 16 KiB', async () => {
  await using receiver = await open()
  const socket = await connectToSink(receiver.sink)

  socket.write(`POST /h HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17 * 1024)}\r\n\r\n`)

  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431 /)
  expect(receiver.sink.rejected()).toMatchObject([{ reason: 'http', status: 431 }])
})

it('closes a connection more than it allows', async () => {
  await using receiver = await open({ limits: { sockets: 2 } })
  const sockets: Socket[] = []
  for (const _ of [1, 2, 3]) {
    const socket = connectPlain(receiver.sink.port, receiver.sink.ip)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    sockets.push(socket)
  }

  await once(sockets[2]?.resume() as Socket, 'close')

  expect(sockets.slice(0, 2).map(({ closed }) => closed)).toEqual([false, false])
  for (const socket of sockets) socket.destroy()
})

it('says why it cannot speak TLS when there is no certificate', async () => {
  const certificate = Promise.reject(new Error('no entropy'))
  certificate.catch(() => undefined)
  await using receiver = await open({ certificate })
  const socket = connectPlain(receiver.sink.port, receiver.sink.ip)
  socket.on('error', () => undefined).resume()

  await once(socket, 'close')

  expect(receiver.sink.rejected()).toMatchObject([
    { reason: 'tls', detail: 'The sink has no certificate to show: no entropy' },
  ])
})

const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 200 })

/** Sends bytes over a connection and waits for its end. */
async function sendAndClose(socket: Socket, bytes: Uint8Array): Promise<void> {
  socket.on('error', () => undefined).resume()
  // `once` would reject where the sink resets the connection, which is an end as well.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.end(bytes)
  await closed
}

it('survives any bytes in TLS, and then still takes a webhook', async () => {
  await using receiver = await open()
  const request = fc.string({ minLength: 1, maxLength: 100 }).map((text) => {
    return Buffer.from(`POST ${receiver.target} HTTP/1.1\r\n${text}\r\n\r\n`)
  })
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyBytes, request), async (bytes) => {
      await sendAndClose(await connectToSink(receiver.sink), bytes)
    }),
  )

  expect(await callSink(receiver.sink, { path: receiver.target, ...makeDelivery() })).toMatchObject({ status: 200 })
  expect(receiver.path.inbox.all()).toHaveLength(1)
})

it('survives any bytes before TLS, and puts each connection on record', async () => {
  await using receiver = await open({ limits: { handshakeTimeoutMs: 50 } })
  const { ip, port } = receiver.sink
  const all = fc.sample(anyBytes, 60)

  await Promise.all(all.map((bytes) => sendAndClose(connectPlain(port, ip), bytes)))

  expect(receiver.sink.rejected().map(({ reason }) => reason)).toEqual(Array(60).fill('tls'))
})
