import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { describeApi } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const shows = (example: JsonObject | JsonObject[], schema?: JsonObject): JsonObject => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { example, ...(schema && { schema }) } } } },
})

const film = { id: 28, title: 'Alien', released: '1979-05-25', rating: 8.5, ids: { slug: 'alien-1979' } }

it.each([
  ['no schema', undefined, undefined],
  ['schemas that say nothing', { type: 'object' }, { type: 'array', items: { type: 'object' } }],
])('reads records off the examples of a description with %s', async (_, one, many) => {
  const call = await simulation.of(
    describeApi({
      '/films': {
        get: shows([film, { ...film, rating: 7 }], many),
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          ...shows(film, one),
        },
      },
      '/films/{id}': { get: shows(film, one), delete: { responses: { 204: { description: 'gone' } } } },
    }),
  )

  const made = await call('POST /films', { title: 'Aliens', rating: 8.4 })
  const listed = await call('GET /films')
  const shown = listed.body.find(({ id }: { id: number }) => id === made.body.id)

  expect(made.body).toMatchObject({ id: expect.any(Number), title: 'Aliens', rating: 8.4 })
  expect(shown).toEqual(made.body)
  expect(Object.keys(listed.body[0]).sort()).toEqual(['id', 'ids', 'rating', 'released', 'title'])
  expect(listed.body[0].released).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect((await call(`GET /films/${made.body.id}`)).body).toEqual(made.body)
})

it('keeps a schema that says what a body has, whatever its example shows', async () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    required: ['id', 'name'],
  }
  const call = await simulation.of(
    describeApi({ '/people': { get: shows([{ id: 1, extra: true }], { type: 'array', items: schema }) } }),
  )

  const [first] = (await call('GET /people')).body

  expect(Object.keys(first).sort()).toEqual(['id', 'name'])
})
