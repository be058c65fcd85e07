import { expect } from 'vitest'
import { HALVING } from '../description.ts'
import type { Section } from '../rule.ts'

/** Specification, records, events, logs and usage. */
export const reads: Section = {
  title: 'Records, events, logs and usage',
  declare: (rule) => {
    rule('records reads a collection directly, with { data, total, limit, offset }', async ({ call, create }) => {
      const { id } = await create({ volume: { tasks: 60 } })

      const { status, body } = await call('GET', `/v1/simulations/${id}/records/tasks`)

      expect(status).toBe(200)
      expect(body).toMatchObject({ total: 60, limit: 50, offset: 0 })
      expect(body.data).toHaveLength(50)
      expect(body.data[0]).toMatchObject({ id: expect.any(String), title: expect.any(String) })
    })

    rule('records pages by limit and offset without gap or repeat', async ({ call, create }) => {
      const { id } = await create({ volume: { tasks: 25 } })
      const page = async (offset: number) =>
        (await call('GET', `/v1/simulations/${id}/records/tasks?limit=10&offset=${offset}`)).body.data

      const pages = await Promise.all([0, 10, 20, 30].map(page))

      expect(pages.map(({ length }) => length)).toEqual([10, 10, 5, 0])
      expect(new Set(pages.flat().map(({ id: key }: { id: string }) => key)).size).toBe(25)
    })

    rule('records works while paused, past the simulated API', async ({ call, create }) => {
      const { id } = await create()
      await call('POST', `/v1/simulations/${id}/pause`)

      expect((await call('GET', `/v1/simulations/${id}/records/tasks`)).status).toBe(200)
    })

    rule('limit of records is 1 to 500 and is never clamped', async ({ call, create }) => {
      const { id } = await create()

      const answers = await Promise.all(
        ['limit=0', 'limit=501', 'limit=x', 'limit=1.5', 'offset=-1'].map((query) =>
          call('GET', `/v1/simulations/${id}/records/tasks?${query}`),
        ),
      )

      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
        Array(5).fill([400, 'invalid_request']),
      )
      expect(answers[1]?.body.error.message).toBe('Expected `limit` to be from 1 to 500, got "501".')
    })

    rule('records of an unknown collection give 404 not_found', async ({ call, create }) => {
      const { id } = await create()

      expect(await call('GET', `/v1/simulations/${id}/records/chores`)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
    })

    rule('every data change of a request emits an event', async ({ call, create, use }) => {
      const simulation = await create({ volume: { tasks: 1 } })
      const made = (await use(simulation, 'POST', '/tasks', { title: 'New', status: 'open' })).body
      await use(simulation, 'PATCH', `/tasks/${made.id}`, { status: 'done' })
      await use(simulation, 'DELETE', `/tasks/${made.id}`)

      const { data } = (await call('GET', `/v1/simulations/${simulation.id}/events`)).body

      expect(data.map(({ type }: { type: string }) => type)).toEqual(['task.deleted', 'task.updated', 'task.created'])
      expect(data[2]).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        data: { collection: 'tasks', id: made.id, object: made },
        cause: 'request',
      })
      expect(data[0].data).toEqual({ collection: 'tasks', id: made.id, object: null })
    })

    rule('a request that changes nothing emits no event', async ({ call, create, use }) => {
      const simulation = await create()
      await use(simulation, 'GET', '/tasks')
      await use(simulation, 'DELETE', '/tasks/unknown')

      expect((await call('GET', `/v1/simulations/${simulation.id}/events`)).body.data).toEqual([])
    })

    rule('events reads the latest 100, newest first', async ({ call, create }) => {
      const { id } = await create({ volume: { tasks: 240 } })
      await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })
      await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 2.5 } })

      const { data } = (await call('GET', `/v1/simulations/${id}/events`)).body
      const times = data.map(({ created }: { created: string }) => created)

      expect(data).toHaveLength(100)
      expect(times).toEqual(times.toSorted().reverse())
      expect(data[0].cause).toBe('fast-forward')
    })

    rule(
      'logs has method, path, status, duration, source IP and operation of each request',
      async ({ call, create, use }) => {
        const simulation = await create()
        await use(simulation, 'GET', '/tasks?status=open')
        await use(simulation, 'GET', '/nowhere')

        const { status, body } = await call('GET', `/v1/simulations/${simulation.id}/logs`)

        expect(status).toBe(200)
        expect(body.data).toMatchObject([
          { method: 'GET', path: '/nowhere', status: 404, operation: null },
          {
            method: 'GET',
            path: '/tasks?status=open',
            status: 200,
            durationMs: expect.any(Number),
            sourceIp: expect.stringMatching(/^[0-9a-f.:]+$/),
            operation: 'listTasks',
            key: simulation.apiKey.slice(0, 14),
          },
        ])
      },
    )

    rule('logs show of a key its prefix alone, in a query too', async ({ call, create, use }) => {
      const simulation = await create()
      await use(simulation, 'GET', `/tasks?api_key=${simulation.apiKey}`)

      const { body } = await call('GET', `/v1/simulations/${simulation.id}/logs`)

      expect(body.data[0].path).toBe(`/tasks?api_key=${simulation.apiKey.slice(0, 14)}…`)
      expect(JSON.stringify(body)).not.toContain(simulation.apiKey)
    })

    rule('logs reads the latest 100 requests, newest first', async ({ call, create, use }) => {
      const simulation = await create()
      for (let at = 0; at < 105; at++) await use(simulation, 'GET', `/nowhere/${at}`)

      const { data } = (await call('GET', `/v1/simulations/${simulation.id}/logs`)).body

      expect(data.map(({ path }: { path: string }) => path)).toEqual(
        Array.from({ length: 100 }, (_, at) => `/nowhere/${104 - at}`),
      )
    })

    rule(
      'usage answers with plan, status, credit, requests and simulations with their limits',
      async ({ call, create, use }) => {
        const before = (await call('GET', '/v1/usage')).body
        const simulation = await create()
        await use(simulation, 'GET', '/tasks')

        const { status, body } = await call('GET', '/v1/usage')

        expect(status).toBe(200)
        expect(body).toMatchObject({
          plan: expect.any(String),
          status: 'active',
          creditUsd: expect.any(Number),
          requestsThisMonth: before.requestsThisMonth + 1,
          requestLimit: expect.any(Number),
          simulations: before.simulations + 1,
          simulationLimit: expect.any(Number),
        })
      },
    )

    rule('deleting a simulation takes it out of usage', async ({ call, create }) => {
      const { id } = await create()
      const before = (await call('GET', '/v1/usage')).body.simulations

      await call('DELETE', `/v1/simulations/${id}`)

      expect((await call('GET', '/v1/usage')).body.simulations).toBe(before - 1)
    })
  },
}
