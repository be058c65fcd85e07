import { expect, it } from 'vitest'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
const body = { content: { 'application/json': {} } }
const text = { type: 'string', default: '' }

/** An API whose clients make keys for others. */
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
      '/whoami': { get: { responses: ok } },
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
  effects: { keys: { of: 'keys', field: 'token' } },
  handlers: new URL('../support/entry-handlers/keys.ts', import.meta.url).href,
  errors: [
    { code: 'unauthorized', fault: 'missing', body: { problem: 'no key' } },
    { code: 'unauthorized', body: { problem: 'a wrong key' } },
  ],
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

it('tells a request without a key from one with another', async () => {
  await using api = await open()
  const read = async (headers: Record<string, string>) => {
    const answer = await fetch(`${api.url}/whoami`, { headers })
    return [answer.status, await answer.json()]
  }

  expect(await read({})).toEqual([401, { problem: 'no key' }])
  expect(await read({ Authorization: 'Bearer nope' })).toEqual([401, { problem: 'a wrong key' }])
})

it('names a collection that keys cannot be of', async () => {
  const wrong = { ...entry, slug: 'wrong', effects: { keys: { of: 'tokens', field: 'token' } } }
  const { simulate } = await startForTest({ library: [wrong] })

  await expect(simulate('wrong')).rejects.toThrow('there is no collection "tokens"')
})
