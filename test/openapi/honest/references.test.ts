import { expect, it } from 'vitest'
import { answers, describeApi, inPath, list, object, takes } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, type Resource, TEXT, WHOLE } from './resource.ts'

const simulation = simulations()

const MISSING = { 404: 'Not found' }
const venues: Resource = { fields: { name: TEXT } }
const concerts: Resource = { fields: { title: TEXT }, listing: MISSING, creation: MISSING }
const growers: Resource = { fields: { name: TEXT } }
const lots: Resource = {
  fields: { grower_id: { type: ['string', 'null'] }, kilos: WHOLE },
  creation: { 422: 'Validation failed' },
}
const pilots: Resource = { fields: { name: TEXT } }
const flights: Resource = {
  fields: { pilotId: TEXT, gate: TEXT },
  creation: { 404: 'Unknown pilot', 409: 'Gate in use' },
}
const editors: Resource = { fields: { name: TEXT } }
const articles: Resource = {
  fields: { editor_id: { type: ['string', 'null'] }, title: TEXT },
  actions: {
    'PUT /assign': { sent: { editor_id: TEXT }, responses: { 404: 'No such article', 422: 'Unknown editor' } },
  },
}

it.each(['GET', 'POST'])('%s below a missing record is the declared 404', async (method) => {
  const call = await simulation.of(describeResources({ venues, 'venues/{venue_id}/concerts': concerts }))
  const venue = (await call('POST /venues', { name: 'Jazzhus' })).body
  const body = method === 'POST' ? { title: 'Late' } : undefined

  const below = await call(`${method} /venues/${venue.id}/concerts`, body)
  const missing = await call(`${method} /venues/nowhere/concerts`, body)

  expect([below.status, missing.status]).toEqual([method === 'POST' ? 201 : 200, 404])
  expect(JSON.stringify(missing.body)).toContain('Failed to find venue \\"nowhere\\", which `venue_id` names.')
})

it.each([
  ['lots', { growers, lots }, 'growers', 'grower_id', 422],
  ['flights', { pilots, flights }, 'pilots', 'pilotId', 404],
  ['articles', { editors, articles }, 'editors', 'editor_id', undefined],
] as const)(
  '%s that refer to a missing record get the declared refusal',
  async (plural, resources, target, field, refusal) => {
    const call = await simulation.of(describeResources(resources))
    const known = (await call(`POST /${target}`, { name: 'Ida' })).body

    const right = await call(`POST /${plural}`, { [field]: known.id })
    const wrong = await call(`POST /${plural}`, { [field]: 'nobody' })

    expect([right.status, right.body[field], wrong.status]).toEqual([201, known.id, refusal ?? 201])
  },
)

it('says of an action which reference is unknown, and changes nothing', async () => {
  const call = await simulation.of(describeResources({ editors, articles }))
  const { id } = (await call('POST /articles', { title: 'Rain' })).body

  const missing = await call('PUT /articles/none/assign', { editor_id: 'nobody' })
  const wrong = await call(`PUT /articles/${id}/assign`, { editor_id: 'nobody' })

  expect([missing.status, wrong.status]).toEqual([404, 422])
  expect(JSON.stringify(wrong.body)).toContain('Failed to find editor \\"nobody\\", which `editor_id` names.')
  expect((await call(`GET /articles/${id}`)).body.editor_id).toBeNull()
})

it('says which member is unknown', async () => {
  const user = { $ref: '#/components/schemas/User' }
  const users = answers(list(user))
  const crew = object({ id: 'string', name: 'string' })
  const add = { 204: { description: 'added' }, 422: { description: 'Unknown user' } }
  const call = await simulation.of(
    describeApi(
      {
        '/users': { get: users, post: { ...takes(user), ...answers(user) } },
        '/users/{id}': { ...inPath('id'), get: answers(user) },
        '/crews': { get: answers(list(crew)) },
        '/crews/{crew}': { ...inPath('crew'), get: answers(crew) },
        '/crews/{crew}/members': {
          ...inPath('crew'),
          get: users,
          post: { ...takes(object({ user_id: 'string' })), responses: add },
        },
        '/crews/{crew}/members/{user}': { ...inPath('crew', 'user'), put: { responses: add } },
      },
      { components: { schemas: { User: object({ id: 'string', name: 'string' }) } } },
    ),
  )
  const [first] = (await call('GET /crews')).body
  const [known] = (await call('GET /users')).body

  const right = await call(`POST /crews/${first.id}/members`, { user_id: known.id })
  const wrong = await call(`POST /crews/${first.id}/members`, { user_id: 'nobody' })

  expect([right.status, wrong.status]).toEqual([204, 422])
})
