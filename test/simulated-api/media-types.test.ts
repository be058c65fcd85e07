import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, integer, list, object, path, string } from './describe-api.ts'

const meta = object({ title: string(), n: integer() }, ['title'])
const note = object(
  { id: integer({ readOnly: true }), meta, more: list(meta), file: string({ format: 'binary' }), text: string() },
  ['id'],
)
const start = (content: JsonObject) =>
  createSimulation(
    {
      spec: describeApi({
        '/notes': { post: { requestBody: { required: true, content }, responses: answers(note, 201) } },
      }),
    },
    { behaviour: [] },
  )
const form = (entries: [name: string, value: string | Blob, file?: string][]) => {
  const sent = new FormData()
  for (const [name, value, file] of entries)
    typeof value === 'string'
      ? sent.append(name, value)
      : file
        ? sent.append(name, value, file)
        : sent.append(name, value)
  return sent
}
const blob = (value: unknown, type = 'application/json') => new Blob([JSON.stringify(value)], { type })
const multipart = { 'multipart/form-data': { schema: note } }
const urlencoded = { 'application/x-www-form-urlencoded': { schema: note } }
const related = (parts: string[]) => `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`
const part = '{"meta":{"title":"t"}}'

it.each<[what: string, content: JsonObject, body: string | FormData, type: string | undefined, kept: object]>([
  [
    'a JSON part as a Blob',
    multipart,
    form([
      ['meta', blob({ title: 't', n: 1 })],
      ['file', new Blob(['x']), 'a.txt'],
    ]),
    undefined,
    { meta: { title: 't', n: 1 } },
  ],
  [
    'a JSON part with a name',
    multipart,
    form([['meta', blob({ title: 't' }), 'meta.json']]),
    undefined,
    { meta: { title: 't' } },
  ],
  ['a JSON part as a text', multipart, form([['meta', '{"title":"t"}']]), undefined, { meta: { title: 't' } }],
  [
    'a JSON part of a vendor type',
    multipart,
    form([['meta', blob({ title: 't' }, 'application/vnd.acme+json')]]),
    undefined,
    { meta: { title: 't' } },
  ],
  [
    'a list in one part',
    multipart,
    form([['more', blob([{ title: 'u' }, { title: 'v' }])]]),
    undefined,
    { more: [{ title: 'u' }, { title: 'v' }] },
  ],
  [
    'a list in several parts',
    multipart,
    form([
      ['more', blob({ title: 'u' })],
      ['more', blob({ title: 'v' })],
    ]),
    undefined,
    { more: [{ title: 'u' }, { title: 'v' }] },
  ],
  [
    'objects of a list by index',
    urlencoded,
    'more[0][title]=u&more[1][title]=v&more[1][n]=2',
    'application/x-www-form-urlencoded',
    { more: [{ title: 'u' }, { title: 'v', n: 2 }] },
  ],
  [
    'objects of a list by order',
    urlencoded,
    'more[][title]=u&more[][n]=1&more[][title]=v',
    'application/x-www-form-urlencoded',
    { more: [{ title: 'u', n: 1 }, { title: 'v' }] },
  ],
  [
    'objects of a list as JSON',
    urlencoded,
    `more=${encodeURIComponent('[{"title":"u"}]')}`,
    'application/x-www-form-urlencoded',
    { more: [{ title: 'u' }] },
  ],
  [
    'parts of multipart/related by their ids',
    { 'multipart/related': { schema: note } },
    related([
      'Content-Type: application/json\r\nContent-ID: <meta>\r\n\r\n{"title":"t"}',
      'Content-Type: text/plain\r\nContent-ID: <text>\r\n\r\nhello',
    ]),
    'multipart/related; boundary=b',
    { meta: { title: 't' }, text: 'hello' },
  ],
  [
    'parts of multipart/related in order',
    { 'multipart/related': { schema: object({ meta, text: string() }) } },
    related(['Content-Type: application/json\r\n\r\n{"title":"t"}', 'Content-Type: text/plain\r\n\r\nhello']),
    'multipart/related; boundary=b',
    { meta: { title: 't' }, text: 'hello' },
  ],
  [
    'JSON of a declared range',
    { 'application/*+json': { schema: note } },
    part,
    'application/vnd.acme.v2+json',
    { meta: { title: 't' } },
  ],
  [
    'JSON of a vendor without a suffix',
    { 'application/vnd.acme': { schema: note } },
    part,
    'application/vnd.acme',
    { meta: { title: 't' } },
  ],
  [
    'JSON with a charset',
    { 'application/json': { schema: note } },
    part,
    'application/json; charset=utf-8',
    { meta: { title: 't' } },
  ],
])('reads %s', async (_, content, sent, type, kept) => {
  await using api = await start(content)

  const answer = await api.fetch('/notes', {
    method: 'POST',
    body: sent,
    ...(type && { headers: { 'content-type': type } }),
  })

  expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining(kept)])
})

it.each<[what: string, content: JsonObject, type: string, body: string, status: number]>([
  ['a number as a text', { 'text/plain': { schema: integer() } }, 'text/plain', '5', 201],
  ['a text that is no number', { 'text/plain': { schema: integer() } }, 'text/plain', 'five', 400],
  ['any text', { 'text/*': { schema: string({ minLength: 3 }) } }, 'text/markdown', '# Hello', 201],
  ['a short text', { 'text/*': { schema: string({ minLength: 3 }) } }, 'text/markdown', 'a', 400],
  [
    'lines of JSON',
    { 'application/x-ndjson': { schema: list(meta) } },
    'application/x-ndjson',
    '{"title":"a"}\n{"title":"b"}\n',
    201,
  ],
  ['a wrong line', { 'application/x-ndjson': { schema: list(meta) } }, 'application/x-ndjson', '{"n":1}\n', 400],
  ['a wrong part', { 'application/vnd.acme': { schema: note } }, 'application/vnd.acme', '{"meta":{}}', 400],
  ['a type beside the declared ones', { 'text/csv': { schema: string() } }, 'text/html', '<p>', 415],
])('checks %s', async (_, content, type, body, status) => {
  await using api = await start(content)

  const answer = await api.fetch('/notes', { method: 'POST', headers: { 'content-type': type }, body })

  expect(answer.status).toBe(status)
  if (status === 415)
    expect(await answer.text()).toContain('Expected `content-type` to be one of text/csv, got text/html.')
})

const item = object({ id: integer(), name: string() }, ['id', 'name'])
const short = object({ id: integer() }, ['id'])
const linked = object({ _links: object({ self: object({ href: string() }) }), id: integer() }, ['_links', 'id'])
const media = (schema: JsonObject) => ({ schema })
const described = describeApi({
  '/items': {
    get: {
      responses: {
        200: {
          description: 'ok',
          content: {
            'application/hal+json': media(
              object({ _embedded: object({ items: list(linked) }), items: list(linked) }, ['items']),
            ),
            'application/json': media(list(item)),
            'application/vnd.acme.short+json': media(
              object({ data: list(short), total: integer() }, ['data', 'total']),
            ),
            'application/vnd.acme.count+json': media(object({ total: integer() }, ['total'])),
            'application/xml': media(list(item)),
            'text/csv': media(string()),
          },
        },
      },
    },
  },
  '/items/{id}': {
    get: {
      parameters: [path('id', integer())],
      responses: {
        200: {
          description: 'ok',
          content: {
            'application/hal+json': media(linked),
            'application/json': media(item),
            'application/vnd.acme.short+json': media(short),
          },
        },
      },
    },
  },
})

it.each([
  ['/items', undefined, 'application/json', (body: JsonObject[]) => body[0]?.name !== undefined],
  ['/items', 'application/json', 'application/json', (body: JsonObject[]) => body[0]?.name !== undefined],
  [
    '/items',
    'application/hal+json',
    'application/hal+json',
    (body: { items: JsonObject[] }) => body.items[0]?._links !== undefined,
  ],
  [
    '/items',
    'application/vnd.acme.short+json',
    'application/vnd.acme.short+json',
    (body: { data: JsonObject[]; total: number }) =>
      body.data.length === 3 && body.total === 3 && body.data[0]?.name === undefined,
  ],
  [
    '/items',
    'application/vnd.acme.count+json',
    'application/vnd.acme.count+json',
    (body: { total: number }) => body.total === 3,
  ],
  [
    '/items',
    'application/json;q=0.2, application/vnd.acme.count+json',
    'application/vnd.acme.count+json',
    (body: object) => 'total' in body,
  ],
  ['/items', 'application/vnd.acme.v9+json', 'application/json', (body: object) => Array.isArray(body)],
  ['/items', '*/*', 'application/json', (body: object) => Array.isArray(body)],
  [
    '/items/2',
    'application/hal+json',
    'application/hal+json',
    (body: JsonObject) => body._links !== undefined && body.id === 2,
  ],
  [
    '/items/2',
    'application/vnd.acme.short+json',
    'application/vnd.acme.short+json',
    (body: JsonObject) => JSON.stringify(body) === '{"id":2}',
  ],
  ['/items/2', 'text/html, application/json;q=0.5', 'application/json', (body: JsonObject) => body.name !== undefined],
])('%s with Accept: %s is of the type %s', async (target, accept, type, isRight) => {
  await using api = await createSimulation({ spec: described }, { behaviour: [], volume: { items: 3 } })

  const answer = await api.fetch(target, accept === undefined ? {} : { headers: { accept } })

  expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type)
  expect((isRight as (body: never) => boolean)((await answer.json()) as never)).toBe(true)
})

it('refuses a type that it does not offer, and names those that it does', async () => {
  await using api = await createSimulation({ spec: described }, { behaviour: [] })

  const answer = await api.fetch('/items/1', { headers: { accept: 'image/png' } })

  expect(answer.status).toBe(406)
  expect(await answer.text()).toContain(
    'the operation offers application/hal+json, application/json, application/vnd.acme.short+json.',
  )
})
