import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const operation = {
  requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
  responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
}
const body = (path: string) => ({ $request: `body.${path}` })

const till: LibraryEntry = {
  slug: 'till',
  name: 'Till',
  provider: 'Till',
  vertical: 'shops',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Till', version: '1' },
    paths: { '/payments': { post: operation }, '/find': { post: operation }, '/work-out': { post: operation } },
    'x-backlot-collections': {
      payments: {
        record: {
          type: 'object',
          properties: {
            id: { type: 'string', readOnly: true },
            state: { type: 'string', default: 'paid' },
            amount: { type: 'number', default: 0 },
            tags: { type: 'array', default: [] },
          },
        },
      },
    },
  },
  volume: { payments: 0 },
  behaviour: [],
  effects: {
    idempotency: { field: 'once.key' },
    rows: [
      {
        name: 'fail',
        also: [{ create: 'payments', values: { state: 'failed', amount: body('amount') }, as: 'failed' }],
      },
      {
        on: 'POST /payments',
        also: [{ create: 'payments', values: { amount: body('amount'), tags: body('tags') }, as: 'made' }],
        answer: { id: { $made: 'id' } },
      },
      {
        on: 'POST /find',
        answer: {
          $map: {
            of: {
              $all: {
                of: 'payments',
                where: {
                  state: { among: body('states') },
                  tags: { any: body('any'), none: body('none') },
                  'tags.0': { given: body('first') },
                },
              },
            },
            as: 'one',
            to: { $one: 'amount' },
          },
        },
      },
      {
        on: 'POST /work-out',
        answer: {
          placed: { $map: { of: body('weights'), as: 'weight', at: 'place', to: { $text: '{$place}: {$weight}' } } },
          first: body('lists.0.1'),
          until: { $time: { of: '2026-01-31T00:00:00Z', plus: body('lag'), as: 'iso' } },
        },
      },
    ],
  },
  magic: [
    {
      on: 'POST /payments',
      body: { card: 'declined' },
      let: { why: { value: 'no_funds' } },
      do: 'fail',
      keep: true,
      status: 400,
      error: 'declined',
      facts: { why: { $why: '.' }, payment: { $failed: '.' } },
    },
  ],
  errors: [
    { code: 'declined', body: { code: '{why}', payment: '{payment}' } },
    { code: 'idempotency_key_reused', status: 400, body: { code: 'other_body' } },
  ],
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

it('keeps what a magic input wrote before it ended with an error, which says what that was', async () => {
  const { simulation, post } = await open()

  const declined = await post('/payments', { amount: 5, card: 'declined' })

  expect(declined).toMatchObject({ status: 400, body: { code: 'no_funds', payment: { state: 'failed', amount: 5 } } })
  expect(await simulation.records('payments')).toMatchObject([{ state: 'failed' }])
  const { rawBody } = await simulation.expectWebhook('payment.failed', { data: { object: { state: 'failed' } } })
  expect(JSON.parse(Buffer.from(rawBody).toString())).toMatchObject({
    type: 'payment.failed',
    payments: [{ state: 'failed' }],
  })
})

it('finds what is one of several values, has one of several items or none of them, where the request says which', async () => {
  const { post } = await open()
  await post('/payments', { amount: 1, tags: ['tea', 'hot'] })
  await post('/payments', { amount: 2, tags: ['cake'] })
  const find = async (asked: JsonObject) => (await post('/find', asked)).body

  expect(await find({})).toEqual([1, 2])
  expect(await find({ states: ['failed'] })).toEqual([])
  expect(await find({ states: ['failed', 'paid'], any: ['cake', 'pie'] })).toEqual([2])
  expect(await find({ none: ['hot'] })).toEqual([2])
  expect(await find({ first: 'tea' })).toEqual([1])
})

it('computes places in lists, and durations', async () => {
  const { post } = await open()

  const { body: computed } = await post('/work-out', {
    weights: [1, 1, 1],
    lists: [[1, 2], [3]],
    lag: 'P1M1DT12H',
  })

  expect(computed).toEqual({
    placed: ['0: 1', '1: 1', '2: 1'],
    first: 2,
    until: '2026-03-01T12:00:00.000Z',
  })
})
