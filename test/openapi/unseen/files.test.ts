import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { type Service, startService } from '../../../src/service/start.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'

const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }
const FILE: JsonObject = { type: 'string', format: 'binary' }
const gives = (type: string): JsonObject => ({
  responses: { 200: { description: 'ok', content: { [type]: { schema: FILE } } } },
})
const accepts = (type: string, schema = FILE): JsonObject => ({ requestBody: { content: { [type]: { schema } } } })
const done: JsonObject = { responses: { 204: { description: 'done' } } }
const paper = object({ id: 'string', name: 'string' })
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64')

let service: Service
let send: (route: string, init?: RequestInit) => Promise<Response>
beforeAll(async () => {
  service = await startService()
  const description = describeApi({
    '/papers': {
      get: answers({ type: 'array', items: paper }),
      post: { ...accepts('multipart/form-data', object({ name: 'string', file: FILE })), ...answers(paper) },
    },
    '/papers/{id}': { ...id, get: answers(paper), delete: done },
    '/papers/{id}/download': { ...id, get: gives('application/pdf') },
    '/papers/{id}/cover': { ...id, get: gives('image/png'), put: { ...accepts('image/png'), ...done }, delete: done },
    '/papers/{id}/tags': {
      ...id,
      get: answers({ type: 'array', items: { type: 'string' } }),
      put: { ...takes({ type: 'array', items: { type: 'string' } }), ...done },
      post: { ...takes(object({ tag: 'string' })), ...done },
    },
    '/papers/{id}/marker': { ...id, get: done },
    '/papers/{id}/content': { ...id, get: answers({ type: 'string' }) },
    '/papers/{id}/attachment': {
      ...id,
      get: gives('application/octet-stream'),
      put: { ...accepts('application/octet-stream'), ...done },
    },
    '/completions': {
      post: {
        ...takes(object({ stream: 'boolean' })),
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: paper }, 'text/event-stream': { schema: paper } },
          },
        },
      },
    },
    '/level': { get: answers({ type: 'string' }), put: { ...takes(object({ level: 'string' })), ...done } },
  })
  const created = await fetch(`${service.url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: JSON.stringify(description), seed: 'files' }),
  })
  const { url, apiKey } = (await created.json()) as { url: string; apiKey: string }
  send = (route, init = {}) => {
    const [method = 'GET', path = ''] = route.split(' ')
    const headers = { authorization: `Bearer ${apiKey}`, ...(init.headers as Record<string, string>) }
    return fetch(`${url}${path}`, { ...init, method, headers })
  }
})
afterAll(() => service.close())

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())
const json = (value: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
async function firstPaper(): Promise<string> {
  const [first] = (await (await send('GET /papers')).json()) as [{ id: string }]
  return first.id
}

it('gives back the file of a form by the download of the record that it made', async () => {
  const form = new FormData()
  form.set('name', 'report')
  form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'report.png')
  const made = (await (await send('POST /papers', { body: form })).json()) as { id: string; name: string }

  const shown = await send(`GET /papers/${made.id}/download`)

  expect(made.name).toBe('report')
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(await bytesOf(shown)).toEqual(PIXEL)
})

it('gives back what was put at an address, until it is deleted', async () => {
  const key = await firstPaper()
  const sample = await bytesOf(await send(`GET /papers/${key}/cover`))

  await send(`PUT /papers/${key}/cover`, { headers: { 'content-type': 'image/png' }, body: PIXEL })

  expect(sample.subarray(1, 4).toString()).toBe('PNG')
  expect(await bytesOf(await send(`GET /papers/${key}/cover`))).toEqual(PIXEL)
  await send(`DELETE /papers/${key}/cover`)
  expect((await send(`GET /papers/${key}/cover`)).status).toBe(404)
})

it('keeps no file of more than eight million bytes, and answers with a small one', async () => {
  const key = await firstPaper()
  const body = Buffer.alloc(8_000_001, 1)

  await send(`PUT /papers/${key}/cover`, { headers: { 'content-type': 'image/png' }, body })

  const shown = await send(`GET /papers/${key}/cover`)
  expect((await bytesOf(shown)).subarray(1, 4).toString()).toBe('PNG')
})

it('keeps a list of words and a single word as documents', async () => {
  const key = await firstPaper()

  await send(`PUT /papers/${key}/tags`, json(['a', 'b']))
  await send(`POST /papers/${key}/tags`, json({ tag: 'c' }))
  await send('PUT /level', json({ level: 'debug' }))

  expect(await (await send(`GET /papers/${key}/tags`)).json()).toEqual(['a', 'b', 'c'])
  expect(await (await send('GET /level')).json()).toBe('debug')
})

it('answers with a record’s file until the record is deleted', async () => {
  const [, second] = (await (await send('GET /papers')).json()) as { id: string }[]
  const paths = ['download', 'cover', 'tags', 'marker'].map((part) => `GET /papers/${second?.id}/${part}`)

  const before = await Promise.all(paths.map(async (path) => (await send(path)).status))
  await send(`DELETE /papers/${second?.id}`)
  const after = await Promise.all(paths.map(async (path) => (await send(path)).status))

  expect(before).toEqual([200, 200, 200, 204])
  expect(after).toEqual([404, 404, 404, 404])
})

it('gives a file back where its content is described as a text, whatever the client accepts', async () => {
  const form = new FormData()
  form.append('file', new Blob(['{"a":1}'], { type: 'application/jsonl' }), 'a.jsonl')
  const { id: key } = (await (await send('POST /papers', { body: form })).json()) as { id: string }

  const answer = await send(`GET /papers/${key}/content`, { headers: { accept: 'application/binary' } })

  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('{"a":1}')
})

it('takes a file of any kind where bytes are asked for', async () => {
  const key = await firstPaper()

  const sent = await send(`PUT /papers/${key}/attachment`, { headers: { 'content-type': 'text/plain' }, body: 'hello' })

  expect(sent.status).toBe(204)
  expect(await (await send(`GET /papers/${key}/attachment`)).text()).toBe('hello')
})

it('answers with events where the body asks for a stream', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const whole = await send('POST /completions', { headers, body: '{"stream":false}' })
  const streamed = await send('POST /completions', { headers, body: '{"stream":true}' })

  expect(whole.headers.get('content-type')).toContain('application/json')
  expect(streamed.headers.get('content-type')).toContain('text/event-stream')
  expect(await streamed.text()).toMatch(/^data: \{/)
})
