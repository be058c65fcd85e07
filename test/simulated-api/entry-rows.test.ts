import { beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'
import { CountingClock } from '../support/counting-clock.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: JsonObject) => ({ description: 'ok', content: { 'application/json': { schema } } })
const form = (properties: JsonObject, required: string[] = []) => ({
  required: required.length > 0,
  content: {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', required, properties, additionalProperties: false },
    },
  },
})
const list = (name: string) =>
  json({
    type: 'object',
    required: ['data', 'has_more'],
    properties: { data: { type: 'array', items: ref(name) }, has_more: { type: 'boolean' } },
  })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const nullable = (type: string) => ({ type: [type, 'null'], default: null })

/** A shop: orders are paid with cards, which makes a receipt; unpaid ones expire. */
const SHOP: LibraryEntry = {
  slug: 'till',
  name: 'Till',
  provider: 'Till',
  vertical: 'shops',
  description: '',
  keyPrefix: 'key_test_',
  volume: { orders: 0, receipts: 0, cards: 0 },
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Till', version: '1' },
    security: [{ bearer: [] }],
    paths: {
      '/orders': {
        get: { responses: { 200: list('order') } },
        post: {
          requestBody: form(
            {
              amount: { type: 'integer' },
              card: { type: 'string' },
              note: { type: 'string' },
              rush: { type: 'boolean' },
              labels: { type: 'object', additionalProperties: { type: 'string' } },
            },
            ['amount'],
          ),
          responses: { 200: json(ref('order')) },
        },
      },
      '/orders/{id}': {
        parameters: [id],
        get: { responses: { 200: json(ref('order')) } },
        post: {
          requestBody: form({
            note: { type: 'string' },
            labels: { type: 'object', additionalProperties: { type: 'string' } },
          }),
          responses: { 200: json(ref('order')) },
        },
        delete: {
          responses: {
            200: json({ type: 'object', properties: { id: { type: 'string' }, deleted: { type: 'boolean' } } }),
          },
        },
      },
      '/orders/{id}/pay': {
        parameters: [id],
        post: { requestBody: form({ card: { type: 'string' } }), responses: { 200: json(ref('order')) } },
      },
      '/receipts': { get: { responses: { 200: list('receipt') } } },
      '/receipts/{id}': { parameters: [id], get: { responses: { 200: json(ref('receipt')) } } },
      '/cards': { get: { responses: { 200: list('card') } } },
      '/cards/{id}': { parameters: [id], get: { responses: { 200: json(ref('card')) } } },
      '/takings': { get: { responses: { 200: json({ type: 'object' }) } } },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        order: {
          type: 'object',
          required: ['id', 'amount', 'state', 'card', 'receipt', 'note', 'labels', 'expires_at', 'created'],
          properties: {
            id: { type: 'string', pattern: '^ord_[a-z0-9]{10}$' },
            amount: { type: 'integer' },
            state: { type: 'string', enum: ['open', 'paid', 'expired'], default: 'open' },
            card: nullable('string'),
            receipt: nullable('string'),
            note: nullable('string'),
            labels: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
            expires_at: nullable('integer'),
            created: { type: 'integer', format: 'unix-time' },
          },
        },
        receipt: {
          type: 'object',
          required: ['id', 'order', 'total', 'tax'],
          properties: {
            id: { type: 'string', pattern: '^rec_[a-z0-9]{10}$' },
            order: { type: 'string' },
            total: { type: 'integer' },
            tax: { type: 'integer' },
          },
        },
        card: {
          type: 'object',
          required: ['id', 'last4'],
          properties: { id: { type: 'string' }, last4: { type: 'string' } },
        },
      },
    },
  },
  seed: {
    cards: [
      { id: 'card_good', last4: '4242' },
      { id: 'card_bad', last4: '0002' },
    ],
  },
  behaviour: [
    {
      everySeconds: 600,
      steps: [{ kind: 'due', collection: 'orders', field: 'expires_at', where: { state: 'open' }, do: 'expire' }],
    },
  ],
  effects: {
    references: { card: 'cards' },
    includes: [{ field: 'orders.receipts', of: 'receipts', by: 'order' }],
    rows: [{ on: 'POST /orders/{id}' }, { on: 'GET /orders/{id}', tombstone: { deleted: true } }],
  },
  handlers: new URL('../support/entry-handlers/shop.ts', import.meta.url).href,
  errors: [
    { code: 'not_found', body: { error: { code: 'missing', message: "No such {singular}: '{id}'" } } },
    {
      code: 'missing_reference',
      body: { error: { code: 'missing', param: '{param}', message: "No such {singular}: '{id}'" } },
    },
    {
      code: 'invalid_request',
      fault: 'missing',
      status: 400,
      body: { error: { code: 'parameter_missing', param: '{param}' } },
    },
    {
      code: 'invalid_request',
      fault: 'unknown',
      status: 400,
      body: { error: { code: 'parameter_unknown', param: '{param}' } },
    },
    { code: 'too_small', body: { error: { code: 'too_small', message: '{message}', param: '{param}' } } },
    { code: 'not_open', body: { error: { code: 'not_open', state: '{state}' } } },
    { code: 'card_declined', body: { error: { type: 'card_error', code: 'card_declined' } } },
    { code: 'not_expandable', body: { error: { message: 'Cannot expand {path}.' } } },
  ],
}

const clock = new CountingClock()
let shop: CreatedSimulation
let forward: (hours: number) => Promise<unknown>

beforeEach(async () => {
  const { call, create } = await startForTest({ library: [SHOP], runtime: { clock } })
  shop = await create({ library: 'till' })
  forward = (hours) => call('POST', `/v1/simulations/${shop.id}/fast-forward`, { hours })
})

async function send(method: string, path: string, body?: Record<string, string>) {
  const answer = await fetch(shop.url + path, {
    method,
    headers: { authorization: `Bearer key_test_${shop.apiKey}` },
    ...(body && { body: new URLSearchParams(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

it('does what a handler says, to the record and to others', async () => {
  const { body: order } = await send('POST', '/orders', { amount: '100', 'labels[a]': '1' })

  const paid = await send('POST', `/orders/${order.id}/pay`, { card: 'card_good' })
  const again = await send('POST', `/orders/${order.id}/pay`, { card: 'card_good' })

  expect(order).toMatchObject({ state: 'open', labels: { a: '1' }, expires_at: order.created + 24 * 3600 })
  expect(paid).toMatchObject({ status: 200, body: { id: order.id, state: 'paid', card: 'card_good' } })
  expect((await send('GET', `/receipts/${paid.body.receipt}`)).body).toMatchObject({ total: 100, tax: 80 })
  expect(again).toEqual({ status: 409, body: { error: { code: 'not_open', state: 'paid' } } })
  expect((await send('GET', '/takings')).body.latest).toBe(180)
})

it('keeps what a handler has changed before a refusal that keeps it', async () => {
  const { body: order } = await send('POST', '/orders', { amount: '100' })

  const refused = await send('POST', `/orders/${order.id}/pay`, { card: 'card_bad' })

  expect(refused).toEqual({ status: 402, body: { error: { type: 'card_error', code: 'card_declined' } } })
  expect((await send('GET', `/orders/${order.id}`)).body).toMatchObject({ state: 'open', note: 'declined' })
})

it('refuses in the words of the provider', async () => {
  expect(await send('GET', '/orders/ord_nope')).toEqual({
    status: 404,
    body: { error: { code: 'missing', message: "No such order: 'ord_nope'" } },
  })
  expect((await send('POST', '/orders', {})).body).toEqual({ error: { code: 'parameter_missing', param: 'amount' } })
  expect((await send('POST', '/orders', { amount: '9' })).body).toEqual({
    error: { code: 'too_small', message: 'Not 9.' },
  })
  expect((await send('POST', '/orders', { amount: '90', hurry: '1' })).body).toEqual({
    error: { code: 'parameter_unknown', param: 'hurry' },
  })
  expect(await send('POST', '/orders', { amount: '90', card: 'card_none' })).toEqual({
    status: 400,
    body: { error: { code: 'missing', param: 'card', message: "No such card: 'card_none'" } },
  })
})

it('shows related records where a request asks for them', async () => {
  const { body: order } = await send('POST', '/orders', { amount: '100', card: 'card_good' })
  const query = 'expand[]=receipt.order.card&expand[]=receipts'
  await send('POST', `/orders/${order.id}/pay`, {})

  const read = await send('GET', `/orders/${order.id}?${query}`)
  const listed = await send('GET', '/orders?expand[]=data.card')

  expect(read.body.receipt).toMatchObject({ total: 100, order: { id: order.id, card: { last4: '4242' } } })
  expect(read.body.receipts.data).toMatchObject([{ total: 100 }])
  expect(listed.body.data).toMatchObject([{ card: { last4: '4242' } }])
  expect(await send('GET', `/orders/${order.id}?expand[]=nothing`)).toMatchObject({
    status: 400,
    body: { error: { message: 'Cannot expand nothing.' } },
  })
})

it('empties fields and takes names out of maps where a form sends an empty text', async () => {
  const { body: order } = await send('POST', '/orders', {
    amount: '100',
    note: 'x',
    'labels[a]': '1',
    'labels[b]': '2',
  })

  const { body } = await send('POST', `/orders/${order.id}`, { note: '', 'labels[a]': '', 'labels[c]': '3' })

  expect(body).toMatchObject({ note: null, labels: { b: '2', c: '3' } })
})

it('answers a read of a deleted record with its tombstone', async () => {
  const { body: order } = await send('POST', '/orders', { amount: '100' })

  const deleted = await send('DELETE', `/orders/${order.id}`)

  expect(deleted.body).toMatchObject({ id: order.id, deleted: true })
  expect(await send('GET', `/orders/${order.id}`)).toEqual(deleted)
  expect((await send('GET', '/orders')).body.data).toEqual([])
})

it.each([
  ['operation "POST /order"', { rows: [{ on: 'POST /order' }] }, 'POST /orders'],
  ['collection "recipts"', { references: { receipt: 'recipts' } }, 'receipts'],
])('names the %s that an entry names and its description does not have', async (named, effects, nearest) => {
  const { create } = await startForTest({ library: [{ ...SHOP, effects }] })

  await expect(create({ library: 'till' })).rejects.toThrow(
    `there is no ${named}. Did you mean "${nearest}"?`.replaceAll('"', '\\"'),
  )
})

it.each([
  ['a row', { rows: [{ on: 'POST /orders', set: { state: 'paid' } }] }],
  ['a list of rows', [{ on: 'POST /orders', set: { state: 'paid' } }]],
])('refuses what an operation does in %s of effects.yaml, and names the place for it', async (_, effects) => {
  await expect(startForTest({ library: [{ ...SHOP, effects } as unknown as LibraryEntry] })).rejects.toThrow(
    'What operations do is a function of handlers.ts: docs/apis/handlers.md.',
  )
})

it('refuses expressions in the answer for a deleted record, which nothing would evaluate', async () => {
  const effects = { rows: [{ on: 'GET /orders/{id}', tombstone: { note: { $request: 'path.id' } } }] }

  await expect(startForTest({ library: [{ ...SHOP, effects } as unknown as LibraryEntry] })).rejects.toThrow(
    'tombstone',
  )
})

it('runs a handler when its time has come', async () => {
  const { body: rush } = await send('POST', '/orders', { amount: '100', rush: 'true' })
  const { body: slow } = await send('POST', '/orders', { amount: '100' })

  await forward(2)

  expect((await send('GET', `/orders/${rush.id}`)).body.state).toBe('expired')
  expect((await send('GET', `/orders/${slow.id}`)).body.state).toBe('open')
})

it('runs a handler when its record is due, between two runs of its rule', async () => {
  await forward(0.25)
  const { body: rush } = await send('POST', '/orders', { amount: '100', rush: 'true' })

  await forward(1)

  expect((await send('GET', `/orders/${rush.id}`)).body.state).toBe('expired')
})

it('turns the clock past records that are never due again without a run of each period', async () => {
  const { body: order } = await send('POST', '/orders', { amount: '100', rush: 'true' })
  await send('POST', `/orders/${order.id}/pay`, { card: 'card_good' })
  await forward(2)
  const before = clock.looks

  await forward(720)

  expect(clock.looks - before).toBeLessThan(1_000)
})
