import { expect, it } from 'vitest'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const query = ['limit', 'after', 'before', 'skip'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
const notes = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, text: id.toUpperCase() }))

const byRecord = { after: 'after', before: 'before', size: 'limit', most: 3, usual: 2, more: 'has_more' }

/** Notes that are listed with the paging of a test. */
const entry = (paging: object): LibraryEntry => ({
  slug: 'notes',
  name: 'Notes',
  provider: 'Notes',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    security: [{ token: [] }],
    paths: {
      '/notes': { get: { parameters: query, responses: ok } },
    },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    'x-backlot-collections': {
      notes: {
        record: { type: 'object', properties: { id: { type: 'string', readOnly: true }, text: { type: 'string' } } },
      },
    },
  },
  volume: { notes: 0 },
  behaviour: [],
  seed: { notes },
  effects: {
    paging: paging as never,
    rows: [
      {
        on: 'GET /notes',
        page: 'data',
        answer: { data: { $sorted: { of: { $all: { of: 'notes' } }, by: 'id' } } },
        each: { $field: { of: { $item: '.' }, path: 'text' } },
      },
    ],
  },
  errors: [
    { code: 'missing_reference', status: 422, body: { problem: 'no {field} {id}' } },
    { code: 'unauthorized', fault: 'missing', body: { problem: 'no key' } },
    { code: 'unauthorized', body: { problem: 'a wrong key' } },
  ],
})

async function open(paging: object = byRecord) {
  const { simulate } = await startForTest({ library: [entry(paging)] })
  return simulate('notes', { webhooks: false })
}
const read = async (answer: Response) => [answer.status, await answer.json()]

it('cuts a list at a record', async () => {
  await using simulation = await open()
  const pages: [string, string[], boolean][] = [
    ['', ['A', 'B'], true],
    ['?limit=9', ['A', 'B', 'C'], true],
    ['?after=c', ['D', 'E'], false],
    ['?after=e', [], false],
    ['?before=c', ['A', 'B'], false],
    ['?before=e&limit=1', ['D'], true],
  ]

  for (const [asked, data, has_more] of pages)
    expect(await read(await simulation.fetch(`/notes${asked}`))).toEqual([200, { data, has_more }])
})

it('refuses a record that the list does not have', async () => {
  await using simulation = await open()

  expect(await read(await simulation.fetch('/notes?after=z'))).toEqual([422, { problem: 'no after z' }])
})

it('leaves out as many as the request asks for, and counts all', async () => {
  await using simulation = await open({ offset: 'skip', size: 'limit', most: 3, total: 'total' })

  const answer = await simulation.fetch('/notes?skip=3&limit=1')

  expect(await read(answer)).toEqual([200, { data: ['D'], total: 5 }])
  expect(answer.headers.get('link')).toBeNull()
})

it('tells a request without a key from one with another', async () => {
  await using simulation = await open()
  const withKey = (headers: Record<string, string>) => fetch(`${simulation.url}/notes`, { headers })

  expect(await read(await withKey({}))).toEqual([401, { problem: 'no key' }])
  expect(await read(await withKey({ Authorization: 'Bearer nope' }))).toEqual([401, { problem: 'a wrong key' }])
})
