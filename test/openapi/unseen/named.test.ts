import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const DONE: JsonObject = { responses: { 200: { description: 'done' } } }
const asked = (name: string, required = false): JsonObject => ({
  name,
  in: 'query',
  required,
  schema: { type: 'string' },
})
const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } })

const server = object({ id: 'string', name: 'string', status: { type: 'string', enum: ['running', 'stopped'] } })
const SERVERS: JsonObject = {
  '/servers': { get: answers(list(server)) },
  '/servers/{id}': { parameters: [inPath('id')], get: answers(server), delete: DONE },
}

it.each([
  ['a field of the body', '/probes/check', takes(object({ serverId: 'string' }, { required: ['serverId'] }))],
  ['a parameter of the query', '/reports/usage', { parameters: [asked('serverId', true)] }],
  ['a parameter of the path', '/scans/preview/{serverId}', { parameters: [inPath('serverId')] }],
])('ends what is about a record that %s must name with the record', async (_, path, asking) => {
  const probe = answers(object({ ok: 'boolean', load: 'number' }))
  const send = await simulation.of(describeApi({ ...SERVERS, [path]: { post: { ...asking, ...probe } } }))
  const [{ id }] = (await send('GET /servers')).body
  const ask = () => send(`POST ${path.replace('{serverId}', id)}?serverId=${id}`, { serverId: id })

  expect((await ask()).status).toBe(200)
  await send(`DELETE /servers/${id}`)
  expect((await ask()).status).toBe(404)
})

it('does a command to the record that its body must name', async () => {
  const body = object({ server_id: 'string' }, { required: ['server_id'] })
  const send = await simulation.of(describeApi({ ...SERVERS, '/power/stop': { post: { ...takes(body), ...DONE } } }))
  const [{ id }] = (await send('GET /servers')).body

  await send('POST /power/stop', { server_id: id })

  expect((await send(`GET /servers/${id}`)).body.status).toBe('stopped')
})

it('deletes the record that a call sends whole', async () => {
  const cert = { $ref: '#/components/schemas/Cert' }
  const send = await simulation.of(
    describeApi(
      {
        '/api/add-cert': { post: { ...takes(cert), ...DONE } },
        '/api/get-certs': { get: answers(list(cert)) },
        '/api/get-cert': { get: { parameters: [asked('id', true)], ...answers(cert) } },
        '/api/delete-cert': { post: { ...takes(cert), ...DONE } },
      },
      { components: { schemas: { Cert: object({ owner: 'string', name: 'string', bits: 'integer' }) } } },
    ),
  )
  const names = async () => (await send('GET /api/get-certs')).body.map((one: JsonObject) => one.name)

  await send('POST /api/add-cert', { owner: 'admin', name: 'tls', bits: 2048 })
  expect(await names()).toContain('tls')
  await send('POST /api/delete-cert', { owner: 'admin', name: 'tls', bits: 2048 })
  expect(await names()).not.toContain('tls')
})

it('keeps saved filters', async () => {
  const id = { parameters: [inPath('id')] }
  const send = await simulation.of(
    describeApi({
      '/filter': { post: { operationId: 'createFilter', ...DONE } },
      '/filter/{id}': { ...id, get: DONE, put: DONE, delete: DONE },
    }),
  )

  const { id: key } = (await send('POST /filter', { name: 'Mine' })).body

  expect((await send(`GET /filter/${key}`)).body.name).toBe('Mine')
  await send(`DELETE /filter/${key}`)
  expect((await send(`GET /filter/${key}`)).status).toBe(404)
})

it('finds records next to a code and a message about the call', async () => {
  const product = object({ id: 'string', title: 'string' })
  const around = (result: JsonObject) => answers(object({ return_code: 'integer', return_message: 'string', result }))
  const send = await simulation.of(
    describeApi({
      '/products': { post: { ...takes(object({ title: 'string' })), ...around(product) } },
      '/products/{id}': { parameters: [inPath('id')], get: around(product) },
    }),
  )

  const made = (await send('POST /products', { title: 'Lamp' })).body.result

  expect((await send(`GET /products/${made.id}`)).body.result).toEqual({ id: made.id, title: 'Lamp' })
})

it('does to several what names them by the name of their key', async () => {
  const image = object({ image_name: 'string', starred: 'boolean' })
  const names = object({ image_names: list({ type: 'string' }) })
  const send = await simulation.of(
    describeApi({
      '/images': { get: answers(list(image)) },
      '/images/{image_name}': { parameters: [inPath('image_name')], get: answers(image) },
      '/images/star': { post: { ...takes(names), ...DONE } },
    }),
  )
  const [first, second] = (await send('GET /images')).body.map((one: JsonObject) => one.image_name)

  await send('POST /images/star', { image_names: [first, second] })

  expect((await send(`GET /images/${second}`)).body.starred).toBe(true)
})

it('lists what is asked for by POST', async () => {
  const control = object({ id: 'string', title: 'string' })
  const shown = answers(object({ items: list(control), total_count: 'integer' }))
  const send = await simulation.of(
    describeApi({
      '/v3/controls': {
        post: { ...takes(object({ tags: 'string', cursor: 'integer', per_page: 'integer' })), ...shown },
      },
      '/v3/controls/{id}': { parameters: [inPath('id')], delete: DONE },
    }),
  )
  const shownNow = async () => (await send('POST /v3/controls', {})).body.items.map((one: JsonObject) => one.id)
  const [first] = await shownNow()

  await send(`DELETE /v3/controls/${first}`)

  expect(await shownNow()).not.toContain(first)
  expect((await shownNow()).length).toBeGreaterThan(0)
})

it('knows what is made for a record by that record, which the body names and no answer shows', async () => {
  const selfie = object({ id: 'string', url: 'string' })
  const send = await simulation.of(
    describeApi({
      '/selfies': { post: { ...takes(object({ registrationId: 'string', url: 'string' })), ...DONE } },
      '/selfies/{registrationId}': { parameters: [inPath('registrationId')], get: answers(selfie) },
    }),
  )

  await send('POST /selfies', { registrationId: 'r-7', url: 'https://example.com/7.png' })

  expect((await send('GET /selfies/r-7')).body.url).toBe('https://example.com/7.png')
  expect((await send('GET /selfies/r-8')).status).toBe(404)
})

it('finds a record by its identifier where the path asks for a reference to it', async () => {
  const repo = object({ id: 'integer', identifier: 'string' })
  const send = await simulation.of(
    describeApi({
      '/repos': { post: { ...takes(object({ identifier: 'string' })), ...answers(repo) } },
      '/repos/{repo_ref}': { parameters: [inPath('repo_ref')], get: answers(repo) },
    }),
  )

  await send('POST /repos', { identifier: 'tools' })

  expect((await send('GET /repos/tools')).body.identifier).toBe('tools')
})

it('keeps records whose component says nothing', async () => {
  const board = { $ref: '#/components/schemas/Board' }
  const send = await simulation.of(
    describeApi(
      {
        '/boards': { post: { ...takes(board), ...answers(board) } },
        '/boards/{boardId}': { parameters: [inPath('boardId')], get: answers(board) },
      },
      { components: { schemas: { Board: {} } } },
    ),
  )

  const { id } = (await send('POST /boards', { title: 'Plan' })).body

  expect((await send(`GET /boards/${id}`)).body.title).toBe('Plan')
})

it('looks up by another field what can only be listed and changed', async () => {
  const flag = object({ id: 'integer', uuid: 'string', enabled: 'boolean', note: 'string' })
  const send = await simulation.of(
    describeApi({
      '/flags': { get: answers(list(flag)), post: { ...takes(object({ note: 'string' })), ...answers(flag) } },
      '/flags/{id}': { parameters: [inPath('id')], put: { ...takes(object({ note: 'string' })), ...answers(flag) } },
      '/flags/get-by-uuid/{uuid}': { parameters: [inPath('uuid')], get: answers(flag) },
    }),
  )

  const { id, uuid } = (await send('POST /flags', { note: 'new' })).body
  await send(`PUT /flags/${id}`, { note: 'changed' })

  expect((await send(`GET /flags/get-by-uuid/${uuid}`)).body.note).toBe('changed')
})
