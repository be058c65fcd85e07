import { expect, it, onTestFinished } from 'vitest'
import { ManagementClient } from '../../src/client/management-client.ts'
import { ApiError } from '../../src/protocol/errors.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import type { CreateSimulationRequest } from '../../src/protocol/simulation.ts'
import { startOver } from '../../src/service/start.ts'
import { firstEventIn } from '../support/first-event.ts'

/** A client that calls a service of this process directly, and one over HTTP. */
async function bothWays() {
  const service = await startOver(undefined, {})
  onTestFinished(() => service.close())
  const { url: baseUrl, accountKey, call } = service
  const direct = new ManagementClient({ baseUrl, accountKey, call, retries: 0 })
  const http = new ManagementClient({ baseUrl, accountKey, retries: 0 })
  onTestFinished(() => http.close())
  return { direct, http }
}

const nested = (depth: number): object => (depth === 0 ? {} : { inner: nested(depth - 1) })

// Input that the types do not allow, as tests in JavaScript send it.
const creation = (input: unknown) => (client: ManagementClient) =>
  client.createSimulation({ library: 'task-tracker', ...(input as Partial<CreateSimulationRequest>) })

const REFUSED: Record<string, (client: ManagementClient, id: string) => Promise<unknown>> = {
  'an unknown entry': creation({ library: 'task-traker' }),
  'two sources': creation({ spec: 'openapi: 3.1.0' }),
  'no source': creation({ library: undefined }),
  'a wrong type': creation({ volume: { tasks: 'many' } }),
  'a number that JSON does not have': creation({ volume: { tasks: Number.NaN } }),
  'several faults': creation({ seed: {}, slug: '', validation: 'none' }),
  'a description that cannot be read': creation({ library: undefined, spec: '{' }),
  'a body that is nested too deeply': creation({ seedRecords: { tasks: [nested(120)] } }),
  'too many values': creation({ seedRecords: { tasks: Array.from({ length: LIMITS.bodyValues + 1 }, () => ({})) } }),
  'a rule of an unknown kind': (client, id) => client.addRule(id, { name: 'one', kind: 'slow', config: {} } as never),
  'too few hours': (client, id) => client.fastForward(id, 0.1),
  'a query out of bounds': (client, id) => client.readRecords(id, 'tasks', { limit: -1 }),
  'an unknown collection': (client, id) => client.readRecords(id, 'task'),
  'an unknown record': (client, id) =>
    client.call('readRecord', { parameters: { id, collection: 'tasks', recordId: 'none/../x' } }),
  'an unknown simulation': (client) => client.getSimulation('nothing'),
  'a webhook without an address': (client, id) => client.registerWebhook(id, { url: 'x', events: ['*'] }),
  'an endpoint for workers, which this service does not have': (client) =>
    client.call('registerSink', { body: { port: 1, ca: '' } }),
}

const errorOf = (calling: Promise<unknown>) =>
  calling.then(
    () => 'no error',
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, code: error.code, message: error.message }
    },
  )

it.each(Object.entries(REFUSED))('refuses %s with the error that it has over HTTP', async (_, send) => {
  const { direct, http } = await bothWays()
  const { id } = await http.createSimulation({ library: 'task-tracker' })

  const refused = await errorOf(send(direct, id))

  expect(refused).toHaveProperty('code')
  expect(refused).toEqual(await errorOf(send(http, id)))
})

it('answers as over HTTP', async () => {
  const { direct, http } = await bothWays()
  const options = { library: 'task-tracker', slug: 'same', seed: 7, epoch: '2026-01-01T00:00:00Z' }

  const rule = {
    name: 'slow',
    kind: 'latency',
    method: 'GET',
    pathPattern: '/tasks*',
    config: { latencyMs: 1 },
  } as const

  const answersOf = async (client: ManagementClient) => {
    const { id, apiKey, url, curl, ...created } = await client.createSimulation({
      ...options,
      name: undefined as never,
    })
    const { hours, changes } = await client.fastForward(id, 6)
    const answers = {
      created,
      forwarded: { hours, changes },
      records: await client.readRecords(id, 'tasks', { limit: 3, offset: 1 }),
      edited: await client.call('createRecord', {
        parameters: { id, collection: 'tasks' },
        query: { quiet: true },
        body: { title: 'Water', note: undefined },
      }),
      rule: { ...(await client.addRule(id, rule)), id: '' },
      deleted: [await client.deleteSimulation(id), await client.deleteSimulation(id)],
    }
    return answers
  }
  const withoutTimes = (answers: unknown) => JSON.stringify(answers).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')

  expect(withoutTimes(await answersOf(direct))).toBe(withoutTimes(await answersOf(http)))
})

it('copies what it takes and what it answers', async () => {
  const { direct } = await bothWays()
  const seeded = { title: 'Sweep' }
  const { id } = await direct.createSimulation({ library: 'task-tracker', seedRecords: { tasks: [seeded] } })

  seeded.title = 'changed later'
  const first = await direct.readRecords(id, 'tasks', { limit: 100 })
  for (const task of first.data) task.title = 'changed later'
  const second = await direct.readRecords(id, 'tasks', { limit: 100 })

  expect(second.data.map(({ title }) => title)).toContain('Sweep')
  expect(second.data.map(({ title }) => title)).not.toContain('changed later')
})

it('streams events to a caller in this process until its signal aborts', async () => {
  const { direct } = await bothWays()
  const { id } = await direct.createSimulation({ library: 'task-tracker' })
  const stop = new AbortController()
  const parameters = { id }

  const query = { kinds: 'change' }
  const body = await direct.call('streamActivity', { parameters, query, signal: stop.signal })
  await direct.call('createRecord', { parameters: { id, collection: 'tasks' }, body: { title: 'Water the plants' } })

  expect(await firstEventIn(body)).toMatchObject({ type: 'task.created' })
  stop.abort()
})

it('rejects a call that takes too long, and one after the end of the service', async () => {
  const service = await startOver(undefined, {})
  const { url: baseUrl, accountKey, call } = service
  const client = new ManagementClient({ baseUrl, accountKey, call: () => new Promise(() => {}), timeoutMs: 1 })
  const closed = new ManagementClient({ baseUrl, accountKey, call })

  await service.close()

  await expect(client.pause('tasks')).rejects.toThrow(
    `Failed to pause simulation "tasks": no answer within 1 ms (POST ${baseUrl}/v1/simulations/tasks/pause)`,
  )
  await expect(closed.usage()).rejects.toThrow('Failed to call the service: it is closed. Start another.')
})
