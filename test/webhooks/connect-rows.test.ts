import { once } from 'node:events'
import { createServer as createPlainServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { expect, it, vi } from 'vitest'
import type { Dial } from '../../src/service/webhooks/guarded-connect.ts'
import type { SinkAddress } from '../../src/service/webhooks/reachable-addresses.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { openTlsEndpoint, sharedCertificate, type TlsEndpointOptions } from '../support/tls-endpoint.ts'
import { ABSENT, hasBadInputs, readBadInputs } from './bad-inputs.ts'
import { makeFlawedCertificate } from './flawed-certificate.ts'
import { HandTimers, makeEvent, openWebhooks } from './open-webhooks.ts'

const DEADLINE_MS = 10_000
const ONE_MINUTE_MS = 60_000

interface ConnectInput {
  url?: string
  dns?: (string[] | 'HANG')[]
}

const rows = readBadInputs<ConnectInput>('connect')

it.skipIf(!hasBadInputs)(`has a test for every row of connecting (skipped where ${ABSENT})`, () => {
  expect(rows.map(({ id }) => id).toSorted()).toEqual(Object.keys({ ...refusals, ...answers, ...others }).toSorted())
})

/** Registers while DNS says something public, then delivers while it says what the row says. Nothing is dialled for real. */
async function deliverTo(url: string, dns: readonly (readonly string[])[]) {
  const dialled: string[] = []
  const dial: Dial = ({ address }, callback) => {
    dialled.push(address)
    queueMicrotask(() => callback(new Error('no public address is dialled by a test'), null))
    return null as never
  }
  const answers = [...dns]
  const resolve = async () => [...((answers.length > 1 ? answers.shift() : answers[0]) ?? [])]
  await using open = openWebhooks({ dial, runtime: { resolve } })
  const { id } = await open.webhooks.register({ url, events: ['*'] })
  open.webhooks.enqueue(makeEvent(1))
  await open.webhooks.settled(120_000)
  const [delivery] = open.webhooks.deliveries(id)
  return { dialled, delivery }
}

/** Addresses that the guard refuses although the name was public when it was registered. */
const refusals: Record<string, { url: string; dns: string[][] }> = {
  'con-rebind': { url: 'https://rebind.example.org/', dns: [['8.8.8.8'], ['127.0.0.1']] },
  'con-mixed': { url: 'https://mix.example.org/', dns: [['8.8.8.8'], ['8.8.8.8', '10.0.0.5']] },
  'con-mapped': { url: 'https://m.example.org/', dns: [['8.8.8.8'], ['::ffff:10.0.0.1']] },
  'con-empty-dns': { url: 'https://none.example.org/', dns: [['8.8.8.8'], []] },
}

it.each(Object.entries(refusals))('dials nothing for %s', async (_id, { url, dns }) => {
  const { dialled, delivery } = await deliverTo(url, dns)

  expect(dialled).toEqual([])
  expect(delivery).toMatchObject({ state: 'retrying', attempts: [{ status: null, address: null }] })
  expect(delivery?.attempts[0]?.error).toMatch(/^connection error: /)
  expect(Date.parse(delivery?.nextAttemptAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(delivery?.attempts[0]?.at ?? '') + ONE_MINUTE_MS,
  )
})

interface AnswerRow extends TlsEndpointOptions {
  state: 'delivered' | 'retrying'
  error?: RegExp
}

/** What an endpoint can answer. */
const answers: Record<string, AnswerRow> = {
  'con-204': { state: 'delivered', answer: (response) => response.writeHead(204).end() },
  'con-199': {
    state: 'delivered',
    answer: (response) => response.writeEarlyHints({ link: '</x>; rel=preload' }, () => response.writeHead(204).end()),
  },
  'con-304': { state: 'retrying', error: /status 304/, answer: (response) => response.writeHead(304).end() },
  'con-410': { state: 'retrying', error: /status 410/, answer: (response) => response.writeHead(410).end('gone') },
  'con-early-200': {
    state: 'delivered',
    answer: (response) => response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  },
  'con-gzip-bomb': {
    state: 'delivered',
    answer: (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(10 * 1024 * 1024, 0x1f)),
  },
  'con-infinite-body': {
    state: 'delivered',
    answer: (response) => {
      const more = () => response.write('x'.repeat(1_024), (error) => error || setImmediate(more))
      more()
    },
  },
  'con-big-headers': {
    state: 'retrying',
    error: /UND_ERR_HEADERS_OVERFLOW/,
    answer: (response) => response.writeHead(200, { 'x-big': 'x'.repeat(60_000) }).end(),
  },
  'con-reset': {
    state: 'retrying',
    error: /^connection error/,
    answer: (response) => {
      ;(response.socket as unknown as { _parent?: Socket })._parent?.resetAndDestroy()
      response.destroy()
    },
  },
  'con-self-signed': {
    state: 'retrying',
    error: /self.signed|unable to verify/i,
    certificate: makeFlawedCertificate(),
  },
  'con-wrong-host-cert': {
    state: 'retrying',
    error: /ERR_TLS_CERT_ALTNAME_INVALID/,
    certificate: makeFlawedCertificate({ altNames: [{ type: 2, value: 'other.example.org' }] }),
  },
  'con-ip-as-dns-san': {
    state: 'retrying',
    error: /ERR_TLS_CERT_ALTNAME_INVALID/,
    certificate: makeFlawedCertificate({ altNames: [{ type: 2, value: '127.0.0.1' }] }),
  },
  'con-expired-cert': {
    state: 'retrying',
    error: /CERT_HAS_EXPIRED/,
    certificate: makeFlawedCertificate({ fromHours: -48, toHours: -24 }),
  },
  'con-future-cert': {
    state: 'retrying',
    error: /CERT_NOT_YET_VALID/,
    certificate: makeFlawedCertificate({ fromHours: 1, toHours: 24 }),
  },
}

/** The same kind of thing as the rows. */
const moreAnswers: Record<string, AnswerRow> = {
  'a redirect, which is not followed': {
    state: 'retrying',
    error: /status 307/,
    answer: (response) => response.writeHead(307, { location: 'https://127.0.0.1:1/elsewhere' }).end(),
  },
  'a switch of protocols': {
    state: 'retrying',
    error: /^connection error/,
    answer: (response) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  },
  'something that is not HTTP': {
    state: 'retrying',
    error: /^connection error/,
    answer: (response) => response.socket?.end('220 mail.example.org ESMTP\r\n'),
  },
  'nothing at all': {
    state: 'retrying',
    error: /^connection error/,
    answer: (response) => response.socket?.end(),
  },
  'a late retry-after, which changes nothing': {
    state: 'retrying',
    error: /status 429/,
    answer: (response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  },
  '299': { state: 'delivered', answer: (response) => response.writeHead(299).end() },
}

it.each(Object.entries({ ...answers, ...moreAnswers }))('settles %s', async (id, row) => {
  await using endpoint = await openTlsEndpoint(row)
  const ca = id === 'con-self-signed' ? (await sharedCertificate()).ca : endpoint.ca
  await using open = openWebhooks({ allow: [{ port: endpoint.port, ca }] })
  const { webhooks } = open
  const webhook = await webhooks.register({ url: endpoint.url, events: ['*'] })

  webhooks.enqueue(makeEvent(1))

  expect(await webhooks.settled(120_000)).toBe(true)
  const [delivery] = webhooks.deliveries(webhook.id)
  expect(delivery).toMatchObject({ state: row.state, attempts: [{ address: '127.0.0.1' }] })
  if (row.error) expect(delivery?.attempts[0]?.error).toMatch(row.error)
  else expect(delivery?.attempts[0]?.error).toBeNull()
  expect(endpoint.requests.length).toBe(row.certificate ? 0 : 1)
  expect(webhooks.states()).toMatchObject([{ state: 'active' }])
})

/** A server below HTTPS that a test closes with all its connections. */
async function listen(server: Server, port = 0): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Delivers once to a port of loopback, ringing the deadline when `until` has happened. */
async function deliverUntilDeadline(port: number, until: () => Promise<unknown>) {
  const timers = new HandTimers()
  const { ca } = await sharedCertificate()
  const open = openWebhooks({ allow: [{ port, ca }], runtime: { startTimer: timers.startTimer } })
  const { id } = await open.webhooks.register({ url: `https://127.0.0.1:${port}/h`, events: ['*'] })
  open.webhooks.enqueue(makeEvent(1))
  await until()
  expect(timers.count(DEADLINE_MS)).toBe(1)
  timers.ring(DEADLINE_MS)
  await open.webhooks.settled(120_000)
  return { ...open, delivery: () => open.webhooks.deliveries(id)[0] }
}

const TIMED_OUT = { state: 'retrying', attempts: [{ status: null, error: 'timeout: no answer within 10 s' }] }

/** A literal that was exempt when it was registered, and is not any more: the guard refuses it at the connection. */
async function refuseLiteral({ url, ip, port }: { url: string; ip: string; port: number }, sink?: SinkAddress) {
  const dialled: string[] = []
  await using open = openWebhooks({ dial: ({ address }) => dialled.push(address) as never })
  if (sink) open.reachable.add(sink)
  await expect(open.webhooks.register({ url, events: ['*'] })).rejects.toMatchObject({ code: 'unsafe_url' })
  const end = open.reachable.add({ ip, port, ca: '' })
  const { id } = await open.webhooks.register({ url, events: ['*'] })
  end()

  open.webhooks.enqueue(makeEvent(1))
  await open.webhooks.settled(120_000)

  expect(dialled).toEqual([])
  expect(open.webhooks.deliveries(id)).toMatchObject([{ state: 'retrying', attempts: [{ address: null }] }])
}

/** Rows that are neither. */
const others: Record<string, () => Promise<void>> = {
  'con-literal-v6': () => refuseLiteral({ url: 'https://[::1]:8443/', ip: '::1', port: 8443 }),
  'con-decimal': () => refuseLiteral({ url: 'https://2130706433/', ip: '127.0.0.1', port: 443 }),
  'con-nat64-only': async () => {
    const { dialled } = await deliverTo('https://hooks.example.com/', [['64:ff9b::808:808']])

    expect(dialled).toEqual(['64:ff9b::808:808'])
  },
  'con-header-drip': async () => {
    const dripped = Promise.withResolvers<void>()
    const { key, cert } = await sharedCertificate()
    const drip = (socket: Socket, lines = 0): void => {
      if (lines === 20) dripped.resolve()
      socket.write(`x-${lines}: 1\r\n`, (error) => error || setImmediate(() => drip(socket, lines + 1)))
    }
    await using server = await listen(
      createTlsServer({ key, cert }, (socket) => {
        socket.on('error', () => socket.destroy())
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n', () => drip(socket)))
      }),
    )

    await using open = await deliverUntilDeadline(server.port, () => dripped.promise)

    expect(open.delivery()).toMatchObject(TIMED_OUT)
  },
  'con-tls-hang': async () => {
    const server = createServer()
    const connected = once(server, 'connection')
    await using bound = await listen(server)

    await using open = await deliverUntilDeadline(bound.port, () => connected)

    expect(open.delivery()).toMatchObject(TIMED_OUT)
  },
  'con-late-2xx': async () => {
    const late = Promise.withResolvers<void>()
    await using endpoint = await openTlsEndpoint({ answer: (response) => late.promise.then(() => response.end()) })

    await using open = await deliverUntilDeadline(endpoint.port, () => endpoint.seen(1))
    late.resolve()

    expect(open.delivery()).toMatchObject(TIMED_OUT)
    await open.webhooks.advance({ seconds: 60 })
    expect(open.delivery()).toMatchObject({ state: 'delivered', attempts: [{}, { status: 200 }] })
  },
  'con-dns-hang': async () => {
    const timers = new HandTimers()
    const dialled: string[] = []
    const hanging = Promise.withResolvers<string[]>()
    const asked = Promise.withResolvers<void>()
    const resolutions = [
      async () => ['8.8.8.8'],
      () => {
        asked.resolve()
        return hanging.promise
      },
    ]
    await using open = openWebhooks({
      dial: ({ address }) => dialled.push(address) as never,
      runtime: { startTimer: timers.startTimer, resolve: () => (resolutions.shift() ?? (async () => []))() },
    })
    const { id } = await open.webhooks.register({ url: 'https://slow.example.org/', events: ['*'] })
    open.webhooks.enqueue(makeEvent(1))
    await asked.promise

    timers.ring(DEADLINE_MS)
    await open.webhooks.settled(120_000)
    hanging.resolve(['8.8.8.8'])
    await new Promise(setImmediate)

    expect(open.webhooks.deliveries(id)).toMatchObject([TIMED_OUT])
    expect(dialled).toEqual([])
  },
  'con-plain-http': async () => {
    await using server = await listen(createPlainServer())
    const { ca } = await sharedCertificate()
    await using open = openWebhooks({ allow: [{ port: server.port, ca }] })
    const { id } = await open.webhooks.register({ url: `https://127.0.0.1:${server.port}/h`, events: ['*'] })

    open.webhooks.enqueue(makeEvent(1))
    await open.webhooks.settled(120_000)

    expect(open.webhooks.deliveries(id)).toMatchObject([{ state: 'retrying', attempts: [{ status: null }] }])
    expect(open.webhooks.deliveries(id)[0]?.attempts[0]?.error).toMatch(
      /^connection error: .*(SSL|EPROTO|wrong version)/i,
    )
  },
  'con-sink-own': async () => {
    await using sink = await startSink()
    const path = sink.open()
    await using open = openWebhooks({ allow: [{ port: sink.port, ca: (await sink.ca()) ?? '' }] })
    const webhook = await open.webhooks.register({ url: path.url, events: ['*'] })
    path.trust({ webhookId: webhook.id, secret: webhook.secret })

    open.webhooks.enqueue(makeEvent(1))
    await open.webhooks.settled(120_000)

    expect(open.webhooks.deliveries(webhook.id)).toMatchObject([{ state: 'delivered' }])
    expect(path.inbox.all()).toHaveLength(1)
  },
  'con-sink-other-port': async () => {
    await using sink = await startSink()
    const port = sink.port === 65_535 ? sink.port - 1 : sink.port + 1
    const other = { url: `https://127.0.0.1:${port}/`, ip: '127.0.0.1', port }

    await refuseLiteral(other, { ip: sink.ip, port: sink.port, ca: (await sink.ca()) ?? '' })
  },
  'con-sink-closed': async () => {
    const sink = await startSink()
    await using open = openWebhooks()
    const end = open.reachable.add({ ip: sink.ip, port: sink.port, ca: (await sink.ca()) ?? '' })
    const { id } = await open.webhooks.register({ url: sink.open().url, events: ['*'] })
    await sink.close()
    end()
    await using successor = await openTlsEndpoint({ port: sink.port })

    open.webhooks.enqueue(makeEvent(1))
    await open.webhooks.settled(120_000)

    expect(successor.connections).toBe(0)
    expect(open.webhooks.deliveries(id)).toMatchObject([{ state: 'retrying', attempts: [{ address: null }] }])
  },
}

it.each(Object.entries(others))('behaves as agreed for %s', async (_id, check) => {
  await check()
})

it('verifies certificates whatever the environment says', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  await using endpoint = await openTlsEndpoint({ certificate: makeFlawedCertificate() })
  const { ca } = await sharedCertificate()
  await using open = openWebhooks({ allow: [{ port: endpoint.port, ca }] })
  const { id } = await open.webhooks.register({ url: endpoint.url, events: ['*'] })

  open.webhooks.enqueue(makeEvent(1))
  await open.webhooks.settled(120_000)
  vi.unstubAllEnvs()

  expect(endpoint.requests).toEqual([])
  expect(open.webhooks.deliveries(id)).toMatchObject([{ state: 'retrying' }])
})

it('refuses a socket that ended up elsewhere than at the address that was judged', async () => {
  await using endpoint = await openTlsEndpoint()
  const dial: Dial = (_to, callback) => {
    const socket = connectTls({ host: '127.0.0.1', port: endpoint.port, ca: endpoint.ca })
    socket.once('secureConnect', () => callback(null, socket))
    return socket
  }
  await using open = openWebhooks({ dial, runtime: { resolve: async () => ['8.8.8.8'] } })
  const { id } = await open.webhooks.register({ url: 'https://hooks.example.org/', events: ['*'] })

  open.webhooks.enqueue(makeEvent(1))
  await open.webhooks.settled(120_000)

  expect(endpoint.requests).toEqual([])
  expect(open.webhooks.deliveries(id)[0]?.attempts[0]?.error).toMatch(/refused by the address guard, 127\.0\.0\.1/)
})

it('tries the addresses of a name in turn until one answers', async () => {
  const dialled: string[] = []
  const dial: Dial = ({ address }, callback) => {
    dialled.push(address)
    queueMicrotask(() => callback(new Error(`no route to ${address}`), null))
    return null as never
  }
  await using open = openWebhooks({ dial, runtime: { resolve: async () => ['2606:4700::1111', '8.8.8.8'] } })
  const { id } = await open.webhooks.register({ url: 'https://hooks.example.org/', events: ['*'] })

  open.webhooks.enqueue(makeEvent(1))
  await open.webhooks.settled(120_000)

  expect(dialled).toEqual(['2606:4700::1111', '8.8.8.8'])
  expect(open.webhooks.deliveries(id)[0]?.attempts).toMatchObject([
    { address: '8.8.8.8', error: 'connection error: no route to 8.8.8.8' },
  ])
})
