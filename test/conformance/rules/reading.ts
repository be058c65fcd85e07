import { expect } from 'vitest'
import { HALVING, LATENCY } from '../description.ts'
import type { Section } from '../rule.ts'

/** Specification, GET and DELETE of simulations. */
export const reading: Section = {
  title: 'Reading and deleting simulations',
  declare: (rule) => {
    rule('the list answers { data } with at least id, name, slug, status and url', async ({ call, create }) => {
      const { id, slug, url } = await create({ name: 'Listed' })

      const { status, body } = await call('GET', '/v1/simulations')

      expect(status).toBe(200)
      expect(body.data).toContainEqual(
        expect.objectContaining({ id, slug, url, name: 'Listed', status: expect.stringMatching(/^(queued|running)$/) }),
      )
    })

    rule('the detail read has every field of Simulation', async ({ call, create, detail }) => {
      const created = await create({ name: 'Whole' })
      await call('POST', `/v1/simulations/${created.id}/rules`, { body: LATENCY })

      expect(await detail(created.id)).toMatchObject({
        id: created.id,
        name: 'Whole',
        slug: created.slug,
        status: 'running',
        url: created.url,
        api: { title: 'Errands', version: '2.1.0', basePath: '/api', operations: 5 },
        collections: [{ name: 'tasks', records: expect.any(Number), statusField: 'status' }],
        events: ['task.created', 'task.updated', 'task.deleted'],
        behaviour: { rules: expect.any(Array) },
        access: { ipRestrictionEnabled: false, ipAllowlist: [expect.any(String)] },
        keys: [created.apiKey.slice(0, 14)],
        rules: [{ ...LATENCY, id: expect.any(String) }],
        webhooks: [],
      })
    })

    rule('a behaviour rule has id, name, everySeconds, enabled and steps', async ({ call, create, detail }) => {
      const { id } = await create()
      await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })

      expect((await detail(id)).behaviour.rules).toEqual(HALVING.rules)
    })

    rule('slug is addressable in place of id', async ({ call, create }) => {
      const { id, slug } = await create()

      const answer = await call('GET', `/v1/simulations/${slug}`)

      expect(answer).toMatchObject({ status: 200, body: { id, slug } })
    })

    rule('an unknown simulation gives 404 not_found', async ({ call }) => {
      for (const name of ['no-such-simulation', '00000000-0000-4000-8000-000000000000', '%F0%9F%90%9F']) {
        expect(await call('GET', `/v1/simulations/${name}`)).toMatchObject({
          status: 404,
          body: { error: { code: 'not_found', message: expect.any(String) } },
        })
      }
    })

    rule('full keys are never returned after issue', async ({ call, create }) => {
      const { id, apiKey } = await create()

      const texts = await Promise.all(
        ['', '/logs', '/events', '/records/tasks'].map((part) => call('GET', `/v1/simulations/${id}${part}`)),
      )

      for (const { text } of texts) expect(text).not.toContain(apiKey)
    })

    rule('DELETE returns 204 with no body, and the simulation is gone', async ({ call, create }) => {
      const { id, slug } = await create()

      const answer = await call('DELETE', `/v1/simulations/${id}`)

      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await call('GET', `/v1/simulations/${id}`)).status).toBe(404)
      expect((await call('GET', `/v1/simulations/${slug}`)).status).toBe(404)
      expect((await call('DELETE', `/v1/simulations/${id}`)).status).toBe(404)
    })

    rule('a deleted simulation answers no more requests', async ({ call, create, use }) => {
      const simulation = await create()
      await call('DELETE', `/v1/simulations/${simulation.slug}`)

      const outcome = await use(simulation, 'GET', '/tasks').then(
        ({ status }) => status,
        (error: { code?: string }) => error.code,
      )

      expect([404, 'ECONNREFUSED', 'UND_ERR_SOCKET', 'ECONNRESET']).toContain(outcome)
    })

    rule('a deleted slug can be taken again', async ({ call, create }) => {
      const { slug } = await create()
      await call('DELETE', `/v1/simulations/${slug}`)

      expect((await create({ slug })).slug).toBe(slug)
    })
  },
}
