import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, by, describeApi, inPath, inQuery, list, object, only, takes } from '../openapi/describe-api.ts'
import { KEY, simulate } from './simulate.ts'

const text = { type: 'string' }

describe('what clients send of parts', () => {
  it('shows the record that an id names where answers show an object', () => {
    const source = object({ id: 'string', name: 'string' }, { required: ['id', 'name'] })
    const link = object({ id: 'string', source }, { required: ['id', 'source'] })
    const { send } = simulate(
      describeApi({
        '/sources': { get: answers(list(source)), post: { ...takes(object({ name: 'string' })), ...answers(source) } },
        '/sources/{id}': { ...inPath('id'), get: answers(source) },
        '/links': { get: answers(list(link)), post: { ...takes(object({ source_id: 'string' })), ...answers(link) } },
        '/links/{id}': { ...inPath('id'), get: answers(link) },
      }),
    )
    const made = send('POST', '/sources', { json: { name: 'Shop' } }).body

    const { body } = send('POST', '/links', { json: { source_id: made.id } })

    expect(body.source).toEqual(made)
    expect(send('GET', `/links/${body.id}`).body.source).toEqual(made)
    expect(send('POST', '/links', { json: { source_id: 'unknown' } }).body.source.id).toBe('unknown')
  })

  it('asks for no field that may be null', () => {
    const sent = object(
      { amount: 'integer', metadata: { type: ['object', 'null'] } },
      { required: ['amount', 'metadata'] },
    )
    const { send } = simulate(
      describeApi({ '/refunds': { post: { ...takes(sent), ...answers(object({ id: 'string' })) } } }),
    )

    expect(send('POST', '/refunds', { json: { amount: 5 } }).status).toBe(200)
    expect(send('POST', '/refunds', { json: { metadata: null } }).status).toBe(400)
  })

  it('pages by an object of cursors in the query, and by a cursor in a header', () => {
    const item = list(object({ id: 'string' }))
    const limit = inQuery('limit', { type: 'integer' })
    const around = {
      ...inQuery('before_after', object({ before: 'string', after: 'string' })),
      style: 'form',
      explode: true,
    }
    const inHeader = {
      headers: { 'X-After-Cursor': { schema: text } },
      ...only('application/json', item),
      description: 'ok',
    }
    const { send } = simulate(
      describeApi({
        '/letters': { get: { parameters: [limit, around], ...answers(object({ data: item, next_url: text })) } },
        '/ledgers': { get: { parameters: [limit, inQuery('after_cursor', text)], responses: { 200: inHeader } } },
      }),
      { volume: { letters: 3, ledgers: 3 } },
    )
    const first = send('GET', '/letters?limit=2').body
    const next = new URL(first.next_url)
    const page = send('GET', '/ledgers?limit=2')

    expect([...next.searchParams.keys()]).toEqual(['limit', 'after'])
    expect(send('GET', next.pathname + next.search).body.data).toHaveLength(1)
    const rest = send('GET', `/ledgers?limit=2&after_cursor=${page.headers['x-after-cursor']}`)
    expect(rest.body).toHaveLength(1)
    expect(rest.headers['x-after-cursor']).toBeUndefined()
  })

  it('gives cursors under the names of the parameters for them', () => {
    const about = object({ prev: 'string', next: 'string' })
    const item = object({ id: 'string' })
    const parameters = [inQuery('limit', { type: 'integer' }), inQuery('next', text), inQuery('prev', text)]
    const { send } = simulate(
      describeApi({
        '/letters': { get: { parameters, ...answers(object({ pagination: about, models: list(item) })) } },
        '/cards': {
          get: {
            parameters: [inQuery('limit', { type: 'integer' }), inQuery('cursor', text)],
            ...answers(object({ meta: object({ cursors: about }), data: list(item) })),
          },
        },
        '/notes': {
          get: {
            parameters: parameters.slice(0, 1),
            ...answers(object({ ...(about.properties as object), data: list(item) })),
          },
        },
      }),
      { volume: { letters: 4, cards: 4, notes: 4 } },
    )
    const { models, pagination } = send('GET', '/letters?limit=2').body

    const rest = send('GET', `/letters?limit=2&next=${pagination.next}`).body
    expect(rest.models).toHaveLength(2)
    expect(rest.models).not.toContainEqual(models[0])
    expect(send('GET', `/letters?limit=2&prev=${rest.pagination.prev}`).body.models).toEqual(models)
    const { cursors } = send('GET', '/cards?limit=2').body.meta
    expect(send('GET', `/cards?limit=2&cursor=${cursors.next}`).body.data).toHaveLength(2)
    expect(send('GET', '/notes?limit=2').body.next).toMatch(/^http/)
  })

  it('pages by the id of a record that paths find by another field', () => {
    const permission = object({ id: 'string', slug: 'string' }, { required: ['id', 'slug'] })
    const parameters = [inQuery('limit', { type: 'integer' }), inQuery('after', text)]
    const { send } = simulate(
      describeApi({
        '/permissions': { get: { parameters, ...answers(object({ data: list(permission), after: text })) } },
        '/permissions/{slug}': { ...inPath('slug'), get: answers(permission) },
      }),
      { volume: { permissions: 5 } },
    )
    const all = send('GET', '/permissions?limit=5').body.data

    expect(send('GET', `/permissions?limit=2&after=${all[1].id}`).body.data).toEqual(all.slice(2, 4))
    expect(send('GET', '/permissions?limit=2&after=zzz').status).toBe(400)
  })

  it('refuses a cursor that no page has given', () => {
    const letter = object({ id: 'string', name: 'string' })
    const page = object({ data: list(letter), next_cursor: text })
    const [limit, before] = [inQuery('limit', { type: 'integer' }), inQuery('before', text)]
    const listed = (cursor: JsonObject, responses: JsonObject = {}): JsonObject => {
      const { responses: success } = answers(page) as { responses: JsonObject }
      return { get: { parameters: [limit, before, cursor], responses: { ...success, ...responses } } }
    }
    const description = describeApi({
      '/letters': listed(inQuery('cursor', text)),
      '/letters/{id}': { ...inPath('id'), get: answers(letter), delete: answers(object({})) },
      '/ledgers': listed(inQuery('page_token', { type: 'string', example: 'bmV4dA' }), { 422: { description: 'bad' } }),
      '/keys': listed(inQuery('marker', text)),
    })
    const options = { volume: { letters: 3, ledgers: 3, keys: 3 } }
    const { send } = simulate(description, options)
    const first = send('GET', '/letters?limit=1').body
    const id = first.data[0].id

    const refused = send('GET', '/letters?cursor=zzz')

    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'Expected `cursor` to be a cursor of an answer or the id of one of the letters, got "zzz". Leave it out for the first page.',
    ])
    expect(send('GET', '/letters?before=zzz').status).toBe(400)
    expect(send('GET', '/ledgers?page_token=zzz').status).toBe(422)
    const taken = [first.next_cursor, id, '', '7', '2026-01-01T00:00:00Z'].map((cursor) => `/letters?cursor=${cursor}`)
    for (const path of [...taken, '/ledgers?page_token=bmV4dA', '/keys?marker=m'])
      expect([path, send('GET', path).status]).toEqual([path, 200])
    expect(send('GET', '/letters?cursor=*&limit=1').body).toEqual(first)
    expect(send('GET', `/letters?cursor=${encodeURIComponent(first.data[0].name)}`).body.data).toHaveLength(2)
    send('DELETE', `/letters/${id}`)
    expect(send('GET', `/letters?cursor=${first.next_cursor}`).body.data).toHaveLength(2)
    expect(send('GET', `/letters?cursor=${id}`).status).toBe(200)
    const { send: warned } = simulate(description, { ...options, validation: 'warn' })
    expect(warned('GET', '/letters?cursor=zzz').body.data).toEqual([])
  })

  it('goes on at the next record where all those before it have left the list', () => {
    const letter = object({ id: 'string', status: { type: 'string', enum: ['open', 'done'] } })
    const parameters = [
      ...['limit', 'cursor', 'status', 'sort'].map((name) =>
        inQuery(name, { type: name === 'limit' ? 'integer' : 'string' }),
      ),
    ]
    const { send } = simulate(
      describeApi({
        '/letters': {
          get: { parameters, ...answers(object({ data: list(letter), next_cursor: text })) },
          post: { ...takes(letter), ...answers(letter) },
        },
        '/letters/{id}': { ...inPath('id'), patch: { ...takes(letter), ...answers(letter) } },
      }),
      { volume: { letters: 0 } },
    )
    for (let made = 0; made < 6; made++) send('POST', '/letters', { json: { status: 'open' } })
    const drain = (path: string): number => {
      let [count, cursor] = [0, '']
      do {
        const page = send('GET', `${path}&limit=2&cursor=${cursor}`).body
        for (const { id, status } of page.data)
          send('PATCH', `/letters/${id}`, { json: { status: status === 'open' ? 'done' : 'open' } })
        count += page.data.length
        cursor = page.next_cursor
      } while (cursor && count < 20)
      return count
    }

    expect([drain('/letters?status=open'), drain('/letters?status=done&sort=-id')]).toEqual([6, 6])
  })

  it('takes an id and a token in headers, where the description joins them with OAuth 2.0', () => {
    const header = (name: string) => ({ type: 'apiKey', in: 'header', name })
    const flows = { implicit: { authorizationUrl: 'https://x.test', scopes: {} } }
    const { send } = simulate(
      describeApi(
        {
          '/vouchers': {
            get: { ...answers(list(object({ id: 'string' }))), security: [{ Id: [], Token: [], OAuth: [] }] },
          },
        },
        {
          components: {
            securitySchemes: { Id: header('X-Id'), Token: header('X-Token'), OAuth: { type: 'oauth2', flows } },
          },
        },
      ),
    )
    const without = { authorization: undefined }

    expect(send('GET', '/vouchers', { headers: { ...without, 'x-id': 'app', 'x-token': KEY } }).status).toBe(200)
    expect(send('GET', '/vouchers', { headers: { ...without, 'x-token': KEY } }).status).toBe(401)
    expect(send('GET', '/vouchers', { headers: { ...without, 'x-id': 'app', 'x-token': 'other' } }).status).toBe(401)
  })

  it('finds a record by its name, or by the id that another system gave it, where no key is so', () => {
    const customer = object({ id: 'string', name: 'string', source_id: 'string' })
    const { send } = simulate(
      describeApi({
        '/customers': { get: answers(list(customer)), post: { ...takes(customer), ...answers(customer) } },
        '/customers/{customerId}': { ...inPath('customerId'), get: answers(customer) },
      }),
    )
    const { id } = send('POST', '/customers', { json: { name: 'Ada', source_id: 'crm-1' } }).body

    expect(send('GET', '/customers/Ada').body.id).toBe(id)
    expect(send('GET', '/customers/crm-1').body.id).toBe(id)
    expect(send('GET', '/customers/crm-2').status).toBe(404)
  })

  it('streams what a client asks to stream, though the description has only JSON', () => {
    const whole = object({ text: 'string' }, { required: ['text'] })
    const part = object({ event_type: 'string' }, { required: ['event_type'] })
    const { send } = simulate(
      describeApi(
        {
          '/chat': {
            post: { ...takes(object({ stream: 'boolean' })), ...answers({ oneOf: [by('Whole'), by('StreamedPart')] }) },
          },
        },
        { components: { schemas: { Whole: whole, StreamedPart: part } } },
      ),
    )
    const headers = { accept: 'text/event-stream' }

    const streamed = send('POST', '/chat', { json: { stream: true }, headers })

    expect(streamed.headers['content-type']).toBe('text/event-stream')
    expect(streamed.text).toMatch(/^data: \{"event_type":"[^"]*"\}\n\n$/)
    expect(send('POST', '/chat', { json: {}, headers }).status).toBe(406)
  })

  it('keeps documents of any fields below each index under the ids of their client', () => {
    const example = { id: 7, title: 'Carol' }
    const any = { responses: { 200: { description: 'ok', content: { 'application/json': { schema: {}, example } } } } }
    const task = answers(object({ taskUid: 'integer' }))
    const { send } = simulate(
      describeApi({
        '/indexes': { get: answers(list(object({ uid: 'string', primaryKey: 'string', createdAt: 'string' }))) },
        '/indexes/{uid}': {
          ...inPath('uid'),
          get: answers(object({ uid: 'string', primaryKey: 'string', createdAt: 'string' })),
        },
        '/indexes/{uid}/documents': {
          ...inPath('uid'),
          get: answers(object({ results: list({}) })),
          post: { ...takes({}), ...task },
        },
        '/indexes/{uid}/documents/{documentId}': { ...inPath('uid', 'documentId'), get: any },
      }),
    )
    send('POST', '/indexes/movies/documents', {
      json: [
        { id: 1, title: 'Carol' },
        { id: 2, title: 'Her' },
      ],
    })

    expect(send('GET', '/indexes/movies/documents').body.results.map(({ id }: JsonObject) => id)).toEqual([2, 1])
    expect(send('GET', '/indexes/movies/documents/1').body.title).toBe('Carol')
  })
})
