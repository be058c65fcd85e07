import { expect, it } from 'vitest'
import { answers, body, describeApi, integer, list, object, query, string } from './describe-api.ts'
import { simulate } from './simulate.ts'

const order = object(
  {
    customer: string(),
    email: string({ format: 'email' }),
    status: string({ enum: ['open', 'paid'] }),
    lines: list(object({ sku: string(), count: integer({ minimum: 1 }) }, ['sku'])),
  },
  ['customer', 'lines'],
)
const { send } = simulate(
  describeApi({
    '/orders': {
      post: {
        parameters: [query('notify', { type: 'boolean' })],
        requestBody: body(order),
        responses: answers(object({ id: string() }), 201),
      },
    },
  }),
)

const refusalOf = (target: string, json: unknown): unknown => send('POST', target, { json }).body.error

it('names the first three faults of a request, and counts the others', () => {
  const given = { email: 'nobody', status: 'lost', lines: [{ count: 0 }, { sku: 5 }] }

  expect(refusalOf('/orders?notify=perhaps', given)).toMatchObject({
    message:
      'Expected `notify` to be a boolean, got "perhaps". Expected `customer` to be present, got nothing. ' +
      'Expected `email` to be a text of format email, got "nobody". 4 more faults found.',
  })
})

it('names the faults of several items', () => {
  expect(refusalOf('/orders', { customer: 'x', lines: [{ sku: 'a', count: 0 }, {}] })).toMatchObject({
    message: 'Expected `lines.0.count` to be at least 1, got 0. Expected `lines.1.sku` to be present, got nothing.',
  })
})

it('names a single fault alone', () => {
  expect(refusalOf('/orders', { customer: 'x', lines: [], status: 'lost' })).toMatchObject({
    message: 'Expected `status` to be one of "open", "paid", got "lost".',
  })
})

it.each([
  [
    'objects',
    list(object({ field: string(), message: string() }, ['field', 'message'])),
    [
      { field: 'customer', message: 'Expected `customer` to be present, got nothing.' },
      { field: 'status', message: 'Expected `status` to be one of "open", "paid", got "lost".' },
    ],
  ],
  [
    'texts',
    list(string()),
    ['Expected `customer` to be present, got nothing.', 'Expected `status` to be one of "open", "paid", got "lost".'],
  ],
  [
    'fields',
    { type: 'object', additionalProperties: list(string()) },
    {
      customer: ['Expected `customer` to be present, got nothing.'],
      status: ['Expected `status` to be one of "open", "paid", got "lost".'],
    },
  ],
])('has an entry for each fault where errors are a list of %s', (_, errors, entries) => {
  const refusal = object({ title: string(), errors }, ['errors'])
  const post = {
    requestBody: body(order),
    responses: { ...answers(object({ id: string() }), 201), ...answers(refusal, 422) },
  }
  const api = simulate(describeApi({ '/orders': { post } }))

  const answer = api.send('POST', '/orders', { json: { status: 'lost', lines: [] } })

  expect(answer).toMatchObject({ status: 422, body: { errors: entries } })
})
