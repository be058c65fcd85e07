import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, body, describeApi, integer, list, object, path, query, string } from './describe-api.ts'

const start = (paths: object, volume: Record<string, number> = {}) =>
  createSimulation({ spec: describeApi(paths as JsonObject) }, { behaviour: [], volume })

const numbers = object({ id: integer({ readOnly: true }), n: { type: 'number' } })
it.each([
  ['int32', '2147483648', 'at most 2147483647'],
  ['int32', '-2147483649', 'at least -2147483648'],
  ['uint32', '-1', 'at least 0'],
  ['int64', '9223372036854775808', 'at most 922337203685477'],
  ['int8', '128', 'at most 127'],
  ['uint8', '256', 'at most 255'],
  ['int16', '-32769', 'at least -32768'],
  ['uint16', '65536', 'at most 65535'],
  ['float', '1e39', 'at most 3.40'],
  ['double', '1e400', 'at most 1.79'],
  ['double', `1${'0'.repeat(309)}`, 'at most 1.79'],
])('refuses %s %s, and names the bound', async (format, text, bound) => {
  const type = /int/.test(format) ? 'integer' : 'number'
  const schema = object({ id: integer({ readOnly: true }), n: { type, format } })
  await using api = await start({
    '/numbers': { post: { requestBody: body(schema), responses: answers(schema, 201) } },
  })

  const answer = await api.fetch('/numbers', { method: 'POST', body: `{"n":${text}}` })

  expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
    400,
    expect.stringContaining(bound),
  ])
})

it('keeps the greatest number of a format', async () => {
  await using api = await start({
    '/numbers': { post: { requestBody: body(numbers), responses: answers(numbers, 201) } },
  })

  const answer = await api.fetch('/numbers', { method: 'POST', body: '{"n":1.7976931348623157e308}' })

  expect(await answer.json()).toMatchObject({ n: Number.MAX_VALUE })
})

const thing = object({ key: string(), v: integer() })
const put = { requestBody: body(thing), responses: { ...answers(thing, 200), ...answers(thing, 201) } }
const things = {
  '/things': { get: { responses: answers(list(thing)) } },
  '/things/{key}': {
    parameters: [path('key')],
    get: { responses: answers(thing, 200, { headers: { ETag: { schema: string() } } }) },
    put,
    delete: { responses: { 204: { description: 'gone' } } },
  },
}

it.each<[what: string, method: string, target: string, headers: Record<string, string>, status: number]>([
  ['a creating PUT', 'PUT', '/things/new', {}, 201],
  ['a replacing PUT', 'PUT', '/things/a', {}, 200],
  ['If-None-Match: * of a new record', 'PUT', '/things/new', { 'if-none-match': '*' }, 201],
  ['If-None-Match: * of a known record', 'PUT', '/things/a', { 'if-none-match': '*' }, 412],
  ['If-None-Match of the tag', 'PUT', '/things/a', { 'if-none-match': 'TAG' }, 412],
  ['If-None-Match of another tag', 'PUT', '/things/a', { 'if-none-match': '"x"' }, 200],
  ['If-Match of the tag', 'PUT', '/things/a', { 'if-match': 'TAG' }, 200],
  ['If-Match of another tag', 'PUT', '/things/a', { 'if-match': '"x"' }, 412],
  ['If-Match: * of a known record', 'PUT', '/things/a', { 'if-match': '*' }, 200],
  ['If-Match of a missing record', 'PUT', '/things/new', { 'if-match': '"x"' }, 412],
  ['If-Match: * of a missing record', 'PUT', '/things/new', { 'if-match': '*' }, 412],
  ['If-Match of a deletion', 'DELETE', '/things/a', { 'if-match': '"x"' }, 412],
  ['a read of the known tag', 'GET', '/things/a', { 'if-none-match': 'TAG' }, 304],
  ['a read of another tag', 'GET', '/things/a', { 'if-none-match': '"x"' }, 200],
])('%s', async (_, method, target, headers, status) => {
  await using api = await start(things)
  await api.fetch('/things/a', { method: 'PUT', body: '{"v":1}' })
  const tag = (await api.fetch('/things/a')).headers.get('etag') ?? ''
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('TAG', tag)]))

  const answer = await api.fetch(target, { method, headers: sent, ...(method === 'PUT' && { body: '{"v":2}' }) })
  const kept = (await api.fetch('/things/a')).headers.get('etag')

  expect(answer.status).toBe(status)
  if (status === 412) expect(kept).toBe(tag)
})

it.each([
  ['201 alone', answers(thing, 201), [201, 201]],
  ['201 and 204', { ...answers(thing, 201), 204: { description: 'replaced' } }, [201, 204]],
  ['200 alone', answers(thing), [200, 200]],
])('a PUT that creates, and one that replaces, with %s', async (_, responses, statuses) => {
  await using api = await start({
    ...things,
    '/things/{key}': { ...things['/things/{key}'], put: { ...put, responses } },
  })
  const send = async () => (await api.fetch('/things/b', { method: 'PUT', body: '{"v":1}' })).status

  expect([await send(), await send()]).toEqual(statuses)
})

const row = object({ id: integer() }, ['id'])
const cursors = (next: string, previous: string, more: JsonObject = {}) => ({
  '/rows': {
    get: {
      parameters: [query('cursor', string(more)), query('limit', integer({ default: 2 }))],
      responses: answers(
        object({ rows: list(row), [next]: string({ nullable: true }), [previous]: string({ nullable: true }) }),
      ),
    },
  },
})
it.each([
  ['next_cursor', 'prev_cursor'],
  ['nextCursor', 'previousCursor'],
  ['next', 'previous'],
  ['next_page_token', 'previous_page_token'],
])('%s and %s lead there and back', async (next, previous) => {
  await using api = await start(cursors(next, previous), { rows: 6 })
  type Rows = { rows: { id: number }[] } & Record<string, string | null>
  const read = async (target: string | null | undefined): Promise<Rows> => {
    const at = !target
      ? '/rows'
      : target.includes('/rows')
        ? target.slice(target.indexOf('/rows'))
        : `/rows?cursor=${target}`
    return (await (await api.fetch(at)).json()) as Rows
  }

  const first = await read(undefined)
  const second = await read(first[next])
  const third = await read(second[next])
  const back = await read(third[previous])
  const begin = await read(back[previous])

  expect(third[next] ?? '').toBe('')
  expect([back.rows, begin.rows]).toEqual([second.rows, first.rows])
  expect([first[previous] ?? '', begin[previous] ?? '']).toEqual(['', ''])
  expect(await read(begin[next])).toMatchObject({ rows: second.rows })
})

it.each(['/rows?limit=0', '/rows?limit=0&cursor='])('%s is an empty page', async (target) => {
  await using api = await start(cursors('next_cursor', 'prev_cursor'), { rows: 3 })

  const answer = await api.fetch(target)

  expect([answer.status, ((await answer.json()) as { rows: object[] }).rows]).toEqual([200, []])
})

const users = {
  '/Users': { get: { responses: answers(list(row)) } },
  '/Users/{id}': { get: { parameters: [path('id', integer())], responses: answers(row) } },
  '/a//b': { get: { responses: answers(row) } },
}
it.each([
  ['/Users', 200],
  ['/Users/', 200],
  ['/Users/1', 200],
  ['/a//b', 200],
  ['/users', 404],
  ['/USERS/1', 404],
  ['/Users//', 404],
  ['/Users//1', 404],
  ['//Users', 404],
  ['/a/b', 404],
  ['/api/v9/Users', 404],
])('GET %s is %d', async (target, status) => {
  await using api = await start(users)

  const answer = await api.fetch(target)

  expect(answer.status).toBe(status)
  if (/users$/i.test(target) && status === 404)
    expect(await answer.text()).toMatch(/The nearest operations are GET \/Users[,.]/)
})

const file = {
  '/files': {
    post: {
      requestBody: { content: { 'application/octet-stream': { schema: string({ format: 'binary' }) } } },
      responses: answers(row, 201),
    },
  },
  '/files/{id}': { get: { parameters: [path('id', integer())], responses: answers(row) } },
  '/files/{id}/content': {
    get: {
      parameters: [path('id', integer())],
      responses: {
        200: { description: 'ok', content: { 'application/octet-stream': { schema: string({ format: 'binary' }) } } },
      },
    },
  },
}
it.each([
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-2', 206, '89', 'bytes 8-9/10'],
  ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
  ['bytes=20-30', 416, '', 'bytes */10'],
  ['bytes=0-1,4-5', 200, '0123456789', null],
  ['items=0-1', 200, '0123456789', null],
])('Range: %s of a file is %d', async (range, status, text, contentRange) => {
  await using api = await start(file)
  const headers = { 'content-type': 'application/octet-stream' }
  const made = await api.fetch('/files', { method: 'POST', headers, body: '0123456789' })
  const { id } = (await made.json()) as { id: number }

  const answer = await api.fetch(`/files/${id}/content`, { headers: { range } })

  expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
    status,
    text,
    contentRange,
  ])
})
