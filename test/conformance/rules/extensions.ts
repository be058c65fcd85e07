import { expect } from 'vitest'
import { HALVING } from '../description.ts'
import type { Section } from '../house.ts'

/** What the specification does not have (`decisions/002`). */
export const extensions: Section = {
  title: 'Extensions (ours)',
  declare: (rule) => {
    rule(
      'GET /v1/meta names the service, its version and its extensions',
      async ({ call }) => {
        const { status, body } = await call('GET', '/v1/meta')

        expect(status).toBe(200)
        expect(body).toEqual({ name: expect.any(String), version: expect.any(String), extensions: expect.any(Array) })
        expect(body.extensions).toEqual(
          expect.arrayContaining(['seed', 'snapshots', 'event-stream', 'deliveries-advance']),
        )
      },
      'extensions',
    )

    rule(
      'GET behaviour reads the plan',
      async ({ call, create }) => {
        const { id } = await create()
        await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })

        expect((await call('GET', `/v1/simulations/${id}/behaviour`)).body).toEqual(HALVING)
      },
      'extensions',
    )

    rule(
      'a snapshot puts data, clock and plan back',
      async ({ call, create, use }) => {
        const simulation = await create({ volume: { tasks: 6 } })
        const part = `/v1/simulations/${simulation.id}`
        const before = (await use(simulation, 'GET', '/tasks')).body
        const taken = await call('POST', `${part}/snapshots`)
        await call('PUT', `${part}/behaviour`, { body: HALVING })
        await call('POST', `${part}/fast-forward`, { body: { hours: 3 } })

        const restored = await call('POST', `${part}/snapshots/${taken.body.id}/restore`)

        expect([taken.status, restored.status, restored.body]).toEqual([201, 200, { ok: true }])
        expect((await use(simulation, 'GET', '/tasks')).body).toEqual(before)
        expect((await call('GET', `${part}/behaviour`)).body).not.toEqual(HALVING)
        expect((await call('GET', `${part}/clock`)).body.offsetMs).toBeLessThan(3_600_000)
      },
      'extensions',
    )

    rule(
      'restoring an unknown snapshot gives 404 not_found',
      async ({ call, create }) => {
        const { id } = await create()

        expect((await call('POST', `/v1/simulations/${id}/snapshots/unknown/restore`)).status).toBe(404)
      },
      'extensions',
    )

    rule(
      'the latest 100 snapshots are kept',
      async ({ call, create }) => {
        const part = `/v1/simulations/${(await create()).id}/snapshots`
        for (let taken = 0; taken < 101; taken++) await call('POST', part)

        const [first, second] = await Promise.all(
          ['snap_1', 'snap_2'].map((id) => call('POST', `${part}/${id}/restore`)),
        )

        expect([first?.status, second?.status]).toEqual([404, 200])
        expect(first?.body.error.message).toBe('No snapshot "snap_1" of this simulation: snap_2 to snap_101 are kept.')
      },
      'extensions',
    )

    rule(
      'GET clock shows the world time, which a fast-forward moves',
      async ({ call, create }) => {
        const { id } = await create({ volume: { tasks: 1 } })
        const before = (await call('GET', `/v1/simulations/${id}/clock`)).body
        await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 2 } })

        const { now, offsetMs, paused } = (await call('GET', `/v1/simulations/${id}/clock`)).body

        expect(offsetMs - before.offsetMs).toBeGreaterThanOrEqual(2 * 3_600_000 - 1)
        expect(Date.parse(now) - Date.parse(before.now)).toBeGreaterThanOrEqual(2 * 3_600_000)
        expect(paused).toBe(false)
      },
      'extensions',
    )

    rule(
      'webhooks can be listed with their state, and deleted',
      async ({ call, create, detail }) => {
        const { id } = await create()
        const part = `/v1/simulations/${id}/webhooks`
        const registered = (await call('POST', part, { body: { url: 'https://8.8.8.8/', events: ['*'] } })).body

        const { data } = (await call('GET', part)).body
        const removed = await call('DELETE', `${part}/${registered.id}`)

        expect(data).toEqual([
          { id: registered.id, url: 'https://8.8.8.8/', events: ['*'], state: 'active', failures: 0 },
        ])
        expect(removed.status).toBe(204)
        expect((await detail(id)).webhooks).toEqual([])
        expect((await call('DELETE', `${part}/${registered.id}`)).status).toBe(404)
        expect((await call('POST', `${part}/unknown/enable`)).status).toBe(404)
        expect((await call('GET', `${part}/unknown/deliveries`)).status).toBe(404)
      },
      'extensions',
    )

    rule(
      'deliveries/advance wants seconds or until, deliveries/settled answers at once when nothing waits',
      async ({ call, create }) => {
        const { id } = await create()

        const advance = (body: object) => call('POST', `/v1/simulations/${id}/deliveries/advance`, { body })
        expect((await advance({ seconds: 60 })).body).toEqual({ attempts: 0 })
        expect((await advance({ until: 'next' })).body).toEqual({ attempts: 0 })
        expect((await advance({ until: 'drained' })).body).toEqual({ attempts: 0 })
        expect((await advance({})).body.error.code).toBe('invalid_request')
        expect((await advance({ seconds: 1, until: 'next' })).body.error.code).toBe('invalid_request')
        expect((await advance({ seconds: -1 })).body.error.code).toBe('invalid_request')
        expect((await call('GET', `/v1/simulations/${id}/deliveries/settled`)).body).toEqual({ settled: true })
      },
      'extensions',
    )

    rule(
      'with validation: warn, a request that does not fit is let through; the log says what is wrong with it, as with one refused',
      async ({ call, create, use }) => {
        const body = { title: '', status: 'unheard of' }
        const [strict, lax] = [await create(), await create({ validation: 'warn' })]

        const [refused, taken] = [await use(strict, 'POST', '/tasks', body), await use(lax, 'POST', '/tasks', body)]
        const warningsOf = async ({ id }: { id: string }) =>
          (await call('GET', `/v1/simulations/${id}/logs`)).body.data[0].warnings

        expect([refused.status >= 400, taken.status]).toEqual([true, 201])
        expect((await warningsOf(lax))[0]).toMatch(/title|status/)
        expect(await warningsOf(strict)).toEqual([refused.body.error.message])
      },
      'extensions',
    )

    rule(
      'seed and epoch give the same data again, whatever the time',
      async ({ call, create }) => {
        const records = async (init: object) => {
          const { id } = await create({ volume: { tasks: 5 }, ...init })
          return (await call('GET', `/v1/simulations/${id}/records/tasks`)).body.data
        }
        const epoch = '2025-05-05T05:05:05Z'

        const [first, second, other] = [
          await records({ seed: 'a', epoch }),
          await records({ seed: 'a', epoch }),
          await records({ seed: 'b', epoch }),
        ]

        expect(second).toEqual(first)
        expect(other).not.toEqual(first)
      },
      'extensions',
    )

    rule(
      'behaviour and rules may come with the creation',
      async ({ create, detail }) => {
        const rules = [{ name: 'Slow', kind: 'latency', method: '*', pathPattern: '*', config: { latencyMs: 1 } }]

        const { behaviour, rules: kept } = await detail((await create({ behaviour: HALVING.rules, rules })).id)

        expect(behaviour.rules).toEqual(HALVING.rules)
        expect(kept).toMatchObject(rules)
      },
      'extensions',
    )
  },
}
