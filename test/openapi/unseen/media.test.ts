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
const FILE = { type: 'string', format: 'binary' }

let service: Service
let get: (path: string, accept?: string) => Promise<{ type: string | null; bytes: Buffer }>
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
  const both = { 'application/json': { schema: list }, 'text/csv': { schema: { type: 'string' } } }
  const description = describeApi({
    ...Object.fromEntries(files.map((type) => [`/files/${type.replace('/', '-')}`, { get: gives(type, FILE) }])),
    '/people': { get: { responses: { 200: { description: 'ok', content: both } } } },
    '/people/{id}': { get: answers(item) },
    '/ticks': { get: gives('text/event-stream', list) },
  })
  const created = await fetch(`${service.url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: JSON.stringify(description), seed: 'media', volume: { people: 3 } }),
  })
  const { url, apiKey } = (await created.json()) as { url: string; apiKey: string }
  get = async (path, accept = '*/*') => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}`, accept } })
    return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
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
  const { bytes, type: told } = await get(`/files/${type.replace('/', '-')}`)

  const hex = bytes.toString('hex')
  expect(told).toBe(type)
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
