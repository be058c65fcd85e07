import { describe, expect, it } from 'vitest'
import { answers, by, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
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

  it('ends what DELETE is called to deactivate with the status of its example', () => {
    const checkout = object(
      { id: 'string', amount: 'integer', status: { type: 'string', enum: ['PENDING', 'PAID', 'EXPIRED'] } },
      { required: ['id', 'amount', 'status'] },
    )
    const example = { id: 'a', amount: 1, status: 'EXPIRED' }
    const deleted = { 200: { description: 'ok', content: { 'application/json': { schema: checkout, example } } } }
    const paths = collection('/checkouts', checkout, object({ amount: 'integer' }))
    const item = { ...paths['/checkouts/{id}'], delete: { operationId: 'DeactivateCheckout', responses: deleted } }
    const { send } = simulate(describeApi({ ...paths, '/checkouts/{id}': item }))
    const { id } = send('POST', '/checkouts', { json: { amount: 5 } }).body

    expect(send('DELETE', `/checkouts/${id}`).body).toEqual({ id, amount: 5, status: 'EXPIRED' })
    expect(send('GET', `/checkouts/${id}`).body.status).toBe('EXPIRED')
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

  it('asks about the record in the path where nothing else has the name of the path', () => {
    const access = object({ url: 'string', token: 'string' }, { required: ['url', 'token'] })
    const { send } = simulate(
      describeApi({
        ...collection('/app', object({ id: 'string', name: 'string' })),
        '/auth/portal-access/{app_id}': { ...inPath('app_id'), post: { summary: 'Get access', ...answers(access) } },
      }),
    )
    const { id } = send('POST', '/app', { json: { name: 'Mine' } }).body

    expect(send('POST', `/auth/portal-access/${id}`).body).toEqual({
      url: expect.any(String),
      token: expect.any(String),
    })
    expect(send('POST', '/auth/portal-access/none').status).toBe(404)
  })

  it('gives a document of a secret a new one, or the one that was sent', () => {
    const key = { type: 'string', example: 'whsec_C2FVsBQIhrsc', pattern: '^whsec_[a-zA-Z0-9]{12}$' }
    const secret = '/endpoints/{id}/secret'
    const { send } = simulate(
      describeApi({
        ...collection('/endpoints', object({ id: 'string', url: 'string' })),
        [secret]: { ...inPath('id'), get: answers(object({ key }, { required: ['key'] })) },
        [`${secret}/rotate`]: { ...inPath('id'), post: { ...takes(object({ key })), responses: { 204: {} } } },
      }),
    )
    const { id } = send('POST', '/endpoints', { json: { url: 'https://a.test' } }).body
    const keyNow = () => send('GET', `/endpoints/${id}/secret`).body.key
    const before = keyNow()

    expect(send('POST', `/endpoints/${id}/secret/rotate`, { json: {} }).status).toBe(204)
    const after = keyNow()
    expect(after).not.toBe(before)
    expect(after).toMatch(/^whsec_[a-zA-Z0-9]{12}$/)
    send('POST', `/endpoints/${id}/secret/rotate`, { json: { key: 'whsec_abcdefabcdef' } })
    expect(keyNow()).toBe('whsec_abcdefabcdef')
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

  it('keeps what is made below different parents by different components apart', () => {
    const keys = { title: { type: 'string' }, key: { type: 'string' }, id: { type: 'string' } }
    const schemas = { UserKey: object(keys), DeployKey: object({ ...keys, read_only: 'boolean' }) }
    const paths = {
      ...collection('/user/keys', by('UserKey')),
      ...collection('/repos', object({ id: 'string', name: 'string' })),
      ...collection('/repos/{repo_id}/keys', by('DeployKey')),
    }
    const { send } = simulate(describeApi(paths, { components: { schemas } }))
    const repo = send('POST', '/repos', { json: { name: 'app' } }).body
    const made = send('POST', `/repos/${repo.id}/keys`, { json: { title: 'CI', key: 'k' } }).body

    expect(send('GET', `/repos/${repo.id}/keys`).body).toContainEqual(made)
    expect(send('GET', `/user/keys/${made.id}`).status).toBe(404)
  })
})
