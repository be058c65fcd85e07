import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const jar = { $ref: '#/components/schemas/jar' }
const json = (schema: JsonObject) => ({ description: 'ok', content: { 'application/json': { schema } } })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const query = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }))

const entry: LibraryEntry = {
  slug: 'jars',
  name: 'Jars',
  provider: 'Jars',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Jars', version: '1' },
    paths: {
      '/jars': {
        get: {
          parameters: query('limit', 'starting_after', 'label'),
          responses: { 200: json({ type: 'object', properties: { data: { type: 'array', items: jar } } }) },
        },
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { label: {} } } } } },
          responses: { 201: json(jar) },
        },
      },
      '/jars/{id}': {
        parameters: [id],
        get: { parameters: query('expand[]'), responses: { 200: json(jar) } },
        patch: {
          requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { state: {} } } } } },
          responses: { 200: json(jar) },
        },
      },
    },
    components: {
      schemas: {
        jar: {
          type: 'object',
          required: ['id', 'label', 'state', 'terms'],
          properties: {
            id: { type: 'string', readOnly: true },
            label: { type: 'string' },
            state: { type: 'string', enum: ['closed', 'open', 'empty'], default: 'closed' },
            terms: { type: 'object', default: { days: 14 } },
            recipe: { type: 'object', default: { sugar: 2 }, writeOnly: true },
          },
        },
      },
    },
  },
  volume: { jars: 0 },
  behaviour: [],
  effects: { headers: { 'Request-Id': { $id: { prefix: 'req_', length: 14 } } }, rows: [{ on: 'POST /jars' }] },
  errors: [
    { code: 'invalid_request', fault: 'unknown', status: 400, body: { problem: 'unknown', param: '{param}' } },
    { code: 'not_found', status: 404, body: { request: '{Request-Id}' } },
    { code: 'missing_reference', status: 400, body: { problem: 'no such {singular}', param: '{param}' } },
  ],
  webhooks: {
    scheme: 'stripe',
    events: [
      { on: 'jars.updated', changes: ['label', 'state'], is: { state: 'open' }, type: 'jar.opened' },
      { on: 'jars.updated', becomes: { state: 'open' }, type: 'jar.opened' },
      { on: 'jars.updated', becomes: { state: 'empty' }, type: 'jar.emptied' },
    ],
  },
}

async function open() {
  const { simulate } = await startForTest({ library: [entry], workerSinks: true })
  return simulate('jars')
}
const read = async (answer: Response) => [answer.status, await answer.json()]

it('refuses parameters that no operation declares, and cursors that name no record, where the entry has errors for them', async () => {
  await using jars = await open()

  expect(await read(await jars.fetch('/jars?colour=red'))).toEqual([400, { problem: 'unknown', param: 'colour' }])
  for (const cursor of ['none', '*'])
    expect(await read(await jars.fetch(`/jars?starting_after=${cursor}`))).toEqual([
      400,
      { problem: 'no such jar', param: 'starting_after' },
    ])
  expect((await jars.fetch('/jars?label=red&limit=1')).status).toBe(200)
})

it('puts its headers on every answer, also on refusals, whose bodies can name them', async () => {
  await using jars = await open()

  const answers = [await jars.fetch('/jars'), await jars.fetch('/jars/none'), await jars.fetch('/nowhere')]
  const ids = answers.map(({ headers }) => headers.get('request-id'))

  for (const id of ids) expect(id).toMatch(/^req_\w{14}$/)
  expect(new Set(ids).size).toBe(3)
  expect(await answers[1]?.json()).toEqual({ request: ids[1] })
})

it('generates declared fields of empty objects, and shows write-only fields on request', async () => {
  await using jars = await open()

  const made = (await (await jars.fetch('/jars', { method: 'POST', body: '{"label":"Plums"}' })).json()) as {
    id: string
  }

  expect(made).toMatchObject({ terms: { days: 14 } })
  expect(made).not.toHaveProperty('recipe')
  expect(await read(await jars.fetch(`/jars/${made.id}?expand[]=recipe`))).toMatchObject([
    200,
    { recipe: { sugar: 2 } },
  ])
})

it('tells one event where several rows give it, and none where the record is not what a row wants', async () => {
  await using jars = await open()
  const made = (await (await jars.fetch('/jars', { method: 'POST', body: '{"label":"Plums"}' })).json()) as {
    id: string
  }

  for (const state of ['open', 'empty'])
    await jars.fetch(`/jars/${made.id}`, { method: 'PATCH', body: JSON.stringify({ state }) })
  await jars.expectWebhook('jar.emptied')

  expect(jars.webhooks.all().map(({ type }) => type)).toEqual(['jar.opened', 'jar.emptied'])
})
