import { expect, it } from 'vitest'
import { answers, describeApi, inPath, list, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const DONE = { responses: { 204: { description: 'done' } } }

it('sets the date that an action has the name of, whatever else is in its name', async () => {
  const date = { type: 'string', format: 'date-time' }
  const agreement = { type: 'object', properties: { id: { type: 'string' }, accepted: date, dateCancelled: date } }
  const call = await simulation.of(
    describeApi({
      '/agreements': { post: { ...takes(object({})), ...answers(object({ id: 'string' })) } },
      '/agreements/{id}': { ...inPath('id'), get: answers(agreement) },
      '/agreements/{id}/accept': { ...inPath('id'), put: DONE },
      '/agreements/{id}/cancel': { ...inPath('id'), put: DONE },
    }),
  )
  const { id } = (await call('POST /agreements', {})).body

  await call(`PUT /agreements/${id}/accept`)
  const accepted = (await call(`GET /agreements/${id}`)).body
  await call(`PUT /agreements/${id}/cancel`)
  const cancelled = (await call(`GET /agreements/${id}`)).body

  expect(Object.keys(accepted)).toEqual(['id', 'accepted'])
  expect(cancelled).toMatchObject({ accepted: accepted.accepted, dateCancelled: expect.any(String) })
})

it('deletes what a body says by the fields of its parts, or in a list', async () => {
  const role = object({ slug: 'string' })
  const grant = { type: 'object', properties: { id: { type: 'string' }, user: { type: 'string' }, role } }
  const call = await simulation.of(
    describeApi({
      '/grants': {
        get: answers(list(grant)),
        post: { ...takes(grant), ...answers(grant) },
        delete: { ...takes(object({ role_slug: 'string' })), ...DONE },
      },
      '/grants/bulk': { delete: { ...takes(list(object({ user: 'string', role_slug: 'string' }))), ...DONE } },
    }),
    { grants: 0 },
  )
  const users = async () => (await call('GET /grants')).body.map(({ user }: { user: string }) => user).sort()
  for (const [user, slug] of ['ada admin', 'bob admin', 'eve guest', 'tom guest', 'zoe guest'].map((it) =>
    it.split(' '),
  ))
    await call('POST /grants', { user, role: { slug } })

  await call('DELETE /grants', { role_slug: 'admin' })
  expect(await users()).toEqual(['eve', 'tom', 'zoe'])
  await call('DELETE /grants/bulk', [
    { user: 'eve', role_slug: 'guest' },
    { user: 'zoe', role_slug: 'guest' },
    { user: 'tom', role_slug: 'admin' },
  ])
  expect(await users()).toEqual(['tom'])
})

it('takes any wish for a language, as clients send one by themselves', async () => {
  const language = { in: 'header', name: 'Accept-Language', schema: { type: 'string', enum: ['en', 'de'] } }
  const call = await simulation.of(
    describeApi({ '/regions': { parameters: [language], get: answers(list(object({ id: 'integer' }))) } }),
  )

  for (const wish of ['*', 'de', 'de-CH, de;q=0.9, fr;q=0.1'])
    expect((await call('GET /regions', undefined, { 'accept-language': wish })).status).toBe(200)
})
