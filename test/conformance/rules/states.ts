import { expect } from 'vitest'
import { HALVING, LATENCY } from '../description.ts'
import type { Section } from '../rule.ts'

const OK = { status: 200, body: { ok: true } }

/** Specification, States and transitions; pause, resume, reset. */
export const states: Section = {
  title: 'Pause, resume and reset',
  declare: (rule) => {
    rule('pause answers { ok: true } and the status is paused', async ({ call, create, detail }) => {
      const { id } = await create()

      expect(await call('POST', `/v1/simulations/${id}/pause`)).toMatchObject(OK)
      expect((await detail(id)).status).toBe('paused')
    })

    rule('a paused simulation answers its requests with 503', async ({ call, create, use }) => {
      const simulation = await create()
      await call('POST', `/v1/simulations/${simulation.id}/pause`)

      expect((await use(simulation, 'GET', '/tasks')).status).toBe(503)
      expect((await use(simulation, 'POST', '/tasks', { title: 'x', status: 'open' })).status).toBe(503)
    })

    rule('resume answers { ok: true } and requests are answered again', async ({ call, create, detail, use }) => {
      const simulation = await create()
      await call('POST', `/v1/simulations/${simulation.id}/pause`)

      expect(await call('POST', `/v1/simulations/${simulation.id}/resume`)).toMatchObject(OK)
      expect((await detail(simulation.id)).status).toBe('running')
      expect((await use(simulation, 'GET', '/tasks')).status).toBe(200)
    })

    rule('pausing what is paused and resuming what runs answer { ok: true }', async ({ call, create, detail }) => {
      const { id } = await create()

      const resumed = await call('POST', `/v1/simulations/${id}/resume`)
      await call('POST', `/v1/simulations/${id}/pause`)
      const paused = await call('POST', `/v1/simulations/${id}/pause`)

      expect([resumed, paused]).toMatchObject([OK, OK])
      expect((await detail(id)).status).toBe('paused')
    })

    rule(
      'pause stops the world clock, and resume goes on from there',
      async ({ call, create }) => {
        const { id } = await create()
        const clock = async () => (await call('GET', `/v1/simulations/${id}/clock`)).body
        await call('POST', `/v1/simulations/${id}/pause`)

        const [first, second] = [await clock(), await clock()]
        await call('POST', `/v1/simulations/${id}/resume`)
        const third = await clock()

        expect([first.paused, second.paused, third.paused]).toEqual([true, true, false])
        expect(second.now).toBe(first.now)
        expect(Date.parse(third.now) - Date.parse(first.now)).toBeLessThan(1_000)
      },
      'extensions',
    )

    rule('reset answers { ok: true } and puts the data back to what the seed gave', async ({ call, create, use }) => {
      const simulation = await create({ volume: { tasks: 4 } })
      const before = (await use(simulation, 'GET', '/tasks')).body
      await use(simulation, 'DELETE', `/tasks/${before[0].id}`)
      await use(simulation, 'POST', '/tasks', { title: 'New', status: 'open' })

      const answer = await call('POST', `/v1/simulations/${simulation.id}/reset`)

      expect(answer).toMatchObject(OK)
      expect((await use(simulation, 'GET', '/tasks')).body).toEqual(before)
    })

    rule('reset keeps keys, rules, access, webhooks and the plan', async ({ call, create, detail }) => {
      const { id } = await create()
      await call('POST', `/v1/simulations/${id}/keys`, { body: { name: 'CI' } })
      await call('POST', `/v1/simulations/${id}/rules`, { body: LATENCY })
      await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })
      await call('PUT', `/v1/simulations/${id}/access`, { body: { ipAllowlist: ['0.0.0.0/0', '::/0'] } })
      const { keys, rules, access, webhooks, behaviour } = await detail(id)

      await call('POST', `/v1/simulations/${id}/reset`)
      await call('GET', `/v1/simulations/${id}/events`)

      expect(await detail(id)).toMatchObject({ status: 'running', keys, rules, access, webhooks, behaviour })
    })

    rule('reset empties the event log and keeps the request log', async ({ call, create, use }) => {
      const simulation = await create()
      await use(simulation, 'POST', '/tasks', { title: 'New', status: 'open' })

      await call('POST', `/v1/simulations/${simulation.id}/reset`)
      const events = (await call('GET', `/v1/simulations/${simulation.id}/events`)).body.data
      const logs = (await call('GET', `/v1/simulations/${simulation.id}/logs`)).body.data

      expect([events.length, logs.length]).toEqual([0, 1])
    })

    rule('reset keeps the paused state', async ({ call, create, detail }) => {
      const { id } = await create()
      await call('POST', `/v1/simulations/${id}/pause`)

      await call('POST', `/v1/simulations/${id}/reset`)
      await call('GET', `/v1/simulations/${id}/events`)

      expect((await detail(id)).status).toBe('paused')
    })

    rule('each of them gives 404 not_found for an unknown simulation', async ({ call }) => {
      const answers = await Promise.all(
        ['pause', 'resume', 'reset'].map((part) => call('POST', `/v1/simulations/unknown/${part}`)),
      )

      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    })
  },
}
