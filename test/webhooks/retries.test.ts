import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { openTlsEndpoint, type TlsEndpointOptions } from '../support/tls-endpoint.ts'
import { HandTimers, makeEvent, openWebhooks } from './open-webhooks.ts'

const LADDER_SECONDS = [60, 5 * 60, 30 * 60, 2 * 3_600, 12 * 3_600]

/** One webhook for everything, at an endpoint that answers as asked. */
async function open(answer?: TlsEndpointOptions['answer'], events = ['*']) {
  const endpoint = await openTlsEndpoint(answer ? { answer } : {})
  const { webhooks, reachable } = openWebhooks({ allow: [endpoint] })
  const webhook = await webhooks.register({ url: endpoint.url, events })
  return {
    endpoint,
    webhooks,
    reachable,
    webhook,
    deliveries: () => webhooks.deliveries(webhook.id),
    state: () => webhooks.states()[0],
    [Symbol.asyncDispose]: async () => {
      await webhooks.dispatcher.close()
      await endpoint[Symbol.asyncDispose]()
    },
  }
}

it('climbs the six attempts of the retry table at exactly their times, then fails the delivery', async () => {
  await using sender = await open((response) => response.writeHead(500).end())
  sender.webhooks.enqueue(makeEvent(1))
  await sender.webhooks.settled(120_000)

  for (const [step, seconds] of LADDER_SECONDS.entries()) {
    expect(await sender.webhooks.advance({ seconds: seconds - 1 })).toEqual({ attempts: 0 })
    expect(sender.deliveries()).toMatchObject([{ state: 'retrying', attempts: { length: step + 1 } }])
    expect(await sender.webhooks.advance({ seconds: 1 })).toEqual({ attempts: 1 })
  }

  expect(sender.deliveries()).toMatchObject([{ state: 'failed', attempts: { length: 6 }, nextAttemptAt: null }])
  expect(await sender.webhooks.advance({ seconds: 30 * 24 * 3_600 })).toEqual({ attempts: 0 })
  expect(new Set(sender.endpoint.requests.map(({ headers }) => headers['svc-delivery'])).size).toBe(1)
  expect(new Set(sender.endpoint.requests.map(({ body }) => body.toString())).size).toBe(1)
})

it('runs the whole ladder in one advance, each attempt due at its own time', async () => {
  await using sender = await open((response) => response.writeHead(503).end())
  sender.webhooks.enqueue(makeEvent(1))

  const { attempts } = await sender.webhooks.advance({
    seconds: LADDER_SECONDS.reduce((sum, seconds) => sum + seconds),
  })

  expect(attempts).toBe(5)
  expect(sender.deliveries()).toMatchObject([{ state: 'failed' }])
})

it('delivers on the attempt at which the endpoint has recovered', async () => {
  await using sender = await open((response, _request, count) => response.writeHead(count < 3 ? 500 : 202).end())
  sender.webhooks.enqueue(makeEvent(1))

  const { attempts } = await sender.webhooks.advance({ until: 'drained' })

  expect(attempts).toBe(2)
  expect(sender.deliveries()).toMatchObject([
    { state: 'delivered', attempts: [{ status: 500 }, { status: 500 }, { status: 202, error: null }] },
  ])
})

it('signs each attempt anew at its real time', async () => {
  let now = 1_800_000_000_000
  const endpoint = await openTlsEndpoint({ answer: (response) => response.writeHead(500).end() })
  await using sender = openWebhooks({ allow: [endpoint], runtime: { clock: { ...systemClock, now: () => now } } })
  await sender.webhooks.register({ url: endpoint.url, events: ['*'] })
  sender.webhooks.enqueue(makeEvent(1))
  await sender.webhooks.settled(120_000)
  now += 7_000
  await sender.webhooks.advance({ seconds: 60 })

  const times = endpoint.requests.map(({ headers }) => headers['svc-signature']?.split(',')[0])
  expect(times).toEqual(['t=1800000000', 't=1800000007'])
  await endpoint[Symbol.asyncDispose]()
})

it('runs one retry at a time when asked to', async () => {
  await using sender = await open((response) => response.writeHead(500).end())
  sender.webhooks.enqueue(makeEvent(1))
  await sender.webhooks.advance({ seconds: 30 })
  sender.webhooks.enqueue(makeEvent(2))
  await sender.webhooks.settled(120_000)

  expect(await sender.webhooks.advance({ until: 'next' })).toEqual({ attempts: 1 })
  expect(sender.deliveries().map(({ attempts }) => attempts.length)).toEqual([2, 1])
  expect(await sender.webhooks.advance({ until: 'next' })).toEqual({ attempts: 1 })
  expect(sender.deliveries().map(({ attempts }) => attempts.length)).toEqual([2, 2])
})

it('switches an endpoint off after 50 failed deliveries in a row, and sends nothing until it is enabled', async () => {
  let status = 500
  await using sender = await open((response) => response.writeHead(status).end())
  for (let index = 0; index < 52; index++) sender.webhooks.enqueue(makeEvent(index))
  await sender.webhooks.advance({ until: 'drained' })

  expect(sender.state()).toMatchObject({ state: 'off', failures: 50 })
  expect(sender.deliveries().filter(({ state }) => state === 'failed')).toHaveLength(50)
  expect(sender.deliveries().filter(({ state }) => state === 'held')).toHaveLength(2)
  const sent = sender.endpoint.requests.length
  sender.webhooks.enqueue(makeEvent(99))
  expect(await sender.webhooks.advance({ seconds: 24 * 3_600 })).toEqual({ attempts: 0 })
  expect(sender.endpoint.requests.length).toBe(sent)

  status = 200
  sender.webhooks.enable(sender.webhook.id)
  await sender.webhooks.settled(120_000)

  expect(sender.state()).toMatchObject({ state: 'active', failures: 0 })
  expect(sender.deliveries().filter(({ state }) => state === 'delivered')).toHaveLength(2)
  expect(sender.endpoint.requests.length).toBe(sent + 2)
})

it('counts failed deliveries in a row: one that is delivered begins the count anew', async () => {
  await using sender = await open((response, { body }) => response.writeHead(body.includes('"t_49"') ? 200 : 500).end())
  for (let index = 0; index < 49; index++) sender.webhooks.enqueue(makeEvent(index))
  await sender.webhooks.advance({ until: 'drained' })
  expect(sender.state()).toMatchObject({ state: 'active', failures: 49 })

  sender.webhooks.enqueue(makeEvent(49))
  await sender.webhooks.settled(120_000)
  sender.webhooks.enqueue(makeEvent(50))
  await sender.webhooks.advance({ until: 'drained' })

  expect(sender.state()).toMatchObject({ state: 'active', failures: 1 })
})

it('sends first attempts in the order of the events, and a failed one does not hold up the next', async () => {
  await using sender = await open((response, _request, count) => response.writeHead(count === 2 ? 500 : 200).end())
  for (const index of [1, 2, 3, 4]) sender.webhooks.enqueue(makeEvent(index))

  await sender.webhooks.settled(120_000)

  expect(sender.endpoint.requests.map(({ body }) => JSON.parse(body.toString()).data.id)).toEqual([
    't_1',
    't_2',
    't_3',
    't_4',
  ])
  expect(sender.deliveries().map(({ state }) => state)).toEqual(['delivered', 'retrying', 'delivered', 'delivered'])
  expect(sender.endpoint.connections).toBe(1)
})

it('delivers an event once to a webhook whose filters overlap, and only the kinds that it asked for', async () => {
  await using sender = await open(undefined, ['task.*', 'task.created', 'other'])
  sender.webhooks.enqueue(makeEvent(1))
  sender.webhooks.enqueue(makeEvent(2, { type: 'tasks.created' }))
  sender.webhooks.enqueue(makeEvent(3, { type: 'task.updated' }))

  await sender.webhooks.settled(120_000)

  expect(sender.endpoint.requests.map(({ headers }) => headers['svc-event'])).toEqual(['task.created', 'task.updated'])
})

it('keeps the latest 1000 deliveries of a webhook', async () => {
  await using sender = await open()
  for (let index = 0; index < 1_010; index++) sender.webhooks.enqueue(makeEvent(index))

  await sender.webhooks.settled(120_000)

  expect(sender.endpoint.requests).toHaveLength(1_010)
  expect(sender.deliveries()).toHaveLength(1_000)
  expect(sender.deliveries()[0]?.event.recordId).toBe('t_10')
})

it('forgets what waits when the world is reset, and delivers what comes after', async () => {
  await using sender = await open((response, _request, count) => response.writeHead(count === 1 ? 500 : 200).end())
  sender.webhooks.enqueue(makeEvent(1))
  await sender.webhooks.settled(120_000)

  sender.webhooks.dispatcher.dropWaiting()
  sender.webhooks.enqueue(makeEvent(2))
  await sender.webhooks.advance({ until: 'drained' })

  expect(sender.deliveries()).toMatchObject([{ event: { recordId: 't_2' }, state: 'delivered' }])
  expect(sender.endpoint.requests).toHaveLength(2)
})

it('removes a webhook with everything that waits for it', async () => {
  await using sender = await open((response) => response.writeHead(500).end())
  sender.webhooks.enqueue(makeEvent(1))
  await sender.webhooks.settled(120_000)

  sender.webhooks.remove(sender.webhook.id)

  expect(await sender.webhooks.advance({ until: 'drained' })).toEqual({ attempts: 0 })
  expect(sender.webhooks.list()).toEqual([])
  expect(() => sender.webhooks.deliveries(sender.webhook.id)).toThrow(/^No webhook "/)
  expect(() => sender.webhooks.enable(sender.webhook.id)).toThrow(expect.objectContaining({ status: 404 }))
})

it('takes a name whose DNS does not answer within two seconds', async () => {
  const rung: number[] = []
  const startTimer = (ms: number, run: () => void) => {
    rung.push(ms)
    queueMicrotask(run)
    return () => undefined
  }
  const sender = openWebhooks({ runtime: { startTimer, resolve: () => new Promise(() => undefined) } })

  const webhook = await sender.webhooks.register({ url: 'https://slow.example.org/', events: ['*'] })

  expect(webhook.secret).toMatch(/^whsec_[0-9a-f]{64}$/)
  expect(rung).toEqual([2_000])
})

it('says that deliveries are not settled while one is under way', async () => {
  const release = Promise.withResolvers<void>()
  await using sender = await open((response) => release.promise.then(() => response.end()))
  sender.webhooks.enqueue(makeEvent(1))
  await sender.endpoint.seen(1)

  expect(await sender.webhooks.settled(0)).toBe(false)
  release.resolve()
  expect(await sender.webhooks.settled(120_000)).toBe(true)
})

it('closes while an endpoint hangs, and leaves no connection', async () => {
  const sender = await open(() => undefined)
  sender.webhooks.enqueue(makeEvent(1))
  sender.webhooks.enqueue(makeEvent(2))
  await sender.endpoint.seen(1)

  await sender.webhooks.dispatcher.close()
  sender.webhooks.enqueue(makeEvent(3))

  expect(sender.endpoint.requests).toHaveLength(1)
  await sender.endpoint[Symbol.asyncDispose]()
})

it('runs retries by a timer in real time', async () => {
  const timers = new HandTimers()
  let now = 1_800_000_000_000
  const clock = { ...systemClock, now: () => now }
  await using endpoint = await openTlsEndpoint({
    answer: (response, _request, count) => response.writeHead(count === 1 ? 500 : 200).end(),
  })
  await using sender = openWebhooks({ allow: [endpoint], runtime: { clock, startTimer: timers.startTimer } })
  const { id } = await sender.webhooks.register({ url: endpoint.url, events: ['*'] })
  sender.webhooks.enqueue(makeEvent(1))
  await endpoint.seen(1)
  await sender.webhooks.settled(120_000)

  expect(sender.webhooks.deliveries(id)[0]?.nextAttemptAt).toBe(new Date(now + 60_000).toISOString())
  expect(timers.count(60_000)).toBe(1)
  now += 60_000
  timers.ring(60_000)
  await endpoint.seen(2)
  await sender.webhooks.settled(120_000)

  expect(sender.webhooks.deliveries(id)).toMatchObject([{ state: 'delivered', attempts: { length: 2 } }])
})

it('retries four at a time, so that one hung retry does not hold up the others', async () => {
  const hung: (() => void)[] = []
  let isRecovered = false
  await using sender = await open((response) => {
    if (!isRecovered) response.writeHead(500).end()
    else hung.push(() => response.end())
  })
  for (let index = 0; index < 6; index++) sender.webhooks.enqueue(makeEvent(index))
  await sender.webhooks.settled(120_000)
  for (let index = 100; index < 149; index++) sender.webhooks.enqueue(makeEvent(index))
  await sender.webhooks.advance({ until: 'drained' })
  expect(sender.state()?.state).toBe('off')

  isRecovered = true
  const sent = sender.endpoint.requests.length
  sender.webhooks.enable(sender.webhook.id)
  await sender.endpoint.seen(sent + 4)

  expect(hung).toHaveLength(4)
  hung.shift()?.()
  await sender.endpoint.seen(sent + 5)
  isRecovered = false
  for (const release of hung) release()
})

it('counts an attempt that cannot be signed as failed, and closes', async () => {
  const endpoint = await openTlsEndpoint()
  const clock = { ...systemClock, now: () => 500 }
  const { webhooks } = openWebhooks({ allow: [endpoint], runtime: { clock } })
  const { id } = await webhooks.register({ url: endpoint.url, events: ['*'] })
  webhooks.enqueue(makeEvent(1))

  await webhooks.settled(120_000)

  expect(webhooks.deliveries(id)).toMatchObject([
    { state: 'retrying', attempts: [{ error: expect.stringContaining('internal error: ') }] },
  ])
  await webhooks.dispatcher.close()
  await endpoint[Symbol.asyncDispose]()
})
