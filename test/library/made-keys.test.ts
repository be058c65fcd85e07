import { expect, it } from 'vitest'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
const body = { content: { 'application/json': {} } }
const text = { type: 'string', default: '' }

/** An API whose clients make keys for others, and where a file can be fetched as it is. */
const entry: LibraryEntry = {
  slug: 'keys',
  name: 'Keys',
  provider: 'Keys',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Keys', version: '1' },
    security: [{ token: [] }],
    paths: {
      '/keys': { post: { requestBody: body, responses: ok } },
      '/batches': { post: { requestBody: body, responses: ok } },
      '/whoami': { get: { responses: ok } },
      '/turned': { post: { requestBody: body, responses: ok } },
      '/file': { get: { security: [], responses: ok } },
    },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    'x-backlot-collections': {
      keys: {
        record: { type: 'object', properties: { id: { type: 'string', readOnly: true }, token: text, name: text } },
      },
    },
  },
  volume: { keys: 0 },
  behaviour: [],
  effects: {
    keys: { of: 'keys', field: 'token' },
    rows: [
      {
        on: 'POST /keys',
        also: [
          {
            create: 'keys',
            as: 'made',
            values: { name: { $request: 'body.name' }, token: { $id: { prefix: 'k_', length: 20 } } },
          },
        ],
        answer: { token: { $made: 'token' } },
      },
      { name: 'cut', let: { token: { value: { $id: { prefix: 'k_', length: 20 } } } }, answer: { $token: '.' } },
      {
        on: 'POST /batches',
        also: [
          {
            each: { $request: 'body.names' },
            also: [{ do: 'cut', as: 'token' }],
            gather: { into: 'tokens', value: { $token: '.' } },
          },
          { each: { $request: 'body.names' }, gather: { into: 'ids', value: { $id: { prefix: 'i_', length: 20 } } } },
        ],
        answer: { tokens: { $tokens: '.' }, ids: { $ids: '.' } },
      },
      {
        on: 'GET /whoami',
        let: { mine: { of: 'keys', where: { token: { $request: 'key' } } } },
        answer: { name: { $first: [{ $mine: 'name' }, 'owner'] }, at: { $request: 'origin' } },
      },
      {
        on: 'POST /turned',
        answer: {
          patched: { $patched: { of: { a: { b: 1, c: 2 }, d: 3 }, with: { a: { b: null, e: 4 } } } },
        },
      },
      {
        on: 'GET /file',
        answer: null,
        headers: { 'Content-Type': 'text/csv' },
        media: [{ word: '*', body: 'YSxi', base64: true }],
      },
    ],
  },
}

async function open() {
  const { simulate } = await startForTest({ library: [entry] })
  return simulate('keys', { webhooks: false })
}

it('accepts a key that the API has created', async () => {
  await using api = await open()
  const made = await api.fetch('/keys', { method: 'POST', body: JSON.stringify({ name: 'Ada' }) })
  const { token } = (await made.json()) as { token: string }
  const ask = (key: string) => fetch(`${api.url}/whoami`, { headers: { Authorization: `Bearer ${key}` } })

  const answers = await Promise.all([ask(token), ask(api.key)].map(async (asked) => (await asked).json()))

  expect(answers).toEqual([
    { name: 'Ada', at: api.url },
    { name: 'owner', at: api.url },
  ])
  expect((await ask(`${token}x`)).status).toBe(401)
})

it('makes an id of its own for each call of a row and each item of a list', async () => {
  await using api = await open()

  const answer = await api.fetch('/batches', { method: 'POST', body: JSON.stringify({ names: ['a', 'b', 'c'] }) })

  const { tokens, ids } = (await answer.json()) as Record<'tokens' | 'ids', string[]>
  expect([new Set(tokens).size, new Set(ids).size]).toEqual([3, 3])
})

it('merges a patch into an object at every depth', async () => {
  await using api = await open()

  const answer = await api.fetch('/turned', { method: 'POST', body: JSON.stringify({ a: 'x', b: 'y' }) })

  expect(await answer.json()).toEqual({
    patched: { a: { c: 2, e: 4 }, d: 3 },
  })
})

it('answers with a file in the entry’s format to clients that accept any', async () => {
  await using api = await open()

  const answer = await fetch(`${api.url}/file`)

  expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/csv', 'a,b'])
})

it('names a collection that keys cannot be of', async () => {
  const wrong = { ...entry, slug: 'wrong', effects: { keys: { of: 'tokens', field: 'token' }, rows: [] } }
  const { simulate } = await startForTest({ library: [wrong] })

  await expect(simulate('wrong')).rejects.toThrow('there is no collection "tokens"')
})
