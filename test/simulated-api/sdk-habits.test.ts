import { describe, expect, it } from 'vitest'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const collection = (path: string, shown: object, sent = shown) => ({
  [path]: { get: answers(list(shown as never)), post: { ...takes(sent as never), ...answers(shown as never) } },
  [`${path}/{id}`]: { ...inPath('id'), get: answers(shown as never) },
})

describe('what official clients expect', () => {
  it('says an error where the description has none beside `error`, too', () => {
    const { send } = simulate(describeApi(collection('/domains', object({ id: 'string', name: 'string' }))))
    const message = 'Failed to find domain "none": there is none with that key.'

    expect(send('GET', '/domains/none').body).toEqual({
      error: { code: 'not_found', message },
      code: 404,
      status: 404,
      statusCode: 404,
      message,
    })
  })

  it('shows the secret that only the answer to a creation has, though it is optional', () => {
    const key = object({ id: 'string', name: 'string' })
    const made = object({ id: 'string', token: 'string', kind: { type: 'string', enum: ['a'] } })
    const { send } = simulate(
      describeApi({ '/api-keys': { get: answers(list(key)), post: { ...takes(key), ...answers(made) } } }),
    )

    const { body } = send('POST', '/api-keys', { json: { name: 'CI' } })

    expect(body).toEqual({ id: expect.any(String), token: expect.any(String) })
    expect(send('GET', '/api-keys').body[0]).toEqual({ id: body.id, name: 'CI' })
  })

  it('finds a parent by its own name, and its parts by theirs', () => {
    const app = object({ id: 'string', uid: 'string' })
    const endpoint = object({ id: 'string', uid: 'string', url: 'string' })
    const { send } = simulate(
      describeApi({
        ...collection('/apps', app, object({ uid: 'string' })),
        ...collection('/apps/{app_id}/endpoints', endpoint, object({ uid: 'string', url: 'string' })),
      }),
    )
    const { id } = send('POST', '/apps', { json: { uid: 'mine' } }).body
    const made = send('POST', `/apps/${id}/endpoints`, { json: { uid: 'first', url: 'https://a.test' } }).body

    expect(send('GET', '/apps/mine/endpoints/first').body).toEqual(made)
    expect(send('GET', '/apps/mine/endpoints').body).toContainEqual(made)
  })

  it('filters by the email that a part of the record has', () => {
    const user = object({ id: 'string', email: 'string' })
    const member = object({ id: 'string', user, invite: object({ email: 'string' }), role: 'string' })
    const paths = collection('/members', member, object({ email: 'string', role: 'string' }))
    const get = { ...paths['/members']?.get, parameters: [inQuery('email', { type: 'string' })] }
    const { send } = simulate(describeApi({ ...paths, '/members': { ...paths['/members'], get } }))
    const { id } = send('POST', '/members', { json: { email: 'ada@example.com', role: 'chef' } }).body
    send('POST', '/members', { json: { email: 'eve@example.com', role: 'chef' } })

    expect(send('GET', '/members?email=ada@example.com').body.map((one: { id: string }) => one.id)).toEqual([id])
  })
})
