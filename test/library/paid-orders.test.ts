import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const operation = {
  requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
  responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
}

const till: LibraryEntry = {
  slug: 'till',
  name: 'Till',
  provider: 'Till',
  vertical: 'shops',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Till', version: '1' },
    paths: { '/payments': { post: operation } },
    'x-backlot-collections': {
      payments: {
        record: {
          type: 'object',
          properties: {
            id: { type: 'string', readOnly: true },
            state: { type: 'string', default: 'paid' },
            amount: { type: 'number', default: 0 },
          },
        },
      },
    },
  },
  volume: { payments: 0 },
  behaviour: [],
  effects: { idempotency: { field: 'once.key' } },
  handlers: new URL('../support/entry-handlers/payments.ts', import.meta.url).href,
  errors: [{ code: 'idempotency_key_reused', status: 400, body: { code: 'other_body' } }],
  webhooks: {
    scheme: 'stripe',
    envelope: { type: { $event: 'type' }, data: { $record: '.' } },
    events: [
      { on: 'payments.created', is: { state: 'paid' }, type: 'payment.made' },
      {
        on: 'payments.created',
        is: { state: 'failed' },
        type: 'payment.failed',
        envelope: { type: { $event: 'type' }, payments: [{ $record: '.' }] },
      },
    ],
  },
}

async function open() {
  const { simulate } = await startForTest({ library: [till], workerSinks: true })
  const simulation = await simulate('till')
  const post = async (path: string, sent: JsonObject) => {
    const answer = await simulation.fetch(path, { method: 'POST', body: JSON.stringify(sent) })
    return { status: answer.status, body: (await answer.json()) as JsonObject }
  }
  return { simulation, post }
}

it('answers a request again whose body has the idempotency key of one before, and refuses the key with another body', async () => {
  const { simulation, post } = await open()

  const made = await post('/payments', { amount: 5, once: { key: 'a' } })
  const again = await post('/payments', { amount: 5, once: { key: 'a' } })
  const other = await post('/payments', { amount: 6, once: { key: 'a' } })
  await post('/payments', { amount: 7 })
  await post('/payments', { amount: 7 })

  expect(again).toEqual(made)
  expect(other).toEqual({ status: 400, body: { code: 'other_body' } })
  expect((await simulation.records('payments')).map(({ amount }) => amount)).toEqual([5, 7, 7])
})

it('sends the event of the state in which a record is created, in the form of its own envelope', async () => {
  const { simulation, post } = await open()

  await post('/payments', { amount: 5, state: 'failed' })

  const { rawBody } = await simulation.expectWebhook('payment.failed', { data: { object: { state: 'failed' } } })
  expect(JSON.parse(Buffer.from(rawBody).toString())).toMatchObject({
    type: 'payment.failed',
    payments: [{ state: 'failed' }],
  })
})
