import { expect } from 'vitest'
import { LATENCY } from '../description.ts'
import type { Section } from '../rule.ts'

/** Specification, response rules. */
export const responseRules: Section = {
  title: 'Response rules',
  declare: (rule) => {
    rule('POST returns 201 with the rule as kept, under an id of the service', async ({ call, create, detail }) => {
      const { id } = await create()

      const { status, body } = await call('POST', `/v1/simulations/${id}/rules`, { body: LATENCY })

      expect(status).toBe(201)
      expect(body).toMatchObject({ ...LATENCY, id: expect.any(String) })
      expect((await detail(id)).rules).toEqual([body])
    })

    rule('latency holds answers back by latencyMs', async ({ call, create, use }) => {
      const simulation = await create()
      await call('POST', `/v1/simulations/${simulation.id}/rules`, {
        body: { ...LATENCY, config: { latencyMs: 120, latencyJitterMs: 0 } },
      })

      const { status } = await use(simulation, 'GET', '/tasks')

      expect(status).toBe(200)
      const durationMs = async () =>
        (await call('GET', `/v1/simulations/${simulation.id}/logs`)).body.data[0].durationMs ?? 0
      // The log knows it a moment after the client.
      await expect.poll(durationMs).toBeGreaterThanOrEqual(119)
    })

    rule('a rule matches its method alone', async ({ call, create, use }) => {
      const simulation = await create()
      await call('POST', `/v1/simulations/${simulation.id}/rules`, { body: { ...LATENCY, method: 'POST' } })

      await use(simulation, 'GET', '/tasks')

      const { body } = await call('GET', `/v1/simulations/${simulation.id}/logs`)
      expect(body.data[0]).toMatchObject({ method: 'GET', status: 200, ruleId: null })
    })

    rule(
      'pathPattern matches by a trailing * wildcard, exactly without one',
      async ({ call, create, use }) => {
        const simulation = await create()
        const [task] = (await use(simulation, 'GET', '/tasks')).body
        const logged = async () => (await call('GET', `/v1/simulations/${simulation.id}/logs`)).body.data[0].ruleId
        const { body } = await call('POST', `/v1/simulations/${simulation.id}/rules`, {
          body: { ...LATENCY, pathPattern: '/tasks' },
        })
        await use(simulation, 'GET', `/tasks/${task.id}`)
        const exact = await logged()
        await call('DELETE', `/v1/simulations/${simulation.id}/rules/${body.id}`)

        const wild = await call('POST', `/v1/simulations/${simulation.id}/rules`, {
          body: { ...LATENCY, pathPattern: '/tasks/*' },
        })
        await use(simulation, 'GET', `/tasks/${task.id}`)

        expect([exact, await logged()]).toEqual([null, wild.body.id])
      },
      'extensions',
    )

    rule('DELETE returns 204 with no body, and the rule no longer acts', async ({ call, create, detail }) => {
      const { id } = await create()
      const { body } = await call('POST', `/v1/simulations/${id}/rules`, { body: LATENCY })

      const answer = await call('DELETE', `/v1/simulations/${id}/rules/${body.id}`)

      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await detail(id)).rules).toEqual([])
    })

    rule('deleting an unknown rule gives 404 not_found', async ({ call, create }) => {
      const { id } = await create()

      expect(await call('DELETE', `/v1/simulations/${id}/rules/unknown`)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
    })

    rule('a rule that lacks a field, or has one out of bounds, gives 400 invalid_request', async ({ call, create }) => {
      const { id } = await create()
      const bodies: [string, object][] = [
        ['`name`', { ...LATENCY, name: undefined }],
        ['`kind`', { ...LATENCY, kind: 'slow' }],
        ['`method`', { ...LATENCY, method: 'G E T' }],
        ['`pathPattern`', { ...LATENCY, pathPattern: 'tasks' }],
        ['`pathPattern`', { ...LATENCY, pathPattern: '/a?b=c' }],
        ['`config`', { ...LATENCY, config: undefined }],
        ['latencyMs`', { ...LATENCY, config: { latencyMs: 0.5, latencyJitterMs: 0 } }],
        ['latencyMs`', { ...LATENCY, config: { latencyMs: -1, latencyJitterMs: 0 } }],
        ['latencyMs`', { ...LATENCY, config: { latencyMs: 300_001, latencyJitterMs: 0 } }],
        ['latencyJitterMs`', { ...LATENCY, config: { latencyMs: 1, latencyJitterMs: -1 } }],
      ]

      for (const [field, body] of bodies) {
        const answer = await call('POST', `/v1/simulations/${id}/rules`, { body })
        expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
        expect(answer.body.error.message).toContain(field)
      }
    })
  },
}
