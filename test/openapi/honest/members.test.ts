import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, inPath, list, object, takes } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'

const simulation = simulations()
const DONE: JsonObject = { responses: { 204: { description: 'done' } } }

it.each([
  ['users', 'crews', { type: 'integer' }],
  ['songs', 'playlists', { type: 'string', format: 'uuid' }],
  ['labels', 'boxes', { type: 'integer', format: 'int64' }],
])('%s are put into %s once, and taken out again', async (things, holders, id) => {
  const thing = { $ref: '#/components/schemas/Thing' }
  const shown = answers(list(thing))
  const holder = object({ id, title: 'string' })
  const call = await simulation.of(
    describeApi(
      {
        [`/${things}`]: { get: shown },
        [`/${things}/{id}`]: { ...inPath('id'), get: answers(thing) },
        [`/${holders}`]: { get: answers(list(holder)) },
        [`/${holders}/{holder}`]: { ...inPath('holder'), get: answers(holder) },
        [`/${holders}/{holder}/members`]: { ...inPath('holder'), get: shown },
        [`/${holders}/{holder}/members/{thing_id}`]: { ...inPath('holder', 'thing_id'), put: DONE, delete: DONE },
      },
      { components: { schemas: { Thing: object({ id, name: 'string' }) } } },
    ),
  )
  const [first] = (await call(`GET /${holders}`)).body
  const all: { id: unknown }[] = (await call(`GET /${things}`)).body
  const path = `/${holders}/${first.id}/members`
  const held = async (): Promise<unknown[]> =>
    (await call(`GET ${path}?limit=100`)).body.map((one: { id: unknown }) => one.id)

  for (const one of [...all, ...all]) await call(`PUT ${path}/${one.id}`)
  const between = await held()
  for (const one of all) await call(`DELETE ${path}/${one.id}`)

  for (const { id: one } of all) expect(between.filter((other) => other === one)).toEqual([one])
  expect((await held()).filter((one) => all.some((other) => other.id === one))).toEqual([])
})

// Members of Kimai's teams and users of Immich's albums have their user as a part.
it('adds the item whose part is the record of the path, changes it, and takes it out again', async () => {
  const user = { $ref: '#/components/schemas/User' }
  const member = object({ user, lead: 'boolean' }, { required: ['user'] })
  const team = object({ id: 'integer', name: 'string', members: list(member) }, { required: ['members'] })
  const one = { ...answers(team), ...takes(object({ lead: 'boolean' })) }
  const call = await simulation.of(
    describeApi(
      {
        '/users': { get: answers(list(user)) },
        '/teams': { get: answers(list(team)), post: { ...answers(team), ...takes(object({ name: 'string' })) } },
        '/teams/{id}': { ...inPath('id'), get: answers(team) },
        '/teams/{id}/members/{userId}': { ...inPath('id', 'userId'), post: one, delete: answers(team) },
      },
      { components: { schemas: { User: object({ id: 'integer', name: 'string' }, { required: ['id'] }) } } },
    ),
  )
  const [ada, bob] = (await call('GET /users')).body
  const { id } = (await call('POST /teams', { name: 'Crew' })).body
  const users = ({ body }: { body: { members: { user: { id: number } }[] } }) => body.members.map((m) => m.user.id)

  await call(`POST /teams/${id}/members/${ada.id}`, { lead: true })
  const both = await call(`POST /teams/${id}/members/${bob.id}`, { lead: false })
  const again = await call(`POST /teams/${id}/members/${bob.id}`, { lead: true })
  const left = await call(`DELETE /teams/${id}/members/${ada.id}`)

  expect([users(both), users(again), users(left)]).toEqual([[ada.id, bob.id], [ada.id, bob.id], [bob.id]])
  expect(left.body.members[0].lead).toBe(true)
})
