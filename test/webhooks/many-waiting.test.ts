import { expect, it } from 'vitest'
import { nextTurn } from '../../src/runtime/timers.ts'
import { openSimulation } from '../simulation/open-simulation.ts'
import { openTlsEndpoint } from '../support/tls-endpoint.ts'
import { makeEvent, openWebhooks } from './open-webhooks.ts'

const REASON =
  'The last ten attempts at this endpoint have failed, and 10,000 deliveries wait for it already. Repair it, and make the change again.'

/** A webhook at a name that never resolves, so that each attempt fails at once. */
async function openNowhere() {
  const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND hooks.example.com'))
  const open = openWebhooks({ runtime: { resolve } })
  const webhook = await open.webhooks.register({ url: 'https://hooks.example.com/in', events: ['*'] })
  return { ...open, webhook }
}

it('lets 10,000 deliveries wait for a failing endpoint, and records later ones as dropped', async () => {
  await using sender = await openNowhere()
  const { webhooks, webhook } = sender
  for (let index = 0; index < 20; index++) webhooks.enqueue(makeEvent(index))
  await webhooks.settled(120_000)

  for (let index = 20; index < 10_050; index++) webhooks.enqueue(makeEvent(index))
  const listed = webhooks.deliveries(webhook.id)

  expect(webhooks.dropped).toBe(50)
  expect(listed).toHaveLength(1_000)
  expect(listed.filter(({ state }) => state === 'pending')).toHaveLength(950)
  expect(listed.slice(-50)).toEqual(
    Array.from({ length: 50 }, (_, at) => ({
      id: expect.any(String),
      event: expect.objectContaining({ recordId: `t_${10_000 + at}` }),
      state: 'dropped',
      attempts: [],
      nextAttemptAt: null,
      reason: REASON,
    })),
  )
})

it('drops what is too much once ten attempts have failed, the oldest stay', async () => {
  await using sender = await openNowhere()
  const { webhooks, webhook } = sender

  for (let index = 0; index < 12_000; index++) webhooks.enqueue(makeEvent(index))
  const atFirst = webhooks.dropped
  await expect.poll(() => webhooks.dropped).toBe(2_000)

  expect(atFirst).toBe(0)
  expect(webhooks.deliveries(webhook.id).at(-1)).toMatchObject({ state: 'dropped', event: { recordId: 't_11999' } })
})

it('loses nothing of a healthy endpoint, however much waits for it', async () => {
  await using endpoint = await openTlsEndpoint()
  await using open = openWebhooks({ allow: [endpoint] })
  const { webhooks } = open
  await webhooks.register({ url: endpoint.url, events: ['*'] })

  for (let index = 0; index < 11_000; index++) webhooks.enqueue(makeEvent(index))
  await webhooks.settled(120_000)

  expect(webhooks.dropped).toBe(0)
  expect(endpoint.requests).toHaveLength(11_000)
})

it('composes an event when its turn comes, once for all webhooks and attempts', async () => {
  await using endpoint = await openTlsEndpoint({
    answer: (response, _request, count) => response.writeHead(count < 3 ? 500 : 200).end(),
  })
  await using open = openWebhooks({ allow: [endpoint] })
  const { webhooks } = open
  for (const url of [endpoint.url, `${endpoint.url}?second`]) await webhooks.register({ url, events: ['*'] })
  let composed = 0
  const compose = () => {
    composed++
    return makeEvent(1)
  }

  webhooks.enqueue({ type: 'task.created', collection: 'tasks', verb: 'created', compose })
  const atFirst = composed
  await webhooks.advance({ until: 'drained' })

  expect([atFirst, composed]).toEqual([0, 1])
  expect(new Set(endpoint.requests.map(({ body }) => body.toString())).size).toBe(1)
})

it('gives way to everything else between attempts that fail at once', async () => {
  await using sender = await openNowhere()
  const { webhooks, webhook } = sender
  for (let index = 0; index < 500; index++) webhooks.enqueue(makeEvent(index))

  let turns = 0
  for (; webhooks.deliveries(webhook.id).some(({ state }) => state === 'pending'); turns++) await nextTurn()

  expect(turns).toBeGreaterThanOrEqual(500)
})

it('says over HTTP how many deliveries were dropped', async () => {
  const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND hooks.example.com'))
  await using simulation = await openSimulation(
    { library: 'task-tracker', volume: { tasks: 3_000 } },
    { runtime: { resolve } },
  )
  await simulation.manage('POST', '/webhooks', { url: 'https://hooks.example.com/in', events: ['*'] })
  const rules = [{ everySeconds: 900, steps: [{ kind: 'touch', collection: 'tasks', count: 3_000 }] }]
  await simulation.manage('PUT', '/behaviour', { rules })

  await simulation.manage('POST', '/fast-forward', { hours: 1 })
  const settled = () => simulation.manage<{ dropped: number }>('GET', '/deliveries/settled?timeoutMs=0')

  await expect.poll(async () => (await settled()).body.dropped).toBe(2_000)
})
