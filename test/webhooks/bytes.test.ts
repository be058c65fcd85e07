import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { openTlsEndpoint } from '../support/tls-endpoint.ts'
import { makeEvent, openWebhooks } from './open-webhooks.ts'

const OURS = ['content-type', 'user-agent', 'svc-event', 'svc-delivery', 'svc-signature']
const HTTP = ['host', 'connection', 'content-length']

it('sends the headers of the specification and no others', async () => {
  await using endpoint = await openTlsEndpoint()
  await using sender = openWebhooks({ allow: [endpoint] })
  const webhook = await sender.webhooks.register({ url: `${endpoint.url}?a=1&b=%20`, events: ['*'] })

  sender.webhooks.enqueue(makeEvent(1))
  await sender.webhooks.settled(120_000)

  const [request] = endpoint.requests
  expect(request).toMatchObject({ method: 'POST', url: '/hooks?a=1&b=%20' })
  expect(Object.keys(request?.headers ?? {}).toSorted()).toEqual([...OURS, ...HTTP].toSorted())
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Svc-Webhooks/1.0',
    'svc-event': 'task.created',
    'svc-delivery': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    'svc-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
  })
  const [, t, v1] = /^t=(\d+),v1=(.+)$/.exec(request?.headers['svc-signature'] ?? '') ?? []
  const signed = Buffer.concat([Buffer.from(`${t}.`), request?.body ?? Buffer.of()])
  expect(createHmac('sha256', webhook.secret).update(signed).digest('hex')).toBe(v1)
  expect(JSON.parse(request?.body.toString() ?? '')).toEqual(makeEvent(1))
})

it.each(['café.created', '任务.created', 'заказ.updated'])('names the kind %s in UTF-8', async (type) => {
  await using endpoint = await openTlsEndpoint()
  await using sender = openWebhooks({ allow: [endpoint] })
  await sender.webhooks.register({ url: endpoint.url, events: ['*'] })

  sender.webhooks.enqueue(makeEvent(1, { type }))
  await sender.webhooks.settled(120_000)

  expect(Buffer.from(endpoint.requests[0]?.headers['svc-event'] ?? '', 'latin1').toString()).toBe(type)
})

it('has every body verified by the stripe package, byte for byte, on every attempt', async () => {
  await using endpoint = await openTlsEndpoint({
    answer: (response, _request, count) => response.writeHead(count % 3 === 0 ? 500 : 200).end(),
  })
  await using sender = openWebhooks({ allow: [endpoint] })
  const { secret } = await sender.webhooks.register({ url: endpoint.url, events: ['*'] })
  const objects = fc.sample(
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<JsonObject>,
    300,
  )
  for (const [index, object] of objects.entries()) {
    sender.webhooks.enqueue(makeEvent(index, { data: { collection: 'tasks', id: `t_${index}`, object } }))
  }
  await sender.webhooks.advance({ until: 'drained' })

  expect(endpoint.requests.length).toBeGreaterThan(400)
  for (const { body, headers } of endpoint.requests) {
    const event = Stripe.webhooks.constructEvent(body, headers['svc-signature'] ?? '', secret)
    expect(event.type).toBe('task.created')
  }
})

it('serialises an event once for all webhooks and attempts, whatever happens to it meanwhile', async () => {
  await using endpoint = await openTlsEndpoint({
    answer: (response, _request, count) => response.writeHead(count < 3 ? 500 : 200).end(),
  })
  await using sender = openWebhooks({ allow: [endpoint] })
  for (const _ of [1, 2]) await sender.webhooks.register({ url: endpoint.url, events: ['*'] })
  const event = makeEvent(1)
  sender.webhooks.enqueue(event)
  await sender.webhooks.settled(120_000)

  event.data.object = { title: 'changed after the fact' }
  await sender.webhooks.advance({ until: 'drained' })

  expect(endpoint.requests).toHaveLength(4)
  expect(new Set(endpoint.requests.map(({ body }) => body.toString()))).toEqual(new Set([JSON.stringify(makeEvent(1))]))
})

it('delivers a body of 5 MiB and one with every awkward character unharmed', async () => {
  await using endpoint = await openTlsEndpoint()
  await using sender = openWebhooks({ allow: [endpoint] })
  await sender.webhooks.register({ url: endpoint.url, events: ['*'] })
  const objects = [
    { text: 'é'.repeat(2.6 * 1024 * 1024) },
    { text: '\u2028\u2029\u0000\uFEFF😀"\\\u007f', '\u2028': null },
  ]

  for (const [index, object] of objects.entries()) {
    sender.webhooks.enqueue(makeEvent(index, { data: { collection: 'tasks', id: 't', object } }))
  }
  await sender.webhooks.settled(120_000)

  expect(endpoint.requests[0]?.body.length).toBeGreaterThan(5 * 1024 * 1024)
  expect(endpoint.requests.map(({ body }) => JSON.parse(body.toString()).data.object)).toEqual(objects)
})

it('gives a delivery an id that follows from its webhook and its event', async () => {
  const ids = []
  for (const _ of [1, 2]) {
    await using endpoint = await openTlsEndpoint()
    const uuid = () => '3d594650-3436-4b12-8f2e-5f3c7a3a1d11'
    await using sender = openWebhooks({ allow: [endpoint], runtime: { ...systemRuntime, uuid } })
    await sender.webhooks.register({ url: endpoint.url, events: ['*'] })
    sender.webhooks.enqueue(makeEvent(1))
    await sender.webhooks.settled(120_000)
    ids.push(endpoint.requests[0]?.headers['svc-delivery'])
  }

  expect(ids[0]).toBe(ids[1])
})
