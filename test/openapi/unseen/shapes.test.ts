import { expect, it } from 'vitest'
import { answers, by, describeApi, inPath, list, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

it('reads a form with bracketed names as the objects and lists that they stand for', async () => {
  const form = {
    type: 'object',
    properties: { 'vendor[name]': { type: 'string' }, 'vendor[tags][]': { type: 'string' } },
    required: ['vendor[name]'],
  }
  const sent = { requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: form } } } }
  const vendor = object({ id: 'integer', name: 'string', tags: 'array' })
  const call = await simulation.of(
    describeApi({
      '/vendors': { post: { ...sent, ...answers(vendor) } },
      '/vendors/{id}': { ...inPath('id'), get: answers(vendor) },
    }),
  )
  const ofForm = { 'content-type': 'application/x-www-form-urlencoded' }

  const { body } = await call('POST /vendors', 'vendor[name]=Acme&vendor[tags][]=a&vendor[tags][]=b', ofForm)

  expect((await call(`GET /vendors/${body.id}`)).body).toMatchObject({ name: 'Acme', tags: ['a', 'b'] })
  expect((await call('POST /vendors', 'vendor[tags][]=a', ofForm)).status).toBe(400)
})

it('creates the record that stands two objects deep in the answer to an action', async () => {
  const job = object({ id: 'string', state: 'string' })
  const book = object({ id: 'string', title: 'string' })
  const call = await simulation.of(
    describeApi(
      {
        '/books': { post: { ...takes(book), ...answers(book) } },
        '/books/{id}': { ...inPath('id'), get: answers(book) },
        '/books/{id}/export': {
          ...inPath('id'),
          post: answers({
            type: 'object',
            properties: { ok: { type: 'boolean' }, data: { type: 'object', properties: { job: by('Job') } } },
          }),
        },
        '/jobs': { get: answers(list(by('Job'))) },
        '/jobs/{id}': { ...inPath('id'), get: answers(by('Job')) },
      },
      { components: { schemas: { Job: job } } },
    ),
  )
  const { id } = (await call('POST /books', { title: 'A' })).body

  const made = (await call(`POST /books/${id}/export`)).body.data.job

  expect((await call(`GET /jobs/${made.id}`)).body).toEqual(made)
})

it('copies a record whose id stands in the body', async () => {
  const template = object({ id: 'string', title: 'string' })
  const wrapped = answers({ type: 'object', properties: { data: template } })
  const call = await simulation.of(
    describeApi({
      '/templates.list': { post: answers({ type: 'object', properties: { data: list(template) } }) },
      '/templates.info': { post: { ...takes(object({ id: 'string' })), ...wrapped } },
      '/templates.create': { post: { ...takes(object({ id: 'string', title: 'string' })), ...wrapped } },
      '/templates.duplicate': { post: { ...takes(object({ id: 'string', title: 'string' })), ...wrapped } },
    }),
  )
  const { id } = (await call('POST /templates.create', { title: 'A' })).body.data

  const copy = await call('POST /templates.duplicate', { id, title: 'B' })

  expect(copy.body.data).toMatchObject({ title: 'B' })
  expect(copy.body.data.id).not.toBe(id)
  expect((await call('POST /templates.info', { id: copy.body.data.id })).body.data.title).toBe('B')
})

it('answers with the record where its description names only bytes', async () => {
  const server = object({ id: 'string', name: 'string' })
  const bytes = {
    responses: { 200: { description: 'made', content: { 'application/octet-stream': { schema: server } } } },
  }
  const call = await simulation.of(
    describeApi({
      '/servers': { post: { ...takes(object({ name: 'string' })), ...bytes } },
      '/servers/{id}': { ...inPath('id'), get: answers(server) },
    }),
  )

  const { id, name } = (await call('POST /servers', { name: 'one' })).body

  expect(name).toBe('one')
  expect((await call(`GET /servers/${id}`)).status).toBe(200)
})

it('refers to types by their number where their key is a text', async () => {
  const uuid = { type: 'string', format: 'uuid' }
  const type = { type: 'object', properties: { id: uuid, typeId: { type: 'integer' }, name: { type: 'string' } } }
  const fill = {
    type: 'object',
    properties: { id: uuid, fillTypeId: { type: 'integer' } },
    required: ['id', 'fillTypeId'],
  }
  const call = await simulation.of(
    describeApi({
      '/fillTypes': { get: answers(list(type)) },
      '/fillTypes/{id}': { ...inPath('id'), get: answers(type) },
      '/fills': { get: answers(list(fill)) },
      '/fills/{id}': { ...inPath('id'), get: answers(fill) },
    }),
    { fill_types: 3, fills: 5 },
  )

  const numbers = (await call('GET /fillTypes')).body.map(({ typeId }: { typeId: number }) => typeId)

  const fills = (await call('GET /fills')).body
  expect(fills).toHaveLength(5)
  for (const { fillTypeId } of fills) expect(numbers).toContain(fillTypeId)
})
