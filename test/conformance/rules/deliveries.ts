import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { CreatedSimulation } from '../../../src/protocol/simulation.ts'
import type { Caller } from '../caller.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import type { Section } from '../rule.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

interface Stage {
  simulation: CreatedSimulation
  receiver: Receiver
  secret: string
  webhookId: string
  part: string
  /** Makes an event. */
  addTask: () => Promise<Record<string, unknown>>
}

/** A simulation whose events reach a receiver of this test. */
async function onStage(caller: Caller, events: string[], test: (stage: Stage) => Promise<void>): Promise<void> {
  const receiver = await startReceiver()
  const withdraw = caller.target.exemptSink?.(receiver.sink)
  try {
    const simulation = await caller.create()
    const part = `/v1/simulations/${simulation.id}`
    const { body } = await caller.call('POST', `${part}/webhooks`, { body: { url: receiver.url, events } })
    await test({
      simulation,
      receiver,
      part,
      secret: body.secret,
      webhookId: body.id,
      addTask: async () => (await caller.use(simulation, 'POST', '/tasks', { title: 'New', status: 'open' })).body,
    })
  } finally {
    withdraw?.()
    await receiver.close()
  }
}

/** Specification, Events: delivery request, signature, retries. */
export const deliveries: Section = {
  title: 'Webhook deliveries',
  declare: (rule) => {
    rule(
      'a delivery is a POST with the five headers of the specification',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask }) => {
          await addTask()
          const [delivery] = await receiver.count(1)

          expect(delivery?.method).toBe('POST')
          expect(delivery?.headers).toMatchObject({
            'content-type': 'application/json',
            'user-agent': 'Svc-Webhooks/1.0',
            'svc-event': 'task.created',
            'svc-delivery': expect.stringMatching(UUID),
            'svc-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
          })
        })
      },
      'sink',
    )

    rule(
      'the body has id, type, created and data with collection, id and object',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part }) => {
          const task = await addTask()
          const [delivery] = await receiver.count(1)
          const body = JSON.parse(delivery?.body.toString() ?? '')
          const [event] = (await caller.call('GET', `${part}/events`)).body.data

          expect(body).toEqual({
            id: expect.stringMatching(UUID),
            type: 'task.created',
            created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            data: { collection: 'tasks', id: task.id, object: task },
          })
          expect({ ...body, cause: 'request' }).toEqual(event)
        })
      },
      'sink',
    )

    rule(
      'data.object may be null on deletes; data.id names the record',
      async (caller) => {
        await onStage(caller, ['task.deleted'], async ({ receiver, addTask, simulation }) => {
          const { id } = await addTask()
          await caller.use(simulation, 'DELETE', `/tasks/${id}`)
          const [delivery] = await receiver.count(1)

          expect(JSON.parse(delivery?.body.toString() ?? '').data).toEqual({ collection: 'tasks', id, object: null })
        })
      },
      'sink',
    )

    rule(
      'v1 is the HMAC-SHA256 of <t>.<raw body> with the secret as key, and t is the present',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, secret }) => {
          const before = Math.floor(Date.now() / 1_000)
          await addTask()
          const [delivery] = await receiver.count(1)
          const [, t = '', v1] = /^t=(\d+),v1=(.*)$/.exec(String(delivery?.headers['svc-signature'])) ?? []

          const expected = createHmac('sha256', secret)
            .update(`${t}.`)
            .update(delivery?.body ?? '')
            .digest('hex')
          expect(v1).toBe(expected)
          expect(Number(t)).toBeGreaterThanOrEqual(before)
        })
      },
      'sink',
    )

    rule(
      'an exact name, a prefix and * pass what they say and nothing else',
      async (caller) => {
        for (const [filter, types] of [
          ['task.updated', ['task.updated']],
          ['task.*', ['task.created', 'task.updated']],
          ['*', ['task.created', 'task.updated']],
          ['chore.*', []],
        ] as [string, string[]][]) {
          await onStage(caller, [filter], async ({ receiver, addTask, simulation, part }) => {
            const { id } = await addTask()
            await caller.use(simulation, 'PATCH', `/tasks/${id}`, { status: 'done' })
            await caller.call('GET', `${part}/deliveries/settled`)

            expect(receiver.delivered.map(({ headers }) => headers['svc-event'])).toEqual(types)
          })
        }
      },
      'sink',
      'extensions',
    )

    rule(
      'filters that overlap in one webhook give one delivery',
      async (caller) => {
        await onStage(caller, ['task.created', 'task.*', '*'], async ({ receiver, addTask, part }) => {
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)

          expect(receiver.delivered).toHaveLength(1)
        })
      },
      'sink',
      'extensions',
    )

    rule(
      'any 2xx is a success',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part, webhookId }) => {
          receiver.answers = [204]
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)

          const { data } = (await caller.call('GET', `${part}/webhooks/${webhookId}/deliveries`)).body
          expect(data).toMatchObject([{ state: 'delivered', nextAttemptAt: null, attempts: [{ status: 204 }] }])
        })
      },
      'sink',
      'extensions',
    )

    rule(
      'a redirect is not followed: it is a failure like any other non-2xx',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part, webhookId }) => {
          receiver.answers = [302]
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)

          const { data } = (await caller.call('GET', `${part}/webhooks/${webhookId}/deliveries`)).body
          expect(receiver.delivered).toHaveLength(1)
          expect(data).toMatchObject([{ state: 'retrying', attempts: [{ status: 302 }] }])
        })
      },
      'sink',
      'extensions',
    )

    rule(
      'a connection error is retried',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part }) => {
          receiver.answers = ['close', 200]
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)

          await caller.call('POST', `${part}/deliveries/advance`, { body: { seconds: 60 } })

          expect(receiver.delivered).toHaveLength(2)
        })
      },
      'sink',
      'extensions',
    )

    rule(
      'attempts follow after 1 minute, 5 minutes, 30 minutes, 2 hours and 12 hours, then the delivery has failed',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part, webhookId }) => {
          const advance = (seconds: number) =>
            caller.call('POST', `${part}/deliveries/advance`, { body: { seconds } }).then(({ body }) => body.attempts)
          receiver.answers = [500]
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)

          const attempts: number[][] = []
          // The clock goes with real time too, of which two calls take seconds where the machine has much to do.
          for (const delay of [60, 300, 1_800, 7_200, 43_200])
            attempts.push([await advance(delay - 10), await advance(10)])
          const more = await advance(30 * 24 * 3_600)
          const { data } = (await caller.call('GET', `${part}/webhooks/${webhookId}/deliveries`)).body

          expect(attempts).toEqual(Array(5).fill([0, 1]))
          expect([more, receiver.delivered.length]).toEqual([0, 6])
          expect(data).toMatchObject([{ state: 'failed', nextAttemptAt: null }])
          expect(data[0].attempts).toHaveLength(6)
        })
      },
      'sink',
      'extensions',
    )

    rule(
      'Svc-Delivery and the body are identical on retries; t and v1 are fresh',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part }) => {
          receiver.answers = [500, 500, 200]
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)
          await caller.call('POST', `${part}/deliveries/advance`, { body: { seconds: 3_600 } })

          expect(receiver.delivered).toHaveLength(3)
          expect(new Set(receiver.delivered.map(({ headers }) => headers['svc-delivery'])).size).toBe(1)
          expect(new Set(receiver.delivered.map(({ body }) => body.toString())).size).toBe(1)
        })
      },
      'sink',
      'extensions',
    )

    rule(
      'an endpoint that fails 50 deliveries in a row is switched off until it is turned on again',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part, webhookId }) => {
          const state = async () => (await caller.call('GET', `${part}/webhooks`)).body.data[0]
          receiver.answers = [500]
          for (let at = 0; at < 50; at++) await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)
          await caller.call('POST', `${part}/deliveries/advance`, { body: { seconds: 2 * 24 * 3_600 } })
          const off = await state()
          const attempts = receiver.delivered.length
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)
          const whileOff = receiver.delivered.length - attempts

          receiver.answers = [200]
          const enabled = await caller.call('POST', `${part}/webhooks/${webhookId}/enable`)
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)

          expect(off).toMatchObject({ state: 'off', failures: 50 })
          expect(whileOff).toBe(0)
          expect(enabled).toMatchObject({ status: 200, body: { ok: true } })
          expect(receiver.delivered.length - attempts).toBe(1)
          expect(await state()).toMatchObject({ state: 'active', failures: 0 })
        })
      },
      'sink',
      'extensions',
    )

    rule(
      'changes of a fast-forward are delivered too',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, part }) => {
          const rules = [{ everySeconds: 3_600, steps: [{ kind: 'create', collection: 'tasks', count: 2 }] }]
          await caller.call('PUT', `${part}/behaviour`, { body: { rules } })
          await caller.call('POST', `${part}/fast-forward`, { body: { hours: 2.5 } })

          expect(await receiver.count(4)).toHaveLength(4)
        })
      },
      'sink',
    )

    rule(
      'reset drops the deliveries that wait; webhooks go on',
      async (caller) => {
        await onStage(caller, ['*'], async ({ receiver, addTask, part }) => {
          receiver.answers = [500, 200]
          await addTask()
          await caller.call('GET', `${part}/deliveries/settled`)

          await caller.call('POST', `${part}/reset`)
          const { body } = await caller.call('POST', `${part}/deliveries/advance`, { body: { seconds: 3_600 } })
          await addTask()
          await receiver.count(2)

          expect(body.attempts).toBe(0)
        })
      },
      'sink',
      'extensions',
    )
  },
}
