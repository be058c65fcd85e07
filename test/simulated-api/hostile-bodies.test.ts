import { expect, it } from 'vitest'
import { answers, describeApi, integer, object, string } from './describe-api.ts'
import { simulate } from './simulate.ts'

const thing = object({ id: string(), name: string(), any: {}, count: integer() })
const types = ['application/json', 'application/xml']
const content = Object.fromEntries(types.map((type) => [type, { schema: thing }]))
const things = {
  get: { responses: answers({ type: 'array', items: thing }) },
  post: { requestBody: { content }, responses: answers(thing, 201) },
}
const one = { get: { responses: answers(thing) }, patch: { requestBody: { content }, responses: answers(thing) } }
const description = describeApi({ '/things': things, '/things/{id}': one })

function startThings() {
  const { send } = simulate(description, { volume: { things: 3 }, validation: 'off' })
  const { id } = send('POST', '/things', { json: { name: 'a', any: ['x'] } }).body
  const patch = (steps: readonly object[]) =>
    send('PATCH', `/things/${id}`, {
      text: JSON.stringify(steps),
      headers: { 'content-type': 'application/json-patch+json' },
    })
  return { send, id, patch }
}

it('refuses a patch whose copies would fill the memory, and changes nothing', () => {
  const { send, id, patch } = startThings()
  const before = send('GET', `/things/${id}`).body

  const into = patch(Array.from({ length: 40 }, () => ({ op: 'copy', from: '/any', path: '/any/-' })))
  const around = patch(Array.from({ length: 40 }, () => ({ op: 'copy', from: '/any', path: '/any/0' })))

  expect([into.status, around.status]).toEqual([400, 400])
  expect(into.body.error.message).toBe('Expected a patch to copy and move at most 10,485,760 bytes, got more.')
  expect(send('GET', `/things/${id}`).body).toEqual(before)
})

it('refuses a patch of too many steps, and one that nests too deeply', () => {
  const { patch } = startThings()

  const many = patch(Array.from({ length: 1_001 }, () => ({ op: 'add', path: '/any/0', value: 1 })))
  const deep = patch([{ op: 'add', path: `/name${'/a'.repeat(5_000)}`, value: 1 }])

  expect([many.status, many.body.error.message]).toEqual([400, 'Expected a patch of at most 1000 steps, got 1001.'])
  expect([deep.status, deep.body.error.message]).toEqual([
    409,
    expect.stringMatching(/: it nests more than 200 levels deep\.$/),
  ])
})

it('refuses XML of more elements and attributes than a form may have fields', () => {
  const { send } = startThings()
  const xml = (text: string) => send('POST', '/things', { text, headers: { 'content-type': 'application/xml' } })
  const attributes = Array.from({ length: 50_000 }, (_, at) => `a${at}="1"`).join(' ')

  const refused = [xml(`<thing ${attributes}/>`), xml('<a>'.repeat(50_000))].map(({ status, body }) => [
    status,
    body.error.message,
  ])
  const taken = xml('<thing><name>x = "y"</name></thing>')

  const message = 'Expected the body to be XML with at most 10,000 elements and attributes as content, got more.'
  expect(refused).toEqual([
    [400, message],
    [400, message],
  ])
  expect([taken.status, taken.body.name]).toEqual([201, 'x = "y"'])
})

it('refuses JSON that is not UTF-8', () => {
  const { send } = startThings()
  const odd = [
    [0xff, 0xfe],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f],
  ]

  const messages = odd.map((bytes) => {
    const body = new Uint8Array([...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('"}')])
    const headers = { 'content-type': 'application/json' }
    return send('POST', '/things', { bytes: body, headers }).body.error?.message
  })

  expect(messages).toEqual(odd.map(() => 'Expected the body to be JSON in UTF-8, got other bytes.'))
})

it.each(['%0a', 'a%0d%0ab', `a${'1'.repeat(15_000)}x`])('finds no record under the odd key %s', (key) => {
  const { send } = startThings()

  const { status, body } = send('GET', `/things/${key}`)

  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

it('bounds what one record takes, however many requests write it, and changes nothing past the bound', () => {
  const { send, id } = startThings()
  const add = (any: object) => send('PATCH', `/things/${id}`, { json: { any } })
  const numbers = Array.from({ length: 60_000 }, () => 1)

  const long = [add({ a: 'x'.repeat(6_500_000) }), add({ b: 'x'.repeat(6_500_000) })]
  const many = [add({ a: null, c: numbers }), add({ d: numbers })]

  expect([...long, ...many].map(({ status }) => status)).toEqual([200, 413, 200, 413])
  expect(long[1]?.body.error.message).toMatch(
    /^Expected the record to have at most 12,000,000 bytes, got 13,000,\d{3}: `any` has the most\./,
  )
  expect(many[1]?.body.error.message).toContain('at most 110,000 values, got 120,0')
  expect(Object.keys(send('GET', `/things/${id}`).body.any)).not.toContain('d')
})

it('reads megabytes of pluses in a form, and an id of megabytes', () => {
  const form = { 'application/x-www-form-urlencoded': { schema: thing } }
  const things = { post: { requestBody: { content: { ...content, ...form } }, responses: answers(thing, 201) } }
  const { send } = simulate(describeApi({ '/things': things, '/things/{id}': one }), { validation: 'off' })

  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const plused = send('POST', '/things', { text: `name=${'a+'.repeat(4_500_000)}%2B`, headers })
  const named = send('POST', '/things', { json: { id: 'x'.repeat(9_000_000) } })
  expect(plused.body.name).toBe(`${'a '.repeat(4_500_000)}+`)
  expect(named.status).toBe(201)
})
