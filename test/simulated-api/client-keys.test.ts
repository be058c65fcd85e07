import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

describe('keys that clients send under the name of the path', () => {
  const file = object({ id: 'string', store_id: 'string', status: 'string' })
  const below = (name: string, record: JsonObject, sent: JsonObject): JsonObject => ({
    [`/stores/{store_id}/${name}s`]: {
      ...inPath('store_id'),
      get: answers(list(record)),
      post: { ...takes(sent), ...answers(record) },
    },
    [`/stores/{store_id}/${name}s/{${name}_id}`]: {
      ...inPath('store_id', `${name}_id`),
      get: answers(record),
      delete: answers(record),
    },
  })
  const stores = { '/stores': { get: answers(list(object({ id: 'string' }))) }, '/stores/{store_id}': {} }

  it('gives a record the sent key, where it shows no other, below each parent', () => {
    const { send } = simulate(describeApi({ ...stores, ...below('file', file, object({ file_id: 'string' })) }))
    const [one, other] = send('GET', '/stores').body.map(({ id }: JsonObject) => id)

    expect(send('POST', `/stores/${one}/files`, { json: { file_id: 'f-1' } }).body.id).toBe('f-1')
    expect(send('POST', `/stores/${other}/files`, { json: { file_id: 'f-1' } }).body.id).toBe('f-1')
    expect(send('DELETE', `/stores/${one}/files/f-1`).status).toBe(200)
    expect(send('GET', `/stores/${one}/files/f-1`).status).toBe(404)
    expect(send('GET', `/stores/${other}/files/f-1`).body).toMatchObject({ id: 'f-1', store_id: other })
  })

  it('finds a record by the secret that only the answer to its creation showed', () => {
    const key = object({ keyId: 'string', name: 'string' }, { required: ['keyId'] })
    const made = object({ keyId: 'string', key: 'string' }, { required: ['keyId', 'key'] })
    const id = takes(object({ keyId: 'string' }, { required: ['keyId'] }))
    const { send } = simulate(
      describeApi({
        '/v2/keys.createKey': { post: { ...takes(object({ name: 'string' })), ...answers(object({ data: made })) } },
        '/v2/keys.getKey': { post: { ...id, ...answers(object({ data: key })) } },
        '/v2/keys.verifyKey': {
          post: {
            ...takes(object({ key: 'string' }, { required: ['key'] })),
            ...answers(object({ data: object({ valid: 'boolean', keyId: 'string' }, { required: ['valid'] }) })),
          },
        },
      }),
    )
    const { data } = send('POST', '/v2/keys.createKey', { json: { name: 'Prod' } }).body

    expect(send('POST', '/v2/keys.verifyKey', { json: { key: data.key } }).body.data.keyId).toBe(data.keyId)
    expect(send('POST', '/v2/keys.verifyKey', { json: { key: 'other' } }).status).toBe(404)
    expect(send('POST', '/v2/keys.getKey', { json: { keyId: data.keyId } }).body.data).not.toHaveProperty('key')
  })
})

describe('values that clients send in another form', () => {
  it('finds the records of a list by the name of their kind, and pages by an object of the body', () => {
    const org = object({ id: 'string', name: 'string' })
    const { send } = simulate(
      describeApi({
        '/orgs': {
          get: { parameters: [inQuery('org', { type: 'string' })], ...answers(object({ orgs: list(org) })) },
          post: { ...takes(object({ name: 'string' })), ...answers(org) },
        },
        '/orgs/search': {
          post: {
            ...takes(object({ options: object({ count: 'integer', offset: 'integer' }) })),
            ...answers(object({ orgs: list(org), total: 'integer' })),
          },
        },
      }),
    )
    const { id } = send('POST', '/orgs', { json: { name: 'acme' } }).body

    expect(send('GET', '/orgs?org=acme').body.orgs).toEqual([{ id, name: 'acme' }])
    const all = send('POST', '/orgs/search', { json: { options: { count: 100 } } }).body.orgs
    const page = send('POST', '/orgs/search', { json: { options: { count: 2, offset: 1 } } }).body
    expect(page.orgs).toEqual(all.slice(1, 3))
  })

  it('shows the links of what was made, and changes a part of it by POST', () => {
    const link = object({ href: 'string' }, { required: ['href'] })
    const payment = object(
      { id: 'string', note: 'string', _links: object({ self: link, checkout: link }) },
      { additionalProperties: true },
    )
    const { send } = simulate(
      describeApi({
        '/payments': { get: answers(list(payment)), post: { ...takes(object({})), ...answers(payment) } },
        '/payments/{id}': { ...inPath('id'), get: answers(payment) },
        '/payments/{id}/partial': {
          ...inPath('id'),
          post: { operationId: 'partialUpdate', ...takes({ type: 'object' }), ...answers(object({ at: 'string' })) },
        },
      }),
    )
    const { id, _links } = send('POST', '/payments', { json: { note: 'a' } }).body

    expect(_links.checkout.href).toMatch(/^https?:/)
    send('POST', `/payments/${id}/partial`, { json: { tag: 'b' } })
    expect(send('GET', `/payments/${id}`).body).toMatchObject({ note: 'a', tag: 'b' })
  })

  it('tells the last page', () => {
    const file = object({ id: 'string', name: 'string' })
    const limit = { parameters: [inQuery('limit', { type: 'integer' }), inQuery('page', { type: 'integer' })] }
    const page = object({ files: list(file), pagination: object({ total_count: 'integer', max_page: 'integer' }) })
    const { send } = simulate(
      describeApi({
        '/files': {
          get: { ...limit, ...answers(page) },
        },
      }),
      { volume: { files: 5 } },
    )
    expect(send('GET', '/files?limit=2').body.pagination).toEqual({ total_count: 5, max_page: 3 })
  })
})
