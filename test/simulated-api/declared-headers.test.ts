import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, body, describeApi, integer, object, path, string } from './describe-api.ts'

const doc = object({ id: integer({ readOnly: true }), title: string() }, ['id'])
const headers = (written: JsonObject): JsonObject => ({ headers: written })
const start = (paths: object, more: object = {}) =>
  createSimulation(
    { spec: JSON.stringify(describeApi(paths as never, { Doc: doc }, more as never)) },
    { behaviour: [] },
  )

const tag = { ETag: { schema: string() } }
const paths = {
  '/docs': {
    get: { responses: answers({ type: 'array', items: '$Doc' }, 200, headers({ 'X-Region': { example: 'eu' } })) },
    post: {
      requestBody: body('$Doc'),
      responses: answers(
        '$Doc',
        201,
        headers({ ...tag, 'X-Request-Id': { required: true, schema: string({ format: 'uuid' }) } }),
      ),
    },
  },
  '/docs/{id}': {
    parameters: [path('id', integer())],
    get: {
      responses: {
        ...answers(
          '$Doc',
          200,
          headers({ 'X-Version': { schema: string({ enum: ['1.2'] }) }, 'X-Odd': { schema: string() } }),
        ),
        404: { description: 'none', headers: { 'X-Reason': { schema: string({ default: 'gone' }) } } },
      },
    },
    put: { requestBody: body('$Doc'), responses: answers('$Doc', 200, headers(tag)) },
    patch: { requestBody: body('$Doc'), responses: answers('$Doc', 200, headers(tag)) },
    delete: {
      responses: {
        204: {
          description: 'gone',
          headers: { 'X-Deleted': { required: true, schema: integer({ minimum: 1, maximum: 1 }) } },
        },
      },
    },
  },
  '/docs/{id}/publish': {
    post: {
      parameters: [path('id', integer())],
      responses: answers(
        '$Doc',
        200,
        headers({ 'X-Items': { schema: { type: 'array', items: integer(), example: [1, 2] } } }),
      ),
    },
  },
  '/docs/{id}/file': {
    get: {
      parameters: [path('id', integer())],
      responses: {
        200: {
          description: 'file',
          headers: { 'Content-Disposition': { required: true, example: 'attachment; filename="a.pdf"' } },
          content: { 'application/pdf': { schema: string({ format: 'binary' }) } },
        },
      },
    },
  },
  '/moved': { get: { responses: { 301: { description: 'moved' }, default: { description: 'error' } } } },
  '/authorize': {
    get: {
      responses: {
        302: {
          description: 'on',
          headers: { Location: { schema: string({ format: 'uri', example: 'https://app.example/cb?code=1' }) } },
        },
      },
    },
  },
} as const

it.each<[method: string, target: string, header: string, value: RegExp]>([
  ['GET', '/docs', 'x-region', /^eu$/],
  ['POST', '/docs', 'etag', /^"\w+"$/],
  ['POST', '/docs', 'x-request-id', /^[0-9a-f-]{36}$/],
  ['GET', '/docs/1', 'x-version', /^1\.2$/],
  ['GET', '/docs/9999', 'x-reason', /^gone$/],
  ['PUT', '/docs/1', 'etag', /^"\w+"$/],
  ['PATCH', '/docs/1', 'etag', /^"\w+"$/],
  ['DELETE', '/docs/1', 'x-deleted', /^1$/],
  ['POST', '/docs/1/publish', 'x-items', /^1,2$/],
  ['GET', '/docs/1/file', 'content-disposition', /^attachment; filename="a.pdf"$/],
  ['GET', '/moved', 'location', /^http:\/\/127/],
  ['GET', '/authorize', 'location', /^https:\/\/app\.example\/cb\?code=1$/],
])('%s %s sends the declared header %s', async (method, target, header, value) => {
  await using api = await start(paths)
  const sent = /P(OS|U|ATC)/.test(method) ? { body: '{"title":"a"}' } : {}

  const answer = await api.fetch(target, { method, redirect: 'manual', ...sent })

  expect(answer.headers.get(header)).toMatch(value)
  expect(answer.headers.get('x-odd')).toBeNull()
})

it.each(['POST', 'PUT', 'PATCH'])('the tag of a %s is that of the next read', async (method) => {
  await using api = await start(paths)
  const { id } = (await (await api.fetch('/docs', { method: 'POST', body: '{"title":"a"}' })).json()) as { id: number }
  const target = method === 'POST' ? '/docs' : `/docs/${id}`

  const written = await api.fetch(target, { method, body: `{"id":${id},"title":"b"}` })
  const read = await api.fetch(`/docs/${((await written.json()) as { id: number }).id}`)

  expect(written.headers.get('etag')).toBe(read.headers.get('etag'))
})

it.each([
  ['any text', string(), 'sid', 'Path=/; HttpOnly'],
  ['an example', string({ example: 'sid=abc; Path=/api; Secure; HttpOnly' }), 'sid', 'Path=/api; HttpOnly'],
  ['another name', string({ example: 'other=abc; Path=/' }), 'sid', 'Path=/'],
])('a login sets a cookie that opens the API, declared as %s', async (_, schema, name, attributes) => {
  await using api = await start(
    {
      '/login': {
        post: {
          security: [],
          requestBody: body(object({ user: string(), password: string() })),
          responses: { 204: { description: 'in', headers: { 'Set-Cookie': { required: true, schema } } } },
        },
      },
      '/docs': paths['/docs'],
    },
    {
      security: [{ session: [] }],
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
    },
  )

  const login = await fetch(`${api.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'ada', password: api.key }),
  })
  const cookie = login.headers.get('set-cookie') ?? ''
  const read = await fetch(`${api.url}/docs`, { headers: { cookie: cookie.split(';', 1)[0] as string } })

  expect(cookie).toBe(`${name}=${api.key}; ${attributes}`)
  expect(read.status).toBe(200)
})

it('a rule with headers alone adds them, and the write stays', async () => {
  await using api = await start(paths)
  await api.addRule({ kind: 'override', config: { headers: { etag: '"mine"', 'X-Trace': '7' } } })

  const made = await api.fetch('/docs', { method: 'POST', body: '{"title":"a"}' })
  const { id } = (await made.json()) as { id: number }

  expect([made.headers.get('etag'), made.headers.get('x-trace')]).toEqual(['"mine"', '7'])
  expect((await api.fetch(`/docs/${id}`)).status).toBe(200)
})

it.each([
  ['an error', { kind: 'error', config: { status: 503, retryAfterSeconds: 3 } }, 'retry-after'],
  ['maintenance', { kind: 'maintenance', config: {} }, 'retry-after'],
  ['a limit', { kind: 'rateLimit', config: { limit: 5, windowSeconds: 60 } }, 'ratelimit-remaining'],
  ['another answer', { kind: 'override', config: { body: [], headers: { 'X-Foo': '1' } } }, 'x-foo'],
] as const)('pages may read the headers of %s', async (_, rule, header) => {
  await using api = await start(paths)
  await api.addRule(rule)

  const answer = await api.fetch('/docs', { headers: { origin: 'http://localhost:5173' } })

  expect(answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')).toContain(header)
})

it('leaves out what is more than a client reads: Node refuses headers of over 16 kB', async () => {
  const long = { required: true, schema: string({ minLength: 60_000 }) }
  const many = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`X-Part-${at}`, { required: true, schema: string({ minLength: 20 }) }]),
  )
  await using api = await start({
    '/docs': {
      get: { responses: answers({ type: 'array', items: '$Doc' }, 200, headers({ 'X-Long': long, ...many })) },
    },
  })

  const answer = await api.fetch('/docs')

  expect(answer.status).toBe(200)
  expect(answer.headers.has('x-long')).toBe(false)
  expect(answer.headers.has('x-part-1')).toBe(true)
})
