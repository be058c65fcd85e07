import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, body, boolean, describeApi, integer, list, object, path, query, string } from './describe-api.ts'
import { simulate } from './simulate.ts'
import { todoDescription } from './todo-description.ts'

it('explains an unknown path', () => {
  const { send } = simulate(todoDescription)

  expect(send('GET', '/task')).toMatchObject({
    status: 404,
    body: { type: 'not_found', message: expect.stringContaining('Failed to find GET /task: Todo has no such path.') },
  })
  expect(send('GET', '/task').body.message).toContain('GET /tasks')
})

it('names the methods of a path', () => {
  const { send } = simulate(todoDescription)

  expect(send('PUT', '/tasks')).toMatchObject({ status: 405, headers: { allow: 'GET, POST, HEAD, OPTIONS' } })
  expect(send('OPTIONS', '/tasks')).toMatchObject({ status: 204, headers: { allow: 'GET, POST, HEAD, OPTIONS' } })
})

it('answers HEAD like GET, without the body', () => {
  const { send } = simulate(todoDescription)

  expect(send('HEAD', '/tasks')).toMatchObject({
    status: 200,
    text: '',
    headers: { 'x-total-count': expect.any(String) },
  })
})

it('wants the key, and says how to send it', () => {
  const { send } = simulate(todoDescription)
  const withKey = (authorization: string | undefined) => send('GET', '/tasks', { headers: { authorization } })

  expect(withKey(undefined)).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: {
      type: 'unauthorized',
      message: 'Expected a key of this simulation: send it as `Authorization: Bearer <key>`.',
    },
  })
  expect(withKey('Bearer wrong')).toMatchObject({
    status: 401,
    body: {
      message: 'Expected a key of this simulation, got "*****": send one of its own as `Authorization: Bearer <key>`.',
    },
  })
})

it('lets anyone call what is public', () => {
  const { send } = simulate(todoDescription)

  expect(send('GET', '/status', { headers: { authorization: undefined } }).status).toBe(200)
})

it.each([
  [{}, 'Expected `title` to be present, got nothing.', 'title'],
  [{ title: 5 }, 'Expected `title` to be a string, got 5.', 'title'],
  [{ title: '' }, 'Expected `title` to be at least 1 character long, got "".', 'title'],
  [{ title: 'x', priority: 9 }, 'Expected `priority` to be at most 5, got 9.', 'priority'],
  [{ title: 'x', priority: 1.5 }, 'Expected `priority` to be an integer, got 1.5.', 'priority'],
  [{ title: 'x', due_date: 'soon' }, 'Expected `due_date` to be a text of format date, got "soon".', 'due_date'],
  [{ title: 'x', tags: ['a', 1] }, 'Expected `tags.1` to be a string, got 1.', 'tags.1'],
  [{ title: 'x', nope: 1 }, 'Expected `nope` to be absent: no such field is declared, got 1.', 'nope'],
])('refuses the body %j with the status and shape that the description declares', (json, message, param) => {
  const { send } = simulate(todoDescription)

  expect(send('POST', '/tasks', { json })).toMatchObject({
    status: 422,
    body: { type: 'invalid_request', message, param },
    changes: [],
  })
})

it('refuses parameters that do not fit', () => {
  const { send } = simulate(todoDescription)

  expect(send('GET', '/tasks?limit=0')).toMatchObject({
    status: 400,
    body: { message: 'Expected `limit` to be at least 1, got 0.' },
  })
  expect(send('GET', '/tasks?limit=ten')).toMatchObject({
    status: 400,
    body: { message: 'Expected `limit` to be an integer, got "ten".' },
  })
})

it('warns of what does not fit, or lets it pass, where that is wanted', () => {
  const json = { title: 5 }

  expect(simulate(todoDescription, { validation: 'warn' }).send('POST', '/tasks', { json })).toMatchObject({
    status: 201,
    warnings: ['Expected `title` to be a string, got 5.'],
  })
  expect(simulate(todoDescription, { validation: 'off' }).send('POST', '/tasks', { json })).toMatchObject({
    status: 201,
    warnings: [],
  })
})

it('refuses bodies that are malformed, of another type, or missing', () => {
  const { send } = simulate(todoDescription)
  const headers = { 'content-type': 'application/json' }

  expect(send('POST', '/tasks', { text: '{"title"', headers })).toMatchObject({
    status: 400,
    body: {
      message: expect.stringMatching(/^Failed to parse the body as JSON: .* at position 8 \(line 1 column 9\)\.$/),
    },
  })
  expect(
    send('POST', '/tasks', { text: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  ).toMatchObject({
    status: 415,
    body: { message: 'Expected `content-type` to be one of application/json, got application/x-www-form-urlencoded.' },
  })
  expect(send('POST', '/tasks')).toMatchObject({
    status: 422,
    body: { message: 'Expected the body to be present, got nothing.' },
  })
})

it('refuses what cannot be had as the caller wants it', () => {
  const { send } = simulate(todoDescription)

  expect(send('GET', '/tasks', { headers: { accept: 'text/csv' } })).toMatchObject({
    status: 406,
    body: { message: 'Failed to answer as text/csv: the operation offers application/json.' },
  })
  expect(send('GET', '/tasks', { headers: { accept: 'application/vnd.todo.v1+json' } }).status).toBe(200)
})

it('lets pages of any origin call it', () => {
  const { send } = simulate(todoDescription)
  const origin = 'https://app.example.test'

  const preflight = send('OPTIONS', '/tasks', {
    headers: {
      origin,
      authorization: undefined,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
      'access-control-request-private-network': 'true',
    },
  })

  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': expect.stringContaining('PATCH'),
    },
  })
  expect(preflight.headers).not.toHaveProperty('access-control-allow-private-network')
  expect(send('GET', '/tasks', { headers: { origin } }).headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('Link'),
  })
  expect(send('GET', '/nope', { headers: { origin } }).headers['access-control-allow-origin']).toBe('*')
})

it('reads parameters as clients write them', () => {
  const seen = object({ id: string() })
  const { send } = simulate(
    describeApi({
      '/things': {
        get: {
          parameters: [
            query('archived', boolean),
            query('limit', integer()),
            query('since', string({ format: 'date-time' })),
            query('ids', list(integer())),
            { name: 'where', in: 'query', style: 'deepObject', explode: true, schema: object({ size: integer() }) },
          ],
          responses: answers(list(seen)),
        },
      },
    }),
  )
  const status = (text: string) => send('GET', `/things?${text}`).status

  for (const good of [
    'archived=1',
    'archived=false',
    'limit=',
    'since=2025-01-01T10:00:00',
    'ids=1,2',
    'ids=1&ids=2',
    'ids[]=1',
    'where[size]=3',
  ]) {
    expect([good, status(good)]).toEqual([good, 200])
  }
  for (const bad of ['archived=maybe', 'limit=ten', 'since=soon', 'ids=1,x', 'where[size]=big']) {
    expect([bad, status(bad)]).toEqual([bad, 400])
  }
})

it('reads multipart bodies by the schema', () => {
  const upload = object({ title: string(), pages: integer(), file: string({ format: 'binary' }) }, ['title', 'file'])
  const { send } = simulate(
    describeApi(
      {
        '/documents': {
          post: { requestBody: body(upload, 'multipart/form-data'), responses: answers('$Document', 201) },
        },
        '/documents/{id}': { get: { parameters: [path('id')], responses: answers('$Document') } },
      },
      { Document: object({ id: string(), title: string(), pages: integer() }, ['id', 'title']) },
    ),
  )
  const part = (name: string, value: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const file = part('file', '%PDF', '; filename="a.pdf"')

  const made = send('POST', '/documents', {
    text: `${part('title', 'Plan')}${part('pages', '3')}${file}--b--\r\n`,
    headers,
  })

  expect(made).toMatchObject({ status: 201, body: { title: 'Plan', pages: 3 } })
  expect(send('POST', '/documents', { text: `${part('title', 'Plan')}--b--\r\n`, headers })).toMatchObject({
    status: 400,
    body: { error: { message: 'Expected `file` to be present, got nothing.' } },
  })
})

it.each(['1e1', '0x10', '+5', '5.', ' 5', '1_0', '٥'])('takes no "%s" for a number of the query', (text) => {
  const { send } = simulate(todoDescription)

  const answer = send('GET', `/tasks?limit=${encodeURIComponent(text)}`)

  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('`limit`') } })
})

it('refuses a parameter of one value that is sent twice, and takes a list', () => {
  const { send } = simulate(
    describeApi(
      {
        '/tasks': {
          get: {
            parameters: [query('limit', integer()), query('status'), query('labels', list(string()))],
            responses: answers(list('$Task')),
          },
        },
      },
      { Task: object({ id: string(), status: string(), labels: list(string()) }, ['id']) },
    ),
  )

  expect(send('GET', '/tasks?limit=1&limit=2')).toMatchObject({
    status: 400,
    body: { error: { message: 'Expected `limit` to be in the query once, or described as an array, got ["1","2"].' } },
  })
  expect(send('GET', '/tasks?status=a&status=a').status).toBe(400)
  expect(send('GET', '/tasks?labels=a&labels=b').status).toBe(200)
})

// Texts of Traccar, Vikunja and Cobalt (docs.cobalt.io).
it.each([
  'To fetch one or more tasks. Multiple params can be passed like `level=1&level=3`',
  'You can pass this multiple times to get more.',
  'If specified, returns tasks of all levels. This query parameter can be specified multiple times.',
])('takes a parameter several times whose text says: %s', (description) => {
  const paths = (parameter: JsonObject) => ({
    '/tasks': { get: { parameters: [{ ...parameter, description }], responses: answers(list('$Task')) } },
    '/tasks/{id}': { parameters: [path('id')], get: { responses: answers('$Task') } },
  })
  const { send } = simulate(
    describeApi(paths(query('level', integer({ enum: [1, 2, 3] }))), {
      Task: object({ id: string(), level: integer({ enum: [1, 2, 3] }) }, ['id', 'level']),
    }),
  )

  const levelsOf = (text: string) => new Set(send('GET', `/tasks?${text}`).body.map(({ level }: JsonObject) => level))

  expect(levelsOf('level=1&level=3')).toEqual(new Set([1, 3]))
  expect(levelsOf('level=2')).toEqual(new Set([2]))
  expect(send('GET', '/tasks?level=1&level=4')).toMatchObject({ status: 400 })
})
