import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const call = (body: JsonObject, answer?: JsonObject): JsonObject => ({
  post: { ...takes(body), ...(answer ? answers(answer) : { responses: { 200: { description: 'done' } } }) },
})
const asks = (name: string, answer?: JsonObject): JsonObject => ({
  get: {
    parameters: [{ name, in: 'query', required: true, schema: { type: 'string' } }],
    ...(answer ? answers(answer) : { responses: { 200: { description: 'done' } } }),
  },
})

it('reads words after a verb that say which records', async () => {
  const widget = object({ id: 'string', title: 'string' })
  const send = await simulation.of(
    describeApi({
      '/api/Widget/GetAll': { get: answers(list(widget)) },
      '/api/Widget/GetById': asks('id', widget),
      '/api/Widget/Create': call(object({ title: 'string' }), widget),
      '/api/Widget/delete-widget': call(object({ id: 'string' }), object({})),
    }),
  )

  const { id } = (await send('POST /api/Widget/Create', { title: 'Lamp' })).body

  expect((await send('GET /api/Widget/GetAll')).body[0]).toEqual({ id, title: 'Lamp' })
  expect((await send(`GET /api/Widget/GetById?id=${id}`)).body.title).toBe('Lamp')
  await send('POST /api/Widget/delete-widget', { id })
  expect((await send(`GET /api/Widget/GetById?id=${id}`)).status).toBe(404)
})

/** An operation without a described answer, with the key in its path. */
const keyed = (name: string, rest: JsonObject = {}): JsonObject => ({
  parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  responses: { 200: { description: 'Success' } },
  ...rest,
})
const DONE: JsonObject = { responses: { 200: { description: 'Success' } } }

it('leaves paths alone whose verbs are nouns', async () => {
  const send = await simulation.of(
    describeApi({
      '/lists/{listId}': { get: keyed('listId', answers(object({ id: 'string', name: 'string' }))) },
      '/lists': { get: answers(list(object({ id: 'string', name: 'string' }))) },
    }),
  )

  const [first] = (await send('GET /lists')).body
  expect((await send(`GET /lists/${first.id}`)).body).toEqual(first)
})

it('answers a creation without a described answer with the record, not with a list of it', async () => {
  const course = object({ id: 'string', name: 'string' })
  const send = await simulation.of(
    describeApi(
      {
        '/course': { get: DONE, post: { ...takes({ $ref: '#/components/schemas/Course' }), ...DONE } },
        '/course/{id}': { get: keyed('id') },
      },
      { components: { schemas: { Course: course } } },
    ),
  )

  expect((await send('POST /course', { name: 'Baking' })).body).toMatchObject({ name: 'Baking' })
})
