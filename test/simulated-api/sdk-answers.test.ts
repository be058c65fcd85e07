import { describe, expect, it } from 'vitest'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const text = { type: 'string' }

describe('what official clients find again', () => {
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
        },
        '/engine/recommend': {
          post: { ...takes(object({ tags: list(text) })), ...answers(object({ matches: list(album) })) },
        },
      }),
    )
    const { id } = send('POST', '/albums', { json: { title: 'Trip' } }).body

    expect(send('PUT', '/starred/ada/app').status).toBe(204)
    expect(send('GET', '/starred/ada/app').body).toMatchObject({ name: 'app', owner: { login: 'ada' } })
    expect(send('GET', '/starred/ada/other').status).toBe(404)
    const results = send('PUT', `/albums/${id}/assets`, { json: { ids: ['a', 'b'] } }).body
    expect(results.map((one: { id: string }) => one.id)).toEqual(['a', 'b'])
    // Tags are no ids.
    expect(send('POST', '/engine/recommend', { json: { tags: ['red'] } }).body.matches[0].id).not.toBe('red')
  })
})
