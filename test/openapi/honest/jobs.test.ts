import { afterEach, expect, it } from 'vitest'
import { createSimulation, type JsonObject, type Simulation } from '../../../src/index.ts'
import { answers, describeApi, inPath, list, object, takes } from '../describe-api.ts'

let simulation: Simulation
afterEach(() => simulation.delete())

const accepted = (schema: JsonObject): JsonObject => ({
  responses: { 202: { description: 'begun', content: { 'application/json': { schema } } } },
})
const ref = { $ref: '#/components/schemas/Job' }
const record = object({ id: 'string', title: 'string', done: 'boolean' })

/** Records at `/{plural}`, and jobs at `/{jobs}` that `operation` begins. */
function describing(plural: string, jobs: string, statuses: string[], operation: JsonObject): JsonObject {
  const job = object({
    id: 'string',
    status: { type: 'string', enum: statuses },
    finished_at: { type: ['string', 'null'], format: 'date-time' },
  })
  return describeApi(
    {
      [`/${plural}`]: { get: answers(list(record)), post: { ...takes(record), ...answers(record) } },
      [`/${plural}/{id}`]: { ...inPath('id'), get: answers(record) },
      [`/${jobs}/{id}`]: { ...inPath('id'), get: answers(ref) },
      ...operation,
    },
    { components: { schemas: { Job: { required: ['id', 'status'], ...job } } } },
  )
}

it.each([
  [
    'POST /films/import',
    describing('films', 'imports', ['queued', 'running', 'finished', 'failed'], {
      '/films/import': { post: { ...takes(object({ url: 'string' })), ...accepted(ref) } },
    }),
    { url: 'https://example.com/films.csv' },
    ['/imports', 'queued', 'finished'],
  ],
  [
    'POST /seeds/bulk_update',
    describing('seeds', 'jobs', ['pending', 'done', 'error'], {
      '/seeds/bulk_update': {
        post: { ...takes(object({ ids: list({ type: 'string' }), done: 'boolean' })), ...accepted(ref) },
      },
    }),
    { ids: [], done: true },
    ['/jobs', 'pending', 'done'],
  ],
  [
    'POST /audits',
    describing('plots', 'audits', ['scheduled', 'counting', 'finished'], {
      '/audits': { post: { ...takes(object({ plot: 'string' })), ...accepted(ref) } },
    }),
    { plot: 'p1' },
    ['/audits', 'scheduled', 'finished'],
  ],
])('%s begins a job that can be read and ends', async (route, spec, body, [path, first, last]) => {
  simulation = await createSimulation({ spec })
  const [method, url = ''] = route.split(' ')
  const answer = await simulation.fetch(url, { method: `${method}`, body: JSON.stringify(body) })
  const begun = (await answer.json()) as JsonObject
  const job = async () => (await simulation.fetch(`${path}/${begun.id}`)).json() as Promise<JsonObject>

  const before = await job()
  await simulation.fastForward({ hours: 1 })

  expect([answer.status, begun.status, before.status, before.finished_at]).toEqual([202, first, first, null])
  expect(await job()).toMatchObject({ status: last, finished_at: expect.any(String) })
})
