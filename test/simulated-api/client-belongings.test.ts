import { describe, expect, it } from 'vitest'
import { answers, by, describeApi, inPath, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const text = { type: 'string' }

describe('what belongs to a record', () => {
  it('shows in a record what was made below it, until it is gone', () => {
    const part = object({ id: 'string', policy: 'string' }, { required: ['id'] })
    const asset = object({ id: 'string', playback_ids: list(by('Part')) }, { required: ['id'] })
    const { send } = simulate(
      describeApi(
        {
          '/assets': { get: answers(list(asset)), post: { ...takes(object({})), ...answers(asset) } },
          '/assets/{id}': { ...inPath('id'), get: answers(asset) },
          '/assets/{id}/playback-ids': {
            ...inPath('id'),
            post: { ...takes(object({ policy: 'string' })), ...answers(by('Part')) },
          },
          '/assets/{id}/playback-ids/{partId}': { ...inPath('id', 'partId'), get: answers(by('Part')), delete: {} },
        },
        { components: { schemas: { Part: part } } },
      ),
    )
    const { id } = send('POST', '/assets', { json: {} }).body

    const made = send('POST', `/assets/${id}/playback-ids`, { json: { policy: 'signed' } }).body
    expect(send('GET', `/assets/${id}`).body.playback_ids).toEqual([made])
    send('DELETE', `/assets/${id}/playback-ids/${made.id}`)
    expect(send('GET', `/assets/${id}`).body.playback_ids).toEqual([])
  })

  it('takes a member from a group, and leaves it where it is', () => {
    const user = by('User')
    const { send } = simulate(
      describeApi(
        {
          '/users': { get: answers(list(user)), post: { ...takes(object({ name: 'string' })), ...answers(user) } },
          '/users/{id}': { ...inPath('id'), get: answers(user), delete: {} },
          '/groups': { get: answers(list(object({ id: 'string' }))), post: answers(object({ id: 'string' })) },
          '/groups/{group}/users': { ...inPath('group'), get: answers(list(user)) },
          '/groups/{group}/users/{id}': { ...inPath('group', 'id'), put: {}, delete: {} },
        },
        { components: { schemas: { User: object({ id: 'string', name: 'string', email: 'string' }) } } },
      ),
    )
    const { id } = send('POST', '/users', { json: { name: 'Ada' } }).body
    const group = send('POST', '/groups').body.id

    send('PUT', `/groups/${group}/users/${id}`)
    expect(send('GET', `/groups/${group}/users`).body).toMatchObject([{ id, name: 'Ada' }])
    send('DELETE', `/groups/${group}/users/${id}`)
    expect(send('GET', `/groups/${group}/users`).body).toEqual([])
    expect(send('GET', `/users/${id}`).status).toBe(200)
  })

  it('clears a part of a record, and leaves the record', () => {
    const shelf = object({ name: 'string' })
    const { send } = simulate(
      describeApi({
        '/shelves': { get: answers(list(shelf)) },
        '/shelves/{name}': { ...inPath('name'), get: answers(shelf), put: { ...takes(object({ size: 'integer' })) } },
        '/shelves/{name}/points/payload/clear': { ...inPath('name'), post: takes(object({ ids: list(text) })) },
      }),
    )
    send('PUT', '/shelves/books', { json: {} })

    send('POST', '/shelves/books/points/payload/clear', { json: { ids: ['a'] } })

    expect(send('GET', '/shelves/books').status).toBe(200)
  })
})
