import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { type Service, startService } from '../../../src/service/start.ts'
import { describeApi, object } from '../describe-api.ts'

const ref: JsonObject = { $ref: '#/components/schemas/Book' }
const xml = (schema: JsonObject): JsonObject => ({ content: { 'application/xml': { schema } } })
const gives = (schema: JsonObject, status = 200): JsonObject => ({
  responses: { [status]: { description: 'ok', ...xml(schema) } },
})
const book = object({
  id: { type: 'integer', xml: { attribute: true } },
  title: { type: 'string', xml: { name: 'Title' } },
  isLent: 'boolean',
  authors: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'author' } } },
  note: { type: 'array', items: { type: 'string' } },
})
const description = describeApi(
  {
    '/books': { get: gives({ type: 'array', items: ref }), post: { requestBody: xml(ref), ...gives(ref, 201) } },
    '/books/{id}': {
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
      get: gives(ref),
    },
  },
  { components: { schemas: { Book: book } } },
)

let service: Service
let send: (route: string, body?: string, headers?: Record<string, string>) => Promise<{ status: number; text: string }>
beforeAll(async () => {
  service = await startService()
  const created = await fetch(`${service.url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: JSON.stringify(description), seed: 'xml', volume: { books: 2 } }),
  })
  const { url, apiKey } = (await created.json()) as { url: string; apiKey: string }
  send = async (route, body, headers = {}) => {
    const [method = 'GET', path = ''] = route.split(' ')
    const sent = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/xml' }), ...headers }
    const response = await fetch(`${url}${path}`, { method, headers: sent, ...(body && { body }) })
    return { status: response.status, text: await response.text() }
  }
})
afterAll(() => service.close())

it('keeps a record that comes as XML, and shows it as XML', async () => {
  const sent =
    '<?xml version="1.0"?><Book><Title>Tom &amp; Ana</Title><isLent>true</isLent><authors><author>A</author></authors><note>x</note><note>y</note></Book>'

  const made = await send('POST /books', sent)
  const id = /<Book id="(\d+)">/.exec(made.text)?.[1]
  const shown = await send(`GET /books/${id}`)

  expect(made.status).toBe(201)
  expect(shown.text).toContain('<Title>Tom &amp; Ana</Title>')
  expect(shown.text).toContain('<isLent>true</isLent>')
  expect(shown.text).toContain('<authors><author>A</author></authors>')
  expect(shown.text).toContain('<note>x</note><note>y</note>')
})

it('lists records in one element', async () => {
  const { text } = await send('GET /books')

  expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><items><Book id="\d+">/)
  expect(text.match(/<Book /g)?.length).toBeGreaterThan(1)
})

it.each([
  ['<Book><Title>x</Book>', 'well-formed'],
  ['<!DOCTYPE a [<!ENTITY b "c">]><Book>&b;</Book>', 'no DOCTYPE'],
  [`${'<a>'.repeat(150)}${'</a>'.repeat(150)}`, 'ested'],
])('refuses %.30s', async (body, word) => {
  const { status, text } = await send('POST /books', body)

  expect(status).toBe(400)
  expect(text).toContain(word)
})

it('has no JSON where there is only XML', async () => {
  expect((await send('GET /books', undefined, { accept: 'application/json' })).status).toBe(406)
})
