import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { simulate } from './simulate.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const kind = (type: string, properties: JsonObject) => ({
  type: 'object',
  required: ['type', ...Object.keys(properties)],
  properties: { type: { type: 'string', const: type }, ...properties },
})
const text = { type: 'string' }
const gives = (content: JsonObject) => ({ responses: { 200: { description: 'ok', content } } })
const asked = { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } }
const events = { oneOf: ['Completed', 'Failed', 'Created', 'Delta'].map(ref) }
const task = { type: 'object', required: ['id', 'title'], properties: { id: text, title: text } }
const id = { name: 'id', in: 'path', required: true, schema: text }

// As OpenAI (`type` of each event a constant), Cohere (a discriminator) and Letta (`itemSchema`) describe their streams.
const DESCRIPTION: JsonObject = {
  openapi: '3.2.0',
  info: { title: 'Streams', version: '1' },
  paths: {
    '/answers': {
      post: {
        ...asked,
        ...gives({ 'application/json': { schema: task }, 'text/event-stream': { schema: events } }),
      },
    },
    '/models/{id}:streamAnswer': {
      parameters: [id],
      post: {
        ...asked,
        ...gives({ 'application/json': { schema: task }, 'text/event-stream': { itemSchema: events } }),
      },
    },
    '/explain/lines': { post: gives({ 'application/jsonl': { itemSchema: events } }) },
    '/explain/sequence': { post: gives({ 'application/json-seq': { itemSchema: events } }) },
    '/explain/parts': { post: gives({ 'multipart/mixed': { itemSchema: events } }) },
    '/named': {
      get: gives({
        'text/event-stream': {
          itemSchema: {
            oneOf: [ref('NamedStart'), ref('NamedEnd')],
            discriminator: {
              propertyName: 'kind',
              mapping: { begin: ref('NamedStart').$ref, finish: ref('NamedEnd').$ref },
            },
          },
        },
      }),
    },
    '/shown': { get: gives({ 'text/event-stream': { example: 'event: a\ndata: 1\n\ndata: [DONE]\n\n' } }) },
    '/shown-lines': { get: gives({ 'application/jsonl': { example: '{"a":1}\n{"a":2}\n' } }) },
    '/tasks': {
      get: gives({
        'application/json': { schema: { type: 'array', items: ref('Task') } },
        'text/event-stream': { itemSchema: ref('Task') },
        'application/json-seq': { itemSchema: ref('Task') },
      }),
    },
    '/tasks/{id}': { parameters: [id], get: gives({ 'application/json': { schema: ref('Task') } }) },
  },
  components: {
    schemas: {
      Task: task,
      Created: kind('answer.created', { answer_id: text }),
      Delta: kind('answer.delta', { answer_id: text, delta: text }),
      Completed: kind('answer.completed', { answer_id: text }),
      Failed: kind('answer.failed', { message: text }),
      NamedStart: { type: 'object', required: ['kind'], properties: { kind: text, data: text } },
      NamedEnd: { type: 'object', required: ['kind'], properties: { kind: text } },
    },
  },
}
const { send } = simulate(DESCRIPTION, { volume: { tasks: 3 } })

const ofEvents = (body: string) => [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string))
const typesOf = (items: { type?: string }[]) => items.map(({ type }) => type)
const TYPES = ['answer.created', 'answer.delta', 'answer.completed']

it.each([
  ['`stream: true`', '/answers', { json: { stream: true } }],
  ['`alt=sse`', '/answers?alt=sse', { json: {} }],
  ['`Accept`', '/answers', { json: {}, headers: { accept: 'text/event-stream' } }],
  ['the last segment of the path', '/models/1:streamAnswer', { json: {} }],
])('answers one event of each kind where a stream is asked for by %s', (_, path, sending) => {
  const { headers, text } = send('POST', path, sending)

  const items = ofEvents(text)
  expect(headers['content-type']).toBe('text/event-stream')
  expect(typesOf(items)).toEqual(TYPES)
  expect(new Set(items.map(({ answer_id }) => answer_id)).size).toBe(1)
})

it('writes the same events as lines, a text sequence and parts', () => {
  const [lines, sequence, parts] = ['lines', 'sequence', 'parts'].map((form) => send('POST', `/explain/${form}`))

  expect(
    typesOf(
      lines?.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)) ?? [],
    ),
  ).toEqual(TYPES)
  const items = sequence?.text.split('\u001e').slice(1) ?? []
  expect(items.every((item) => item.endsWith('\n'))).toBe(true)
  expect(typesOf(items.map((item) => JSON.parse(item)))).toEqual(TYPES)
  const [, boundary] = /^multipart\/mixed; boundary=(.+)$/.exec(parts?.headers['content-type'] ?? '') ?? []
  const bodies = parts?.text.split(`--${boundary}`) ?? []
  expect(bodies.at(-1)).toBe('--\r\n')
  expect(typesOf(bodies.slice(1, -1).map((part) => JSON.parse(part.split('\r\n\r\n')[1] as string)))).toEqual(TYPES)
})

it('names the kinds of a discriminator', () => {
  const items = ofEvents(send('GET', '/named').text)

  expect(items.map(({ kind }) => kind)).toEqual(['begin', 'finish'])
})

it('sends the example of a whole stream as it is', () => {
  expect(send('GET', '/shown').text).toBe('event: a\ndata: 1\n\ndata: [DONE]\n\n')
  expect(send('GET', '/shown-lines').text).toBe('{"a":1}\n{"a":2}\n')
})

it('streams the records of a list, in its order', () => {
  const listed = send('GET', '/tasks').body

  const asEvents = send('GET', '/tasks', { headers: { accept: 'text/event-stream' } })
  const asSequence = send('GET', '/tasks', { headers: { accept: 'application/json-seq' } })

  expect(listed).toHaveLength(3)
  expect(ofEvents(asEvents.text)).toEqual(listed)
  expect(
    asSequence.text
      .split('\u001e')
      .slice(1)
      .map((item) => JSON.parse(item)),
  ).toEqual(listed)
})
