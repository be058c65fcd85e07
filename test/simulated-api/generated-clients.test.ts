import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, inPath, inQuery, list, object, only, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const DONE = { responses: { 204: { description: 'done' } } }
const text = { type: 'string' }

describe('what is asked for and sent', () => {
  it('answers a client that asks for a version of the API by a media type', () => {
    const { send } = simulate(describeApi({ '/orders': { get: answers(list(object({ id: 'string' }))) } }))
    const as = (accept: string) => send('GET', '/orders', { headers: { accept } })

    expect(as('application/vnd.acme.v2021-02-25')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
    })
    expect(as('application/vnd.acme.v3').status).toBe(200)
    expect(as('application/vnd.ms-excel').status).toBe(406)
  })

  it('counts pages from 0 where the example does', () => {
    const paged = {
      parameters: [inQuery('page', { type: 'integer', example: 0 }), inQuery('limit', { type: 'integer' })],
    }
    const { send } = simulate(describeApi({ '/orders': { ...paged, get: answers(list(object({ id: 'string' }))) } }))

    const [first, second] = [0, 1].map((page) => send('GET', `/orders?page=${page}&limit=2`).body)

    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4)
  })

  it('takes XML that is described as a text, and bytes whatever their format', () => {
    const script = { ...inPath('id'), put: { requestBody: only('application/xml', text), ...DONE } }
    const file = {
      ...inPath('id'),
      put: { requestBody: only('application/octet-stream', { ...text, format: 'byte' }), ...DONE },
    }
    const { send } = simulate(describeApi({ '/calls/{id}/script': script, '/calls/{id}/recording': file }))

    expect(
      send('PUT', '/calls/1/script', { text: '<Say>hi</Say>', headers: { 'content-type': 'application/xml' } }).status,
    ).toBe(204)
    expect(
      send('PUT', '/calls/1/recording', { text: 'hello!', headers: { 'content-type': 'text/plain' } }).status,
    ).toBe(204)
    expect(
      send('PUT', '/calls/1/recording', { text: 'hello!', headers: { 'content-type': 'application/octet-stream' } })
        .status,
    ).toBe(204)
  })

  it('narrows a list to the ids of records', () => {
    const contact = object(
      { ContactID: 'string', email: 'string', age: 'integer' },
      { required: ['ContactID', 'email'] },
    )
    const { send } = simulate(
      describeApi({
        '/contacts': {
          get: { parameters: [inQuery('IDs', list(text)), inQuery('filter', text)], ...answers(list(contact)) },
          post: { ...takes(object({ email: 'string', age: 'integer' })), ...answers(contact) },
        },
        '/contacts/{ContactID}': { ...inPath('ContactID'), get: answers(contact) },
      }),
    )
    const make = (email: string, age: number) => send('POST', '/contacts', { json: { email, age } }).body.ContactID
    const [ada, eve] = [make('ada@example.com', 970), make('eve@example.com', 990)]
    const ids = (query: string) =>
      send('GET', `/contacts?${query}`)
        .body.map((one: JsonObject) => one.ContactID)
        .toSorted()

    expect(ids(`IDs=${ada},${eve}`)).toEqual([ada, eve].toSorted())
  })
})

describe('names and keys', () => {
  it('keeps documents without a schema under the ids that clients give them', () => {
    const document = { type: 'object', additionalProperties: true }
    const { send } = simulate(
      describeApi({
        '/documents': { get: answers(list(document)), post: { ...takes(document), ...answers(document) } },
        '/documents/{document_id}': { ...inPath('document_id'), get: answers(document), delete: DONE },
      }),
    )

    expect(send('POST', '/documents', { json: { id: '124', name: 'Stark' } }).body).toMatchObject({
      id: '124',
      name: 'Stark',
    })
    expect(send('GET', '/documents/124').body.name).toBe('Stark')
    expect(send('DELETE', '/documents/124').status).toBe(204)
    expect(send('GET', '/documents/124').status).toBe(404)
  })

  it('gives ids of the form of a ULID where the example is one', () => {
    const store = object({ id: { ...text, example: '01YCP46JKYM8FJCQ37NMBYHE5X' }, name: 'string' })
    const { send } = simulate(
      describeApi({ '/stores': { get: answers(list(store)), post: { ...takes(store), ...answers(store) } } }),
    )

    expect(send('POST', '/stores', { json: { name: 'Main' } }).body.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  })

  it('finds a user by the login of the profile', () => {
    const user = object({ id: 'string', profile: object({ login: 'string' }) })
    const { send } = simulate(
      describeApi({
        '/users': { get: answers(list(user)), post: { ...takes(user), ...answers(user) } },
        '/users/{id}': { ...inPath('id'), get: answers(user) },
      }),
    )

    const { id } = send('POST', '/users', { json: { profile: { login: 'ada@example.com' } } }).body

    expect(send('GET', '/users/ada%40example.com').body.id).toBe(id)
  })
})
