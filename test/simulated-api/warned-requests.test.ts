import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { KEY, simulate } from './simulate.ts'

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })
const thing = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const answer = (schema: JsonObject): JsonObject => ({ 200: { description: 'Good', ...json(schema) } })
const listOf = (name: string): JsonObject => ({ responses: answer({ type: 'array', items: thing(name) }) })
const create = (name: string): JsonObject => ({ requestBody: json(thing(name)), responses: answer(thing(name)) })
const record = (more: JsonObject): JsonObject => ({
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' }, ...more },
})

function describing(securitySchemes: JsonObject): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'Boards', version: '1' },
    paths: {
      '/boards': { get: listOf('Board'), post: create('Board') },
      '/boards/{boardId}': { get: { responses: answer(thing('Board')) } },
      '/boards/{boardId}/cards': { get: listOf('Card'), post: create('Card') },
      '/boards/{boardId}/cards/{cardId}': { get: { responses: answer(thing('Card')) } },
    },
    components: { securitySchemes, schemas: { Board: record({}), Card: record({ boardId: { type: 'string' } }) } },
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
  }
}

const bearer = describing({ token: { type: 'http', scheme: 'bearer' } })

describe('a record above the path that is missing', () => {
  const warning =
    'Failed to find board "undefined", which `boardId` names, so the real API may answer 404. Declare 404 for the operation.'

  it.each(['GET', 'POST'])('is a warning of a %s that is answered all the same', (method) => {
    const { send } = simulate(bearer)

    const { status, warnings } = send(method, '/boards/undefined/cards', method === 'POST' ? { json: {} } : {})

    expect([status, warnings]).toEqual([200, [warning]])
  })

  it('says nothing of one that is there', () => {
    const { send } = simulate(bearer)
    const [board] = send('GET', '/boards').body
    const made = send('POST', '/boards', { json: {} }).body

    for (const { id } of [board, made]) expect(send('GET', `/boards/${id}/cards`).warnings).toEqual([])
  })

  it('is refused in the same words where 404 is declared, unless the simulation is lenient', () => {
    const declared = JSON.parse(JSON.stringify(bearer))
    declared.paths['/boards/{boardId}/cards'].get.responses[404] = { description: 'Not found' }
    const { send } = simulate(declared)
    const lenient = simulate(declared, { lenientParents: true })

    const { status, body } = send('GET', '/boards/undefined/cards')

    expect(status).toBe(404)
    expect(body.error.message).toBe('Failed to find board "undefined", which `boardId` names.')
    expect(lenient.send('GET', '/boards/undefined/cards')).toMatchObject({
      status: 200,
      warnings: [expect.stringMatching(/Leave out `lenientParents` for a 404\.$/)],
    })
  })
})

describe('a key outside the declared places', () => {
  const basicOf = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const http = (scheme: string) => describing({ key: { type: 'http', scheme } })
  const apiKey = (place: string, name: string) => describing({ key: { type: 'apiKey', in: place, name } })
  const asHeader = (name: string, value: string) => ({ authorization: undefined, [name]: value })

  it.each([
    ['X-Key as Bearer', apiKey('header', 'X-Key'), { authorization: `Bearer ${KEY}` }, 'the header `X-Key: <key>`'],
    ['X-Key as Basic', apiKey('header', 'X-Key'), { authorization: basicOf(`${KEY}:`) }, 'the header `X-Key: <key>`'],
    ['X-Key with a word', apiKey('header', 'X-Key'), asHeader('x-key', `Bearer ${KEY}`), 'the header `X-Key: <key>`'],
    ['a query', apiKey('query', 'api_key'), { authorization: `Bearer ${KEY}` }, 'the query parameter `api_key=<key>`'],
    ['Bearer as Token', http('bearer'), { authorization: `Token ${KEY}` }, '`Authorization: Bearer <key>`'],
    ['Bearer bare', http('bearer'), { authorization: KEY }, '`Authorization: Bearer <key>`'],
    ['Basic as Bearer', http('basic'), { authorization: `Bearer ${KEY}` }, '`Authorization: Basic base64(<key>:)`'],
  ])('is refused, or with `lenientKeys` accepted with a warning: %s', (_, description, headers, place) => {
    const refused = simulate(description).send('GET', '/boards', { headers })
    const accepted = simulate(description, { lenientKeys: true }).send('GET', '/boards', { headers })

    const fact = `Expected the key as ${place}, got it in another place or form.`
    expect(refused.status).toBe(401)
    expect(refused.body.error.message).toBe(`${fact} \`lenientKeys: true\` accepts it.`)
    expect(accepted.status).toBe(200)
    expect(accepted.warnings).toEqual([`${fact} The API itself may refuse it.`])
  })

  it.each([
    ['no scheme is declared', describing({}), { authorization: `Token ${KEY}` }],
    ['the scheme is unknown', http('token'), { authorization: `Token ${KEY}` }],
    ['the key is `Authorization`', apiKey('header', 'Authorization'), { authorization: `Token ${KEY}` }],
    [
      'either is declared',
      describing({ a: { type: 'http', scheme: 'basic' }, b: { type: 'http', scheme: 'bearer' } }),
      {
        authorization: basicOf(`user:${KEY}`),
      },
    ],
    ['words are in lower case', http('bearer'), { authorization: `bearer ${KEY}` }],
    [
      'the key is in its place, besides other headers',
      apiKey('header', 'X-Key'),
      {
        authorization: basicOf('proxy:user'),
        'x-key': KEY,
      },
    ],
  ])('is accepted where %s', (_, description, headers) => {
    expect(simulate(description).send('GET', '/boards', { headers })).toMatchObject({ status: 200, warnings: [] })
  })
})

it('is a warning where an answer cannot show what was sent, since only its own bounds exclude it', () => {
  const board = record({ name: { type: 'string', minLength: 3 }, code: { type: 'string', maxLength: 4 } })
  const described = describing({ token: { type: 'http', scheme: 'bearer' } })
  const { components, paths } = described as { components: { schemas: JsonObject }; paths: Record<string, JsonObject> }
  components.schemas.Board = board
  paths['/boards'] = { get: listOf('Board'), post: { ...create('Board'), requestBody: json(record({ code: {} })) } }
  const { send } = simulate(described)

  const [misfit, fit] = [
    { name: 'T', code: 'ABCDE' },
    { name: 'Two', code: 'ABCD' },
  ].map((sent) => send('POST', '/boards', { json: sent }))

  expect(misfit?.warnings).toEqual([
    expect.stringMatching(/Expected `name` to be at least 3 characters long, got "T"\. .* shows another value/),
    expect.stringContaining('Expected `code` to be at most 4 characters long'),
  ])
  expect(fit?.body).toMatchObject({ name: 'Two', code: 'ABCD' })
  expect(fit?.warnings).toEqual([])
})
