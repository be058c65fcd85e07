import { describe, expect, it } from 'vitest'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const project = object({ id: 'string', name: 'string' })
const named = object({ name: 'string' })
const text = { type: 'string' }

describe('versions in paths', () => {
  it('keeps versions apart that have an operation in common', () => {
    const paths = (version: string) => ({
      [`/${version}/projects`]: { get: answers(list(project)), post: { ...takes(named), ...answers(project) } },
      [`/${version}/projects/{id}`]: { ...inPath('id'), get: answers(project) },
    })

    expect(simulate(describeApi({ ...paths('v1'), ...paths('v2') })).model.collections).toHaveLength(2)
  })
})

describe('errors', () => {
  const failing = (failures: object) => ({
    '/tasks': { get: answers(list(project)) },
    '/tasks/{id}': {
      ...inPath('id'),
      get: { responses: { ...(answers(project) as { responses: object }).responses, ...failures } },
    },
  })
  const failure = (schema: object) => ({ description: 'bad', content: { 'application/json': { schema } } })
  const of = (type: string) => object({ type: { const: type }, message: 'string' }, { required: ['type', 'message'] })

  it('have the alternative that is about their status', () => {
    const error = { oneOf: [of('invalid_request_error'), of('authentication_error'), of('not_found_error')] }
    const { send } = simulate({ ...describeApi(failing({ '4XX': failure(object({ error })) })), openapi: '3.1.0' })

    expect(send('GET', '/tasks/none').body.error.type).toBe('not_found_error')
    expect(send('GET', '/tasks/1', { headers: { authorization: undefined } }).body.error.type).toBe(
      'authentication_error',
    )
  })

  it('do not take the body of another status', () => {
    const schema = object({ status: { type: 'integer', enum: [401] }, message: 'string' })
    const { send } = simulate(describeApi(failing({ 401: failure(schema) })))

    expect(send('GET', '/tasks/none').body).toMatchObject({ status: 404, error: { code: 'not_found' } })
  })
})

describe('pages', () => {
  const batches = (more: object = {}) =>
    describeApi({
      '/batches': {
        parameters: ['after_id', 'before_id', 'limit'].map((name) => inQuery(name, text)),
        get: answers(object({ data: list(project), first_id: 'string', last_id: 'string', has_more: 'boolean' })),
        post: { ...takes(named), ...answers(project) },
      },
      ...more,
    })

  it('start after the id of the last record, which the page before says', () => {
    const { send } = simulate(batches())

    const first = send('GET', '/batches?limit=2').body
    const next = send('GET', `/batches?limit=2&after_id=${first.last_id}`).body

    expect([first.first_id, first.last_id]).toEqual(first.data.map(({ id }: { id: string }) => id))
    expect(next.data[0].id).not.toBe(first.data[0].id)
    expect(send('GET', `/batches?limit=2&before_id=${next.first_id}`).body.data).toEqual(first.data)
  })

  it('are asked for in the body of a search, from 0', () => {
    const body = object({ after: 'string', limit: 'integer', properties: list(text) })
    const contact = object({
      id: 'string',
      archivedAt: { type: 'string', format: 'date-time' },
      properties: { type: 'object', additionalProperties: { type: 'string' } },
    })
    const { send } = simulate(
      describeApi({
        '/contacts': { post: { ...takes(object({ properties: { type: 'object' } })), ...answers(contact) } },
        '/contacts/{id}': { ...inPath('id'), get: answers(contact) },
        '/contacts/search': {
          post: { ...takes(body), ...answers(object({ results: list(contact), total: 'integer' })) },
        },
      }),
    )
    const { id } = send('POST', '/contacts', { json: { properties: { email: 'a@b.co' } } }).body

    const found = send('POST', '/contacts/search', { json: { after: '0', limit: 1, properties: ['email'] } }).body

    expect(found.results.map((one: { id: string }) => one.id)).toEqual([id])
  })
})

describe('what is sent and shown in two forms', () => {
  it('makes one record or several by one operation', () => {
    const item = object({ id: 'string', fieldData: named })
    const one = object({ fieldData: named })
    const { send } = simulate(
      describeApi({
        '/items': {
          get: answers(list(item)),
          post: { ...takes({ oneOf: [one, object({ items: list(one) })] } as never), ...answers(item) },
        },
        '/items/{id}': { ...inPath('id'), get: answers(item) },
      }),
    )

    const { id, fieldData } = send('POST', '/items', { json: { fieldData: { name: 'Hello' } } }).body

    expect(fieldData).toEqual({ name: 'Hello' })
    expect(send('GET', `/items/${id}`).body.fieldData).toEqual({ name: 'Hello' })
    const before = send('GET', '/items').body.length
    send('POST', '/items', { json: { items: [{ fieldData: { name: 'A' } }, { fieldData: { name: 'B' } }] } })
    expect(send('GET', '/items').body).toHaveLength(before + 2)
  })

  it('shows the key under the name of each answer, and a new record beside what failed', () => {
    const record = object({ id: 'string', name: 'string', type: 'string', value: 'string' })
    const listed = object({ uid: 'string', name: 'string', type: 'string', value: 'string' })
    const body = takes(object({ name: 'string', value: 'string' }))
    const created = { oneOf: [record, list(record)] }
    const { send } = simulate(
      describeApi({
        '/envs': {
          get: answers(object({ envs: list(listed) })),
          post: { ...body, ...answers(object({ created, failed: list(object({ error: 'string' })) } as never)) },
        },
        '/envs/{id}': { ...inPath('id'), get: answers(record), delete: answers(object({ uid: 'string' })) },
      }),
    )

    const { created: made } = send('POST', '/envs', { json: { name: 'URL', value: 'x' } }).body

    expect(made).toMatchObject({ name: 'URL', value: 'x' })
    expect(send('GET', '/envs').body.envs[0]).toMatchObject({ uid: made.id, name: 'URL' })
    expect(send('DELETE', `/envs/${made.id}`).body).toEqual({ uid: made.id })
  })

  it('shows what only the answer to a creation has, and takes a name for the display name', () => {
    const site = object({ id: 'string', displayName: 'string' })
    const uploaded = object({ id: 'string', displayName: 'string', uploadUrl: 'string' })
    const { send } = simulate(
      describeApi({
        '/sites': { get: answers(list(site)), post: { ...takes(named), ...answers(uploaded) } },
        '/sites/{id}': { ...inPath('id'), get: answers(site) },
      }),
    )

    const made = send('POST', '/sites', { json: { name: 'Shop' } }).body

    expect(made).toEqual({ id: expect.any(String), displayName: 'Shop', uploadUrl: expect.stringMatching(/./) })
    expect(send('GET', `/sites/${made.id}`).body).toEqual({ id: made.id, displayName: 'Shop' })
  })

  it('shows an object that a client left out, where all of it has defaults', () => {
    const quantity = object({ minimum: { type: 'integer', default: 1 }, maximum: { type: 'integer', default: 100 } })
    const price = object({ id: 'string', name: 'string', quantity })
    const { send } = simulate(
      describeApi({ '/prices': { get: answers(list(price)), post: { ...takes(price), ...answers(price) } } }),
    )

    expect(send('POST', '/prices', { json: { name: 'Monthly' } }).body.quantity).toEqual({ minimum: 1, maximum: 100 })
  })
})

describe('actions and calls', () => {
  it('end a batch as complete', () => {
    const status = { type: 'string', enum: ['CANCELED', 'COMPLETE', 'PENDING'] }
    const input = takes(object({ inputs: list(named) }))
    const { send } = simulate(
      describeApi({
        '/projects': { get: answers(list(project)), post: { ...takes(named), ...answers(project) } },
        '/projects/{id}': { ...inPath('id'), get: answers(project) },
        '/projects/batch/create': { post: { ...input, ...answers(object({ status, results: list(project) })) } },
      }),
    )

    expect(send('POST', '/projects/batch/create', { json: { inputs: [{ name: 'A' }] } }).body.status).toBe('COMPLETE')
  })

  it('read a flag about a field of another kind as no filter, and a pattern that was escaped twice', () => {
    const domain = object({ name: 'string', redirect: 'string' }, { required: ['name'] })
    const slug = { type: 'string', pattern: '^[\\\\w-]+$' }
    const flag = { parameters: [{ name: 'redirects', in: 'query', schema: { enum: ['true', 'false'] } }] }
    const { send } = simulate(
      describeApi({
        '/domains': {
          get: { ...flag, ...answers(list(domain)) },
          post: { ...takes(object({ name: slug, redirect: 'string' })), ...answers(domain) },
        },
      }),
    )

    expect(send('POST', '/domains', { json: { name: 'www-x', redirect: 'x.test' } }).status).toBe(200)
    expect(send('GET', '/domains?redirects=true').body[0].name).toBe('www-x')
  })

  it('answer as is usual: a lone status, no errors of a batch, the errors of validation in detail, events of a stream', () => {
    const results = list(object({ id: 'string', status: 'integer' }, { required: ['id'] }))
    const errors = list(object({ id: 'string', message: 'string' }))
    const fault = object({ loc: list(text), msg: 'string', type: 'string' }, { required: ['loc', 'msg', 'type'] })
    const failure = { description: 'no', content: { 'application/json': { schema: object({ detail: list(fault) }) } } }
    const event = object({ message_type: { const: 'assistant' }, content: 'string' }, { required: ['message_type'] })
    const ok = { description: 'ok', content: { 'application/json': { schema: event }, 'text/event-stream': {} } }
    const { send } = simulate(
      describeApi({
        '/projects': {
          get: answers(list(project)),
          post: {
            ...takes(object({ name: 'string' }, { required: ['name'] })),
            responses: { ...(answers(project).responses as object), 422: failure },
          },
        },
        '/projects/{id}': { ...inPath('id'), get: answers(project) },
        '/projects/{id}/pin': { ...inPath('id'), post: answers(object({ status: 'string' })) },
        '/ingestion': {
          post: {
            ...takes(object({ batch: list(object({ id: 'string', body: object({}) })) })),
            ...answers(object({ successes: results, errors }, { required: ['successes', 'errors'] })),
          },
        },
        '/messages/stream': { post: { responses: { 200: ok } } },
      }),
    )
    const [{ id }] = send('GET', '/projects').body

    expect(send('POST', `/projects/${id}/pin`).body).toEqual({ status: 'ok' })
    expect(send('POST', '/ingestion', { json: { batch: [{ id: 'e1' }, { id: 'e2' }] } }).body).toMatchObject({
      successes: [{ id: 'e1' }, { id: 'e2' }],
      errors: [],
    })
    expect(send('POST', '/projects', { json: {} })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'name'], msg: expect.stringContaining('name'), type: expect.any(String) }] },
    })
    const events = send('POST', '/messages/stream', { headers: { accept: 'application/json' } })
    expect(events.headers['content-type']).toBe('text/event-stream')
  })
})
