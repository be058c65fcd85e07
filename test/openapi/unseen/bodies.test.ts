import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const filter = object({ id: 'string', phrase: 'string', whole_word: 'boolean' })
const sent = object({ phrase: 'string', whole_word: 'boolean' }, { required: ['phrase'] })
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }

/** Filters whose creation takes a form of this media type. */
const filters = (mediaType: string): JsonObject =>
  describeApi({
    '/filters': {
      get: answers({ type: 'array', items: filter }),
      post: { requestBody: { required: true, content: { [mediaType]: { schema: sent } } }, ...answers(filter) },
    },
    '/filters/{id}': { ...id, get: answers(filter) },
    '/filters/count': { get: answers(object({ count: 'integer' })) },
  })

const multipart = (pairs: Readonly<Record<string, string>>): string =>
  `${Object.entries(pairs)
    .map(([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--b--\r\n`

it.each([
  ['application/form-data', 'application/form-data', JSON.stringify({ phrase: 'spoiler', whole_word: true })],
  ['application/form-data', 'application/form-data', 'phrase=spoiler&whole_word=true'],
  ['application/form-data', 'multipart/form-data; boundary=b', multipart({ phrase: 'spoiler', whole_word: 'true' })],
  ['multipart/form-data', 'application/x-www-form-urlencoded', 'phrase=spoiler&whole_word=true'],
  [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    multipart({ phrase: 'spoiler', whole_word: 'true' }),
  ],
])('reads a form declared as %s and sent as %s', async (declared, type, body) => {
  const call = await simulation.of(filters(declared))

  const made = await call('POST /filters', body, { 'content-type': type })

  expect(made.body).toMatchObject({ phrase: 'spoiler', whole_word: true })
})

it('takes the slashes of a literal around a pattern for what they are', async () => {
  const account = object({ id: 'string', handle: { type: 'string', pattern: '/^[a-z0-9._]{3,12}$/' } })
  const call = await simulation.of(
    describeApi({
      '/accounts': { get: answers({ type: 'array', items: account }) },
      '/accounts/{id}': { ...id, get: answers(account) },
    }),
  )

  const [first] = (await call('GET /accounts')).body

  expect(first.handle).toMatch(/^[a-z0-9._]{3,12}$/)
})

it('finds the record among words about how the call went', async () => {
  const product = object({ Id: 'integer', Title: 'string' })
  const around = (data: JsonObject) =>
    object({ ErrorMessage: 'string', ErrorCode: 'integer', IsSuccess: 'boolean', TraceId: 'string', Data: data })
  const call = await simulation.of(
    describeApi({
      '/products': {
        get: answers(around({ type: 'array', items: product })),
        post: { ...takes(product), ...answers(object({})) },
      },
      '/products/{id}': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
        get: answers(around(product)),
      },
    }),
  )

  await call('POST /products', { Title: 'lamp' })

  const shown = (await call('GET /products')).body.Data.find(({ Title }: { Title: string }) => Title === 'lamp')
  expect((await call(`GET /products/${shown.Id}`)).body.Data).toEqual(shown)
})

it('makes the number of digits of a currency, which is no sum', async () => {
  const currency = object({ id: 'string', minor_unit: 'integer' }, { required: ['id', 'minor_unit'] })
  const call = await simulation.of(describeApi({ '/currencies': { get: answers({ type: 'array', items: currency }) } }))

  const [first] = (await call('GET /currencies')).body

  expect(first.minor_unit).toEqual(expect.any(Number))
})

it('narrows a search by fields of a filter inside of a query', async () => {
  const customer = object({ id: 'string', email_address: 'string', city: 'string' })
  const by = object({ query: object({ filter: object({ email_address: object({ exact: 'string' }) }) }) })
  const found = answers(object({ customers: { type: 'array', items: customer } }))
  const call = await simulation.of(
    describeApi({
      '/customers': { get: found, post: { ...takes(customer), ...answers(customer) } },
      '/customers/search': { post: { ...takes(by), ...found } },
    }),
  )
  const made = (await call('POST /customers', { email_address: 'ada@example.com' })).body

  const query = { filter: { email_address: { exact: 'ada@example.com' } } }

  expect((await call('POST /customers/search', { query })).body.customers).toEqual([made])
})

it('reads the name of a record from a field named after its kind', async () => {
  const project = object({ id: 'integer', name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/projects': {
        get: answers({ type: 'array', items: project }),
        post: { ...takes(object({ project_name: 'string' })), ...answers(project) },
      },
      '/projects/{id}': { get: answers(project) },
    }),
  )

  const made = (await call('POST /projects', { project_name: 'web' })).body

  expect((await call(`GET /projects/${made.id}`)).body).toEqual({ id: made.id, name: 'web' })
})

it('shows no passwords where the description says nothing of answers', async () => {
  const done = { responses: { 200: { description: 'ok' } } }
  const company = takes(object({ name: 'string', password: 'string' }))
  const call = await simulation.of(
    describeApi({
      '/companies': { get: done, post: { ...company, ...done } },
      '/companies/{id}': { ...id, get: done, put: { ...company, ...done } },
      '/health': { get: done, put: { ...takes(object({ isOn: 'boolean' })), ...done } },
    }),
  )

  const health = await call('PUT /health', { isOn: true })
  const made = await call('POST /companies', { name: 'Acme', password: 'secret12' })
  const read = await call(`GET /companies/${made.body.id}`)
  const { body: listed } = await call('GET /companies')

  expect(health.status).toBe(200)
  expect(made.body).toEqual({ id: made.body.id, name: 'Acme' })
  expect([read.body, listed[0]]).toEqual([made.body, made.body])
})
