import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { type Service, startService } from '../../../src/service/start.ts'
import { answers, describeApi, object } from '../describe-api.ts'

const item = object(
  { id: 'string', name: 'string', note: { type: 'string', enum: ['a "b", c'] } },
  { required: ['note'] },
)
const list: JsonObject = { type: 'array', items: item }
const gives = (type: string, schema: JsonObject): JsonObject => ({
  responses: { 200: { description: 'ok', content: { [type]: { schema } } } },
})
const API = 'application/vnd.api+json'
const FILE = { type: 'string', format: 'binary' }

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly length: string | null
  readonly bytes: Buffer
}

let service: Service
let get: (path: string, accept?: string, method?: string) => Promise<Answer>
beforeAll(async () => {
  service = await startService()
  const files = [
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'application/pdf',
    'audio/wav',
    'audio/mpeg',
    'application/zip',
  ]
  const same = { $ref: '#/components/schemas/Notes' }
  const plain = { 'application/json': { schema: same }, 'application/xml': { schema: same } }
  const both = { 'application/json': { schema: list }, 'text/csv': { schema: { type: 'string' } } }
  const description = describeApi(
    {
      ...Object.fromEntries(files.map((type) => [`/files/${type.replace('/', '-')}`, { get: gives(type, FILE) }])),
      '/people': { get: { responses: { 200: { description: 'ok', content: both } } } },
      '/people/{id}': { get: answers(item) },
      '/ticks': { get: gives('text/event-stream', list) },
      '/words': { get: gives('text/event-stream', { type: 'string' }) },
      '/said': { get: gives('text/event-stream', { type: 'string', example: 'event: said\ndata: hi\n\n' }) },
      '/lines': { get: gives('application/x-ndjson', list) },
      '/rows': { get: gives('text/csv', list) },
      '/icon': { get: gives('image/*', FILE) },
      '/drawing': { get: gives('image/svg+xml', FILE) },
      '/notes': { get: { responses: { 200: { description: 'ok', content: { [API]: { schema: same }, ...plain } } } } },
    },
    { components: { schemas: { Notes: list } } },
  )
  const created = await fetch(`${service.url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: JSON.stringify(description), seed: 'media', volume: { people: 3 } }),
  })
  const { url, apiKey } = (await created.json()) as { url: string; apiKey: string }
  get = async (path, accept = '*/*', method = 'GET') => {
    const response = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${apiKey}`, accept } })
    const { status, headers } = response
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status, type: headers.get('content-type'), length: headers.get('content-length'), bytes }
  }
})
afterAll(() => service.close())

it.each([
  ['image/png', '89504e47', '49454e44ae426082'],
  ['image/jpeg', 'ffd8ff', 'ffd9'],
  ['image/gif', Buffer.from('GIF89a').toString('hex'), '3b'],
  ['image/webp', Buffer.from('RIFF').toString('hex'), ''],
  ['application/pdf', Buffer.from('%PDF-').toString('hex'), Buffer.from('%%EOF\n').toString('hex')],
  ['audio/wav', Buffer.from('RIFF').toString('hex'), '80'],
  ['audio/mpeg', 'fffb9064', '00'],
  ['application/zip', '504b0506', ''],
])('answers a file of %s', async (type, begin, end) => {
  const { bytes, type: answeredType } = await get(`/files/${type.replace('/', '-')}`)

  const hex = bytes.toString('hex')
  expect(answeredType).toBe(type)
  expect(hex.startsWith(begin) && hex.endsWith(end), hex).toBe(true)
  expect(bytes.length).toBeLessThan(2_000)
})

it('gives a PDF whose table leads to its objects', async () => {
  const text = (await get('/files/application-pdf')).bytes.toString('latin1')

  const table = Number(/startxref\n(\d+)/.exec(text)?.[1])
  const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset))
  expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual(['1 0 obj', '2 0 obj', '3 0 obj'])
})

it('writes the records of a list as rows where CSV is asked for', async () => {
  const people = JSON.parse((await get('/people')).bytes.toString())
  const lines = (await get('/people', 'text/csv')).bytes.toString().split('\r\n')

  expect(lines).toHaveLength(5)
  expect(lines[0]?.split(',')).toContain('note')
  expect(lines[1]).toContain(people[0].id)
  expect(lines[1]).toContain('"a ""b"", c"')
})

it('writes events of the declared items where a stream of events is declared', async () => {
  const { bytes } = await get('/ticks', 'text/event-stream')

  const events = bytes.toString().split('\n\n')
  expect(events.pop()).toBe('')
  expect(events.length).toBeGreaterThan(0)
  for (const event of events) expect(JSON.parse(event.replace(/^data: /, ''))).toMatchObject({ note: 'a "b", c' })
})

it('writes a stream of events also where the description calls it a text', async () => {
  const text = (await get('/words')).bytes.toString()
  const events = (await get('/said')).bytes.toString()

  expect(text).toMatch(/^data: \S.*\n\n$/)
  expect(events).toBe('event: said\ndata: hi\n\n')
})

it('writes one line of JSON for each item', async () => {
  const lines = (await get('/lines')).bytes.toString().split('\n')

  expect(lines.pop()).toBe('')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ note: 'a "b", c' })
})

it('writes rows where CSV is described as a list', async () => {
  const text = (await get('/rows')).bytes.toString()

  expect(text).toMatch(/^(id|name|note)[\w,]*\r\n/)
  expect(text).toContain('"a ""b"", c"')
})

it.each([
  ['/icon', '*/*', 'image/png'],
  ['/icon', 'image/gif', 'image/gif'],
  ['/drawing', '*/*', 'image/svg+xml'],
])('gives %s asked for as %s the type %s', async (path, accept, type) => {
  const answer = await get(path, accept)

  expect(answer.type).toBe(type)
  expect(answer.bytes.toString('latin1')).toMatch(/^(\x89PNG|GIF89a|<svg xmlns)/)
})

it.each([
  [API, API],
  ['application/json', 'application/json'],
  ['text/xml', 'application/xml'],
  [`text/html, ${API};q=0.9, application/json;q=0.8`, API],
])('answers %s with %s, one of several types of one schema', async (accept, type) => {
  const answer = await get('/notes', accept)

  expect(answer.status).toBe(200)
  expect(answer.type).toBe(type)
})

it('tells in the answer to HEAD the length that GET has', async () => {
  for (const path of ['/people', '/files/image-png']) {
    const { bytes } = await get(path)
    const head = await get(path, '*/*', 'HEAD')

    expect(head.length).toBe(String(bytes.length))
    expect(head.bytes.length).toBe(0)
  }
})
