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
