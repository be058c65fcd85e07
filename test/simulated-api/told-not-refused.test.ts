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
  const told =
    'Failed to find board "undefined", which `boardId` names, so the real API may answer 404. `strictParents: true` does.'

  it.each(['GET', 'POST'])('is told of a %s that is answered all the same', (method) => {
    const { send } = simulate(bearer)

    const { status, warnings } = send(method, '/boards/undefined/cards', method === 'POST' ? { json: {} } : {})

    expect([status, warnings]).toEqual([200, [told]])
  })

  it('says nothing of one that is there', () => {
    const { send } = simulate(bearer)
    const [board] = send('GET', '/boards').body
    const made = send('POST', '/boards', { json: {} }).body

    for (const { id } of [board, made]) expect(send('GET', `/boards/${id}/cards`).warnings).toEqual([])
  })

  it('is refused in the same words where parents are required', () => {
    const { send } = simulate(bearer, { strictParents: true })

    const { status, body } = send('GET', '/boards/undefined/cards')

    expect(status).toBe(404)
    expect(body.error.message).toBe('Failed to find board "undefined", which `boardId` names.')
  })
})

describe('a key in other words than those of the description', () => {
  const sent = (description: JsonObject, authorization: string, more: Record<string, string> = {}) => {
    const { status, warnings } = simulate(description).send('GET', '/boards', { headers: { authorization, ...more } })
    expect(status).toBe(200)
    return warnings
  }
  const basicOf = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it.each([
    [`Token ${KEY}`, '`Authorization: Token <key>`'],
    [KEY, '`Authorization: <key>`'],
    [basicOf(`${KEY}:`), '`Authorization: Basic <key>`'],
  ])('is accepted and told: %s', (authorization, shown) => {
    expect(sent(bearer, authorization)).toEqual([
      `The key came as ${shown}, and the description asks for \`Authorization: Bearer <key>\`: the API itself may refuse it.`,
    ])
  })

  it('is not told where the description leaves the words open, or asks for them', () => {
    const inAuthorization = describing({ key: { type: 'apiKey', in: 'header', name: 'Authorization' } })
    const both = describing({ basic: { type: 'http', scheme: 'basic' }, token: { type: 'http', scheme: 'bearer' } })

    expect(sent(describing({}), `Token ${KEY}`)).toEqual([])
    expect(sent(describing({ own: { type: 'http', scheme: 'token' } }), `Token ${KEY}`)).toEqual([])
    expect(sent(inAuthorization, `Token ${KEY}`)).toEqual([])
    expect(sent(both, basicOf(`${KEY}:`))).toEqual([])
    expect(sent(both, `bearer ${KEY}`)).toEqual([])
  })

  it('names the header that the description asks for, unless the key is there too', () => {
    const header = describing({ key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } })

    expect(sent(header, `Token ${KEY}`)).toEqual([
      'The key came as `Authorization: Token <key>`, and the description asks for the header `X-Api-Key: <key>`: the API itself may refuse it.',
    ])
    expect(sent(header, basicOf('proxy:user'), { 'x-api-key': KEY })).toEqual([])
  })
})
