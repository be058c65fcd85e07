import { afterEach, expect, it, vi } from 'vitest'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { makeEvent, openWebhooks } from './open-webhooks.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('delivers again and again while a suite fakes its timers and its clock', async () => {
  await using sink = await startSink()
  const path = sink.open()
  await using open = openWebhooks({ allow: [{ port: sink.port, ca: (await sink.ca()) ?? '' }] })
  const webhook = await open.webhooks.register({ url: path.url, events: ['*'] })
  path.trust({ webhookId: webhook.id, secret: webhook.secret })
  open.webhooks.enqueue(makeEvent(1))
  await open.webhooks.settled(120_000)

  vi.useFakeTimers({ now: 0 })
  for (const index of [2, 3, 4]) {
    open.webhooks.enqueue(makeEvent(index))
    const arrived = await path.inbox.waitFor(
      { matches: ({ data }) => data.id === `t_${index}` },
      { timeoutMs: 120_000 },
    )
    expect(arrived).toHaveLength(1)
  }
  path.respond({ status: 500, times: 1 })
  open.webhooks.enqueue(makeEvent(5))
  await open.webhooks.settled(120_000)
  expect(await open.webhooks.advance({ seconds: 60 })).toEqual({ attempts: 1 })
  vi.useRealTimers()
  open.webhooks.enqueue(makeEvent(6))
  await open.webhooks.settled(120_000)

  expect(open.webhooks.deliveries(webhook.id).map(({ state }) => state)).toEqual(Array(6).fill('delivered'))
  expect(path.inbox.rejected()).toEqual([])
})
