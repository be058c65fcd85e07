import { expect } from 'vitest'
import { HALVING } from '../description.ts'
import type { Section } from '../rule.ts'

/** Specification, fast-forward and behaviour. */
export const time: Section = {
  title: 'Fast-forward and behaviour',
  declare: (rule) => {
    rule('fast-forward answers with hours and the number of data changes', async ({ call, create }) => {
      const { id } = await create({ volume: { tasks: 8 } })
      await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })

      expect(await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 1.5 } })).toMatchObject({
        status: 200,
        body: { hours: 1.5, changes: 4 },
      })
    })

    rule('fast-forward runs the plan as if the time had passed', async ({ call, create, detail }) => {
      const { id } = await create({ volume: { tasks: 8 } })
      await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })

      const { body } = await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 2.5 } })

      expect(body.changes).toBe(6)
      expect((await detail(id)).collections[0]?.records).toBe(2)
    })

    rule('every change of a fast-forward emits an event', async ({ call, create }) => {
      const { id } = await create({ volume: { tasks: 8 } })
      await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })
      await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 1.5 } })

      const { data } = (await call('GET', `/v1/simulations/${id}/events`)).body

      expect(data.map(({ type }: { type: string }) => type)).toEqual(Array(4).fill('task.deleted'))
    })

    rule('hours is required', async ({ call, create }) => {
      const { id } = await create()

      expect(await call('POST', `/v1/simulations/${id}/fast-forward`, { body: {} })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringMatching(/`hours`.*0\.25 to 720/) } },
      })
    })

    rule('hours is from 0.25 to 720, both included', async ({ call, create }) => {
      const { id } = await create({ volume: { tasks: 2 } })

      const answers = await Promise.all(
        [0.25, 720].map((hours) => call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours } })),
      )

      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    })

    rule('hours out of range gives 400 invalid_request, naming field and bound', async ({ call, create }) => {
      const { id } = await create()

      const answers = await Promise.all(
        [0.2499, 720.01, 0, -1, 1e308].map((hours) =>
          call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours } }),
        ),
      )

      for (const { status, body } of answers) {
        expect([status, body.error.code]).toEqual([400, 'invalid_request'])
        expect(body.error.message).toMatch(/^Expected `hours` to be from 0\.25 to 720, got /)
      }
    })

    rule('fast-forward while paused gives 400 bad_request', async ({ call, create }) => {
      const { id } = await create()
      await call('POST', `/v1/simulations/${id}/pause`)

      expect(await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 1 } })).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request' } },
      })
    })

    rule('PUT behaviour replaces the plan and answers with the plan as kept', async ({ call, create, detail }) => {
      const { id } = await create()

      const answer = await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })

      expect(answer).toMatchObject({ status: 200, body: HALVING })
      expect((await detail(id)).behaviour.rules).toEqual(HALVING.rules)
    })

    rule('invalid steps are dropped and do not fail the request', async ({ call, create }) => {
      const { id } = await create()
      const [halve] = HALVING.rules
      const steps = [
        { kind: 'delete', collection: 'chores', fraction: 0.5 },
        { kind: 'delete', collection: 'tasks', fraction: 2 },
        { kind: 'explode', collection: 'tasks' },
        'no step',
        { kind: 'delete', collection: 'tasks', fraction: 0.25 },
      ]

      const answer = await call('PUT', `/v1/simulations/${id}/behaviour`, { body: { rules: [{ ...halve, steps }] } })

      expect(answer.status).toBe(200)
      expect(answer.body.rules[0].steps).toEqual([{ kind: 'delete', collection: 'tasks', fraction: 0.25 }])
    })

    rule('a plan may be empty: nothing changes then', async ({ call, create }) => {
      const { id } = await create()

      const { status } = await call('PUT', `/v1/simulations/${id}/behaviour`, { body: { rules: [] } })

      expect(status).toBe(200)
      expect((await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 720 } })).body.changes).toBe(0)
    })

    rule('a rule that is not enabled does not run', async ({ call, create }) => {
      const { id } = await create()
      const [halve] = HALVING.rules
      await call('PUT', `/v1/simulations/${id}/behaviour`, { body: { rules: [{ ...halve, enabled: false }] } })

      expect((await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 9 } })).body.changes).toBe(0)
    })

    rule('everySeconds is an integer; another value gives 400 invalid_request', async ({ call, create }) => {
      const { id } = await create()
      const [halve] = HALVING.rules

      const answers = await Promise.all(
        [0.5, 0, '60', null].map((everySeconds) =>
          call('PUT', `/v1/simulations/${id}/behaviour`, { body: { rules: [{ ...halve, everySeconds }] } }),
        ),
      )

      for (const { status, body } of answers) {
        expect([status, body.error.code]).toEqual([400, 'invalid_request'])
        expect(body.error.message).toContain('`rules[0].everySeconds`')
      }
    })

    rule(
      'everything a simulation does is the same again for the same seed, epoch and commands',
      async ({ call, create }) => {
        const init = { seed: 'conformance', epoch: '2026-01-01T00:00:00Z', volume: { tasks: 20 } }
        const run = async () => {
          const { id } = await create(init)
          await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })
          await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 3 } })
          return (await call('GET', `/v1/simulations/${id}/records/tasks`)).body
        }

        expect(await run()).toEqual(await run())
      },
      'extensions',
    )
  },
}
