import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { type LibraryEntry, startService } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const json = (schema: JsonObject) => ({ description: 'ok', content: { 'application/json': { schema } } })
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const taking = (...names: string[]) => ({
  content: {
    'application/json': {
      schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
    },
  },
})

/** Knows how a jar is opened, and what the ids of labels look like. */
const entry: LibraryEntry = {
  slug: 'jars',
  name: 'Jars',
  provider: 'Jars',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Jars', version: '1' },
    servers: [{ url: 'https://jars.example/v1' }],
    security: [{ token: [] }],
    paths: {
      '/jars': { post: { requestBody: taking('fruit'), responses: { 201: json(to('jar')) } } },
      '/jars/{id}': { parameters: [inPath('id')], get: { responses: { 200: json(to('jar')) } } },
      '/jars/{id}/open': { parameters: [inPath('id')], post: { responses: { 200: json(to('jar')) } } },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        jar: {
          type: 'object',
          required: ['id', 'state'],
          properties: {
            id: { type: 'string', readOnly: true, pattern: '^jar_[a-z]{8}$' },
            fruit: { type: 'string' },
            state: { type: 'string', enum: ['closed', 'open'], default: 'closed' },
          },
        },
        label: { properties: { id: { type: 'string', readOnly: true, pattern: '^lab_[a-z]{8}$' } } },
        Problem: { type: 'string' },
      },
    },
  },
  volume: { jars: 0 },
  behaviour: [],
  handlers: new URL('../support/entry-handlers/jars.ts', import.meta.url).href,
  errors: [{ code: 'not_found', status: 404, body: { oops: 'No such {collection}: {id}' } }],
}

/** The provider's own file: everything is stated in other words, and there is more of it. */
const description = {
  openapi: '3.0.3',
  info: { title: 'The Jars API', version: '2026' },
  servers: [{ url: 'https://api.jars.example' }],
  security: [{ oauth: ['jars'] }],
  paths: {
    '/v1/jars': {
      get: { responses: { 200: json({ type: 'array', items: to('jar') }) } },
      post: { responses: { 200: json(to('jar')) } },
    },
    '/v1/jars/{jar}': {
      parameters: [inPath('jar')],
      get: { responses: { 200: json(to('jar')) } },
      delete: { security: [{ oauth: ['all'] }], responses: { 204: { description: 'gone' } } },
    },
    '/v1/jars/{jar}/labels': {
      parameters: [inPath('jar')],
      get: { responses: { 200: json({ type: 'array', items: to('label') }), 400: json(to('Problem')) } },
      post: { requestBody: taking('text'), responses: { 201: json(to('label')) } },
    },
    '/v1/health': { get: { security: [], responses: { 200: json({ type: 'object' }) } } },
  },
  components: {
    securitySchemes: { oauth: { type: 'oauth2', flows: {} } },
    schemas: {
      jar: {
        type: 'object',
        properties: { id: { type: 'integer' }, fruit: { type: 'string' }, litres: { type: 'integer', minimum: 7 } },
      },
      label: {
        type: 'object',
        required: ['id', 'text'],
        properties: { id: { type: 'string' }, text: { type: 'string' } },
      },
      Problem: { type: 'object', properties: { problem: { type: 'string' } } },
    },
  },
}

async function open(spec: object = description, library: LibraryEntry = entry) {
  const { simulate } = await startForTest({ library: [library], workerSinks: true })
  return simulate({ spec, library: 'jars' }, { lenient: true })
}

it('has the handlers of the entry and every operation of the description', async () => {
  const api = await open()
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await api.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const { body: jar } = await ask('POST', '/jars', { fruit: 'plum', litres: 9 })
  const opened = await ask('POST', `/jars/${jar.id}/open`)
  const label = await ask('POST', `/jars/${jar.id}/labels`, { text: 'Plums' })

  expect(jar).toMatchObject({ id: expect.stringMatching(/^jar_[a-z]{8}$/), fruit: 'plum', litres: 9, state: 'closed' })
  expect(opened.body).toMatchObject({ state: 'open', fruit: 'eaten' })
  expect((await ask('GET', '/jars')).body).toMatchObject([{ id: jar.id, state: 'open' }])
  expect(label).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^lab_[a-z]{8}$/), text: 'Plums' } })
  expect((await ask('GET', `/jars/${jar.id}/labels`)).body).toEqual([label.body])
  expect((await ask('DELETE', `/jars/${jar.id}`)).status).toBe(204)
  expect(await ask('GET', `/jars/${jar.id}`)).toEqual({ status: 404, body: { oops: `No such jars: ${jar.id}` } })
  const withoutKey = await Promise.all(['/health', '/jars'].map((path) => fetch(api.url + path)))
  expect(withoutKey.map(({ status }) => status)).toEqual([200, 401])
})

it('says which operations of the entry the description lacks', async () => {
  const { call, create } = await startForTest({ library: [entry] })
  const { id, note } = await create({ spec: JSON.stringify(description), entry: 'jars' })
  const warning =
    'The description lacks 1 of the operations that the library entry "jars" has, which are simulated nevertheless: POST /jars/{id}/open.'

  expect(note).toContain(warning)
  expect((await call('GET', `/v1/simulations/${id}`)).body.api.warnings).toEqual([warning])
})

it('keeps the records of an entry that declares them apart from those of the description', async () => {
  const { openapi, ...rest } = entry
  const declaring: LibraryEntry = {
    ...rest,
    openapi: { ...openapi, 'x-backlot-collections': { jars: { record: to('jar') } } },
    handlers: new URL('../support/entry-handlers/declared-jars.ts', import.meta.url).href,
  }
  const more = {
    '/v1/shelves': { post: { requestBody: taking('name'), responses: { 201: json(to('label')) } } },
    '/v1/shelves/{shelf}': { parameters: [inPath('shelf')], get: { responses: { 200: json(to('label')) } } },
  }
  const api = await open({ ...description, paths: { ...description.paths, ...more } }, declaring)
  const post = async (path: string, body: object) =>
    (await api.fetch(path, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<{ id: string }>

  expect(await post('/jars', {})).toMatchObject({ fruit: 'plum' })
  expect(await api.records('jars')).toHaveLength(1)
  const shelf = await post('/shelves', { text: 'Top' })
  expect(await (await api.fetch(`/shelves/${shelf.id}`)).json()).toEqual(shelf)
})

it('is the same simulation after a restart of the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-laid-over-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const store = join(folder, 'store.db')
  const accounts = [{ keys: [{ key: 'svc_acct_0123456789abcdef' }] }]
  const options = {
    addresses: 'path' as const,
    store,
    library: [entry],
    accounts,
    simulations: [{ spec: JSON.stringify(description), entry: 'jars' }],
  }
  const post = async ({ url = '', apiKey = '' }, path: string) =>
    (await fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } })).json()
  const first = await startService(options)
  const jar = (await post(first.simulations[0] ?? {}, '/v1/jars')) as { id: string }
  await first.close()

  await using second = await startService(options)

  expect(second.simulations[0]?.slug).toBe('jars')
  expect(await post(second.simulations[0] ?? {}, `/v1/jars/${jar.id}/open`)).toMatchObject({
    ...jar,
    state: 'open',
    fruit: 'eaten',
  })
})

it('refuses what cannot be laid over, and says why', async () => {
  const { call } = await startForTest({ library: [entry] })
  const refusalOf = async (body: object) => (await call('POST', '/v1/simulations', body)).body.error

  expect(await refusalOf({ entry: 'jars' })).toEqual({
    code: 'invalid_request',
    message: 'Expected `entry` to come with `spec`, the description that it is laid over, got no `spec`.',
  })
  expect((await refusalOf({ spec: JSON.stringify(description), entry: 'jar' })).message).toMatch(
    /^No library entry "jar"\. Did you mean "jars"\?/,
  )
  expect((await refusalOf({ spec: '{"swagger":"2.0","info":{},"paths":{}}', entry: 'jars' })).message).toBe(
    'Failed to lay the library entry over the description: it is OpenAPI 2.0, whose parts have other places. Convert it to OpenAPI 3.',
  )
  await expect(createSimulation({ existing: 'x', library: 'jars' } as never)).rejects.toThrow(
    "Expected `library` to be the path of a folder, or the slug of the library entry that is laid over `spec`, such as 'stripe', got a simulation that exists already.",
  )
})
