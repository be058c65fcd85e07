import { expect, it } from 'vitest'
import type { NewWebhookFault } from '../../src/protocol/webhook.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { makeEvent, openWebhooks } from './open-webhooks.ts'

/** A webhook for everything, at a real sink that verifies. */
async function open(fault: NewWebhookFault) {
  const sink = await startSink()
  const path = sink.open()
  const { webhooks } = openWebhooks({ allow: [{ port: sink.port, ca: (await sink.ca()) ?? '' }] })
  const webhook = await webhooks.register({ url: path.url, events: ['*'] })
  path.trust({ webhookId: webhook.id, secret: webhook.secret })
  const { id } = webhooks.addFault(fault)
  return {
    webhooks,
    path,
    deliveries: () => webhooks.deliveries(webhook.id),
    firings: () => webhooks.faults().find((other) => other.id === id)?.firings ?? [],
    received: () => path.inbox.all().map(({ data }) => data.id),
    removeFault: () => webhooks.removeFault(id),
    async send(...indexes: number[]) {
      for (const index of indexes) webhooks.enqueue(makeEvent(index))
      await webhooks.settled(120_000)
    },
    [Symbol.asyncDispose]: async () => {
      await webhooks.dispatcher.close()
      await sink.close()
    },
  }
}

it('delays a delivery on the delivery clock', async () => {
  await using sender = await open({ kind: 'delay', seconds: 90, times: 1 })

  await sender.send(1, 2)

  expect(sender.received()).toEqual(['t_2'])
  expect(await sender.webhooks.advance({ seconds: 89 })).toEqual({ attempts: 0 })
  expect(await sender.webhooks.advance({ seconds: 1 })).toEqual({ attempts: 1 })
  expect(sender.received()).toEqual(['t_2', 't_1'])
})

it('sends a delivery again after it was delivered', async () => {
  await using sender = await open({ kind: 'duplicate', times: 1 })

  await sender.send(1, 2)

  expect(sender.path.inbox.all()).toMatchObject([
    { data: { id: 't_1' }, attempts: 2, duplicates: 1 },
    { data: { id: 't_2' }, attempts: 1, duplicates: 0 },
  ])
  expect(sender.deliveries()).toMatchObject([{ state: 'delivered', attempts: { length: 2 } }, { state: 'delivered' }])
})

it('loses a delivery without a trace at the endpoint', async () => {
  await using sender = await open({ kind: 'drop', events: 'task.updated' })

  sender.webhooks.enqueue(makeEvent(1, { type: 'task.updated' }))
  await sender.send(2)

  expect(sender.received()).toEqual(['t_2'])
  expect(sender.deliveries()).toMatchObject([{ state: 'failed', attempts: [] }, { state: 'delivered' }])
  expect(sender.webhooks.states()).toMatchObject([{ failures: 0 }])
})

it('lets the next event overtake', async () => {
  await using sender = await open({ kind: 'reorder', times: 1 })

  await sender.send(1, 2, 3)

  expect(sender.received()).toEqual(['t_2', 't_1', 't_3'])
})

it('sends an overtaken event by itself when none follows', async () => {
  await using sender = await open({ kind: 'reorder', seconds: 2 })

  await sender.send(1)
  expect(sender.received()).toEqual([])
  await sender.webhooks.advance({ seconds: 2 })

  expect(sender.received()).toEqual(['t_1'])
})

it.each([
  ['badSignature', 'signature_mismatch'],
  ['alteredPayload', 'signature_mismatch'],
  ['staleTimestamp', 'timestamp_out_of_tolerance'],
] as const)('spoils one attempt with %s, which the sink refuses, and delivers the retry', async (kind, reason) => {
  await using sender = await open({ kind, times: 1 })

  await sender.send(1)
  expect(sender.received()).toEqual([])
  await sender.webhooks.advance({ seconds: 60 })

  expect(sender.path.inbox.rejected()).toMatchObject([{ reason, status: 401 }])
  expect(sender.received()).toEqual(['t_1'])
  expect(sender.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ status: 401 }, { status: 200 }] }])
})

it('alters a payload so that it is still JSON of the same shape', async () => {
  await using sender = await open({ kind: 'alteredPayload', times: 1 })

  await sender.send(1)

  const [rejected] = sender.path.inbox.rejected()
  const shape = (body: string) => JSON.parse(body.replace(/\d/g, '1'))
  expect(shape(rejected?.body ?? '')).toEqual(shape(JSON.stringify(makeEvent(1))))
})

it('draws a likelihood from its seed: the same events suffer again', async () => {
  const lost = []
  for (const seed of ['a', 'a', 'b']) {
    await using sender = await open({ kind: 'drop', probability: 0.5, seed })
    await sender.send(...Array.from({ length: 40 }, (_, index) => index))
    lost.push(sender.firings().map(({ eventId }) => eventId))
  }

  expect(lost[0]).toEqual(lost[1])
  expect(lost[0]).not.toEqual(lost[2])
  expect(lost[0]?.length).toBeGreaterThan(8)
  expect(lost[0]?.length).toBeLessThan(32)
})

it('records each firing and ends after so many times', async () => {
  await using sender = await open({ kind: 'badSignature', times: 2 })

  await sender.send(1)
  await sender.webhooks.advance({ until: 'drained' })

  const [delivery] = sender.deliveries()
  expect(sender.firings()).toMatchObject([
    { deliveryId: delivery?.id, eventId: makeEvent(1).id, attempt: 1 },
    { deliveryId: delivery?.id, attempt: 2 },
  ])
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([401, 401, 200])
})

it('stops with its removal', async () => {
  await using sender = await open({ kind: 'drop' })
  await sender.send(1)

  sender.removeFault()
  await sender.send(2)

  expect(sender.received()).toEqual(['t_2'])
  expect(() => sender.removeFault()).toThrow(/^No webhook fault "/)
})
