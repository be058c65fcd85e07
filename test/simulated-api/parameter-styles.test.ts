import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulation, type Simulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, body, describeApi, integer, list, object, path, string } from './describe-api.ts'

const role = object({ role: string(), n: integer() }, ['role'])
const numbers = list(integer())
const param = (place: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'p',
  in: place,
  required: true,
  schema,
  ...more,
})
const json = { content: { 'application/json': { schema: numbers } }, schema: undefined as never }

/** Each style for lists and objects, exploded and not: the parameter, and texts that it takes and refuses. */
const STYLES: [place: string, style: string, explode: boolean, schema: JsonObject, good: string, bad: string][] = [
  ['query', 'form', true, numbers, 'p=3&p=4', 'p=3&p=x'],
  ['query', 'form', false, numbers, 'p=3,4', 'p=3,x'],
  ['query', 'form', true, role, 'role=admin&n=3', 'role=admin&n=x'],
  ['query', 'form', false, role, 'p=role,admin,n,3', 'p=n,3'],
  ['query', 'spaceDelimited', false, numbers, 'p=3%204', 'p=3%20x'],
  ['query', 'spaceDelimited', false, role, 'p=role%20admin%20n%203', 'p=role%20admin%20n%20x'],
  ['query', 'pipeDelimited', false, numbers, 'p=3|4', 'p=3|x'],
  ['query', 'pipeDelimited', true, numbers, 'p=3&p=4', 'p=x'],
  ['query', 'pipeDelimited', false, role, 'p=role|admin|n|3', 'p=role|admin|n|x'],
  ['query', 'deepObject', true, role, 'p[role]=admin&p[n]=3', 'p[role]=admin&p[n]=x'],
  ['path', 'simple', false, numbers, '3,4', '3,x'],
  ['path', 'simple', true, numbers, '3,4', '3,x'],
  ['path', 'simple', false, role, 'role,admin,n,3', 'n,3'],
  ['path', 'simple', true, role, 'role=admin,n=3', 'role=admin,n=x'],
  ['path', 'label', false, integer(), '.3', '.x'],
  ['path', 'label', false, numbers, '.3,4', '.3,x'],
  ['path', 'label', true, numbers, '.3.4', '.3.x'],
  ['path', 'label', false, role, '.role,admin,n,3', '.n,3'],
  ['path', 'label', true, role, '.role=admin.n=3', '.role=admin.n=x'],
  ['path', 'matrix', false, integer(), ';p=3', ';p=x'],
  ['path', 'matrix', false, numbers, ';p=3,4', ';p=3,x'],
  ['path', 'matrix', true, numbers, ';p=3;p=4', ';p=3;p=x'],
  ['path', 'matrix', false, role, ';p=role,admin,n,3', ';p=n,3'],
  ['path', 'matrix', true, role, ';role=admin;n=3', ';role=admin;n=x'],
  ['header', 'simple', false, numbers, '3, 4', '3, x'],
  ['header', 'simple', false, role, 'role,admin,n,3', 'n,3'],
  ['header', 'simple', true, role, 'role=admin, n=3', 'role=admin, n=x'],
  ['cookie', 'form', false, numbers, 'p=3,4', 'p=3,x'],
  ['cookie', 'form', true, numbers, 'p=3&p=4', 'p=3&p=x'],
  ['cookie', 'form', false, role, 'p=role,admin,n,3', 'p=n,3'],
  ['cookie', 'form', true, role, 'role=admin; n=3', 'role=admin; n=x'],
]

const send = (api: Simulation, place: string, at: string, text: string): Promise<Response> => {
  if (place === 'query') return api.fetch(`/${at}?${text}`)
  if (place === 'path') return api.fetch(`/${at}/${text}`)
  return api.fetch(`/${at}`, { headers: { [place === 'cookie' ? 'cookie' : 'p']: text } })
}

const CONTENT: [place: string, good: string, bad: string][] = [
  ['query', 'p=[3,4]', 'p=["x"]'],
  ['path', '[3,4]', '["x"]'],
  ['header', '[3, 4]', '["x"]'],
  ['cookie', 'p=[3,4]', 'p=["x"]'],
]

let api: Simulation
beforeAll(async () => {
  const styled = STYLES.map(([place, style, explode, schema], at) => ({
    url: place === 'path' ? `/echo-${at}x/{p}` : `/echo-${at}x`,
    parameter: param(place, schema, { style, explode }),
  }))
  const written = CONTENT.map(([place], at) => ({
    url: place === 'path' ? `/json-${at}x/{p}` : `/json-${at}x`,
    parameter: param(place, numbers, json),
  }))
  const operations = [...styled, ...written].map(({ url, parameter }) => [
    url,
    { get: { parameters: [parameter], responses: answers({ type: 'object' }) } },
  ])
  api = await createSimulation({ spec: describeApi(Object.fromEntries(operations)) }, { behaviour: [] })
})
afterAll(() => api.delete())

it.each(STYLES.map((row, at) => [...row, at] as const))(
  '%s %s, explode %s, of %j',
  async (place, _, __, ___, good, bad, at) => {
    const taken = await send(api, place, `echo-${at}x`, good)
    const refused = await send(api, place, `echo-${at}x`, bad)

    expect([taken.status, refused.status]).toEqual([200, 400])
  },
)

it.each(CONTENT.map((row, at) => [...row, at] as const))('reads the JSON of a %s', async (place, good, bad, at) => {
  const taken = await send(api, place, `json-${at}x`, good)
  const refused = await send(api, place, `json-${at}x`, bad)

  expect([taken.status, refused.status]).toEqual([200, 400])
})

it.each([
  ['csv', 'query', '3,4'],
  ['ssv', 'query', '3%204'],
  ['tsv', 'query', '3%094'],
  ['pipes', 'query', '3|4'],
  ['multi', 'query', '3&p=4'],
  ['csv', 'path', '3,4'],
  ['pipes', 'path', '3|4'],
  ['csv', 'header', '3, 4'],
  ['pipes', 'header', '3|4'],
  ['csv', 'formData', '3,4'],
  ['ssv', 'formData', '3+4'],
  ['pipes', 'formData', '3|4'],
  ['multi', 'formData', '3&p=4'],
])('OpenAPI 2.0 %s in %s', async (collectionFormat, place, text) => {
  const parameter = {
    name: 'p',
    in: place,
    required: true,
    type: 'array',
    items: { type: 'integer' },
    collectionFormat,
  }
  const operation = { parameters: [parameter], responses: { 200: { description: 'ok', schema: { type: 'object' } } } }
  const url = place === 'path' ? '/a/{p}' : '/a'
  const spec = {
    swagger: '2.0',
    info: { title: 'A', version: '1' },
    paths: { [url]: { [place === 'formData' ? 'post' : 'get']: operation } },
  }
  await using api = await createSimulation({ spec }, { behaviour: [] })
  const sendText = (value: string) =>
    place === 'formData'
      ? api.fetch('/a', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `p=${value}`,
        })
      : send(api, place, 'a', place === 'query' ? `p=${value}` : value)

  const taken = await sendText(text)
  const refused = await sendText(text.replace(/4$/, 'x'))

  expect([taken.status, refused.status]).toEqual([200, 400])
})

it.each([
  ['csv', 'pipes', '3|4,5|6'],
  ['csv', 'ssv', '3%204,5%206'],
  ['csv', 'tsv', '3%094,5%096'],
  ['ssv', 'csv', '3,4%205,6'],
  ['ssv', 'pipes', '3|4%205|6'],
  ['tsv', 'csv', '3,4%095,6'],
  ['pipes', 'csv', '3,4|5,6'],
  ['pipes', 'ssv', '3%204|5%206'],
  ['multi', 'csv', '3,4&p=5,6'],
  ['multi', 'pipes', '3|4&p=5|6'],
])('OpenAPI 2.0 %s of lists of %s', async (outer, inner, text) => {
  const row = { type: 'array', items: { type: 'integer' }, collectionFormat: inner, minItems: 2 }
  const parameter = { name: 'p', in: 'query', type: 'array', items: row, collectionFormat: outer }
  const get = { parameters: [parameter], responses: { 200: { description: 'ok', schema: { type: 'object' } } } }
  const spec = { swagger: '2.0', info: { title: 'A', version: '1' }, paths: { '/a': { get } } }
  await using api = await createSimulation({ spec }, { behaviour: [] })

  const taken = await api.fetch(`/a?p=${text}`)
  const refused = await api.fetch(`/a?p=${text.replace(/6$/, 'x')}`)

  expect([taken.status, refused.status]).toEqual([200, 400])
})

it.each([
  [{ style: 'form', explode: false }, 'tags=3,4'],
  [{ style: 'form', explode: true }, 'tags=3&tags=4'],
  [{ style: 'spaceDelimited', explode: false }, 'tags=3+4'],
  [{ style: 'pipeDelimited', explode: false }, 'tags=3%7C4'],
])('a form field with the encoding %j', async (encoding, text) => {
  const form = {
    'application/x-www-form-urlencoded': { schema: object({ tags: numbers }), encoding: { tags: encoding } },
  }
  const row = object({ id: integer({ readOnly: true }), tags: numbers }, ['id', 'tags'])
  const spec = describeApi({
    '/rows': { post: { requestBody: { content: form }, responses: answers(row, 201) } },
  })
  await using api = await createSimulation({ spec }, { behaviour: [] })

  const made = await api.fetch('/rows', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: text,
  })

  expect(await made.json()).toMatchObject({ tags: [3, 4] })
})

it.each([
  ['simple', (id: number) => `${id}`],
  ['label', (id: number) => `.${id}`],
  ['matrix', (id: number) => `;id=${id}`],
])('a key of style %s is read, and written into Location', async (style, written) => {
  const row = object({ id: integer({ readOnly: true }), name: string() }, ['id', 'name'])
  const spec = describeApi({
    '/rows': { post: { requestBody: body(row), responses: answers(row, 201) } },
    '/rows/{id}': { get: { parameters: [{ ...path('id', integer()), style }], responses: answers(row) } },
  })
  await using api = await createSimulation({ spec }, { behaviour: [] })

  const made = await api.fetch('/rows', { method: 'POST', body: '{"name":"a"}' })
  const { id } = (await made.json()) as { id: number }
  const location = made.headers.get('location') ?? ''
  const read = await api.fetch(location.slice(location.indexOf('/rows')))

  expect(location.endsWith(`/rows/${written(id)}`)).toBe(true)
  expect(await read.json()).toMatchObject({ id, name: 'a' })
})

it.each([
  ['form', false, 'tags=red,blue'],
  ['form', true, 'tags=red&tags=blue'],
  ['pipeDelimited', false, 'tags=red|blue'],
  ['spaceDelimited', false, 'tags=red%20blue'],
])('the next page keeps a filter of style %s, explode %s', async (style, explode, text) => {
  const row = object({ id: integer(), tags: string({ enum: ['red', 'blue', 'green'] }) }, ['id', 'tags'])
  const spec = describeApi({
    '/rows': {
      get: {
        parameters: [
          { name: 'tags', in: 'query', style, explode, schema: list(string()) },
          { name: 'page', in: 'query', schema: integer() },
          { name: 'per_page', in: 'query', schema: integer() },
        ],
        responses: answers(object({ next: string(), previous: string(), rows: list(row) }, ['rows'])),
      },
    },
  })
  const seedRecords = {
    rows: ['red', 'green', 'blue', 'green', 'red', 'green'].map((tags, at) => ({ id: at + 1, tags })),
  }
  await using api = await createSimulation({ spec }, { behaviour: [], seedRecords, volume: { rows: 0 } })
  const read = async (query: string) =>
    (await (await api.fetch(`/rows?${query}`)).json()) as { next?: string; rows: { id: number }[] }

  const first = await read(`${text}&per_page=2`)
  const second = await read(new URL(first.next ?? '').search.slice(1))

  expect([...first.rows, ...second.rows].map(({ id }) => id).sort()).toEqual([1, 3, 5])
})

it.each([
  ...[
    'name,desc',
    'name%2Cdesc',
    'name,DESC',
    '-name',
    'name:desc',
    'name%20desc',
    'name|desc',
    'name.desc',
    'name;desc',
  ],
  ...[
    'desc(name)',
    'desc:name',
    'name_desc',
    'nameDesc',
    '["name","DESC"]',
    '{"name":"desc"}',
    '{"name":-1}',
    'name,-1',
  ],
  ...[
    '[{"field":"name","direction":"desc"}]',
    '[{"id":"name","desc":true}]',
    'name&order=desc',
    '!name',
    'name%20DESC%20NULLS%20LAST',
  ],
])('sort=%s sorts by name, descending', async (sort) => {
  const row = object({ id: integer(), name: string() }, ['id', 'name'])
  const kinds = sort.startsWith('[{') ? [string()] : [list(string()), string()]
  const read = await Promise.all(
    kinds.map(async (schema) => {
      const parameters = [
        { name: 'sort', in: 'query', schema },
        { name: 'order', in: 'query', schema: string() },
      ]
      const spec = describeApi({ '/rows': { get: { parameters, responses: answers(list(row)) } } })
      const seedRecords = { rows: ['b', 'c', 'a'].map((name, at) => ({ id: at + 1, name })) }
      await using api = await createSimulation({ spec }, { behaviour: [], seedRecords, volume: { rows: 0 } })
      return (await (await api.fetch(`/rows?sort=${sort}`)).json()) as { name: string }[]
    }),
  )

  expect(read.map((rows) => rows.map(({ name }) => name).join(''))).toEqual(kinds.map(() => 'cba'))
})
