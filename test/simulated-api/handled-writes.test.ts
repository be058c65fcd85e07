import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { describeResources, oneOf, TEXT, WHOLE } from '../openapi/honest/resource.ts'

/** Records that name one of another kind, and how often. */
function describe(plural: string, owners: string, reference: string): JsonObject {
  const count: JsonObject = { ...WHOLE, minimum: 1 }
  const number: JsonObject = { ...TEXT, description: 'Unique.' }
  return describeResources({
    [owners]: { fields: { name: TEXT } },
    [plural]: {
      fields: { [reference]: TEXT, number, count, status: oneOf('open', 'done') },
      required: [reference, 'count', 'status'],
      sent: { [reference]: TEXT, number, count: { ...count, default: 7 } },
      creation: { 409: 'There is one with this number', 422: 'Unknown reference' },
    },
  })
}

it.each([
  ['orders', 'customers', 'customer_id'],
  ['lessons', 'teachers', 'teacher_id'],
  ['parcels', 'depots', 'depot_id'],
])('a handler of %s gets known references and unused values, and creates with the defaults', async (...names) => {
  const [plural, owners, reference] = names
  await using api = await createSimulation({ spec: describe(plural, owners, reference) })
  const [owner] = await api.records<{ id: string }>(owners, { limit: 1 })
  let calls = 0
  await api.respondWith(`POST /${plural}`, ({ body, create }) => {
    calls++
    return create({ ...body, status: 'done' })
  })
  const post = async (fields: object) => {
    const response = await api.fetch(`/${plural}`, { method: 'POST', body: JSON.stringify(fields) })
    return { status: response.status, body: (await response.json()) as JsonObject }
  }

  const made = await post({ [reference]: owner?.id, number: 'A-1' })
  const taken = await post({ [reference]: owner?.id, number: 'A-1' })
  const unknown = await post({ [reference]: 'nobody', number: 'A-2' })

  expect(made.body).toMatchObject({ [reference]: owner?.id, count: 7, status: 'done' })
  expect([made.status, taken.status, unknown.status, calls]).toEqual([201, 409, 422, 1])
})

it.each(['orders', 'lessons', 'parcels'])('a computed operation below %s has its record', async (plural) => {
  const report = {
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
  }
  const described = describeResources({ [plural]: { fields: { count: WHOLE }, required: ['count'] } })
  const parameters = [{ name: 'id', in: 'path', required: true, schema: TEXT }]
  Object.assign(described.paths as JsonObject, { [`/${plural}/{id}/report`]: { get: { parameters, ...report } } })
  const operation = `GET /${plural}/{id}/report`
  await using api = await createSimulation({ spec: described }, { model: { operations: { [operation]: 'computed' } } })
  const made = await api.create(plural, { count: 3 })
  await api.respondWith(operation, ({ parent }) => ({ twice: Number(parent?.count) * 2 }))

  const known = await api.fetch(`/${plural}/${made.id}/report`)
  const unknown = await api.fetch(`/${plural}/nobody/report`)

  expect(await known.json()).toEqual({ twice: 6 })
  expect(unknown.status).toBe(404)
})
