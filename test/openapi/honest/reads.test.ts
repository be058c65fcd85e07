import { expect, it } from 'vitest'
import { answers, describeApi, inPath, list, object, takes } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'

const simulation = simulations()

it.each([
  ['clients', 'create', 'client'],
  ['orders', 'new', 'order'],
  ['tickets', 'add', 'ticket'],
])('GET /%s/%s creates nothing', async (things, word, thing) => {
  const record = object({ id: 'integer', title: 'string' })
  const call = await simulation.of(
    describeApi({
      [`/${things}`]: { get: answers(list(record)), post: { ...takes(record), ...answers(record) } },
      [`/${things}/${word}`]: { get: { operationId: `${word}_${thing}`, ...answers(record) } },
      [`/${things}/{id}`]: { ...inPath('id'), get: answers(record) },
    }),
  )
  const count = async () => (await call(`GET /${things}?limit=100`)).body.length
  const before = await count()

  const { status } = await call(`GET /${things}/${word}`)

  expect([status, await count()]).toEqual([200, before])
})

it.each([
  ['invoices', 'cancel', 'cancelled'],
  ['jobs', 'archive', 'archived'],
  ['visits', 'close', 'closed'],
])('GET /%s/{id}/%s changes no record', async (things, verb, status) => {
  const record = object({ id: 'integer', status: { type: 'string', enum: ['open', status] } })
  const call = await simulation.of(
    describeApi({
      [`/${things}`]: { get: answers(list(record)), post: { ...takes(record), ...answers(record) } },
      [`/${things}/{id}`]: { ...inPath('id'), get: answers(record) },
      [`/${things}/{id}/${verb}`]: { ...inPath('id'), get: answers(record) },
    }),
  )
  const { body: made } = await call(`POST /${things}`, { status: 'open' })

  await call(`GET /${things}/${made.id}/${verb}`)

  expect((await call(`GET /${things}/${made.id}`)).body.status).toBe('open')
})
