import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectPlain } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, it } from 'vitest'
import { createCertificate } from '../../src/server/certificate.ts'
import type { SinkReply } from '../../src/sink/replies.ts'
import { verifyWebhook } from '../../src/sink/verify.ts'
import { startSink, type WebhookSinkOptions } from '../../src/sink/webhook-sink.ts'
import { onLoopback } from '../support/on-loopback.ts'
import { makeEvent, openWebhooks } from '../webhooks/open-webhooks.ts'
import { callSink, connectToSink, makeBody, makeDelivery, readAll, SECRET } from './sink-client.ts'

const IDS = [1, 2, 3].map((index) => `0f9c2f7a-3f0b-4f0e-8a55-00000000000${index}`) as [string, string, string]

/** A sink with one path that trusts SECRET. */
async function open(options: WebhookSinkOptions = {}) {
  const sink = await startSink(options)
  const path = sink.open()
  path.trust({ webhookId: 'webhook-1', secret: SECRET })
  const target = new URL(path.url).pathname
  return {
    sink,
    path,
    target,
    deliver: (change?: Parameters<typeof makeDelivery>[0]) => callSink(sink, { path: target, ...makeDelivery(change) }),
    [Symbol.asyncDispose]: () => sink.close(),
  }
}

/** An application under test: plain HTTP on loopback. */
async function openApp(answer: (response: ServerResponse, body: Buffer, request: IncomingMessage) => void) {
  const bodies: Buffer[] = []
  const requests: IncomingMessage[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks))
    requests.push(request)
    answer(response, Buffer.concat(chunks), request)
  })
  const listening = await onLoopback(server)
  return { ...listening, url: `${listening.url}/hooks?x=1`, bodies, requests }
}

it('keeps the body of a webhook, with its bytes and its signature', async () => {
  await using receiver = await open()

  const answer = await receiver.deliver()

  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
  const [webhook] = receiver.path.inbox.all()
  expect(webhook).toMatchObject({
    type: 'task.created',
    data: { collection: 'tasks', id: 't_1', object: { title: 'é✓😀' } },
    webhookId: 'webhook-1',
    attempt: 1,
    attempts: 1,
    duplicates: 0,
    answered: 200,
    source: 'webhook',
    verified: true,
    headers: { 'svc-event': 'task.created' },
  })
  expect(webhook?.signature.skewSeconds).toBeLessThan(5)
  expect(Buffer.from(webhook?.rawBody ?? []).toString()).toBe(makeBody())
})

it('gives each simulation a path of 128 random bits, and knows it no more once it is closed', async () => {
  await using receiver = await open()
  const other = receiver.sink.open()

  expect(receiver.target).toMatch(/^\/h\/[0-9a-f]{32}$/)
  expect(other.url).not.toBe(receiver.path.url)
  receiver.path.close()
  expect(await receiver.deliver()).toMatchObject({ status: 404 })
  expect(receiver.sink.rejected()).toMatchObject([{ reason: 'unknown_path', method: 'POST' }])
})

it('holds a request that overtakes the secret of its path', async () => {
  await using sink = await startSink()
  const path = sink.open()
  const answering = callSink(sink, { path: new URL(path.url).pathname, ...makeDelivery() })
  await new Promise(setImmediate)

  path.trust({ webhookId: 'webhook-1', secret: SECRET })

  expect(await answering).toMatchObject({ status: 200 })
  expect(path.inbox.all()).toHaveLength(1)
})

it('refuses a request whose path never gets a secret', async () => {
  await using sink = await startSink({ limits: { secretHoldMs: 1 } })
  const path = sink.open()

  const answer = await callSink(sink, { path: new URL(path.url).pathname, ...makeDelivery() })

  expect(answer.status).toBe(401)
  expect(path.inbox.rejected()).toMatchObject([{ reason: 'secret_unknown' }])
})

it.each([
  ['a kind in the header that is not the body’s', { headers: { 'svc-event': 'task.updated' } }, 'event_mismatch', 400],
  ['a content-encoding', { headers: { 'content-encoding': 'gzip' } }, 'unsupported_content_encoding', 415],
  ['a problem type', { headers: { 'content-type': 'application/problem+json' } }, 'unsupported_content_type', 415],
  ['a timestamp without milliseconds', { body: makeBody().replace('.000Z', 'Z') }, 'body_schema', 400],
  ['an array as the object', { body: makeBody({ object: [] }) }, 'body_schema', 400],
] as const)('refuses %s', async (_name, change, reason, status) => {
  await using receiver = await open()

  const answer = await receiver.deliver(change)

  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body).error.code).toBe(reason)
  expect(receiver.path.inbox.rejected()).toMatchObject([{ reason, status }])
})

it('keeps the latest 1000 refused requests, at most 2 KiB of each', async () => {
  await using receiver = await open({ limits: { bodyBytes: 100_000 } })
  const socket = await connectToSink(receiver.sink)
  socket.resume()
  const body = JSON.stringify({ text: 'x'.repeat(50_000) })

  await receiver.deliver({ body, headers: { 'x-long': 'y'.repeat(5_000) } })
  for (let index = 0; index < 1_001; index++)
    receiver.path.inbox.reject({ ...receiver.path.inbox.rejected()[0] } as never)

  expect(receiver.path.inbox.rejected()).toHaveLength(1_000)
  for (const rejected of receiver.path.inbox.rejected()) {
    expect(JSON.stringify(rejected.headers).length + rejected.body.length).toBeLessThanOrEqual(2_048)
  }
  socket.destroy()
})

it('answers as it was set, so many times, for the kinds named, the latest reply first', async () => {
  await using receiver = await open()
  receiver.path.respond({ status: 503 }, 'task.deleted')
  receiver.path.respond({ status: 500, times: 1 })

  const statuses = []
  for (const [index, type] of ['task.deleted', 'task.deleted', 'task.created'].entries()) {
    statuses.push((await receiver.deliver({ id: IDS[index] ?? '', type })).status)
  }

  expect(statuses).toEqual([500, 503, 200])
})

it('redirects, drops and hangs on demand', async () => {
  await using receiver = await open()
  receiver.path.respond({ hang: true, times: 1 })
  receiver.path.respond({ drop: 'mid-body', times: 1 })
  receiver.path.respond({ drop: 'before-headers', times: 1 })
  receiver.path.respond({ redirect: 'https://example.org/', times: 1 })

  expect(await receiver.deliver()).toMatchObject({ status: 302, headers: { location: 'https://example.org/' } })
  await expect(receiver.deliver()).rejects.toThrow(/socket hang up|ECONNRESET/)
  await expect(receiver.deliver()).rejects.toThrow(/aborted|ECONNRESET/)
  const hung = receiver.deliver().catch((error: Error) => error.message)
  await receiver.path.inbox.waitFor({ matches: (webhook) => webhook.attempts === 4 }, { timeoutMs: 120_000 })
  await receiver.sink.close()

  expect(await hung).toMatch(/socket hang up|ECONNRESET/)
  expect(receiver.path.inbox.all()).toMatchObject([{ attempts: 4, answered: null }])
})

it('answers late when asked to, by the runtime’s timers', async () => {
  const timers: { ms: number; run: () => void }[] = []
  const asked = Promise.withResolvers<void>()
  const startTimer = (ms: number, run: () => void) => {
    timers.push({ ms, run })
    asked.resolve()
    return () => undefined
  }
  await using receiver = await open({ runtime: { startTimer } })
  receiver.path.respond({ delayMs: 11_000 })

  const answering = receiver.deliver()
  await asked.promise
  expect(timers.map(({ ms }) => ms)).toEqual([11_000])
  timers[0]?.run()

  expect(await answering).toMatchObject({ status: 200 })
})

it.each([
  [{ status: 199 }, 'Expected `status` to be a whole number from 200 to 599, got 199.'],
  [{ times: 0 }, 'Expected `times` to be a whole number of at least 1, got 0.'],
  [{ delayMs: -1 }, 'Expected `delayMs` to be a number of milliseconds from 0 to 2147483647, got -1.'],
  [{ drop: 'late' }, 'Expected `drop` to be "before-headers" or "mid-body", got "late".'],
  [{ hang: 'yes' }, 'Expected `hang` to be true, got "yes".'],
  [
    { redirect: 'http://x/\r\nx-made-up: 1' },
    'Expected `redirect` to be an address without spaces and control characters, got "http://x/\\r\\nx-made-up: 1".',
  ],
  [{ state: 500 }, 'Expected a reply to have status, delayMs, drop, hang, redirect, times, got `state`.'],
])('refuses the reply %o', async (reply, message) => {
  await using receiver = await open()

  expect(() => receiver.path.respond(reply as SinkReply)).toThrow(message)
})

it('answers 500 and records why when a matcher of a reply throws', async () => {
  await using receiver = await open()
  receiver.path.respond({ status: 503 }, ({ data }) => (data.object as { title: string }).title === 'x')

  const { status, body } = await receiver.deliver({ body: makeBody({ object: null }) })

  expect(status).toBe(500)
  expect(body).toContain('reply_failed')
  expect(receiver.path.inbox.rejected()).toMatchObject([
    {
      reason: 'reply_failed',
      detail: expect.stringMatching(/^A matcher that was given to `respond` threw: Cannot read/),
    },
  ])
})

it('refuses to trust a webhook without a secret', async () => {
  await using receiver = await open()

  expect(() => receiver.path.trust({ webhookId: 'w', secret: '' })).toThrow(
    'Expected `secret` to be the webhook\'s `whsec_` text, got "".',
  )
})

it('counts a delivery as new again once the inbox was cleared', async () => {
  await using receiver = await open()
  await receiver.deliver()

  receiver.path.clear()
  await receiver.deliver()

  expect(receiver.path.inbox.all()).toMatchObject([{ attempts: 1, duplicates: 0 }])
})

it('passes every request on with its bytes and headers, and answers as the application does', async () => {
  await using receiver = await open()
  await using app = await openApp((response, rawBody, request) => {
    verifyWebhook({ header: request.headers['svc-signature'], rawBody, secret: SECRET })
    response.writeHead(503).end('later')
  })
  const forwarding = receiver.path.forwardTo(app.url)

  const answer = await receiver.deliver({ headers: { 'x-trace': 'abc' } })
  await forwarding[Symbol.asyncDispose]()
  const afterwards = await receiver.deliver({ id: IDS[1] })

  expect([answer.status, afterwards.status]).toEqual([503, 200])
  expect(app.bodies.map(String)).toEqual([makeBody()])
  expect(app.requests[0]).toMatchObject({
    url: '/hooks?x=1',
    headers: { 'x-trace': 'abc', 'svc-event': 'task.created' },
  })
  expect(receiver.path.inbox.all()[0]).toMatchObject({ answered: 503, attempts: 1 })
})

it('passes on what it refuses too, so that a handler can prove that it refuses as well', async () => {
  await using receiver = await open()
  const verdicts: string[] = []
  await using app = await openApp((response, rawBody, request) => {
    try {
      verifyWebhook({ header: request.headers['svc-signature'], rawBody, secret: SECRET })
    } catch (error) {
      verdicts.push((error as { code: string }).code)
    }
    response.writeHead(401).end()
  })
  receiver.path.forwardTo(app.url)

  const answer = await receiver.deliver({ secret: 'another' })

  expect(answer.status).toBe(401)
  expect(verdicts).toEqual(['signature_mismatch'])
})

it('counts an application that cannot be reached as 502', async () => {
  await using receiver = await open()
  const app = await openApp((response) => response.end())
  await app[Symbol.asyncDispose]()
  receiver.path.forwardTo(app.url)

  expect(await receiver.deliver()).toMatchObject({ status: 502 })
  expect(() => receiver.path.forwardTo('ftp://127.0.0.1/')).toThrow(/^Expected `url` to be an http or https URL/)
})

it('counts an application that answers with a status outside of HTTP as 502', async () => {
  await using receiver = await open()
  await using app = await openApp((response) => response.writeHead(799).end())
  receiver.path.forwardTo(app.url)

  expect(await receiver.deliver()).toMatchObject({ status: 502 })
})

it('sends a webhook again: identical, signed anew, too old or tampered with', async () => {
  await using receiver = await open()
  const verdicts: string[] = []
  await using app = await openApp((response, rawBody, request) => {
    try {
      verifyWebhook({ header: request.headers['svc-signature'], rawBody, secret: SECRET })
      verdicts.push('verified')
    } catch (error) {
      verdicts.push((error as { code: string }).code)
    }
    JSON.parse(rawBody.toString())
    response.writeHead(202, { 'x-app': 'yes' }).end('thanks')
  })
  await receiver.deliver({ t: Math.floor(Date.now() / 1_000) - 100 })
  const [webhook] = receiver.path.inbox.all()
  if (!webhook) throw new Error('nothing was received')

  const answers = []
  for (const as of [undefined, 'identical', 'resigned', 'stale', 'tampered'] as const) {
    answers.push(await receiver.path.replay(webhook, as ? { to: app.url, as } : { to: app.url }))
  }

  expect(verdicts).toEqual(['verified', 'verified', 'verified', 'timestamp_out_of_tolerance', 'signature_mismatch'])
  expect(await answers[0]?.text()).toBe('thanks')
  expect(answers[0]).toMatchObject({ status: 202 })
  expect(answers[0]?.headers.get('x-app')).toBe('yes')
  expect(app.bodies.slice(0, 4).map(String)).toEqual(Array(4).fill(makeBody()))
  expect(app.requests[0]?.headers['svc-signature']).toBe(webhook.headers['svc-signature'])
  expect(app.requests[2]?.headers['svc-signature']).not.toBe(webhook.headers['svc-signature'])
})

it('says what it could not replay to', async () => {
  await using receiver = await open()
  const app = await openApp((response) => response.end())
  await app[Symbol.asyncDispose]()
  await receiver.deliver()
  const [webhook] = receiver.path.inbox.all()

  const replaying = receiver.path.replay(webhook as never, { to: app.url })

  await expect(replaying).rejects.toThrow(/^Failed to replay webhook "0f9c.*" to http:.*ECONNREFUSED/)
})

it('puts entries of the event feed in the inbox, signed by itself, for handlers that verify', async () => {
  await using receiver = await open()
  await using app = await openApp((response, rawBody, request) => {
    verifyWebhook({ header: request.headers['svc-signature'], rawBody, secret: receiver.path.localSecret })
    response.end()
  })
  receiver.path.forwardTo(app.url)

  const webhook = await receiver.path.addFeedEntry(JSON.parse(makeBody()))

  expect(webhook).toMatchObject({ source: 'feed', verified: false, type: 'task.created', data: { id: 't_1' } })
  expect(receiver.path.inbox.all()).toEqual([webhook])
  expect(app.bodies.map(String)).toEqual([makeBody()])
})

it('serves plain HTTP where TLS ends before it', async () => {
  await using sink = await startSink({ tls: 'terminated-upstream', publicUrl: 'https://hooks.example.org/base/' })
  const path = sink.open()
  path.trust({ webhookId: 'webhook-1', secret: SECRET })
  const { headers, body } = makeDelivery()

  const answer = await fetch(`http://127.0.0.1:${sink.port}${new URL(path.url).pathname}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
  })

  expect(path.url).toMatch(/^https:\/\/hooks\.example\.org\/base\/h\/[0-9a-f]{32}$/)
  expect(answer.status).toBe(200)
  expect(await sink.ca()).toBeUndefined()
})

it('receives deliveries through the TLS of a proxy', async () => {
  const certificate = await createCertificate()
  await using sink = await startSink({ tls: 'terminated-upstream' })
  const proxy = createTlsServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    socket.pipe(connectPlain(sink.port, sink.ip)).pipe(socket)
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  await using sender = openWebhooks({ allow: [{ port, ca: certificate.ca }] })
  const path = sink.open()
  const url = `https://127.0.0.1:${port}${new URL(path.url).pathname}`
  const webhook = await sender.webhooks.register({ url, events: ['*'] })
  path.trust({ webhookId: webhook.id, secret: webhook.secret })

  sender.webhooks.enqueue(makeEvent(1))
  await sender.webhooks.settled(120_000)

  expect(path.inbox.all()).toMatchObject([{ data: { id: 't_1' }, verified: true }])
  await sender.webhooks.dispatcher.close()
  proxy.close()
})

it('finds out early what is wrong with its public address', async () => {
  await using stranger = await openApp((response) => response.end('hello'))
  const origin = new URL(stranger.url).origin
  await using good = await startSink({ tls: 'terminated-upstream' })
  await using foreign = await startSink({ publicUrl: origin })
  await using untrusted = await startSink()
  const gone = await openApp((response) => response.end())
  await gone[Symbol.asyncDispose]()
  await using down = await startSink({ publicUrl: new URL(gone.url).origin })

  await expect(good.checkPublicUrl()).resolves.toBeUndefined()
  await expect(foreign.checkPublicUrl()).rejects.toThrow(/something else answers there, with status 200/)
  await expect(untrusted.checkPublicUrl()).rejects.toThrow(/its certificate was refused/)
  await expect(down.checkPublicUrl()).rejects.toThrow(/^Failed to reach the sink .* the connection was refused/)
})

it('closes at once with hung requests, idle TLS connections and connections before TLS', async () => {
  const receiver = await open()
  receiver.path.respond({ hang: true })
  await receiver.sink.ca()
  const silent = connectPlain(receiver.sink.port, receiver.sink.ip)
  await once(silent, 'connect')
  const idle = await connectToSink(receiver.sink)
  const half = await connectToSink(receiver.sink)
  half.write('POST /h HTTP/1.1\r\nHost')
  const hung = receiver.deliver().catch((error: Error) => error)
  const waiting = receiver.path.inbox.waitFor({ matches: () => false }, { timeoutMs: 60_000 })
  await receiver.path.inbox.waitFor({ matches: () => true, claim: false }, { timeoutMs: 120_000 })
  const ended = [once(silent, 'close'), readAll(idle), readAll(half)]
  silent.on('error', () => undefined).resume()

  await receiver.sink.close()

  await Promise.all(ended)
  expect(await hung).toBeInstanceOf(Error)
  expect(await waiting).toBeUndefined()
  await expect(receiver.deliver()).rejects.toThrow(/ECONNREFUSED/)
})

it('answers a POST that announces no body', async () => {
  await using receiver = await open()
  const socket = await connectToSink(receiver.sink)

  socket.write(
    `POST ${receiver.target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`,
  )

  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 401 /)
  expect(receiver.path.inbox.rejected()).toMatchObject([{ reason: 'signature_missing' }])
})

it('says what is wrong with an address to listen on', async () => {
  await expect(startSink({ listen: 'nonsense' })).rejects.toThrow('Expected `listen` to be host:port, got nonsense.')
  await using sink = await startSink({ listen: '127.0.0.1:0' })
  await expect(startSink({ listen: `127.0.0.1:${sink.port}` })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

it('listens on IPv6 too', async () => {
  await using sink = await startSink({ listen: '[::1]:0' })

  expect(sink.url).toBe(`https://[::1]:${sink.port}`)
  expect(await callSink(sink, { path: '/nothing' })).toMatchObject({ status: 404 })
})
