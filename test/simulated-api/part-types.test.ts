import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, integer, list, object, string } from './describe-api.ts'

const pair = object({ a: integer(), b: string() })
const MULTIPART = 'multipart/form-data'
const FORM = 'application/x-www-form-urlencoded'

/** A field, the media types of its encoding, the type and the text of the part, and what is kept. */
const PARTS: [what: string, field: JsonObject, encoding: string, type: string, text: string, kept: Json][] = [
  ['JSON without a type', pair, 'application/json', '', '{"a":1}', { a: 1 }],
  ['JSON as plain text', pair, 'application/json', 'text/plain', '{"a":1}', { a: 1 }],
  ['JSON of a vendor', pair, 'application/vnd.acme+json', '', '{"a":1}', { a: 1 }],
  ['JSON of one type for another', pair, 'application/json', 'application/merge-patch+json', '{"a":1}', { a: 1 }],
  ['a JSON text', string(), 'application/json', '', '"x"', 'x'],
  ['JSON of anything', {}, 'application/json', '', '[1,"x"]', [1, 'x']],
  ['XML without a type', pair, 'application/xml', '', '<p><a>1</a><b>x</b></p>', { a: 1, b: 'x' }],
  ['XML by its own type', pair, 'application/json, text/xml', 'text/xml', '<p><a>1</a></p>', { a: 1 }],
  ['one of several types', string(), 'text/csv, text/tab-separated-values', 'text/csv', 'a,b', 'a,b'],
  ['a type of a range', string(), 'text/*', 'text/markdown', '# a', '# a'],
  ['a list', list(integer()), 'application/json', '', '[1,2]', [1, 2]],
]

const start = (content: JsonObject) => {
  const post = { requestBody: { required: true, content }, responses: answers(object({ id: integer(), it: {} }), 201) }
  return createSimulation({ spec: describeApi({ '/rows': { post } }) }, { behaviour: [] })
}

const send = (api: Awaited<ReturnType<typeof start>>, type: string, text: string, more = '') => {
  const stated = type === '' ? '' : `Content-Type: ${type}\r\n`
  const part = `--b\r\nContent-Disposition: form-data; name="it"${more}\r\n${stated}\r\n${text}\r\n--b--\r\n`
  return api.fetch('/rows', { method: 'POST', headers: { 'content-type': `${MULTIPART}; boundary=b` }, body: part })
}

it.each(PARTS)('reads a part with an encoding: %s', async (_, field, contentType, type, text, kept) => {
  await using api = await start({ [MULTIPART]: { schema: object({ it: field }), encoding: { it: { contentType } } } })

  const made = await send(api, type, text)

  expect([made.status, ((await made.json()) as JsonObject).it]).toEqual([201, kept])
})

it.each([
  ['application/json', '{"a":1}', 'application/json'],
  ['application/json; charset=utf-8', '["x"]', 'application/json'],
  ['application/vnd.acme+json', '"x"', 'application/vnd.acme+json'],
])('reads the field of a form with the encoding %s', async (contentType, text) => {
  await using api = await start({ [FORM]: { schema: object({ it: {} }), encoding: { it: { contentType } } } })

  const body = `it=${encodeURIComponent(text)}`
  const made = await api.fetch('/rows', { method: 'POST', headers: { 'content-type': FORM }, body })

  expect(((await made.json()) as JsonObject).it).toEqual(JSON.parse(text))
})

it.each([
  ['image/png, image/jpeg', 'image/gif', 415],
  ['image/*', 'application/pdf', 415],
  ['application/json', 'application/xml', 415],
  ['image/png, image/jpeg', 'image/jpeg', 201],
  ['image/*', 'image/webp', 201],
  ['image/png', 'application/octet-stream', 201],
])('takes a file of %s as %s: %i', async (contentType, type, status) => {
  const file = string({ format: 'binary' })
  await using api = await start({ [MULTIPART]: { schema: object({ it: file }), encoding: { it: { contentType } } } })

  const made = await send(api, type, 'x', '; filename="a"')

  expect(made.status).toBe(status)
  if (status === 415) expect(JSON.stringify(await made.json())).toContain(`got ${type}.`)
})
