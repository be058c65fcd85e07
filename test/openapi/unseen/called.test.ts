import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const call = (body: JsonObject, answer?: JsonObject): JsonObject => ({
  post: { ...takes(body), ...(answer ? answers(answer) : { responses: { 200: { description: 'done' } } }) },
})
const asks = (name: string, answer?: JsonObject): JsonObject => ({
  get: {
    parameters: [{ name, in: 'query', required: true, schema: { type: 'string' } }],
    ...(answer ? answers(answer) : { responses: { 200: { description: 'done' } } }),
  },
})

it('takes words that are often nouns for verbs where a noun is only ever called', async () => {
  const invoice = object({ id: 'string', number: 'string', status: 'string' })
  const send = await simulation.of(
    describeApi({
      '/api/invoice/all': { get: answers(list(invoice)) },
      '/api/invoice/new': call(object({ number: 'string' }), invoice),
      '/api/invoice/details': asks('id', invoice),
      '/api/invoice/changestatus': call(object({ id: 'string', status: 'string' }), object({})),
      '/api/invoice/pdf': asks('id', object({ link: 'string' })),
      '/api/invoice/delete': call(object({ id: 'string' }), object({})),
    }),
  )

  const { id } = (await send('POST /api/invoice/new', { number: 'A-1' })).body
  await send('POST /api/invoice/changestatus', { id, status: 'paid' })

  expect((await send(`GET /api/invoice/details?id=${id}`)).body).toMatchObject({ number: 'A-1', status: 'paid' })
  expect((await send('GET /api/invoice/all')).body[0]).toMatchObject({ id, status: 'paid' })
  expect((await send(`GET /api/invoice/pdf?id=${id}`)).status).toBe(200)
  await send('POST /api/invoice/delete', { id })
  expect((await send(`GET /api/invoice/pdf?id=${id}`)).status).toBe(404)
})

it('lists by a noun what a verb with that noun adds, and finds it by the field that all calls name', async () => {
  const domain = object({ domain: 'string', valid_mx: 'boolean' })
  const named = object({ key: 'string', domain: 'string' })
  const send = await simulation.of(
    describeApi({
      '/inbound/domains': call(object({ key: 'string' }), list(domain)),
      '/inbound/add-domain': call(named, domain),
      '/inbound/delete-domain': call(named, domain),
    }),
  )
  const shown = async () =>
    (await send('POST /inbound/domains', { key: 'k' })).body.map((one: JsonObject) => one.domain)

  await send('POST /inbound/add-domain', { key: 'k', domain: 'mail.example.com' })
  expect(await shown()).toContain('mail.example.com')

  await send('POST /inbound/delete-domain', { key: 'k', domain: 'mail.example.com' })
  expect(await shown()).not.toContain('mail.example.com')
})

it('reads words after a verb that say which records', async () => {
  const widget = object({ id: 'string', title: 'string' })
  const send = await simulation.of(
    describeApi({
      '/api/Widget/GetAll': { get: answers(list(widget)) },
      '/api/Widget/GetById': asks('id', widget),
      '/api/Widget/Create': call(object({ title: 'string' }), widget),
      '/api/Widget/delete-widget': call(object({ id: 'string' }), object({})),
    }),
  )

  const { id } = (await send('POST /api/Widget/Create', { title: 'Lamp' })).body

  expect((await send('GET /api/Widget/GetAll')).body[0]).toEqual({ id, title: 'Lamp' })
  expect((await send(`GET /api/Widget/GetById?id=${id}`)).body.title).toBe('Lamp')
  await send('POST /api/Widget/delete-widget', { id })
  expect((await send(`GET /api/Widget/GetById?id=${id}`)).status).toBe(404)
})

it('makes, changes and ends by calls the only thing that a path shows', async () => {
  const team = answers(object({ team: object({ name: 'string', size: 'integer' }) }))
  const send = await simulation.of(
    describeApi({
      '/team': { get: team, put: { ...takes(object({ name: 'string' })), ...team } },
      '/team/create': { post: { ...takes(object({ name: 'string' })), ...team } },
      '/team/destroy': { delete: { responses: { 200: { description: 'gone' } } } },
    }),
  )

  await send('POST /team/create', { name: 'Red' })
  expect((await send('GET /team')).body.team.name).toBe('Red')
  await send('PUT /team', { name: 'Blue' })
  expect((await send('GET /team')).body.team.name).toBe('Blue')
  await send('DELETE /team/destroy')
  expect((await send('GET /team')).status).toBe(404)
})

it('reads below a record what names its key after another word', async () => {
  const request = object({ request_id: 'string', title: 'string' })
  const id = { parameters: [{ name: 'request_id', in: 'path', required: true, schema: { type: 'string' } }] }
  const send = await simulation.of(
    describeApi({
      '/request/list': { get: answers(list(request)) },
      '/request/{request_id}': { ...id, get: answers(request), delete: answers(object({})) },
      '/request/files/{request_id}': { ...id, get: answers(object({ url: 'string' })) },
    }),
  )
  const [{ request_id: first }] = (await send('GET /request/list')).body

  expect((await send(`GET /request/files/${first}`)).status).toBe(200)
  await send(`DELETE /request/${first}`)
  expect((await send(`GET /request/files/${first}`)).status).toBe(404)
})

/** An operation without a described answer, with the key in its path. */
const keyed = (name: string, rest: JsonObject = {}): JsonObject => ({
  parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  responses: { 200: { description: 'Success' } },
  ...rest,
})
const DONE: JsonObject = { responses: { 200: { description: 'Success' } } }

it('takes paths that say the verb with the noun for those of records, also where no answer is described', async () => {
  const user = object({ id: 'string', email: 'string', status: { type: 'string', enum: ['new', 'checked'] } })
  const send = await simulation.of(
    describeApi({
      '/user/getAllUsers': { get: DONE },
      '/user/getUserById/{id}': { get: keyed('id') },
      '/user/findByEmail/{email}': { get: keyed('email') },
      '/user/createUser': { post: { ...takes(user), ...DONE } },
      '/user/updateUserStatus/{id}': { put: keyed('id', takes(object({ status: 'string' }))) },
      '/user/deleteUser/{id}': { delete: keyed('id') },
      '/addBook': { post: { ...takes(object({ title: 'string' })), ...DONE } },
      '/getBook/{bookId}': { get: keyed('bookId') },
      '/updateBook/{bookId}': { put: keyed('bookId', takes(object({ title: 'string' }))) },
      '/getBooks': { get: DONE },
    }),
  )

  const made = await send('POST /user/createUser', { email: 'ada@example.com', status: 'new' })
  await send(`PUT /user/updateUserStatus/${made.body.id}`, { status: 'checked' })
  const book = (await send('POST /addBook', { title: 'First' })).body
  await send(`PUT /updateBook/${book.bookId ?? book.id}`, { title: 'Second' })

  const shown = { id: made.body.id, email: 'ada@example.com', status: 'checked' }
  expect((await send(`GET /user/getUserById/${made.body.id}`)).body).toMatchObject(shown)
  expect((await send('GET /user/findByEmail/ada@example.com')).body).toMatchObject(shown)
  expect((await send('GET /user/getAllUsers')).body).toContainEqual(expect.objectContaining(shown))
  expect((await send('GET /getBooks')).body).toContainEqual(expect.objectContaining({ title: 'Second' }))
  await send(`DELETE /user/deleteUser/${made.body.id}`)
  expect((await send(`GET /user/getUserById/${made.body.id}`)).status).toBe(404)
})

it('leaves paths alone whose verbs are nouns', async () => {
  const send = await simulation.of(
    describeApi({
      '/lists/{listId}': { get: keyed('listId', answers(object({ id: 'string', name: 'string' }))) },
      '/lists': { get: answers(list(object({ id: 'string', name: 'string' }))) },
    }),
  )

  const [first] = (await send('GET /lists')).body
  expect((await send(`GET /lists/${first.id}`)).body).toEqual(first)
})

it('answers a creation without a described answer with the record, not with a list of it', async () => {
  const course = object({ id: 'string', name: 'string' })
  const send = await simulation.of(
    describeApi(
      {
        '/course': { get: DONE, post: { ...takes({ $ref: '#/components/schemas/Course' }), ...DONE } },
        '/course/{id}': { get: keyed('id') },
      },
      { components: { schemas: { Course: course } } },
    ),
  )

  expect((await send('POST /course', { name: 'Baking' })).body).toMatchObject({ name: 'Baking' })
})
