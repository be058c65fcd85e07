import { expect, it } from 'vitest'
import { answers, describeApi, inPath, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const project = object({ id: 'string', name: 'string' })
const named = object({ name: 'string' })
const words = (...values: string[]) => ({ type: 'string', enum: values })

it('leaves a status of something else as it is when an action sets the status of the record', () => {
  const order = object(
    { id: 'string', status: words('open', 'cancelled'), payment_status: words('unpaid', 'paid', 'cancelled') },
    { required: ['id', 'status', 'payment_status'] },
  )
  const { send } = simulate(
    describeApi({
      '/orders': { get: answers(list(order)), post: { ...takes(order), ...answers(order) } },
      '/orders/{id}': { ...inPath('id'), get: answers(order) },
      '/orders/{id}/cancel': { ...inPath('id'), post: answers(order) },
    }),
  )
  const made = { id: 'o-1', status: 'open', payment_status: 'paid' }
  send('POST', '/orders', { json: made })

  expect(send('POST', '/orders/o-1/cancel').body).toEqual({ ...made, status: 'cancelled' })
})

it('invents no other record beside a new one, but shows where to upload', () => {
  const upload = object({ url: 'string', token: 'string' }, { required: ['url', 'token'] })
  const order = object({ id: 'string', customerId: 'string' })
  const made = object({ id: 'string', customerId: 'string', customer: project, upload })
  const { send } = simulate(
    describeApi({
      '/customers': { get: answers(list(project)) },
      '/customers/{id}': { ...inPath('id'), get: answers(project) },
      '/orders': { get: answers(list(order)), post: { ...takes(object({ customerId: 'string' })), ...answers(made) } },
      '/orders/{id}': { ...inPath('id'), get: answers(order) },
    }),
  )
  const [{ id }] = send('GET', '/customers').body

  const { body } = send('POST', '/orders', { json: { customerId: id } })

  expect(body.upload).toEqual({ url: expect.any(String), token: expect.any(String) })
  expect(body.customer?.id ?? id).toBe(id)
})

it('does not call the state of a country ok', () => {
  const { send } = simulate(
    describeApi({
      '/cities': { get: answers(object({ state: 'string', cities: list(project) })) },
      '/cities/{id}': { ...inPath('id'), get: answers(project) },
    }),
  )

  expect(send('GET', '/cities').body.state).not.toBe('ok')
})

it.each([
  ['image/*', 'image/*', 'image/png'],
  ['image/*', 'image/avif', 'image/png'],
  ['image/*', 'image/webp', 'image/webp'],
  ['*/*', 'text/html, */*; q=.2', 'application/json'],
])('answers what is described as %s, to a client that accepts %s, as %s', (described, accept, type) => {
  const content = {
    [described]: { schema: described === '*/*' ? list(project) : { type: 'string', format: 'binary' } },
  }
  const { send } = simulate(describeApi({ '/things': { get: { responses: { 200: { description: 'ok', content } } } } }))

  expect(send('GET', '/things', { headers: { accept } }).headers['content-type']).toMatch(type)
})

it('takes the value that a child of a schema has by its own words', () => {
  const animal = object({ id: 'string', kind: 'string' }, { required: ['kind'], discriminator: 'kind' })
  const schemas = {
    Animal: animal,
    CatAnimal: { 'x-ms-discriminator-value': 'cat', allOf: [{ $ref: '#/components/schemas/Animal' }] },
    DogAnimal: {
      allOf: [{ $ref: '#/components/schemas/Animal' }, object({ kind: { type: 'string', default: 'dog' } })],
    },
  }
  const of = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const kept = (name: string, path: string) => ({
    [path]: { get: answers(list(of(name))), post: { ...takes(of(name)), ...answers(of(name)) } },
    [`${path}/{id}`]: { ...inPath('id'), get: answers(of(name)) },
  })
  const paths = { ...kept('CatAnimal', '/cats'), ...kept('DogAnimal', '/dogs') }
  const { send } = simulate(describeApi(paths, { components: { schemas } }))

  expect(send('POST', '/cats', { json: { kind: 'cat' } }).body).toMatchObject({ kind: 'cat' })
  expect(send('GET', '/cats').body[0].kind).toBe('cat')
  expect(send('POST', '/dogs', { json: { kind: 'dog' } }).body).toMatchObject({ kind: 'dog' })
})

it('has words of a technical meaning only for what is technical', () => {
  const names = ['position', 'condition', 'target_audience', 'card_issuer']
  const fields = Object.fromEntries(['id', 'name', ...names].map((name) => [name, 'string' as const]))
  const employee = object(fields, { required: names })
  const { send } = simulate(
    describeApi({
      '/employees': { get: answers(list(employee)) },
      '/employees/{id}': { ...inPath('id'), get: answers(employee) },
    }),
  )

  const [one] = send('GET', '/employees').body

  expect(one.position).toMatch(/[a-z]/i)
  expect(one.condition).not.toMatch(/[<>=]/)
  expect([one.target_audience, one.card_issuer].join()).not.toContain('://')
})

it.each([
  ['a text', object({ id: 'string', url: 'string', name: 'string' })],
  [
    'one of two kinds',
    {
      oneOf: [
        object({ id: 'string', url: 'string', kind: { const: 'a' } }, { required: ['id', 'url', 'kind'] }),
        object({ id: 'string', url: 'string', kind: { const: 'b' } }, { required: ['id', 'url', 'kind'] }),
      ],
    },
  ],
])('finds records by their own address, where they are %s', (_, page) => {
  const { send } = simulate(
    describeApi({
      '/pages': { get: answers(list(page)), post: { ...takes(page), ...answers(page) } },
      '/pages/{id}': { ...inPath('id'), delete: answers(object({})) },
      '/pages/by-url/{url}': { ...inPath('url'), get: answers(page) },
    }),
  )

  const [first] = send('GET', '/pages').body

  expect(send('GET', `/pages/by-url/${encodeURIComponent(first.url)}`).body).toEqual(first)
})

it('answers a list to a list where one or several records may be made, and bounds it', () => {
  const either = { oneOf: [project, list(project)] }
  const { send } = simulate(
    describeApi({
      '/projects': {
        get: answers(list(project)),
        post: { ...takes(either), ...answers(object({ created: either, failed: list(object({ error: 'string' })) })) },
      },
      '/projects/{id}': { ...inPath('id'), get: answers(project) },
    }),
  )
  const sent = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `p${at}` }))

  expect(send('POST', '/projects', { json: sent(2) }).body.created).toMatchObject(sent(2))
  expect(send('POST', '/projects', { json: { name: 'one' } }).body.created).toMatchObject({ name: 'one' })
  expect(send('POST', '/projects', { json: sent(10_001) }).text).toContain('at most 10,000 records, got 10,001')
})

it('keeps in a record nothing that a creation says of the call, and takes bids for no ids', () => {
  const key = { ...project, additionalProperties: true }
  const made = object({ id: 'string', name: 'string', secret: 'string', object: 'string', request_id: 'string' })
  const ids = list({ type: 'string' })
  const { send } = simulate(
    describeApi({
      '/keys': { get: answers(list(key)), post: { ...takes(named), ...answers(made) } },
      '/keys/{id}': { ...inPath('id'), get: answers(key) },
      '/keys/close': {
        post: { ...takes(object({ keyIds: ids })), ...answers(object({ bids: ids, closedIds: ids })) },
      },
    }),
  )
  const { id, secret } = send('POST', '/keys', { json: { name: 'CI' } }).body

  const { body } = send('POST', '/keys/close', { json: { keyIds: [id] } })

  expect(send('GET', `/keys/${id}`).body).toEqual({ id, name: 'CI', secret })
  expect(body.closedIds).toEqual([id])
  expect(body.bids).not.toEqual([id])
})
