import { describe, expect, it } from 'vitest'
import { answers, by, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const text = { type: 'string' }

describe('what official clients find again', () => {
  it('makes a record by every path below its collection that answers with its key', () => {
    const voice = object({ voice_id: 'string', name: 'string' }, { required: ['voice_id', 'name'] })
    const document = object({ id: 'string', name: 'string', size: 'integer' })
    const made = answers(object({ id: 'string', name: 'string' }))
    const { send } = simulate(
      describeApi({
        '/voices': { get: answers(list(voice)) },
        '/voices/{voice_id}': { ...inPath('voice_id'), get: answers(voice) },
        '/voices/add': { post: { ...takes(object({ name: 'string' })), ...answers(object({ voice_id: 'string' })) } },
        '/documents': { get: answers(list(document)) },
        '/documents/{document_id}': { ...inPath('document_id'), get: answers(document) },
        '/documents/add-from-url': { post: { ...takes(object({ name: 'string', url: 'string' })), ...made } },
        '/documents/preview': { post: { ...takes(object({ name: 'string' })), ...made } },
      }),
    )

    const { voice_id } = send('POST', '/voices/add', { json: { name: 'Ada' } }).body
    const { id } = send('POST', '/documents/add-from-url', { json: { name: 'Facts', url: 'https://a.test' } }).body
    const count = send('GET', '/documents').body.length
    send('POST', '/documents/preview', { json: { name: 'Facts' } })

    expect(send('GET', `/voices/${voice_id}`).body).toEqual({ voice_id, name: 'Ada' })
    expect(send('GET', `/documents/${id}`).body).toMatchObject({ id, name: 'Facts' })
    expect(send('GET', '/documents').body).toHaveLength(count)
  })

  it('keeps an uploaded file under the name of its attributes, and answers with the list of what it made', () => {
    const File = object({ id: 'string', name: 'string', size: 'integer' })
    const form = object({ attributes: object({ name: 'string' }), file: { type: 'string', format: 'binary' } })
    const body = { requestBody: { content: { 'multipart/form-data': { schema: form } } } }
    const { send } = simulate(
      describeApi(
        {
          '/files/{file_id}': { ...inPath('file_id'), get: answers(by('File')), delete: answers(by('File')) },
          '/files/content': { post: { ...body, ...answers(object({ entries: list(by('File')) })) } },
        },
        { components: { schemas: { File } } },
      ),
    )
    const part = (head: string, value: string) => `--X\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
    const upload = `${part('name="attributes"', '{"name":"a.txt"}')}${part('name="file"; filename="b"', 'hello')}--X--\r\n`

    const { entries } = send('POST', '/files/content', {
      text: upload,
      headers: { 'content-type': 'multipart/form-data; boundary=X' },
    }).body

    expect(entries).toEqual([{ id: expect.any(String), name: 'a.txt', size: 5 }])
    expect(send('GET', `/files/${entries[0].id}`).body).toEqual(entries[0])
  })

  it('pages by a cursor inside of `next`, and by a path where the example has one', () => {
    const item = object({ id: 'string', name: 'string' })
    const paged = (properties: Parameters<typeof object>[0], example?: object) => ({
      200: {
        description: 'ok',
        content: {
          'application/json': { schema: object({ items: list(item), ...properties }), ...(example && { example }) },
        },
      },
    })
    const post = { ...takes(object({ name: 'string' })), ...answers(item) }
    const { send } = simulate(
      describeApi({
        '/spaces': {
          get: {
            parameters: [inQuery('page', text), inQuery('limit', { type: 'integer' })],
            responses: paged({ next: object({ page: 'string' }, { required: ['page'] }) }) as never,
          },
          post,
        },
      }),
      { volume: { spaces: 5 } },
    )

    const first = send('GET', '/spaces?limit=3').body
    const second = send('GET', `/spaces?limit=3&page=${first.next.page}`).body
    expect([first.items.length, second.items.length]).toEqual([3, 2])
    expect(second.next).toBeUndefined()
  })

  it('finds what was put under several keys, and says the result of each id', () => {
    const repo = object({ id: 'integer', name: 'string', owner: object({ login: 'string' }) })
    const result = object({ id: 'string', success: 'boolean' }, { required: ['id', 'success'] })
    const album = object({ id: 'string', title: 'string' })
    const byIds = { ...takes(object({ ids: list(text) })), ...answers(list(result)) }
    const { send } = simulate(
      describeApi({
        '/starred': { get: answers(list(repo)) },
        '/starred/{owner}/{repo}': { ...inPath('owner', 'repo'), get: answers(repo), put: { responses: { 204: {} } } },
        '/albums': { get: answers(list(album)), post: { ...takes(object({ title: 'string' })), ...answers(album) } },
        '/albums/{id}': { ...inPath('id'), get: answers(album) },
        '/albums/{id}/assets': {
          ...inPath('id'),
          put: byIds,
          delete: byIds,
        },
      }),
    )
    const { id } = send('POST', '/albums', { json: { title: 'Trip' } }).body

    expect(send('PUT', '/starred/ada/app').status).toBe(204)
    expect(send('GET', '/starred/ada/app').body).toMatchObject({ name: 'app', owner: { login: 'ada' } })
    expect(send('GET', '/starred/ada/other').status).toBe(404)
    for (const method of ['PUT', 'DELETE']) {
      const results = send(method, `/albums/${id}/assets`, { json: { ids: ['a', 'b'] } }).body
      expect(results.map((one: { id: string }) => one.id)).toEqual(['a', 'b'])
    }
  })
})
