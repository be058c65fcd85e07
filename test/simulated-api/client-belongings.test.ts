import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, by, describeApi, inPath, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const text = { type: 'string' }
const idsOf = ({ data }: { data: JsonObject[] }) => data.map(({ id }) => id)

/** Lists of profiles, as JSON:API describes them. */
function listsOfProfiles() {
  const resource = (type: string) =>
    object(
      { id: 'string', type: { ...text, enum: [type] }, attributes: object({ name: 'string' }) },
      { required: ['id', 'type'] },
    )
  const data = (schema: JsonObject) => object({ data: schema })
  const links = data(list(object({ id: 'string', type: 'string' }, { required: ['id', 'type'] })))
  const kept = (path: string, type: string) => ({
    [path]: {
      get: answers(data(list(resource(type)))),
      post: { ...takes(data(object({ attributes: object({ name: 'string' }) }))), ...answers(data(resource(type))) },
    },
    [`${path}/{id}`]: { ...inPath('id'), get: answers(data(resource(type))), delete: {} },
  })
  return simulate(
    describeApi({
      ...kept('/lists', 'list'),
      ...kept('/profiles', 'profile'),
      '/lists/{id}/profiles': { ...inPath('id'), get: answers(data(list(resource('profile')))) },
      '/lists/{id}/relationships/profiles': {
        ...inPath('id'),
        get: answers(links),
        post: takes(links),
        patch: takes(links),
        delete: takes(links),
      },
    }),
  )
}

describe('what belongs to a record', () => {
  it('adds, replaces and removes the members of a relationship of JSON:API', () => {
    const { send } = listsOfProfiles()
    const make = (path: string) => send('POST', path, { json: { data: { attributes: { name: 'x' } } } }).body.data.id
    const [one, other, ada, bob] = [make('/lists'), make('/lists'), make('/profiles'), make('/profiles')]
    const to = (method: string, of: string, ids: string[]) =>
      send(method, `/lists/${of}/relationships/profiles`, {
        json: { data: ids.map((id) => ({ type: 'profile', id })) },
      })
    const membersOf = (of: string) => [
      idsOf(send('GET', `/lists/${of}/profiles`).body),
      idsOf(send('GET', `/lists/${of}/relationships/profiles`).body),
    ]

    expect(membersOf(one)).toEqual([[], []])
    to('POST', one, [ada])
    to('POST', one, [bob])
    to('POST', other, [ada])
    expect(membersOf(one).map((ids) => ids.toSorted())).toEqual([[ada, bob].toSorted(), [ada, bob].toSorted()])
    to('DELETE', one, [ada])
    expect(membersOf(one)).toEqual([[bob], [bob]])
    expect(membersOf(other)).toEqual([[ada], [ada]])
    to('PATCH', other, [bob])
    expect(membersOf(other)).toEqual([[bob], [bob]])
    expect(send('GET', `/lists/${one}`).body.data.type).toBe('list')
    expect(send('GET', `/profiles/${ada}`).status).toBe(200)
  })

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
    const members = { get: answers(list(user)) }
    const member = { put: {}, delete: {} }
    const { send } = simulate(
      describeApi(
        {
          '/users': { get: answers(list(user)), post: { ...takes(object({ name: 'string' })), ...answers(user) } },
          '/users/{id}': { ...inPath('id'), get: answers({ allOf: [user], title: 'One' }), delete: {} },
          '/groups': { get: answers(list(object({ id: 'string' }))), post: answers(object({ id: 'string' })) },
          '/groups/{group}/users': { ...inPath('group'), ...members },
          '/groups/{group}/users/{id}': { ...inPath('group', 'id'), ...member },
          '/sources/{source}/users': { ...inPath('source'), ...members },
          '/sources/{source}/users/{id}': { ...inPath('source', 'id'), get: answers(user), put: {} },
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

  it('keeps the keys that clients give in a list of points', () => {
    const id = {
      oneOf: [
        { type: 'integer', minimum: 0 },
        { ...text, format: 'uuid' },
      ],
    }
    const point = object({ id, vector: list({ type: 'number' }) }, { required: ['id', 'vector'] })
    const { send } = simulate(
      describeApi({
        '/points': {
          post: {
            operationId: 'get_points',
            ...takes(object({ ids: list(id) })),
            ...answers(object({ result: list(point) })),
          },
          put: takes(object({ points: list(point) })),
        },
        '/points/{id}': {
          parameters: [{ in: 'path', name: 'id', required: true, schema: id }],
          get: answers(object({ result: point })),
        },
        '/points/scroll': {
          post: { ...takes(object({ limit: 'integer' })), ...answers(object({ points: list(point) })) },
        },
      }),
      { volume: { points: 3 } },
    )
    send('PUT', '/points', { json: { points: [{ id: 4_000_001, vector: [0.5] }] } })

    expect(send('POST', '/points', { json: { ids: [4_000_001] } }).body.result).toEqual([
      { id: 4_000_001, vector: [0.5] },
    ])
    expect(send('POST', '/points/scroll', { json: { limit: 10 } }).body.points).toHaveLength(4)
  })
})
