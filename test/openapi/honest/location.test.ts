import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { simulations } from '../unseen/simulated.ts'
import { oneOf, TEXT } from './resource.ts'

const simulation = simulations()

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })

/** An operation that starts a job, which is read at a path of its own. */
function describe(start: string, jobs: string, headers: JsonObject): JsonObject {
  const job: JsonObject = {
    type: 'object',
    required: ['id'],
    properties: { id: TEXT, status: oneOf('queued', 'done') },
  }
  const shown = { 202: { description: 'Started', headers, ...json(job) } }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: TEXT }]
  return {
    openapi: '3.1.0',
    info: { title: 'Jobs', version: '1' },
    servers: [{ url: 'https://api.example.com/v2' }],
    'x-backlot': { operations: { [`POST ${start}`]: { create: jobs } } },
    paths: {
      [start]: { post: { responses: shown } },
      [`/${jobs}/{id}`]: { get: { parameters, responses: { 200: { description: 'The job', ...json(job) } } } },
    },
  }
}

it.each([
  ['/photos/import', 'imports'],
  ['/payrolls/run', 'jobs'],
  ['/maps/render', 'renderings'],
])('POST %s answers with the address of its job among the %s, where it declares one', async (start, jobs) => {
  const declared = await simulation.of(describe(start, jobs, { Location: { schema: TEXT } }))
  const silent = await simulation.of(describe(start, jobs, {}))

  const started = await declared(`POST /v2${start}`)
  const location = started.headers.get('location') ?? ''

  expect(new URL(location).pathname).toBe(`/v2/${jobs}/${started.body.id}`)
  expect((await declared(`GET ${location}`)).body).toEqual(started.body)
  expect((await silent(`POST /v2${start}`)).headers.get('location')).toBeNull()
})
