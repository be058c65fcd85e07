import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, TEXT, WHOLE } from './resource.ts'

const simulation = simulations()

const param = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: WHOLE })

/** Two kinds of records, of which one has members of the other. */
function describe(groups: string, people: string, members: string, method: string): JsonObject {
  const described = describeResources({ [groups]: { fields: { name: TEXT } } })
  const person = { type: 'object', required: ['id', 'name'], properties: { id: WHOLE, name: TEXT } }
  const shown = (schema: JsonObject) => ({ description: 'ok', content: { 'application/json': { schema } } })
  const list = { responses: { 200: shown({ type: 'array', items: { $ref: '#/components/schemas/Person' } }) } }
  const one = { $ref: '#/components/schemas/Person' }
  return {
    ...described,
    paths: {
      ...(described.paths as JsonObject),
      [`/${people}`]: {
        get: list,
        post: { requestBody: { content: { 'application/json': { schema: one } } }, responses: { 201: shown(one) } },
      },
      [`/${people}/{person_id}`]: { parameters: [param('person_id')], get: { responses: { 200: shown(one) } } },
      [`/${groups}/{group_id}/${members}`]: { parameters: [{ ...param('group_id'), schema: TEXT }], get: list },
      [`/${groups}/{group_id}/${members}/{person_id}`]: {
        parameters: [{ ...param('group_id'), schema: TEXT }, param('person_id')],
        [method]: { responses: { 204: { description: 'Added' }, 404: { description: 'Not found' } } },
      },
    },
    components: { schemas: { Person: person } },
  }
}

it.each([
  ['teams', 'users', 'members'],
  ['courses', 'pupils', 'attendees'],
  ['bands', 'musicians', 'players'],
  // Hostenia's favourites, Resend's segments of a contact, the favorites of many shops.
  ['lists', 'movies', 'favorites', 'post'],
])('nobody gets into %s who is not there, where that is declared', async (groups, people, members, method = 'put') => {
  const call = await simulation.of(describe(groups, people, members, method))
  const group = await call(`POST /${groups}`, { name: 'a' })
  const { body: all } = await call(`GET /${people}`)
  const path = `/${groups}/${group.body.id}/${members}`

  const known = await call(`${method.toUpperCase()} ${path}/${all[0].id}`)
  const unknown = await call(`${method.toUpperCase()} ${path}/987654321`)

  expect([known.status, unknown.status]).toEqual([204, 404])
  expect((await call(`GET ${path}`)).body).toEqual([all[0]])
})
