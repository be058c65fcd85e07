import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { type Call, simulations } from './simulated.ts'

const simulation = simulations()

const user: JsonObject = { $ref: '#/components/schemas/User' }
const DONE: JsonObject = { responses: { 204: { description: 'done' } } }
const param = (name: string): JsonObject => ({ in: 'path', name, required: true, schema: { type: 'string' } })
const users: JsonObject = answers({ type: 'array', items: user })
const team = object({ id: 'string', title: 'string' })

const DESCRIPTION: JsonObject = describeApi(
  {
    '/users': { get: users, post: { ...takes(user), ...answers(user) } },
    '/users/{id}': { parameters: [param('id')], get: answers(user), delete: DONE },
    '/teams': { get: answers({ type: 'array', items: team }) },
    '/teams/{team}': { parameters: [param('team')], get: answers(team) },
    '/teams/{team}/members': {
      parameters: [param('team')],
      get: users,
      post: { ...takes(object({ user_id: 'string' })), ...DONE },
    },
    '/teams/{team}/members/{user}': { parameters: [param('team'), param('user')], put: DONE, delete: DONE },
  },
  { components: { schemas: { User: object({ id: 'string', name: 'string', email: 'string' }) } } },
)

describe('records that paths tie to a parent', () => {
  let call: Call
  let team: string
  let known: { id: string }[]
  beforeEach(async () => {
    call = await simulation.of(DESCRIPTION)
    team = `/teams/${(await call('GET /teams')).body[0].id}/members`
    known = (await call('GET /users')).body
  })

  it.each(['PUT', 'POST'])('are shown below it as they are, once tied by %s', async (method) => {
    const [, one] = known

    if (method === 'PUT') await call(`PUT ${team}/${one?.id}`)
    else await call(`POST ${team}`, { user_id: one?.id })

    expect((await call(`GET ${team}`)).body).toContainEqual(one)
  })

  it('are there still when the tie is cut', async () => {
    const [one] = known
    await call(`PUT ${team}/${one?.id}`)

    expect((await call(`DELETE ${team}/${one?.id}`)).status).toBe(204)

    expect((await call(`GET ${team}`)).body).not.toContainEqual(expect.objectContaining({ id: one?.id }))
    expect((await call(`GET /users/${one?.id}`)).body).toEqual(one)
  })

  it('may be tied to two parents', async () => {
    const [one] = known
    const other = `/teams/${(await call('GET /teams')).body[1].id}/members`

    await call(`PUT ${team}/${one?.id}`)
    await call(`PUT ${other}/${one?.id}`)

    for (const path of [team, other]) expect((await call(`GET ${path}`)).body).toContainEqual(one)
  })
})

it('keeps a membership that no path reads in the list that the parent has for it', async () => {
  const customer = object({ id: 'string', name: 'string', group_ids: { type: 'array', items: { type: 'string' } } })
  const group = object({ id: 'string', title: 'string' })
  const call = await simulation.of(
    describeApi({
      '/customers': { post: { ...takes(object({ name: 'string' })), ...answers(customer) } },
      '/customers/{id}': { parameters: [param('id')], get: answers(customer) },
      '/customers/groups': { get: answers({ type: 'array', items: group }) },
      '/customers/{id}/groups/{group_id}': { parameters: [param('id'), param('group_id')], put: DONE, delete: DONE },
    }),
  )
  const [group1] = (await call('GET /customers/groups')).body
  const made = (await call('POST /customers', { name: 'Ada' })).body
  const groups = async () => (await call(`GET /customers/${made.id}`)).body.group_ids

  expect((await call(`PUT /customers/${made.id}/groups/${group1.id}`)).status).toBe(204)
  expect(await groups()).toContain(group1.id)

  await call(`DELETE /customers/${made.id}/groups/${group1.id}`)
  expect(await groups()).not.toContain(group1.id)
})

it('reads the record that a query tells by one of its fields or by its key', async () => {
  const link = object({ id: 'string', url: 'string', external_id: 'string' })
  const query = (name: string): JsonObject => ({ in: 'query', name, schema: { type: 'string' } })
  const call = await simulation.of(
    describeApi({
      '/links': { get: answers({ type: 'array', items: link }), post: { ...takes(link), ...answers(link) } },
      '/links/{id}': { get: answers(link) },
      '/links/info': { get: { parameters: [query('linkId'), query('external_id')], ...answers(link) } },
    }),
  )
  const made = (await call('POST /links', { url: 'https://a.example.com', external_id: 'e-1' })).body

  expect((await call('GET /links/info?external_id=e-1')).body).toEqual(made)
  expect((await call(`GET /links/info?linkId=${made.id}`)).body).toEqual(made)
  expect((await call('GET /links/info?external_id=unknown')).status).toBe(404)
})
