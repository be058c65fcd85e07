import { expect, it } from 'vitest'
import { startForTest } from './start-for-test.ts'

it('says which fields records have, and what refers to what', async () => {
  const { create, call } = await startForTest()
  const { id } = await create()

  const { body } = await call('GET', `/v1/simulations/${id}/collections/tasks`)
  const projects = await call('GET', `/v1/simulations/${id}/collections/projects`)

  expect(body).toMatchObject({ name: 'tasks', singular: 'task' })
  expect(body.fields).toContainEqual(expect.objectContaining({ name: 'projectId', refersTo: 'projects' }))
  expect(body.fields).toContainEqual(
    expect.objectContaining({ name: 'status', types: ['string'], values: expect.arrayContaining(['done']) }),
  )
  expect(projects.body.referredBy).toContainEqual({ collection: 'tasks', field: 'projectId' })
})

it('answers 404 for a collection that there is not', async () => {
  const { create, call } = await startForTest()
  const { id } = await create()

  const { status, body } = await call('GET', `/v1/simulations/${id}/collections/nothing`)

  expect([status, body.error.message]).toEqual([404, 'No collection "nothing" in this simulation.'])
})
